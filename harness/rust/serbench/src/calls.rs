//! The calls of the hash that a reader makes, repeated without the reader: what hashing its values takes.

use std::hint::black_box;
use std::ops::Range;

use crate::hash::Hash;

/// The place of a string in the record, where they then stand in the order of the calls.
type Text = Range<usize>;

/// Calls of one kind: alone, or each after that of the key of an entry of a map without order.
struct Group<T> {
    values: Vec<T>,
    entries: Vec<(Text, T)>,
}

impl<T> Default for Group<T> {
    fn default() -> Self {
        Self { values: Vec::new(), entries: Vec::new() }
    }
}

impl<T> Group<T> {
    fn add(&mut self, key: Option<Text>, value: T) {
        match key {
            Some(key) => self.entries.push((key, value)),
            None => self.values.push(value),
        }
    }

    /// Puts values in the order of their lengths, and entries in that of the lengths of their keys, which move.
    fn sort(&mut self, record: &[u8], to: &mut Vec<u8>, length: impl Fn(&T) -> usize) {
        self.values.sort_by_key(&length);
        self.entries.sort_by_key(|(key, value)| (key.len(), length(value)));
        for (key, _) in &mut self.entries {
            *key = moved(record, to, key);
        }
    }
}

/// The place of a string that is copied to the end of `to`.
fn moved(record: &[u8], to: &mut Vec<u8>, text: &Text) -> Text {
    let start = to.len();
    to.extend_from_slice(&record[text.clone()]);
    start..to.len()
}

/// Those of one kind follow each other, strings by their lengths, so that no branch has to guess which kind comes next,
/// or where a string ends: the processor would learn that in some launches and not in others. So the hash is not that of
/// the reader.
#[derive(Default)]
pub struct Calls {
    record: Vec<u8>,
    nulls: Group<()>,
    booleans: Group<bool>,
    signed: Group<i64>,
    unsigned: Group<u64>,
    doubles: Group<f64>,
    strings: Group<Text>,
    counts: Vec<usize>,
    /// The keys of entries whose values are containers.
    keys: Group<()>,
    /// Maps without an order.
    maps: usize,
}

/// The first `N` bytes of a record from `at` on, behind which it then is.
fn take<const N: usize>(record: &[u8], at: &mut usize) -> [u8; N] {
    let bytes = record[*at..*at + N].try_into().unwrap_or([0; N]);
    *at += N;
    bytes
}

fn text(record: &[u8], at: &mut usize) -> Text {
    let length = u32::from_le_bytes(take(record, at)) as usize;
    *at += length;
    *at - length..*at
}

impl Calls {
    /// The calls in a record as docs/protocol.md describes it. The value of an entry may be an array, whose first
    /// element then stands for it.
    pub fn of(record: Vec<u8>) -> Self {
        let mut calls = Self::default();
        let mut key = None;
        let mut at = 0;
        while let Some(&tag) = record.get(at) {
            at += 1;
            if matches!(tag, b'(' | b')' | b'e') {
                if let Some(alone) = key.take() {
                    calls.keys.add(Some(alone), ());
                }
            }
            match tag {
                b'(' => {
                    at += 1; // the tag of a string
                    key = Some(text(&record, &mut at));
                }
                b')' => calls.maps += 1,
                b'n' => calls.nulls.add(key.take(), ()),
                b't' | b'f' => calls.booleans.add(key.take(), tag == b't'),
                b'i' => calls.signed.add(key.take(), i64::from_le_bytes(take(&record, &mut at))),
                b'u' => calls.unsigned.add(key.take(), u64::from_le_bytes(take(&record, &mut at))),
                b'd' => calls.doubles.add(key.take(), f64::from_le_bytes(take(&record, &mut at))),
                b's' => {
                    let value = text(&record, &mut at);
                    calls.strings.add(key.take(), value);
                }
                _ => calls.counts.push(u32::from_le_bytes(take(&record, &mut at)) as usize),
            }
        }
        calls.sort(&record);
        calls
    }

    fn sort(&mut self, record: &[u8]) {
        let to = &mut self.record;
        self.strings.sort(record, to, Range::len);
        for text in &mut self.strings.values {
            *text = moved(record, to, text);
        }
        for (_, text) in &mut self.strings.entries {
            *text = moved(record, to, text);
        }
        self.nulls.sort(record, to, |()| 0);
        self.booleans.sort(record, to, |_| 0);
        self.signed.sort(record, to, |_| 0);
        self.unsigned.sort(record, to, |_| 0);
        self.doubles.sort(record, to, |_| 0);
        self.keys.sort(record, to, |()| 0);
    }

    /// Makes all of them.
    pub fn repeat(&self, hash: &mut Hash) {
        self.all(hash, &self.nulls, |hash, ()| hash.nil());
        self.all(hash, &self.booleans, |hash, &value| hash.boolean(value));
        self.all(hash, &self.signed, |hash, &value| hash.signed(value));
        self.all(hash, &self.unsigned, |hash, &value| hash.unsigned(value));
        self.all(hash, &self.doubles, |hash, &value| hash.double(value));
        self.all(hash, &self.strings, |hash, value| hash.string_bytes(&self.record[value.clone()]));
        self.all(hash, &self.keys, |_, ()| ());
        for &count in &self.counts {
            hash.count(count);
            apart(hash);
        }
        for _ in 0..self.maps {
            hash.mix(0);
            apart(hash);
        }
    }

    #[inline(always)]
    fn all<T>(&self, hash: &mut Hash, of: &Group<T>, call: impl Fn(&mut Hash, &T)) {
        for value in &of.values {
            call(hash, value);
            apart(hash);
        }
        let mut entries = hash.entries();
        for (key, value) in &of.entries {
            let _ = entries.add(hash, |hash| {
                hash.string_bytes(&self.record[key.clone()]);
                apart(hash);
                call(hash, value);
                apart(hash);
                Ok(())
            });
        }
        if !of.entries.is_empty() {
            entries.end(hash);
        }
    }
}

/// The state is in memory between two calls, as it is in a reader that hands the hash to other functions.
#[inline(always)]
fn apart(hash: &mut Hash) {
    black_box(hash);
}
