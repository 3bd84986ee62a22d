const std = @import("std");
const serbench = @import("serbench");

pub const library_version = @import("builtin").zig_version_string;

fn follow(root: std.json.Value, path: []const serbench.Value) !std.json.Value {
    var value = root;
    for (path) |*step| switch (step.*) {
        .string => |key| {
            if (value != .object) return error.NoValueAtPath;
            value = value.object.get(key) orelse return error.NoValueAtPath;
        },
        .natural => |index| {
            if (value != .array or index >= value.array.items.len) return error.NoValueAtPath;
            value = value.array.items[@intCast(index)];
        },
        else => unreachable, // the harness has checked it
    };
    return value;
}

pub fn lookup(data: []u8, paths: []const serbench.Value, hash: *serbench.Hash) !void {
    const parsed = try std.json.parseFromSlice(std.json.Value, serbench.allocator, data, .{});
    defer parsed.deinit();
    for (paths) |*path| switch (try follow(parsed.value, path.array)) {
        .null => hash.nil(),
        .bool => |x| hash.boolean(x),
        .integer => |x| hash.signed(x),
        .float => |x| hash.double(x),
        .number_string => |text| hash.unsigned(try std.fmt.parseInt(u64, text, 10)), // beyond i64
        .string => |text| hash.string(text),
        .array, .object => return error.NoScalarAtPath,
    };
}
