//! A reader's iteration: copy the input, let the contender decode it and hash every value.

const std = @import("std");
const contender = @import("contender");
const options = @import("options");
const serbench = @import("serbench");
const libc = serbench.libc;
const workspace = @import("workspace.zig");
const Hash = serbench.Hash;

/// A look-up reads what is at its paths, in the place of everything.
pub const source = if (std.mem.eql(u8, options.test_name, "lookup")) @import("task_lookup.zig") else contender;

/// Read as volatile, so that the work can not be folded away across the call.
var read_input: *const @TypeOf(source.read) = &source.read;

fn readCopies(hash: *Hash) bool {
    const work = &workspace.work;
    const copy = work.copy.?;
    var ok = true;
    for (work.input.of, 0..) |input, i| {
        _ = workspace.select(i);
        @memcpy(copy[0..input.len], input);
        @memset(copy[input.len..][0..work.padding], 0);
        const place: *volatile @TypeOf(read_input) = &read_input;
        place.*(copy[0..input.len], hash) catch |why| {
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
