//! How what the library's derives make of each type is walked; schema.py writes that for the structs.

use rkyv::collections::swiss_table::ArchivedIndexMap;
use rkyv::option::ArchivedOption;
use rkyv::primitive::{ArchivedF64, ArchivedI32, ArchivedI64, ArchivedU32, ArchivedU64};
use rkyv::string::ArchivedString;
use rkyv::vec::ArchivedVec;
use serbench::Hash;

use crate::schema::Walk;

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Walk for $type {
            #[inline]
            fn walk(&self, hash: &mut Hash) {
                self.to_native().walk(hash);
            }
        }
    )+};
}

numbers!(ArchivedU32, ArchivedI32, ArchivedU64, ArchivedI64, ArchivedF64);

impl Walk for ArchivedString {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        hash.string(self);
    }
}

/// None is null here: a field that may be absent is asked for its key before.
impl<T: Walk> Walk for ArchivedOption<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        match self {
            Self::Some(value) => value.walk(hash),
            Self::None => hash.nil(),
        }
    }
}

impl<T: Walk> Walk for ArchivedVec<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        self.iter().for_each(|item| item.walk(hash));
        hash.count(self.len());
    }
}

impl<K: Walk, T: Walk> Walk for ArchivedIndexMap<K, T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        for (key, value) in self.iter() {
            key.walk(hash);
            value.walk(hash);
        }
        hash.count(self.len());
    }
}
