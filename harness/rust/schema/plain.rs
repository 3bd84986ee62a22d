// Stands before the structs that schema.py emits, in the crate of the contender: so a contender may say how types of its
// library are walked.

use serbench::{Hash, Member, Result, Value};

/// Hashes every value, as docs/tape.md says.
pub trait Walk {
    fn walk(&self, hash: &mut Hash);
}

/// Makes the struct of a value of the data.
pub trait Fill: Sized {
    fn fill(value: &Value<'_>) -> Result<Self>;
}

fn other<T>(wanted: &str) -> Result<T> {
    Err(format!("the data do not follow the schema: no {wanted}").into())
}

/// The entries of a map, which are taken in their order.
pub struct Members<'v, 'a>(&'v [Member<'a>]);

impl<'v, 'a> Members<'v, 'a> {
    pub fn of(value: &'v Value<'a>) -> Result<Self> {
        if let Value::Map(members) = value { Ok(Self(members)) } else { other("object") }
    }

    /// The field that may be absent.
    pub fn optional<T: Fill>(&mut self, key: &str) -> Result<Option<T>> {
        match self.0 {
            [first, rest @ ..] if first.key == key => {
                self.0 = rest;
                T::fill(&first.value).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn required<T: Fill>(&mut self, key: &str) -> Result<T> {
        self.optional(key)?.map_or_else(|| other(key), Ok)
    }

    /// After the last field.
    pub fn end(&self) -> Result {
        self.0.first().map_or(Ok(()), |left| other(&format!("place for {}", left.key)))
    }
}

/// Makes some fields of a struct, in a function that is compiled for them alone.
#[inline(never)]
fn apart<T>(make: impl FnOnce() -> Result<T>) -> Result<T> {
    make()
}

macro_rules! integers {
    ($($type:ty, $call:ident);+) => {$(
        impl Walk for $type {
            #[inline]
            fn walk(&self, hash: &mut Hash) {
                hash.$call((*self).into());
            }
        }

        impl Fill for $type {
            fn fill(value: &Value<'_>) -> Result<Self> {
                match *value {
                    Value::Negative(x) => Ok(x.try_into()?),
                    Value::Natural(x) => Ok(x.try_into()?),
                    _ => other("integer"),
                }
            }
        }
    )+};
}

integers!(u32, unsigned; u64, unsigned; i32, signed; i64, signed);

impl Walk for bool {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        hash.boolean(*self);
    }
}

impl Fill for bool {
    fn fill(value: &Value<'_>) -> Result<Self> {
        if let Value::Bool(x) = value { Ok(*x) } else { other("bool") }
    }
}

impl Walk for f64 {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        hash.double(*self);
    }
}

impl Fill for f64 {
    fn fill(value: &Value<'_>) -> Result<Self> {
        match *value {
            Value::Double(x) => Ok(x),
            // Exact: the schema has doubles only where all integers are.
            Value::Negative(x) => Ok(x as Self),
            Value::Natural(x) => Ok(x as Self),
            _ => other("number"),
        }
    }
}

impl Walk for &str {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        hash.string(self);
    }
}

impl Walk for String {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        hash.string(self);
    }
}

impl Fill for String {
    fn fill(value: &Value<'_>) -> Result<Self> {
        if let Value::String(x) = value { Ok((*x).into()) } else { other("string") }
    }
}

/// None is null here: a field that may be absent is asked for its key before.
impl<T: Walk> Walk for Option<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        match self {
            Some(value) => value.walk(hash),
            None => hash.nil(),
        }
    }
}

impl<T: Fill> Fill for Option<T> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        if let Value::Nil = value { Ok(None) } else { T::fill(value).map(Some) }
    }
}

impl<T: Walk> Walk for Vec<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        self.iter().for_each(|item| item.walk(hash));
        hash.count(self.len());
    }
}

impl<T: Fill> Fill for Vec<T> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        if let Value::Array(items) = value { items.iter().map(T::fill).collect() } else { other("array") }
    }
}

fn entries<T: Fill, M: FromIterator<(String, T)>>(value: &Value<'_>) -> Result<M> {
    Members::of(value)?.0.iter().map(|each| Ok((each.key.into(), T::fill(&each.value)?))).collect()
}
