//! Fragments the heap as the 2016 suite did, so that no library profits from a fresh one: 65,536 blocks of
//! 2^(r % 12) + r' % 8 bytes, shuffled, the first half freed. The rest lives as long as the process.

use crate::libc;

const BLOCKS: usize = 65_536;
const SEED: u64 = 34_986;

/// The multiply-with-carry generator of the 2016 suite.
struct Random {
    v: u32,
    c: u32,
}

impl Random {
    fn next(&mut self) -> usize {
        let r = 3_636_507_990_u64.wrapping_mul(self.v.into()).wrapping_add(self.c.into());
        self.v = 0xffff_fffe_u32.wrapping_sub(r as u32);
        self.c = (r >> 32) as u32;
        self.v as usize
    }
}

pub fn fragment() {
    let mut random =
        Random { v: SEED as u32 & 0xffff_fffe | 0x100, c: (SEED >> 32) as u32 & 0xfffe_ffff | 0x10_0000 };
    let mut blocks: Vec<_> = (0..BLOCKS)
        .map(|_| {
            let power = 1 << (random.next() % 12);
            libc::malloc(power + random.next() % 8)
        })
        .collect();
    for i in 0..BLOCKS {
        let j = random.next() % (BLOCKS - i) + i;
        blocks.swap(i, j);
    }
    for block in blocks.drain(..BLOCKS / 2) {
        // SAFETY: it came from malloc, and nobody has it but this list.
        unsafe { libc::free(block) }
    }
    std::mem::forget(blocks);
}
