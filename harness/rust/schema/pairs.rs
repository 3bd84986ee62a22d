/// The entries of a map in their order.
impl<K: Walk, T: Walk> Walk for Vec<(K, T)> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        for (key, value) in self {
            key.walk(hash);
            value.walk(hash);
        }
        hash.count(self.len());
    }
}

impl<T: Fill> Fill for Vec<(String, T)> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        entries(value)
    }
}
