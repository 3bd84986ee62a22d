//! The two hashes of a value tree: content_hash and exact_hash (docs/tape.md).
//!
//! A contender calls one function for each value that it meets, in document order: the scalars as they come, a
//! container's elements (for a map: key, value, key, value ...) before its count. The same calls yield either
//! hash; which one is decided by the harness.

use std::arch::asm;

use crate::{Result, Value};

const START: u32 = 15373;
const LARGEST_INTEGRAL: f64 = 9_007_199_254_740_992.0; // 2^53

pub struct Hash {
    pub(crate) state: u32,
    /// exact_hash mixes the bits of a double, content_hash a constant.
    exact: bool,
    /// Gets every call, while the gate looks for what a reader changes (docs/protocol.md); None in every timed call.
    pub(crate) seen: Option<Vec<u8>>,
}

/// Hides `x` from the compiler. If it knew that `x` is 0 (of a null, or the high word of a u32), it would make one
/// step of two, and the hash would not cost the same in every row.
#[inline]
#[allow(asm_sub_register)] // the register stands in a comment alone
fn step(state: u32, mut x: u32) -> u32 {
    // SAFETY: it is a comment and no instruction.
    unsafe { asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
    state.wrapping_mul(31) ^ x
}

impl Hash {
    pub(crate) const fn new(exact: bool) -> Self {
        Self { state: START, exact, seen: None }
    }

    #[inline]
    pub(crate) fn mix(&mut self, x: u32) {
        self.state = step(self.state, x);
    }

    /// Mixes the high, then the low word.
    #[inline]
    fn words(&mut self, x: u64) {
        self.mix((x >> 32) as u32);
        self.mix(x as u32);
    }

    /// Shows a call as the tape has it: a tag, then these bytes.
    #[inline]
    fn show(&mut self, tag: u8, bytes: &[u8]) {
        if let Some(seen) = &mut self.seen {
            put(seen, tag, bytes);
        }
    }

    #[inline]
    pub fn nil(&mut self) {
        self.show(b'n', &[]);
        self.mix(0);
        self.bytes(b"nil");
    }

    #[inline]
    pub fn boolean(&mut self, value: bool) {
        self.show(if value { b't' } else { b'f' }, &[]);
        self.mix(value.into());
    }

    #[inline]
    pub fn unsigned(&mut self, value: u64) {
        self.show(b'u', &value.to_le_bytes());
        self.words(value);
    }

    #[inline]
    pub fn signed(&mut self, value: i64) {
        self.show(b'i', &value.to_le_bytes());
        self.words(value as u64);
    }

    /// A double with an integral value within +-2^53, other than -0, counts as that integer.
    #[inline]
    pub fn double(&mut self, value: f64) {
        let bits = value.to_bits();
        self.show(b'd', &bits.to_le_bytes());
        if (-LARGEST_INTEGRAL..=LARGEST_INTEGRAL).contains(&value) && bits != 1 << 63 {
            let whole = value as i64;
            if whole as f64 == value {
                return self.words(whole as u64);
            }
        }
        if self.exact { self.words(bits) } else { self.mix(43013) }
    }

    /// A string, or a map's key.
    #[inline]
    pub fn string(&mut self, text: &str) {
        self.string_bytes(text.as_bytes());
    }

    /// The same, for a library that does not look whether its strings are UTF-8.
    #[inline]
    pub fn string_bytes(&mut self, text: &[u8]) {
        if let Some(seen) = &mut self.seen {
            put(seen, b's', &(text.len() as u32).to_le_bytes());
            seen.extend_from_slice(text);
        }
        self.bytes(text);
    }

    #[inline]
    fn bytes(&mut self, text: &[u8]) {
        let mut state = whole_words(step(self.state, text.len() as u32), text);
        let rest = &text[text.len() & !3..];
        if let Some(&first) = rest.first() {
            let byte = |i: usize| u32::from(rest.get(i).copied().unwrap_or(0));
            let word = u32::from(first) | byte(1) << 8 | byte(2) << 16;
            state = state.wrapping_mul(31) ^ word;
        }
        self.state = state;
    }

    /// Ends an array or a map: the number of its elements or entries.
    #[inline]
    pub fn count(&mut self, number: usize) {
        self.show(b'e', &(number as u32).to_le_bytes());
        self.mix(number as u32);
    }

    /// Begins a map whose entries come in another order each time (docs/adding-a-language.md).
    pub fn entries(&self) -> Entries {
        Entries { before: self.state, sum: 0, count: 0 }
    }

    /// Mixes what the hash mixes for a whole document, word after word.
    pub(crate) fn mix_words(&mut self, words: &[u8]) {
        self.state = whole_words(self.state, words);
    }

    /// Mixes a whole tree, depth first.
    pub fn tree(&mut self, value: &Value<'_>) {
        match *value {
            Value::Nil => self.nil(),
            Value::Bool(x) => self.boolean(x),
            Value::Negative(x) => self.signed(x),
            Value::Natural(x) => self.unsigned(x),
            Value::Double(x) => self.double(x),
            Value::String(x) => self.string(x),
            Value::Array(items) => {
                items.iter().for_each(|item| self.tree(item));
                self.count(items.len());
            }
            Value::Map(members) => {
                for member in members {
                    self.string(member.key);
                    self.tree(&member.value);
                }
                self.count(members.len());
            }
        }
    }
}

/// The entries of one map whose order must not count: a sum of the hash of each.
pub struct Entries {
    before: u32,
    sum: u32,
    count: usize,
}

impl Entries {
    /// Adds an entry: `key_and_value` makes the calls for both.
    pub fn add(&mut self, hash: &mut Hash, key_and_value: impl FnOnce(&mut Hash) -> Result) -> Result {
        hash.state = START;
        hash.show(b'(', &[]);
        key_and_value(hash)?;
        self.sum = self.sum.wrapping_add(hash.state);
        self.count += 1;
        Ok(())
    }

    pub fn end(self, hash: &mut Hash) {
        hash.state = self.before;
        hash.show(b')', &[]);
        hash.mix(self.sum);
        hash.count(self.count);
    }
}

#[cold]
fn put(seen: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    seen.push(tag);
    seen.extend_from_slice(bytes);
}

/// `state` with the whole little-endian words of `text` mixed in; what is left over is not.
#[inline]
fn whole_words(state: u32, text: &[u8]) -> u32 {
    let (words, _) = text.as_chunks::<4>();
    words.iter().fold(state, |state, word| state.wrapping_mul(31) ^ u32::from_le_bytes(*word))
}
