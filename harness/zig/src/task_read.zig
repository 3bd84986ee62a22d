//! A reader's iteration: copy the input, let the contender decode it and hash every value.

const std = @import("std");
const contender = @import("contender");
const options = @import("options");
const serbench = @import("serbench");
const libc = serbench.libc;
const Calls = @import("calls.zig").Calls;
const workspace = @import("workspace.zig");
const Hash = serbench.Hash;

/// A look-up reads what is at its paths, in the place of everything.
pub const source = if (std.mem.eql(u8, options.test_name, "lookup")) @import("task_lookup.zig") else contender;

/// Read as volatile, so that the work can not be folded away across the call.
var read_input: *const @TypeOf(source.read) = &source.read;

/// Makes message `index` the one at hand; returns a copy of its input.
inline fn copyInput(index: usize) []u8 {
    const work = &workspace.work;
    const input = work.input.of[index];
    const copy = work.copy.?;
    _ = workspace.select(index);
    @memcpy(copy[0..input.len], input);
    @memset(copy[input.len..][0..work.padding], 0);
    return copy[0..input.len];
}

fn readCopies(hash: *Hash) bool {
    var ok = true;
    for (0..workspace.work.input.of.len) |i| {
        const copy = copyInput(i);
        const place: *volatile @TypeOf(read_input) = &read_input;
        place.*(copy, hash) catch |why| {
            ok = workspace.failed(why);
        };
    }
    return ok;
}

/// One iteration, as it is timed; leaves its hash in the workspace.
pub fn iterate() bool {
    var hash: Hash = .{ .exact = true };
    const ok = readCopies(&hash);
    workspace.work.hash = hash.state;
    return ok;
}

/// The calls of the hash in an iteration, and the record that they are in.
var calls: Calls = .{};
var record_bytes: ?[*]u8 = null;

/// Makes an iteration that is not timed to find out what the harness itself does in one.
pub fn record() bool {
    var size: usize = 0;
    forgetRecord();
    const file = libc.open_memstream(&record_bytes, &size) orelse return workspace.failed(error.OutOfMemory);
    var hash: Hash = .{ .exact = true, .seen = .{ .file = file } };
    const ok = readCopies(&hash);
    if (libc.fclose(file) != 0) return workspace.failed(error.OutOfMemory);
    if (!ok) return false;
    calls = Calls.of(record_bytes.?[0..size]) catch |why| return workspace.failed(why);
    return true;
}

/// What the harness itself does in an iteration; leaves a hash in the workspace.
pub fn overhead() bool {
    var hash: Hash = .{ .exact = true };
    for (0..workspace.work.input.of.len) |i| _ = copyInput(i);
    calls.repeat(&hash);
    workspace.work.hash = hash.state;
    return true;
}

pub fn forgetRecord() void {
    calls.free();
    libc.free(record_bytes);
    record_bytes = null;
}

/// Reads once more and leaves every call of the hash in a file.
fn showCopies(hash: *Hash, output: [:0]const u8) bool {
    const refusal = "cannot write %s: %s";
    const file = libc.fopen(output, "wb") orelse
        return workspace.failedFile(refusal, output, libc.lastError());
    hash.seen = .{ .file = file };
    const ok = readCopies(hash);
    const complete = libc.ferror(file) == 0;
    if (libc.fclose(file) != 0 or !complete) return workspace.failedFile(refusal, output, libc.lastError());
    return ok;
}

/// Reads once for either hash and writes what that proves as the answer; nothing if it failed. What it saw is
/// left at `output`, unless that is empty.
pub fn verify(output: [:0]const u8, reply: *libc.FILE) bool {
    var content: Hash = .{ .exact = false };
    var exact: Hash = .{ .exact = true };
    if (!readCopies(&content)) return false;
    if (!(if (output.len == 0) readCopies(&exact) else showCopies(&exact, output))) return false;
    _ = libc.fprintf(
        reply,
        "{\"ok\":true,\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\"}\n",
        content.state,
        exact.state,
    );
    return true;
}
