//! The calls of the hash that a reader makes, repeated without the reader: what hashing its values takes.

const std = @import("std");
const serbench = @import("serbench");
const allocator = serbench.allocator;
const Hash = serbench.Hash;

const Words = std.ArrayList(u64);

/// Those of one kind follow each other, strings by their lengths, so that no branch has to guess which kind comes
/// next, or where a string ends. So the hash is not that of the reader.
pub const Calls = struct {
    nulls: usize = 0,
    booleans: Words = .empty,
    negatives: Words = .empty,
    naturals: Words = .empty,
    doubles: Words = .empty,
    strings: std.ArrayList([]const u8) = .empty,
    counts: Words = .empty,
    /// Of the strings.
    bytes: []u8 = &.{},

    /// The calls in a record as docs/protocol.md describes it, which must stay as long as they do.
    pub fn of(record: []const u8) error{OutOfMemory}!Calls {
        var calls: Calls = .{};
        errdefer calls.free();
        var at: usize = 0;
        while (at < record.len) {
            const tag = record[at];
            at += 1;
            const bytes: usize = switch (tag) {
                'i', 'u', 'd' => 8,
                's', 'e' => 4,
                else => 0,
            };
            var word: u64 = 0;
            for (record[at..][0..bytes], 0..) |byte, i| word |= @as(u64, byte) << @intCast(8 * i);
            at += bytes;
            switch (tag) {
                'n' => calls.nulls += 1,
                't', 'f' => try calls.booleans.append(allocator, @intFromBool(tag == 't')),
                'i' => try calls.negatives.append(allocator, word),
                'u' => try calls.naturals.append(allocator, word),
                'd' => try calls.doubles.append(allocator, word),
                's' => {
                    const length: usize = @intCast(word);
                    try calls.strings.append(allocator, record[at..][0..length]);
                    at += length;
                },
                else => try calls.counts.append(allocator, word),
            }
        }
        try calls.sortStrings();
        return calls;
    }

    /// Puts strings in the order of their lengths, one after the other in memory: else the end of each would be a
    /// guess that the processor learns in some launches and not in others.
    fn sortStrings(calls: *Calls) error{OutOfMemory}!void {
        std.mem.sort([]const u8, calls.strings.items, {}, isShorter);
        var size: usize = 0;
        for (calls.strings.items) |text| size += text.len;
        calls.bytes = try allocator.alloc(u8, size);
        var rest = calls.bytes;
        for (calls.strings.items) |*text| {
            @memcpy(rest[0..text.len], text.*);
            text.* = rest[0..text.len];
            rest = rest[text.len..];
        }
    }

    fn isShorter(_: void, a: []const u8, b: []const u8) bool {
        return a.len < b.len;
    }

    pub fn free(calls: *Calls) void {
        const lists = .{ &calls.booleans, &calls.negatives, &calls.naturals, &calls.doubles, &calls.counts };
        inline for (lists) |list| list.deinit(allocator);
        calls.strings.deinit(allocator);
        allocator.free(calls.bytes);
        calls.* = .{};
    }

    /// Makes all of them.
    pub fn repeat(calls: *const Calls, hash: *Hash) void {
        for (0..calls.nulls) |_| {
            hash.nil();
            apart(hash);
        }
        for (calls.booleans.items) |word| {
            hash.boolean(word != 0);
            apart(hash);
        }
        for (calls.negatives.items) |word| {
            hash.signed(@bitCast(word));
            apart(hash);
        }
        for (calls.naturals.items) |word| {
            hash.unsigned(word);
            apart(hash);
        }
        for (calls.doubles.items) |word| {
            hash.double(@bitCast(word));
            apart(hash);
        }
        for (calls.strings.items) |text| {
            hash.string(text);
            apart(hash);
        }
        for (calls.counts.items) |word| {
            hash.count(@intCast(word));
            apart(hash);
        }
    }
};

/// The state is in memory between two calls, as it is in a reader that hands the hash to other functions.
inline fn apart(hash: *Hash) void {
    std.mem.doNotOptimizeAway(hash);
}
