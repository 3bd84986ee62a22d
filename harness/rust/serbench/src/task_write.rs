//! A writer's iteration: let the contender encode the tree, hash its output as one string. A serializer writes a
//! document that it made before, in the place of the tree; a contender with a schema a struct.

use std::path::Path;
use std::{fs, ptr};

use crate::hash::Hash;
use crate::output::Output;
use crate::worker::{Own, Session, Task};
use crate::workspace::{Aligned, Workspace, reason};
use crate::{Document, Fill, Result, Serialize, message_file};

/// A document, and the copy of the input that it may need as long as it is there; a struct needs none.
pub struct Made {
    document: Serialize<'static>,
    _copy: Option<Aligned>,
}

impl Made {
    /// The documents of all messages.
    pub fn all(make: Document, work: &Workspace) -> Result<Vec<Self>> {
        (0..work.messages().len()).map(|index| Self::one(make, work, index)).collect()
    }

    /// The structs of all messages.
    pub fn filled(fill: Fill, work: &Workspace) -> Result<Vec<Self>> {
        let each = |index| Ok(Self { document: fill(work.select(index))?, _copy: None });
        (0..work.messages().len()).map(each).collect()
    }

    fn one(make: Document, work: &Workspace, index: usize) -> Result<Self> {
        work.select(index);
        let input = work.input.get(index);
        let mut copy = Aligned::new(input.len() + work.padding).ok_or("out of memory")?;
        let bytes: *mut [u8] = &mut copy.bytes()[..input.len()];
        // SAFETY: nobody else has the copy, and fields are dropped in their order: the document comes first.
        let bytes = unsafe { &mut *bytes };
        bytes.copy_from_slice(input);
        Ok(Self { document: make(bytes)?, _copy: Some(copy) })
    }
}

fn write_all(session: &mut Session, out: &mut Output) -> bool {
    let Some(work) = &session.work else { return false };
    for index in 0..work.messages().len() {
        let root = work.select(index);
        // SAFETY: it points to a function pointer. Read as volatile, so that the work can not be folded away.
        let done = match unsafe { ptr::read_volatile(&session.task) } {
            Task::Write(write) => write(root, out),
            Task::Serialize(_) | Task::Fill(_) => (session.made[index].document)(out),
            _ => Err("this test writes nothing".into()),
        };
        out.end();
        if let Err(why) = done {
            session.reason = why.to_string();
            return false;
        }
    }
    session.hash = out.hash.state;
    true
}

/// One iteration, as it is timed; leaves its hash in the session.
pub fn iterate(session: &mut Session) -> bool {
    write_all(session, &mut Output::new(None))
}

/// The sizes of an iteration's outputs, which is not timed.
pub fn record(session: &mut Session) -> Result<Vec<usize>, String> {
    let mut out = Output::new(Some(Vec::new()));
    if write_all(session, &mut out) { Ok(out.sizes) } else { Err(session.reason.clone()) }
}

/// What the harness itself does in an iteration with outputs of these sizes; leaves a hash in the session.
pub fn overhead(session: &mut Session) -> bool {
    let Session { own: Some(Own::Sizes { sizes, block }), hash, .. } = session else { return false };
    let mut state = Hash::new(true);
    for &size in &*sizes {
        state.string_bytes(&block[..size]);
    }
    *hash = state.state;
    true
}

/// Writes once and leaves the bytes at `output`; the answer says what that proves.
pub fn verify(session: &mut Session, output: &Path) -> Result<String, String> {
    let mut out = Output::new(Some(Vec::new()));
    if !write_all(session, &mut out) {
        return Err(session.reason.clone());
    }
    let framed = session.work.as_ref().is_some_and(|work| work.framed);
    let bytes: usize = out.sizes.iter().sum();
    let mut file = if framed { message_file::head(&out.sizes) } else { Vec::new() };
    file.append(&mut out.copy.unwrap_or_default());
    fs::write(output, &file)
        .map_err(|why| format!("cannot write the output {}: {}", output.display(), reason(&why)))?;
    Ok(format!("\"bytes\":{bytes},\"hash\":\"{:08x}\"", out.hash.state))
}
