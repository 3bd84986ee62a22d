//! A serializer's iteration is a writer's (task_write.zig), of documents that were made before.

const contender = @import("contender");
const serbench = @import("serbench");
const libc = serbench.libc;
const message = @import("message.zig");
const workspace = @import("workspace.zig");

const Made = struct {
    document: contender.Document,
    /// Of the input, which the document may need as long as it is there.
    copy: [*]u8,
};

var made: []Made = &.{};
var count: usize = 0;

pub fn write(_: *const serbench.Value, out: *serbench.Output) !void {
    try contender.serialize(&made[serbench.baseline.current].document, out);
}

pub fn prepare(_: *const message.Message) !void {
    const inputs = workspace.work.input.of;
    made = try serbench.allocator.alloc(Made, inputs.len);
    for (inputs, made) |input, *each| {
        const copy = libc.aligned(input.len + workspace.work.padding) orelse return error.OutOfMemory;
        errdefer libc.free(copy);
        @memcpy(copy[0..input.len], input);
        @memset(copy[input.len..][0..workspace.work.padding], 0);
        each.* = .{ .document = try contender.document(copy[0..input.len]), .copy = copy };
        count += 1;
    }
}

/// Frees what `prepare` made, all of it or a part.
pub fn forget() void {
    for (made[0..count]) |*each| {
        contender.release(&each.document);
        libc.free(each.copy);
    }
    serbench.allocator.free(made);
    made = &.{};
    count = 0;
}
