const std = @import("std");
const serbench = @import("serbench");

pub const library_version = @import("builtin").zig_version_string;

fn walk(value: *const std.json.Value, hash: *serbench.Hash) !void {
    switch (value.*) {
        .null => hash.nil(),
        .bool => |x| hash.boolean(x),
        .integer => |x| hash.signed(x),
        .float => |x| hash.double(x),
        .number_string => |text| hash.unsigned(try std.fmt.parseInt(u64, text, 10)), // beyond i64
        .string => |text| hash.string(text),
        .array => |array| {
            for (array.items) |*item| try walk(item, hash);
            hash.count(array.items.len);
        },
        .object => |object| {
            for (object.keys(), object.values()) |key, *member| {
                hash.string(key);
                try walk(member, hash);
            }
            hash.count(object.count());
        },
    }
}

pub fn read(data: []u8, hash: *serbench.Hash) !void {
    const parsed = try std.json.parseFromSlice(std.json.Value, serbench.allocator, data, .{});
    defer parsed.deinit();
    try walk(&parsed.value, hash);
}
