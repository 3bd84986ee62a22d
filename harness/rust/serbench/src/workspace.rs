//! What `prepare` loads: the value tree, the encoded input, room for its copy, and a baseline's words.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::{fs, io, slice};

use crate::baseline::{self, Baseline};
use crate::message::Message;
use crate::message_file;
use crate::tape::Tree;
use crate::{ROOT_IS_ARRAY, Value, libc};

/// For the same alignment in every launch.
const ALIGNMENT: usize = 64;

/// Bytes at a multiple of `ALIGNMENT`.
pub struct Aligned {
    place: *mut u8,
    size: usize,
}

impl Aligned {
    /// As many zero bytes; None if there is not enough memory.
    pub fn new(size: usize) -> Option<Self> {
        let rounded = (size.checked_add(ALIGNMENT)?) / ALIGNMENT * ALIGNMENT;
        let place: *mut u8 = libc::aligned_alloc(ALIGNMENT, rounded).cast();
        if place.is_null() {
            return None;
        }
        // SAFETY: so many bytes were allocated there.
        unsafe { place.write_bytes(0, size) }
        Some(Self { place, size })
    }

    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes were allocated and set there.
        unsafe { slice::from_raw_parts_mut(self.place, self.size) }
    }
}

impl Drop for Aligned {
    fn drop(&mut self) {
        // SAFETY: this is the only place that frees it.
        unsafe { libc::free(self.place.cast()) }
    }
}

/// A file, and the part of it that each message has; nothing if there is none.
#[derive(Default)]
pub struct Parts {
    file: Vec<u8>,
    of: Vec<Range<usize>>,
}

impl Parts {
    fn load(path: &Path, messages: usize, framed: bool) -> Result<Self, String> {
        if path.as_os_str().is_empty() {
            return Ok(Self::default());
        }
        let unread = |why: &str| format!("the input {} cannot be read: {why}", path.display());
        let file = load(path).map_err(|why| unread(&why))?;
        let of = if framed {
            message_file::split(&file, messages).ok_or_else(|| unread("it is not a file of these messages"))?
        } else {
            slice::from_ref(&(0..file.len())).to_vec()
        };
        Ok(Self { file, of })
    }

    /// The part of message `index`, empty if there is none.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        self.of.get(index).map_or(&[], |range| &self.file[range.clone()])
    }
}

pub struct Workspace {
    tree: Tree,
    /// Several messages: inputs and outputs are framed files (message_file.rs).
    pub framed: bool,
    /// Zero bytes that follow each copy.
    pub padding: usize,
    /// The encoded input; empty for most writers.
    pub input: Parts,
    /// The words that exact_hash mixes; empty for all but baselines.
    words: Parts,
    /// What a reader is given, made anew for every message.
    pub copy: Aligned,
}

impl Workspace {
    /// Loads what `prepare` names. With `messages` the elements of the root are handled one by one, and input and
    /// words are framed files. The error says what cannot be read.
    pub fn load(request: &Message) -> Result<Self, String> {
        let path = request.path("tape");
        let tree = Tree::read(path).map_err(|why| format!("the tape {} cannot be read: {why}", path.display()))?;
        let framed = request.number("messages", 0) != 0;
        let count = messages_of(tree.root(), framed).len();
        if count == 0 {
            return Err(format!("the tape {} has no messages", path.display()));
        }
        let input = Parts::load(request.path("input"), count, framed)?;
        let words = Parts::load(request.path("words"), count, framed)?;
        let padding = usize::try_from(request.number("padding", 1)).unwrap_or(usize::MAX);
        let largest = (0..count).map(|index| input.get(index).len()).max().unwrap_or(0);
        let copy = Aligned::new(largest.saturating_add(padding)).ok_or("out of memory")?;
        Ok(Self { tree, framed, padding, input, words, copy })
    }

    /// What an iteration handles one by one: usually the root alone.
    #[inline]
    pub fn messages(&self) -> &'static [Value<'static>] {
        messages_of(self.tree.root(), self.framed)
    }

    /// Makes message `index` the one at hand.
    #[inline]
    pub fn select(&self, index: usize) -> &'static Value<'static> {
        let root = &self.messages()[index];
        ROOT_IS_ARRAY.store(matches!(root, Value::Array(_)), Ordering::Relaxed);
        // SAFETY: they live until the next `prepare`, and the baseline asks for them anew in every call.
        let (input, words) = unsafe {
            let of = |parts: &Parts| {
                let part = parts.get(index);
                slice::from_raw_parts(part.as_ptr(), part.len())
            };
            (of(&self.input), of(&self.words))
        };
        baseline::select(Baseline { root, input, words });
        root
    }
}

fn messages_of(root: &'static Value<'static>, framed: bool) -> &'static [Value<'static>] {
    match *root {
        Value::Array(items) if framed => items,
        _ if framed => &[],
        _ => slice::from_ref(root),
    }
}

/// The bytes of a file. The error is the system's reason, in its own words.
pub fn load(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| reason(&error))
}

/// The system's words for an error, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
