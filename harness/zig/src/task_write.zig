//! A writer's iteration: let the contender encode the tree, hash its output as one string.

const std = @import("std");
const contender = @import("contender");
const options = @import("options");
const serbench = @import("serbench");
const libc = serbench.libc;
const message_file = @import("message_file.zig");
const workspace = @import("workspace.zig");
const Output = serbench.Output;

/// A serializer writes what it made before, in the place of the tree.
pub const source = if (std.mem.eql(u8, options.test_name, "serialize")) @import("task_serialize.zig") else contender;

/// Read as volatile, so that the work can not be folded away across the call.
var write_tree: *const @TypeOf(source.write) = &source.write;

/// Writes message `index`; what it hashes goes on from the messages before.
fn writeOne(index: usize, out: *Output) bool {
    const place: *volatile @TypeOf(write_tree) = &write_tree;
    out.buffer = null;
    out.size = 0;
    out.capacity = 0;
    out.handed_over = false;
    defer libc.free(out.buffer);
    place.*(workspace.select(index), out) catch |why| return workspace.failed(why);
    if (!out.handed_over) out.block(if (out.buffer) |buffer| buffer[0..out.size] else "");
    return true;
}

fn writeAll(out: *Output) bool {
    for (0..workspace.work.messages.len) |i| {
        const before = out.bytes;
        if (!writeOne(i, out)) return false;
        if (out.copy) |file| {
            if (workspace.work.framed) message_file.putSize(file, i, out.bytes - before);
        }
    }
    workspace.work.hash = out.hash.state;
    return true;
}

/// One iteration, as it is timed; leaves its hash in the workspace.
pub fn iterate() bool {
    var out: Output = .{};
    return writeAll(&out);
}

/// How many bytes an iteration makes of each message, and as many as the most of them.
var sizes: []usize = &.{};
var block: []u8 = &.{};

/// Makes an iteration that is not timed to find out what the harness itself does in one.
pub fn record() bool {
    forgetRecord();
    const count = workspace.work.messages.len;
    sizes = serbench.allocator.alloc(usize, count) catch |why| return workspace.failed(why);
    var out: Output = .{};
    var largest: usize = 0;
    for (sizes, 0..) |*size, i| {
        const before = out.bytes;
        if (!writeOne(i, &out)) return false;
        size.* = out.bytes - before;
        largest = @max(largest, size.*);
    }
    block = serbench.allocator.alloc(u8, largest) catch |why| return workspace.failed(why);
    @memset(block, 'x');
    return true;
}

/// What the harness itself does in an iteration; leaves a hash in the workspace.
pub fn overhead() bool {
    var out: Output = .{};
    for (sizes) |size| out.hash.string(block[0..size]);
    workspace.work.hash = out.hash.state;
    return true;
}

pub fn forgetRecord() void {
    serbench.allocator.free(sizes);
    serbench.allocator.free(block);
    sizes = &.{};
    block = &.{};
}

/// Writes once, leaves the bytes at `output`, and writes what that proves as the answer; nothing if it failed.
pub fn verify(output: [:0]const u8, reply: *libc.FILE) bool {
    const refusal = "cannot write the output %s: %s";
    const file = libc.fopen(output, "wb") orelse
        return workspace.failedFile(refusal, output, libc.lastError());
    var out: Output = .{ .copy = file };
    if (workspace.work.framed) message_file.begin(file, workspace.work.messages.len);
    const ok = writeAll(&out);
    const complete = libc.ferror(file) == 0;
    if ((libc.fclose(file) != 0 or !complete) and ok)
        return workspace.failedFile(refusal, output, libc.lastError());
    if (!ok) return false;
    _ = libc.fprintf(reply, "{\"ok\":true,\"bytes\":%zu,\"hash\":\"%08x\"}\n", out.bytes, out.hash.state);
    return true;
}
