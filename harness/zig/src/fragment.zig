//! Fragments the heap as the 2016 suite did, so that no library profits from a fresh one: 65,536 blocks of
//! 2^(r % 12) + r' % 8 bytes, shuffled, the first half freed. The rest lives as long as the process.

const libc = @import("serbench").libc;

/// The multiply-with-carry generator of the 2016 suite.
const Random = struct {
    v: u32,
    c: u32,

    fn init(seed: u64) Random {
        return .{
            .v = (@as(u32, @truncate(seed)) & 0xfffffffe) | 0x100,
            .c = (@as(u32, @truncate(seed >> 32)) & 0xfffeffff) | 0x100000,
        };
    }

    fn next(random: *Random) u32 {
        const r = @as(u64, 3636507990) *% random.v +% random.c;
        random.v = 0xfffffffe -% @as(u32, @truncate(r));
        random.c = @truncate(r >> 32);
        return random.v;
    }
};

/// Reachable for ever, so that no leak checker takes them for lost.
var blocks: [65536]?*anyopaque = undefined;

pub fn fragment() void {
    var random = Random.init(34986);
    for (&blocks) |*block| {
        const power = @as(usize, 1) << @intCast(random.next() % 12);
        block.* = libc.malloc(power + random.next() % 8);
    }
    for (&blocks, 0..) |*block, i| {
        const j = random.next() % (blocks.len - i) + i;
        const other = blocks[j];
        blocks[j] = block.*;
        block.* = other;
    }
    for (blocks[0 .. blocks.len / 2]) |*block| {
        libc.free(block.*);
        block.* = null;
    }
}
