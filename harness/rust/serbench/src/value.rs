//! The value tree: what a writer is given, and what the baseline walks.

pub enum Value<'a> {
    Nil,
    Bool(bool),
    /// Always negative: an integer that is not is `Natural`.
    Negative(i64),
    Natural(u64),
    Double(f64),
    String(&'a str),
    Array(&'a [Value<'a>]),
    Map(&'a [Member<'a>]),
}

/// An entry of a map; no two have the same key.
pub struct Member<'a> {
    pub key: &'a str,
    pub value: Value<'a>,
}
