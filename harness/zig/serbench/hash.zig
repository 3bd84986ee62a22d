//! The two hashes of a value tree: content_hash and exact_hash (docs/tape.md).
//!
//! A contender calls one function for each value that it meets, in document order: the scalars as they
//! come, a container's elements (for a map: key, value, key, value ...) before its count. The same calls
//! yield either hash; which one is decided by the harness.

const std = @import("std");
const libc = @import("libc.zig");
const Value = @import("value.zig").Value;

/// Every number met, in order, as a double: filled only while the gate looks for changed doubles.
pub const Numbers = struct {
    values: ?[*]f64 = null,
    count: usize = 0,
    capacity: usize = 0,

    /// Ends the process when memory runs out.
    fn add(numbers: *Numbers, number: f64) void {
        @branchHint(.cold);
        if (numbers.count == numbers.capacity) {
            const capacity = if (numbers.capacity == 0) 256 else numbers.capacity * 2;
            const block = libc.realloc(@ptrCast(numbers.values), capacity * @sizeOf(f64)) orelse libc.abort();
            numbers.values = @ptrCast(@alignCast(block));
            numbers.capacity = capacity;
        }
        numbers.values.?[numbers.count] = number;
        numbers.count += 1;
    }
};

pub const Hash = struct {
    state: u32 = 15373,
    /// exact_hash mixes the bits of a double, content_hash a constant.
    exact: bool,
    /// Null in every timed call.
    numbers: ?*Numbers = null,

    inline fn mix(hash: *Hash, x: u32) void {
        hash.state = (hash.state *% 31) ^ x;
    }

    /// Mixes the high, then the low word.
    inline fn words(hash: *Hash, x: u64) void {
        hash.mix(@truncate(x >> 32));
        hash.mix(@truncate(x));
    }

    pub inline fn nil(hash: *Hash) void {
        hash.mix(0);
        hash.string("nil");
    }

    pub inline fn boolean(hash: *Hash, value: bool) void {
        hash.mix(@intFromBool(value));
    }

    pub inline fn unsigned(hash: *Hash, value: u64) void {
        if (hash.numbers) |numbers| numbers.add(@floatFromInt(value));
        hash.words(value);
    }

    pub inline fn signed(hash: *Hash, value: i64) void {
        if (hash.numbers) |numbers| numbers.add(@floatFromInt(value));
        hash.words(@bitCast(value));
    }

    /// A double with an integral value within +-2^53, other than -0, counts as that integer.
    pub inline fn double(hash: *Hash, value: f64) void {
        const bits: u64 = @bitCast(value);
        if (hash.numbers) |numbers| numbers.add(value);
        if (value >= -0x1p53 and value <= 0x1p53 and bits != 1 << 63) {
            const whole: i64 = @intFromFloat(value);
            if (@as(f64, @floatFromInt(whole)) == value) return hash.words(@bitCast(whole));
        }
        if (hash.exact) hash.words(bits) else hash.mix(43013);
    }

    /// A string, or a map's key.
    pub inline fn string(hash: *Hash, bytes: []const u8) void {
        var state = hash.state; // a local, so that it stays in a register whatever `bytes` may alias
        state = (state *% 31) ^ @as(u32, @truncate(bytes.len));
        var i: usize = 0;
        while (bytes.len - i >= 4) : (i += 4)
            state = (state *% 31) ^ std.mem.readInt(u32, bytes[i..][0..4], .little);
        if (i < bytes.len) {
            var word: u32 = bytes[i];
            if (bytes.len - i > 1) word |= @as(u32, bytes[i + 1]) << 8;
            if (bytes.len - i > 2) word |= @as(u32, bytes[i + 2]) << 16;
            state = (state *% 31) ^ word;
        }
        hash.state = state;
    }

    /// Ends an array or a map: the number of its elements or entries.
    pub inline fn count(hash: *Hash, number: usize) void {
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
