//! The value tree as serde writes it, and a value that serde reads and that is nothing but hashed.

use std::fmt;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::{Hash, Value};

impl Serialize for Value<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Nil => serializer.serialize_none(),
            Self::Bool(x) => serializer.serialize_bool(x),
            Self::Negative(x) => serializer.serialize_i64(x),
            Self::Natural(x) => serializer.serialize_u64(x),
            Self::Double(x) => serializer.serialize_f64(x),
            Self::String(x) => serializer.serialize_str(x),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Map(members) => serializer.collect_map(members.iter().map(|each| (each.key, &each.value))),
        }
    }
}

/// Hashes what a deserializer reads, value by value as it comes, and keeps nothing:
/// `Hashed(hash).deserialize(&mut deserializer)?`
pub struct Hashed<'h>(pub &'h mut Hash);

impl<'de> DeserializeSeed<'de> for Hashed<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Hashed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value of a document")
    }

    #[inline]
    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.nil();
        Ok(())
    }

    #[inline]
    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.0.nil();
        Ok(())
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    #[inline]
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.0.boolean(value);
        Ok(())
    }

    #[inline]
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.0.signed(value);
        Ok(())
    }

    #[inline]
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.0.unsigned(value);
        Ok(())
    }

    #[inline]
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.double(value);
        Ok(())
    }

    #[inline]
    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.0.string(value);
        Ok(())
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut count = 0;
        while items.next_element_seed(Hashed(self.0))?.is_some() {
            count += 1;
        }
        self.0.count(count);
        Ok(())
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut count = 0;
        while entries.next_key_seed(Key(self.0))?.is_some() {
            entries.next_value_seed(Hashed(self.0))?;
            count += 1;
        }
        self.0.count(count);
        Ok(())
    }
}

/// A map's key, which is a string: some formats do not say what type a key has.
struct Key<'h>(&'h mut Hash);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(Hashed(self.0))
    }
}

/// For a field that may be absent and may be null: `#[serde(default, deserialize_with = "serbench::present")]` keeps the
/// two apart in an option of an option.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
