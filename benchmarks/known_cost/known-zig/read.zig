//! A reader of known cost: steps, as many as the input begins with, then the hash of values that are
//! there: of all kinds, or where a letter follows of texts, integers, doubles or none.

const std = @import("std");
const serbench = @import("serbench");
const takeSteps = @import("steps.zig").takeSteps;

pub const library_version = "";

var texts: [64][1000]u8 = @splat(@splat('x'));

pub fn read(data: []u8, hash: *serbench.Hash) !void {
    takeSteps(std.fmt.parseInt(u64, data[0..8], 10) catch 0);
    const kind = data[8];
    const numbers: usize = if (kind == 'a') 100 else 1000;
    if (kind == 'a' or kind == 't') for (&texts) |*text| {
        hash.string(text);
        apart(hash);
    };
    if (kind == 'a' or kind == 'i') for (0..numbers) |i| {
        hash.unsigned(i * 1234567);
        apart(hash);
    };
    if (kind == 'a' or kind == 'd') for (0..numbers) |i| {
        hash.double(@as(f64, @floatFromInt(i)) + 0.5);
        apart(hash);
    };
    hash.count(texts.len);
}

inline fn apart(hash: *serbench.Hash) void {
    asm volatile (""
        :
        : [hash] "r" (hash),
        : .{ .memory = true });
}
