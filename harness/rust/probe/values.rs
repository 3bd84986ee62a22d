//! The values that the probe of fidelity sends through a library. Their types derive what a program's own types derive.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Probe, examine};

#[derive(Debug, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, Serialize, Deserialize)]
struct Newtype(u8);

#[derive(Debug, Serialize, Deserialize)]
struct Pair(u8, bool);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Choice {
    Unit,
    Newtype(u8),
    Tuple(u8, bool),
    Struct { x: u8 },
}

/// A newtype variant may have nothing in it.
#[derive(Debug, Serialize, Deserialize)]
enum Hollow {
    Newtype(()),
    Option(Option<u8>),
}

/// Its second field is not written where it has nothing.
#[derive(Debug, Serialize, Deserialize)]
struct Skipping {
    a: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    c: u8,
}

/// A sequence in a sequence, and so on.
#[derive(Debug, Serialize, Deserialize)]
struct Nested(Vec<Nested>);

fn nested(depth: usize) -> Nested {
    (1..depth).fold(Nested(Vec::new()), |inner, _| Nested(vec![inner]))
}

/// Bytes as the crate serde_bytes writes and reads them: a Vec<u8> alone is a sequence of numbers.
struct Bytes(Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        Ok(Bytes(text.as_bytes().to_vec()))
    }
}

fn key<K: Ord>(key: K) -> BTreeMap<K, u8> {
    BTreeMap::from([(key, 7)])
}

/// A probe for each value, by the name that it has in the tables.
macro_rules! probes {
    ($($name:literal: $value:expr,)*) => {
        pub const PROBES: &[Probe] = &[$(Probe { name: $name, run: |given| examine($value, given) }),*];
    };
}

probes! {
    "u64::MAX": u64::MAX,
    "i64::MIN": i64::MIN,
    "2^53+1": (1u64 << 53) + 1,
    "1i128": 1i128,
    "2^64 (u128)": 1u128 << 64,
    "u128::MAX": u128::MAX,
    "i128::MIN": i128::MIN,
    "1.0": 1.0f64,
    "0.1": 0.1f64,
    "-0.0": -0.0f64,
    "f64::MAX": f64::MAX,
    "5e-324": 5e-324f64,
    "f64::NAN": f64::NAN,
    "f64::INFINITY": f64::INFINITY,
    "f64::NEG_INFINITY": f64::NEG_INFINITY,
    "0.1f32": 0.1f32,
    "f32::MAX": f32::MAX,
    "f32::NAN": f32::NAN,
    "'a'": 'a',
    "'\\0'": '\0',
    "'😀'": '😀',
    "\"\"": String::new(),
    "\"a\\0b\"": "a\0b".to_owned(),
    "bytes [0, 1, 255]": Bytes(vec![0, 1, 255]),
    "bytes []": Bytes(Vec::new()),
    "Vec<u8>": vec![0u8, 1, 255],
    "()": (),
    "[(), ()]": vec![(), ()],
    "unit struct": Unit,
    "newtype struct": Newtype(1),
    "tuple struct": Pair(1, true),
    "(1, \"a\")": (1u8, "a".to_owned()),
    "None": None::<u8>,
    "Some(())": Some(()),
    "Some(None)": Some(None::<u8>),
    "Some(Some(1))": Some(Some(1u8)),
    "[None, Some(1)]": vec![None, Some(1u8)],
    "unit variant": Choice::Unit,
    "newtype variant": Choice::Newtype(1),
    "newtype variant of ()": Hollow::Newtype(()),
    "newtype variant of None": Hollow::Option(None),
    "tuple variant": Choice::Tuple(1, true),
    "struct variant": Choice::Struct { x: 1 },
    "key \"\"": key(String::new()),
    "key -1": key(-1i64),
    "key u64::MAX": key(u64::MAX),
    "key u128::MAX": key(u128::MAX),
    "key 'a'": key('a'),
    "key true": key(true),
    "key ()": key(()),
    "key (1, 2)": key((1u8, 2u8)),
    "key Some(1)": key(Some(1u8)),
    "key unit variant": key(Choice::Unit),
    "key newtype variant": key(Choice::Newtype(1)),
    "field skipped": Skipping { a: 1, b: None, c: 3 },
    "nested 100": nested(100),
    "nested 200": nested(200),
    "nested 1000": nested(1000),
}
