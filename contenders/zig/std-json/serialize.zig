const std = @import("std");
const serbench = @import("serbench");

pub const library_version = @import("builtin").zig_version_string;

pub const Document = std.json.Parsed(std.json.Value);

pub fn document(data: []u8) !Document {
    return std.json.parseFromSlice(std.json.Value, serbench.allocator, data, .{});
}

pub fn serialize(made: *Document, out: *serbench.Output) !void {
    var text: std.Io.Writer.Allocating = .init(serbench.allocator);
    defer text.deinit();
    std.json.Stringify.value(made.value, .{}, &text.writer) catch return error.OutOfMemory; // its only failure
    out.block(text.written());
}

pub fn release(made: *Document) void {
    made.deinit();
}
