impl<K: Walk, T: Walk> Walk for indexmap::IndexMap<K, T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        for (key, value) in self {
            key.walk(hash);
            value.walk(hash);
        }
        hash.count(self.len());
    }
}

impl<T: Fill> Fill for indexmap::IndexMap<String, T> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        entries(value)
    }
}
