//! What a contender in Rust may use.
//!
//! A contender is one program for all its tests. It hands functions of these types to `run`:
//!
//!     use serbench::{Contender, Hash, Output, Result, Value};
//!
//!     fn write(root: &Value, out: &mut Output) -> Result;    // encode the tree at `root` into `out`
//!     fn tree(data: &mut [u8], hash: &mut Hash) -> Result;   // decode `data`, call the hash for every value
//!
//!     fn main() -> std::process::ExitCode {
//!         serbench::run(Contender { write: Some(write), tree: Some(tree), ..Contender::NONE })
//!     }
//!
//! `data` is a fresh copy of the input in every call. It may be changed, is followed by at least one zero byte
//! (more if the manifest states a padding), and belongs to the harness. What a function allocates, it drops. An
//! error that it returns, and a panic, fail the row, with their text as the reason. `#[global_allocator]` must not be set:
//! what the standard one allocates is counted, and another malloc may be preloaded under it.

mod baseline;
mod calls;
mod clock;
mod fragment;
mod hash;
mod heap;
mod libc;
mod message;
mod message_file;
mod output;
mod path;
#[cfg(feature = "serde")]
mod serde;
mod start;
mod tape;
mod task_read;
mod task_write;
mod value;
mod worker;
mod workspace;

use std::sync::atomic::{AtomicBool, Ordering};

pub use baseline::{Baseline, baseline};
pub use hash::{Entries, Hash};
pub use output::Output;
pub use path::{Path, Step};
#[cfg(feature = "serde")]
pub use serde::{Hashed, present};
pub use start::{run, run_with_struct};
pub use value::{Member, Value};
pub use worker::Row;

pub type Error = Box<dyn std::error::Error>;
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Encodes the tree at a root.
pub type Write = fn(&Value<'_>, &mut Output) -> Result;
/// Decodes data and calls the hash for every value.
pub type Read = fn(&mut [u8], &mut Hash) -> Result;
/// Calls the hash for the scalar at each of the paths, in their order; an error if there is none at one of them.
pub type Lookup = fn(&mut [u8], &[Path], &mut Hash) -> Result;
/// Makes the library's own document of data that stay as long as the document, before the clock runs. What the
/// library keeps in a document so that it need not encode it again must not be used.
pub type Document = for<'a> fn(&'a mut [u8]) -> Result<Serialize<'a>>;
/// Encodes a document that was made before.
pub type Serialize<'a> = Box<dyn Fn(&mut Output) -> Result + 'a>;

/// Makes of a value tree what a contender's `write` encodes, before the clock runs.
pub(crate) type Fill = &'static dyn Fn(&Value<'_>) -> Result<Serialize<'static>>;

/// The structs of the schema for which the contender is built, as code that the build program emitted
/// (harness/rust/schema.py): `Root`, and the traits `Fill` and `Walk`.
#[macro_export]
macro_rules! schema {
    () => {
        #[allow(clippy::all, unused)]
        mod schema {
            include!(env!("SB_SCHEMA"));
        }
    };
}

/// The functions of a contender's tests, as its manifest lists them.
#[derive(Clone, Copy)]
pub struct Contender {
    pub write: Option<Write>,
    pub tree: Option<Read>,
    pub incremental: Option<Read>,
    pub serialize: Option<Document>,
    pub lookup: Option<Lookup>,
}

impl Contender {
    pub const NONE: Self = Self { write: None, tree: None, incremental: None, serialize: None, lookup: None };
}

static ROOT_IS_ARRAY: AtomicBool = AtomicBool::new(false);

/// Whether the root is an array. Only a format that has no root array (BSON) asks.
pub fn root_is_array() -> bool {
    ROOT_IS_ARRAY.load(Ordering::Relaxed)
}
