//! Reading a tape (docs/tape.md) into three blocks: values, entries of maps, and strings.
//!
//! A tape may be damaged: every count is held against the bytes that are left and the room that the header
//! announced, before anything is written.

use std::mem;
use std::path::Path;

use crate::{Member, Value};

const HEADER_SIZE: usize = 40;
const MAX_DEPTH: u64 = 1024;

#[derive(Default, PartialEq)]
struct Header {
    values: u64,
    members: u64,
    string_bytes: u64,
    depth: u64,
}

/// A block that lives until its tree is dropped.
struct Block<T: 'static>(*mut [T]);

impl<T> Block<T> {
    /// As many cells, each made by `cell`; None if there is not enough memory for them.
    fn new(count: u64, cell: fn() -> T) -> Option<(Self, &'static mut [T])> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(count.try_into().ok()?).ok()?;
        cells.resize_with(count as usize, cell);
        let block: *mut [T] = Box::into_raw(cells.into_boxed_slice());
        // SAFETY: the block was just made. The tree is not used after it is dropped.
        Some((Self(block), unsafe { &mut *block }))
    }
}

impl<T> Drop for Block<T> {
    fn drop(&mut self) {
        // SAFETY: it was a box, and this is the only place that frees it.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// A value tree. Its values refer to each other: nobody may have one of them when it is dropped.
pub struct Tree {
    root: &'static Value<'static>,
    _values: Block<Value<'static>>,
    _members: Block<Member<'static>>,
    _strings: Block<u8>,
}

impl Tree {
    pub fn root(&self) -> &'static Value<'static> {
        self.root
    }

    /// Reads the tape at `path`. The error says why it cannot be read.
    pub fn read(path: &Path) -> Result<Self, String> {
        Self::parse(&crate::workspace::load(path)?).map_err(str::to_owned)
    }

    fn parse(data: &[u8]) -> Result<Self, &'static str> {
        if data.len() < HEADER_SIZE || &data[..8] != b"sbtape1\n" {
            return Err("it is not a tape of this version");
        }
        let mut rest = &data[8..];
        let header = Header {
            values: u64::from_le_bytes(take(&mut rest)?),
            members: u64::from_le_bytes(take(&mut rest)?),
            string_bytes: u64::from_le_bytes(take(&mut rest)?),
            depth: u64::from_le_bytes(take(&mut rest)?),
        };
        let length = data.len() as u64;
        if header.values == 0
            || header.values > length
            || header.members >= header.values
            || header.string_bytes > length
        {
            return Err("its header does not fit its length");
        }
        const NO_MEMORY: &str = "there is not enough memory for it";
        // The value of a map's entry stands in the entry.
        let (value_block, values) = Block::new(header.values - header.members, || Value::Nil).ok_or(NO_MEMORY)?;
        let (member_block, members) =
            Block::new(header.members, || Member { key: "", value: Value::Nil }).ok_or(NO_MEMORY)?;
        let (string_block, strings) = Block::new(header.string_bytes, || 0).ok_or(NO_MEMORY)?;
        let (root, values) = values.split_first_mut().ok_or(NO_MEMORY)?;
        let mut reading = Reading { rest, values, members, strings, met: Header::default() };
        *root = reading.value(0)?;
        if !reading.rest.is_empty() {
            return Err("bytes follow its root");
        }
        if reading.met != header {
            return Err("its header announces other counts than it has");
        }
        Ok(Self { root, _values: value_block, _members: member_block, _strings: string_block })
    }
}

/// The first bytes of `rest`, which is then what follows them.
fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], &'static str> {
    let (head, tail) = rest.split_first_chunk().ok_or("it ends in the middle of a value")?;
    *rest = tail;
    Ok(*head)
}

struct Reading<'a> {
    rest: &'a [u8],
    values: &'static mut [Value<'static>],
    members: &'static mut [Member<'static>],
    strings: &'static mut [u8],
    met: Header,
}

impl Reading<'_> {
    fn string(&mut self) -> Result<&'static str, &'static str> {
        let length = u32::from_le_bytes(take(&mut self.rest)?) as usize;
        let bytes = self.rest.get(..length).ok_or("it ends in the middle of a string")?;
        let place = reserve(&mut self.strings, length, "its header announces fewer string bytes than it has")?;
        place.copy_from_slice(bytes);
        self.met.string_bytes += length as u64;
        self.rest = &self.rest[length..];
        str::from_utf8(place).map_err(|_| "it has a string that is not UTF-8")
    }

    fn array(&mut self, count: usize, depth: u64) -> Result<Value<'static>, &'static str> {
        let items = reserve(&mut self.values, count, "its header announces fewer values than it has")?;
        for item in items.iter_mut() {
            *item = self.value(depth)?;
        }
        Ok(Value::Array(items))
    }

    fn map(&mut self, count: usize, depth: u64) -> Result<Value<'static>, &'static str> {
        let members = reserve(&mut self.members, count, "its header announces fewer values than it has")?;
        self.met.members += count as u64;
        for member in members.iter_mut() {
            *member = Member { key: self.string()?, value: self.value(depth)? };
        }
        Ok(Value::Map(members))
    }

    fn value(&mut self, depth: u64) -> Result<Value<'static>, &'static str> {
        let [tag] = take(&mut self.rest)?;
        self.met.values += 1;
        match tag {
            b'n' => Ok(Value::Nil),
            b'f' | b't' => Ok(Value::Bool(tag == b't')),
            b'i' => Ok(Value::Negative(i64::from_le_bytes(take(&mut self.rest)?))),
            b'u' => Ok(Value::Natural(u64::from_le_bytes(take(&mut self.rest)?))),
            b'd' => Ok(Value::Double(f64::from_le_bytes(take(&mut self.rest)?))),
            b's' => Ok(Value::String(self.string()?)),
            b'a' | b'm' => {
                if depth >= MAX_DEPTH {
                    return Err("it is nested deeper than 1,024 levels");
                }
                let count = u32::from_le_bytes(take(&mut self.rest)?) as usize;
                self.met.depth = self.met.depth.max(depth + 1);
                if tag == b'm' { self.map(count, depth + 1) } else { self.array(count, depth + 1) }
            }
            _ => Err("it has an unknown tag"),
        }
    }
}

/// Takes `count` of the cells that are left; refuses with `why` if there are fewer.
fn reserve<T>(
    left: &mut &'static mut [T],
    count: usize,
    why: &'static str,
) -> Result<&'static mut [T], &'static str> {
    let (head, tail) = mem::take(left).split_at_mut_checked(count).ok_or(why)?;
    *left = tail;
    Ok(head)
}
