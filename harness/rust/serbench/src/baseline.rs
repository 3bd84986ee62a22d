//! For the baseline only: the harness's own data, which no contender may touch. Of several messages it is the one at
//! hand.

use std::cell::Cell;

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
    /// Hashes every value without a walk: its words are read one after the other.
    pub fn hash_words(&self, hash: &mut Hash) {
        hash.mix_words(self.words);
    }
}
