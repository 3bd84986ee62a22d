//! Where a look-up finds a value.

use crate::{Error, Result, Value};

/// A step from a value to one in it.
#[derive(Clone, Copy)]
pub enum Step {
    Key(&'static str),
    Index(usize),
}

pub struct Path {
    /// From the root.
    pub steps: Vec<Step>,
    /// The same as a JSON Pointer.
    pub pointer: String,
}

impl Path {
    /// The path that an array of keys and indexes is; None for another value.
    pub(crate) fn of(value: &'static Value<'static>) -> Option<Self> {
        let Value::Array(items) = value else { return None };
        let mut steps = Vec::new();
        let mut pointer = String::new();
        for item in items.iter() {
            pointer.push('/');
            match *item {
                Value::String(key) => {
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                    steps.push(Step::Key(key));
                }
                Value::Natural(index) => {
                    pointer.push_str(&index.to_string());
                    steps.push(Step::Index(index as usize));
                }
                _ => return None,
            }
        }
        Some(Self { steps, pointer })
    }

    /// The error that there is no scalar at this path.
    #[cold]
    pub fn missing(&self) -> Error {
        format!("no value at \"{:.200}\"", self.pointer).into()
    }

    /// The value that `step` finds from `root`, one step after the other; an error if one finds nothing.
    #[inline]
    pub fn follow<T>(&self, root: T, mut step: impl FnMut(T, Step) -> Option<T>) -> Result<T> {
        let mut value = root;
        for &each in &self.steps {
            value = step(value, each).ok_or_else(|| self.missing())?;
        }
        Ok(value)
    }
}
