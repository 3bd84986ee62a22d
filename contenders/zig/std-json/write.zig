const std = @import("std");
const serbench = @import("serbench");

pub const library_version = @import("builtin").zig_version_string;

fn put(json: *std.json.Stringify, value: *const serbench.Value) std.json.Stringify.Error!void {
    switch (value.*) {
        .nil => try json.write(null),
        .array => |items| {
            try json.beginArray();
            for (items) |*item| try put(json, item);
            try json.endArray();
        },
        .map => |members| {
            try json.beginObject();
            for (members) |*member| {
                try json.objectField(member.key);
                try put(json, &member.value);
            }
            try json.endObject();
        },
        inline else => |scalar| try json.write(scalar),
    }
}

pub fn write(root: *const serbench.Value, out: *serbench.Output) !void {
    var text: std.Io.Writer.Allocating = .init(serbench.allocator);
    defer text.deinit();
    var json: std.json.Stringify = .{ .writer = &text.writer };
    put(&json, root) catch return error.OutOfMemory; // all that such a writer can fail with
    out.block(text.written());
}
