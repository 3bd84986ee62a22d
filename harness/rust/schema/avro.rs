/// A map as Avro's array of entries.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Map<T>(Vec<T>);

impl<T: Walk> Walk for Map<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        self.0.walk(hash);
    }
}

impl<T: Entry> Fill for Map<T> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        Entries::fill(value).map(|Entries(made)| Self(made))
    }
}
