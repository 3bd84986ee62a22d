//! The two hashes of a value tree: content_hash and exact_hash (docs/tape.md).
//!
//! A contender calls one function for each value that it meets, in document order: the scalars as they
//! come, a container's elements (for a map: key, value, key, value ...) before its count. The same calls
//! yield either hash; which one is decided by the harness.

const std = @import("std");
const libc = @import("libc.zig");
const Value = @import("value.zig").Value;

/// A file that gets every call, while the gate looks for what a reader changes (docs/protocol.md).
pub const Seen = struct {
    file: *libc.FILE,

    fn put(seen: Seen, word: u64, bytes: u4) void {
        for (0..bytes) |i| _ = libc.fputc(@intCast(word >> @intCast(8 * i) & 0xff), seen.file);
    }

    /// Writes `tag`, and `word` in as many bytes as belong to the tag.
    fn value(seen: Seen, tag: u8, word: u64) void {
        @branchHint(.cold);
        _ = libc.fputc(tag, seen.file);
        seen.put(word, switch (tag) {
            'i', 'u', 'd' => 8,
            'e' => 4,
            else => 0,
        });
    }

    fn string(seen: Seen, bytes: []const u8) void {
        @branchHint(.cold);
        _ = libc.fputc('s', seen.file);
        seen.put(bytes.len, 4);
        _ = libc.fwrite(bytes.ptr, 1, bytes.len, seen.file);
    }
};

pub const Hash = struct {
    state: u32 = 15373,
    /// exact_hash mixes the bits of a double, content_hash a constant.
    exact: bool,
    /// Null in every timed call.
    seen: ?Seen = null,

    inline fn mix(hash: *Hash, x: u32) void {
        hash.state = (hash.state *% 31) ^ x;
    }

    /// Mixes the high, then the low word.
    inline fn words(hash: *Hash, x: u64) void {
        hash.mix(@truncate(x >> 32));
        hash.mix(@truncate(x));
    }

    /// Shows a call whose value is `word`, as the tape has it under this `tag`.
    inline fn show(hash: *const Hash, tag: u8, word: u64) void {
        if (hash.seen) |seen| seen.value(tag, word);
    }

    pub inline fn nil(hash: *Hash) void {
        hash.show('n', 0);
        hash.mix(0);
        hash.bytes("nil");
    }

    pub inline fn boolean(hash: *Hash, value: bool) void {
        hash.show(if (value) 't' else 'f', 0);
        hash.mix(@intFromBool(value));
    }

    pub inline fn unsigned(hash: *Hash, value: u64) void {
        hash.show('u', value);
        hash.words(value);
    }

    pub inline fn signed(hash: *Hash, value: i64) void {
        hash.show('i', @bitCast(value));
        hash.words(@bitCast(value));
    }

    /// A double with an integral value within +-2^53, other than -0, counts as that integer.
    pub inline fn double(hash: *Hash, value: f64) void {
        const bits: u64 = @bitCast(value);
        hash.show('d', bits);
        if (value >= -0x1p53 and value <= 0x1p53 and bits != 1 << 63) {
            const whole: i64 = @intFromFloat(value);
            if (@as(f64, @floatFromInt(whole)) == value) return hash.words(@bitCast(whole));
        }
        if (hash.exact) hash.words(bits) else hash.mix(43013);
    }

    /// `from` with the whole little-endian words of `text` mixed in; what is left over is not.
    pub inline fn wholeWords(from: u32, text: []const u8) u32 {
        var state = from;
        var i: usize = 0;
        while (text.len - i >= 4) : (i += 4)
            state = (state *% 31) ^ std.mem.readInt(u32, text[i..][0..4], .little);
        return state;
    }

    /// A string, or a map's key.
    pub inline fn string(hash: *Hash, text: []const u8) void {
        if (hash.seen) |seen| seen.string(text);
        hash.bytes(text);
    }

    inline fn bytes(hash: *Hash, text: []const u8) void {
        // A local, so that it stays in a register whatever `text` may alias.
        var state = wholeWords((hash.state *% 31) ^ @as(u32, @truncate(text.len)), text);
        const i = text.len & ~@as(usize, 3);
        if (i < text.len) {
            var word: u32 = text[i];
            if (text.len - i > 1) word |= @as(u32, text[i + 1]) << 8;
            if (text.len - i > 2) word |= @as(u32, text[i + 2]) << 16;
            state = (state *% 31) ^ word;
        }
        hash.state = state;
    }

    /// Ends an array or a map: the number of its elements or entries.
    pub inline fn count(hash: *Hash, number: usize) void {
        hash.show('e', number);
        hash.mix(@truncate(number));
    }

    /// Mixes a whole tree, depth first.
    pub fn tree(hash: *Hash, value: *const Value) void {
        switch (value.*) {
            .nil => hash.nil(),
            .boolean => |x| hash.boolean(x),
            .negative => |x| hash.signed(x),
            .natural => |x| hash.unsigned(x),
            .double => |x| hash.double(x),
            .string => |x| hash.string(x),
            .array => |items| {
                for (items) |*item| hash.tree(item);
                hash.count(items.len);
            },
            .map => |members| {
                for (members) |*member| {
                    hash.string(member.key);
                    hash.tree(&member.value);
                }
                hash.count(members.len);
            },
        }
    }
};
