//! A reader's iteration: copy the input, let the contender decode it and hash every value.

const std = @import("std");
const contender = @import("contender");
const serbench = @import("serbench");
const libc = serbench.libc;
const workspace = @import("workspace.zig");
const Hash = serbench.Hash;
const Numbers = serbench.Numbers;
const Value = serbench.Value;

/// Read as volatile, so that the work can not be folded away across the call.
var read_input: *const @TypeOf(contender.read) = &contender.read;

fn readCopies(hash: *Hash) bool {
    const work = &workspace.work;
    const copy = work.copy.?;
    var ok = true;
    for (work.inputs, 0..) |input, i| {
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

fn countDoubles(value: *const Value) usize {
    var count: usize = 0;
    switch (value.*) {
        .double => count = 1,
        .array => |items| for (items) |*item| {
            count += countDoubles(item);
        },
        .map => |members| for (members) |*member| {
            count += countDoubles(&member.value);
        },
        else => {},
    }
    return count;
}

/// How many numbers differ from the tape's, and the largest difference relative to the tape's.
fn compareNumbers(expected: Numbers, found: Numbers, reply: *libc.FILE) void {
    if (expected.count != found.count) return;
    const huge = std.math.floatMax(f64);
    var changed: usize = 0;
    var largest: f64 = 0;
    for (0..expected.count) |i| {
        const e = expected.values.?[i];
        const f = found.values.?[i];
        if (@as(u64, @bitCast(e)) == @as(u64, @bitCast(f))) continue;
        changed += 1;
        const relative = if (e != 0) @abs((f - e) / e) else huge;
        largest = @max(largest, if (relative <= huge) relative else huge);
    }
    var doubles: usize = 0;
    for (workspace.work.messages) |*message| doubles += countDoubles(message);
    _ = libc.fprintf(
        reply,
        ",\"changed\":%zu,\"doubles\":%zu,\"max_relative\":%.17g",
        changed,
        doubles,
        largest,
    );
}

/// Reads once for either hash and writes what that proves as the answer; nothing if it failed.
pub fn verify(_: [:0]const u8, reply: *libc.FILE) bool {
    var expected: Numbers = .{};
    var found: Numbers = .{};
    defer libc.free(@ptrCast(expected.values));
    defer libc.free(@ptrCast(found.values));
    var content: Hash = .{ .exact = false };
    var exact: Hash = .{ .exact = true, .numbers = &found };
    var tree: Hash = .{ .exact = true, .numbers = &expected };
    for (workspace.work.messages) |*message| tree.tree(message);
    if (!readCopies(&content) or !readCopies(&exact)) return false;
    _ = libc.fprintf(
        reply,
        "{\"ok\":true,\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\"",
        content.state,
        exact.state,
    );
    compareNumbers(expected, found, reply);
    _ = libc.fputs("}\n", reply);
    return true;
}
