//! Reading a tape (docs/tape.md) into three blocks: values, entries of maps, and strings.
//!
//! A tape may be damaged: every count is held against the bytes that are left and the room that the
//! header announced, before anything is written.

const std = @import("std");
const serbench = @import("serbench");
const libc = serbench.libc;
const Value = serbench.Value;
const Member = serbench.Member;

const header_size = 40;
const max_depth = 1024;

const Header = struct {
    values: u64 = 0,
    members: u64 = 0,
    string_bytes: u64 = 0,
    depth: u64 = 0,
};

pub const Tree = struct {
    root: *const Value,
    values: []Value,
    members: []Member,
    strings: []u8,

    pub fn free(tree: Tree) void {
        serbench.allocator.free(tree.values);
        serbench.allocator.free(tree.members);
        serbench.allocator.free(tree.strings);
    }
};

/// Why the last call of `read` failed.
pub var failure: [*:0]const u8 = "";

const Damaged = error{Damaged};

fn fail(why: [*:0]const u8) Damaged {
    failure = why;
    return error.Damaged;
}

const Reading = struct {
    rest: []const u8,
    values: []Value,
    members: []Member,
    strings: []u8,
    met: Header = .{},

    fn take(r: *Reading, comptime T: type) Damaged!T {
        if (r.rest.len < @sizeOf(T)) return fail("it ends in the middle of a value");
        defer r.rest = r.rest[@sizeOf(T)..];
        return std.mem.readInt(T, r.rest[0..@sizeOf(T)], .little);
    }

    fn string(r: *Reading) Damaged![]const u8 {
        const length = try r.take(u32);
        if (r.rest.len < length) return fail("it ends in the middle of a string");
        if (r.strings.len < length) return fail("its header announces fewer string bytes than it has");
        const place = r.strings[0..length];
        @memcpy(place, r.rest[0..length]);
        r.met.string_bytes += length;
        r.strings = r.strings[length..];
        r.rest = r.rest[length..];
        return place;
    }

    /// Reserves `count` cells of those that are left; refuses if the header announced fewer.
    fn reserve(comptime T: type, left: *[]T, count: usize) Damaged![]T {
        if (left.len < count) return fail("its header announces fewer values than it has");
        defer left.* = left.*[count..];
        return left.*[0..count];
    }

    fn array(r: *Reading, count: u32, depth: u64) Damaged!Value {
        const items = try reserve(Value, &r.values, count);
        for (items) |*item| item.* = try r.value(depth);
        return .{ .array = items };
    }

    fn map(r: *Reading, count: u32, depth: u64) Damaged!Value {
        const members = try reserve(Member, &r.members, count);
        r.met.members += count;
        for (members) |*member| member.* = .{ .key = try r.string(), .value = try r.value(depth) };
        return .{ .map = members };
    }

    fn value(r: *Reading, depth: u64) Damaged!Value {
        const tag = try r.take(u8);
        r.met.values += 1;
        switch (tag) {
            'n' => return .nil,
            'f', 't' => return .{ .boolean = tag == 't' },
            'i' => return .{ .negative = try r.take(i64) },
            'u' => return .{ .natural = try r.take(u64) },
            'd' => return .{ .double = @bitCast(try r.take(u64)) },
            's' => return .{ .string = try r.string() },
            'a', 'm' => {
                if (depth >= max_depth) return fail("it is nested deeper than 1,024 levels");
                const count = try r.take(u32);
                r.met.depth = @max(r.met.depth, depth + 1);
                return if (tag == 'm') r.map(count, depth + 1) else r.array(count, depth + 1);
            },
            else => return fail("it has an unknown tag"),
        }
    }
};

fn allocate(comptime T: type, count: u64) Damaged![]T {
    return serbench.allocator.alloc(T, @intCast(count)) catch fail("there is not enough memory for it");
}

fn readTree(data: []const u8) Damaged!Tree {
    if (data.len < header_size or !std.mem.eql(u8, data[0..8], "sbtape1\n"))
        return fail("it is not a tape of this version");
    const header: Header = .{
        .values = std.mem.readInt(u64, data[8..16], .little),
        .members = std.mem.readInt(u64, data[16..24], .little),
        .string_bytes = std.mem.readInt(u64, data[24..32], .little),
        .depth = std.mem.readInt(u64, data[32..40], .little),
    };
    if (header.values == 0 or header.values > data.len or header.members >= header.values or
        header.string_bytes > data.len)
        return fail("its header does not fit its length");

    // The value of a map's entry stands in the entry.
    const values = try allocate(Value, header.values - header.members);
    errdefer serbench.allocator.free(values);
    const members = try allocate(Member, header.members);
    errdefer serbench.allocator.free(members);
    const strings = try allocate(u8, header.string_bytes);
    errdefer serbench.allocator.free(strings);

    var r: Reading = .{
        .rest = data[header_size..],
        .values = values[1..],
        .members = members,
        .strings = strings,
    };
    values[0] = try r.value(0);
    if (r.rest.len > 0) return fail("bytes follow its root");
    if (!std.meta.eql(r.met, header)) return fail("its header announces other counts than it has");
    return .{ .root = &values[0], .values = values, .members = members, .strings = strings };
}

/// Reads the tape `path`; the reason of an error is in `failure`.
pub fn read(path: [*:0]const u8) Damaged!Tree {
    const data = libc.load(path) orelse return fail(libc.lastError());
    defer libc.free(data.ptr);
    return readTree(data);
}
