//! For the baseline only: the harness's own data, which no contender may touch, and the work that no row of a test
//! can do without. Of several messages it is the one at hand.

use std::cell::Cell;
use std::hint::black_box;

use crate::{Hash, Value};

#[derive(Clone, Copy)]
pub struct Baseline {
    pub root: &'static Value<'static>,
    /// The smallest encoding of the group; empty if there is no input.
    pub input: &'static [u8],
    /// The words that exact_hash mixes, four bytes each; empty if none were given.
    pub(crate) words: &'static [u8],
}

thread_local! {
    static CURRENT: Cell<Baseline> = const { Cell::new(Baseline { root: &Value::Nil, input: &[], words: &[] }) };
}

/// The data of the message at hand.
pub fn baseline() -> Baseline {
    CURRENT.get()
}

pub(crate) fn select(now: Baseline) {
    CURRENT.set(now);
}

impl Baseline {
    /// What no reader can do without: every value goes into the hash. Its words are read one after the other, so that
    /// nothing is subtracted that depends on how a tree is laid out or how a format is parsed.
    pub fn hash_words(&self, hash: &mut Hash) {
        hash.mix_words(self.words);
    }

    /// What no writer can do without: every type, length, number and pointer of the tree is looked at.
    pub fn walk(&self) {
        black_box(sum(self.root)); // or the compiler would leave the walk out
    }
}

fn sum(value: &Value<'_>) -> u64 {
    let place = |text: &str| (text.as_ptr() as u64).wrapping_add(text.len() as u64);
    match *value {
        Value::Nil => 1,
        Value::Bool(x) => x.into(),
        Value::Negative(x) => x as u64,
        Value::Natural(x) => x,
        Value::Double(x) => x.to_bits(),
        Value::String(x) => place(x),
        Value::Array(items) => items.iter().fold(items.len() as u64, |all, item| all.wrapping_add(sum(item))),
        Value::Map(members) => members.iter().fold(members.len() as u64, |all, member| {
            all.wrapping_add(place(member.key)).wrapping_add(sum(&member.value))
        }),
    }
}
