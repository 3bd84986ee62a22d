//! A reader's iteration: copy the input, let the contender decode it and hash every value. A look-up is a reader of
//! the values at some paths, whose tree is an array of these values for each document.

use std::{fs, ptr};

use crate::calls::Calls;
use crate::hash::Hash;
use crate::path::Path;
use crate::tape::Tree;
use crate::worker::{Own, Session, Task};
use crate::workspace::{Workspace, reason};
use crate::{Result, Value};

/// The paths of each message. They refer to a tree of their own.
pub struct Paths {
    of: Vec<Vec<Path>>,
    _tree: Tree,
}

impl Paths {
    /// The paths of the tape at `path`, which belong to the `values` of the messages.
    pub fn load(path: &std::path::Path, values: &[Value<'static>], framed: bool) -> Result<Self, String> {
        let tree = Tree::read(path).map_err(|why| format!("the tape of paths cannot be read: {why}"))?;
        let of = Self::all(&tree, values, framed).ok_or("the tape of paths does not belong to the values")?;
        Ok(Self { of, _tree: tree })
    }

    fn all(tree: &Tree, values: &[Value<'static>], framed: bool) -> Option<Vec<Vec<Path>>> {
        let all = match *tree.root() {
            Value::Array(items) if framed => items,
            _ if framed => return None,
            _ => std::slice::from_ref(tree.root()),
        };
        let each = all.iter().zip(values).map(|pair| match *pair.0 {
            Value::Array(paths) if matches!(pair.1, Value::Array(found) if found.len() == paths.len()) => {
                paths.iter().map(Path::of).collect()
            }
            _ => None,
        });
        if all.len() == values.len() { each.collect() } else { None }
    }
}

/// A copy of the input of message `index`.
#[inline]
fn copied(work: &mut Workspace, index: usize) -> &mut [u8] {
    let input = work.input.get(index);
    let (copy, padding) = work.copy.bytes()[..input.len() + work.padding].split_at_mut(input.len());
    copy.copy_from_slice(input);
    padding.fill(0);
    copy
}

fn read_copies(session: &mut Session, hash: &mut Hash) -> bool {
    let Some(work) = &mut session.work else { return false };
    let mut ok = true;
    for index in 0..work.messages().len() {
        work.select(index);
        let copy = copied(work, index);
        // SAFETY: it points to a function pointer. Read as volatile, so that the work can not be folded away.
        let done = match (unsafe { ptr::read_volatile(&session.task) }, &session.paths) {
            (Task::Read(read), _) => read(copy, hash),
            (Task::Lookup(lookup), Some(paths)) => {
                let paths = &paths.of[index];
                lookup(copy, paths, hash).map(|()| hash.count(paths.len()))
            }
            _ => Err("this test reads nothing".into()),
        };
        if let Err(why) = done {
            session.reason = why.to_string();
            ok = false;
        }
    }
    ok
}

/// One iteration, as it is timed; leaves its hash in the session.
pub fn iterate(session: &mut Session) -> bool {
    let mut hash = Hash::new(true);
    let ok = read_copies(session, &mut hash);
    session.hash = hash.state;
    ok
}

/// The calls of the hash in an iteration, which is not timed.
pub fn record(session: &mut Session) -> Result<Calls, String> {
    let mut hash = Hash::new(true);
    hash.seen = Some(Vec::new());
    if read_copies(session, &mut hash) {
        Ok(Calls::of(hash.seen.unwrap_or_default()))
    } else {
        Err(session.reason.clone())
    }
}

/// What the harness itself does in an iteration that makes these calls; leaves a hash in the session.
pub fn overhead(session: &mut Session) -> bool {
    let Session { work: Some(work), own: Some(Own::Calls(calls)), hash, .. } = session else { return false };
    let mut state = Hash::new(true);
    for index in 0..work.messages().len() {
        work.select(index);
        copied(work, index);
    }
    calls.repeat(&mut state);
    *hash = state.state;
    true
}

/// Reads once for either hash; the answer says what that proves. Every call of the hash is left at `output`, unless
/// that is empty.
pub fn verify(session: &mut Session, output: &std::path::Path) -> Result<String, String> {
    let mut content = Hash::new(false);
    let mut exact = Hash::new(true);
    let shown = !output.as_os_str().is_empty();
    exact.seen = shown.then(Vec::new);
    if !read_copies(session, &mut content) || !read_copies(session, &mut exact) {
        return Err(session.reason.clone());
    }
    if let Some(seen) = &exact.seen {
        fs::write(output, seen).map_err(|why| format!("cannot write {}: {}", output.display(), reason(&why)))?;
    }
    Ok(format!("\"content_hash\":\"{:08x}\",\"exact_hash\":\"{:08x}\"", content.state, exact.state))
}
