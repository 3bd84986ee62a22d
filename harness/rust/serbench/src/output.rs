//! Where a writer leaves its bytes, in one of two ways.

use std::io;

use crate::hash::Hash;
use crate::heap;

const FIRST_CAPACITY: usize = 4096;

pub struct Output {
    /// The harness's buffer, without memory until something is appended.
    buffer: Vec<u8>,
    handed_over: bool,
    /// Of all messages so far.
    pub(crate) hash: Hash,
    /// Of each message.
    pub(crate) sizes: Vec<usize>,
    /// Where the bytes go too; None in every timed call.
    pub(crate) copy: Option<Vec<u8>>,
}

impl Output {
    pub(crate) fn new(copy: Option<Vec<u8>>) -> Self {
        Self { buffer: Vec::new(), handed_over: false, hash: Hash::new(true), sizes: Vec::new(), copy }
    }

    /// For a library that builds the whole output in its own memory: hands it over once.
    #[inline]
    pub fn block(&mut self, data: &[u8]) {
        self.handed_over = true;
        self.hash.string_bytes(data);
        if let Some(copy) = &mut self.copy {
            copy.extend_from_slice(data);
            self.sizes.push(data.len());
        }
    }

    /// For a library that needs a buffer from its caller: appends to the harness's, which doubles as it grows and
    /// is made anew in every call. The same as `io::Write` does.
    #[inline]
    pub fn append(&mut self, data: &[u8]) {
        if data.len() > self.buffer.capacity() - self.buffer.len() {
            self.grow(data.len());
        }
        self.buffer.extend_from_slice(data);
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let wanted = self.buffer.len() + more;
        let mut capacity = (2 * self.buffer.capacity()).max(FIRST_CAPACITY);
        while capacity < wanted {
            capacity *= 2;
        }
        heap::ignore(true);
        self.buffer.reserve_exact(capacity - self.buffer.len());
        heap::ignore(false);
    }

    /// Ends a message: what was appended is handed over, unless a block was.
    pub(crate) fn end(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        if !std::mem::take(&mut self.handed_over) {
            self.block(&buffer);
            self.handed_over = false;
        }
    }
}

impl io::Write for Output {
    #[inline]
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.append(data);
        Ok(data.len())
    }

    #[inline]
    fn write_all(&mut self, data: &[u8]) -> io::Result<()> {
        self.append(data);
        Ok(())
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
