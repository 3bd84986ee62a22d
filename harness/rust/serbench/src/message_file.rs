//! Encoded messages in one file: the eight bytes of the magic, their number, the size of each (little-endian u64),
//! then the messages one after the other.

use std::ops::Range;

const MAGIC: &[u8] = b"sbmsgs1\n";
const WORD: usize = 8;

/// Where the `count` messages of the file `data` stand; None if it is not a file of so many messages.
pub fn split(data: &[u8], count: usize) -> Option<Vec<Range<usize>>> {
    let head = data.strip_prefix(MAGIC)?;
    let number = |at: usize| {
        let word = head.get(at * WORD..)?.first_chunk()?;
        usize::try_from(u64::from_le_bytes(*word)).ok()
    };
    if number(0)? != count {
        return None;
    }
    let mut start = MAGIC.len() + WORD + count.checked_mul(WORD)?;
    let mut parts = Vec::new();
    for index in 0..count {
        let end = start.checked_add(number(index + 1)?)?;
        data.get(start..end)?;
        parts.push(start..end);
        start = end;
    }
    Some(parts)
}

/// The head of such a file with messages of these sizes.
pub fn head(sizes: &[usize]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in std::iter::once(&sizes.len()).chain(sizes) {
        head.extend_from_slice(&(*number as u64).to_le_bytes());
    }
    head
}
