/// A double that is read where an integer stands, too: some libraries take none where an f64 is wanted.
#[derive(serde::Serialize)]
#[serde(transparent)]
pub struct Number(pub f64);

impl<'de> serde::Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;

        impl serde::de::Visitor<'_> for Visitor {
            type Value = Number;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("a number")
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> std::result::Result<Number, E> {
                Ok(Number(value))
            }

            // Exact: the schema has doubles only where all integers are.
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> std::result::Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> std::result::Result<Number, E> {
                Ok(Number(value as f64))
            }
        }

        from.deserialize_any(Visitor)
    }
}

impl Walk for Number {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        self.0.walk(hash);
    }
}

impl Fill for Number {
    fn fill(value: &Value<'_>) -> Result<Self> {
        f64::fill(value).map(Self)
    }
}
