//! A writer's iteration: let the contender encode the tree, hash its output as one string.

const contender = @import("contender");
const serbench = @import("serbench");
const libc = serbench.libc;
const task = @import("task.zig");
const Output = serbench.Output;

/// Read as volatile, so that the work can not be folded away across the call.
var write_tree: *const @TypeOf(contender.write) = &contender.write;

fn writeOnce(out: *Output) bool {
    const place: *volatile @TypeOf(write_tree) = &write_tree;
    var ok = true;
    place.*(task.work.tree.root, out) catch |why| {
        ok = task.failed(why);
    };
    if (ok and !out.handed_over) out.block(if (out.buffer) |buffer| buffer[0..out.size] else "");
    libc.free(out.buffer);
    task.work.hash = out.hash;
    return ok;
}

/// One iteration, as it is timed; leaves its hash in `task.work`.
pub fn iterate() bool {
    var out: Output = .{};
    return writeOnce(&out);
}

fn refuse(output: [:0]const u8, why: [*:0]const u8) bool {
    const text = struct {
        var buffer: [512]u8 = undefined;
    };
    _ = libc.snprintf(&text.buffer, text.buffer.len, "cannot write the output %s: %s", output.ptr, why);
    task.reason = text.buffer[0..length(&text.buffer)];
    return false;
}

fn length(text: []const u8) usize {
    for (text, 0..) |byte, i| {
        if (byte == 0) return i;
    }
    return text.len;
}

/// Writes once, leaves the bytes at `output`, and writes what that proves as the answer; nothing if it failed.
pub fn verify(output: [:0]const u8, reply: *libc.FILE) bool {
    const file = libc.fopen(output, "wb") orelse return refuse(output, libc.lastError());
    var out: Output = .{ .copy = file };
    const ok = writeOnce(&out);
    const complete = libc.ferror(file) == 0;
    if ((libc.fclose(file) != 0 or !complete) and ok) return refuse(output, libc.lastError());
    if (!ok) return false;
    _ = libc.fprintf(reply, "{\"ok\":true,\"bytes\":%zu,\"hash\":\"%08x\"}\n", out.bytes, out.hash);
    return true;
}
