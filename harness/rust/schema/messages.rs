/// An entry of a map, where a message stands for it.
pub trait Entry: Sized {
    fn entry(key: &str, value: &Value<'_>) -> Result<Self>;
}

/// A map as messages in its order.
struct Entries<T>(Vec<T>);

impl<T: Entry> Fill for Entries<T> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        let members = Members::of(value)?.0;
        members.iter().map(|each| T::entry(each.key, &each.value)).collect::<Result<_>>().map(Entries)
    }
}
