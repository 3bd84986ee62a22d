//! What `prepare` loads: the value tree, the encoded input, and room for its copy.

const std = @import("std");
const serbench = @import("serbench");
const libc = serbench.libc;
const message_file = @import("message_file.zig");
const tape = @import("tape.zig");
const Value = serbench.Value;

const Workspace = struct {
    tree: tape.Tree,
    /// What an iteration handles one by one: usually the root alone.
    messages: []const Value,
    /// Several messages: inputs and outputs are framed files (message_file.zig).
    framed: bool,
    /// Zero bytes that follow each copy.
    padding: usize,
    /// The file of the encoded input; null for most writers.
    file: ?[]u8 = null,
    /// The parts of it, one for each message; none without an input.
    inputs: [][]const u8 = &.{},
    /// What a reader is given, made anew for every message.
    copy: ?[*]u8 = null,
    /// Of the last iteration.
    hash: u32 = 0,
};

var loaded = false;
pub var work: Workspace = undefined;

/// Why the last call of the contender, or of `load`, failed.
pub var reason: []const u8 = "";

var text: [512]u8 = undefined;

/// Keeps the reason of a failed call: the contender's own words, or the name of its error.
pub fn failed(why: anyerror) bool {
    reason = if (why == error.Failed) serbench.reason else @errorName(why);
    return false;
}

/// Keeps a reason that names a file: `format` has two %s for its path and `why`.
pub fn failedFile(format: [*:0]const u8, path: [:0]const u8, why: [*:0]const u8) bool {
    _ = libc.snprintf(&text, text.len, format, path.ptr, why);
    reason = std.mem.sliceTo(&text, 0);
    return false;
}

/// Makes message `index` the one at hand; returns its value.
pub inline fn select(index: usize) *const Value {
    const message = &work.messages[index];
    serbench.baseline.current = index;
    serbench.root_is_array = message.* == .array;
    return message;
}

/// Loads the tape and, unless its path is empty, the input; false with the reason in `reason`. With
/// `messages` the elements of the root are handled one by one, and the input is a framed file.
pub fn load(path: [:0]const u8, input: [:0]const u8, padding: usize, messages: bool) bool {
    forget();
    const tree = tape.read(path) catch
        return failedFile("the tape %s cannot be read: %s", path, tape.failure);
    const one: []const Value = tree.root[0..1];
    const all = if (!messages) one else if (tree.root.* == .array) tree.root.array else one[0..0];
    work = .{ .tree = tree, .messages = all, .framed = messages, .padding = padding };
    loaded = true;
    if (all.len == 0) return failedFile("the tape %s has no messages", path, "");
    if (input.len > 0) loadInput(input) catch |why| {
        const unframed = "it is not a file of these messages";
        const said: [*:0]const u8 = if (why == error.NotFramed) unframed else libc.lastError();
        return failedFile("the input %s cannot be read: %s", input, said);
    };
    serbench.baseline.messages = all;
    serbench.baseline.inputs = work.inputs;
    _ = select(0);
    return true;
}

fn loadInput(path: [:0]const u8) error{ Unreadable, NotFramed }!void {
    const file = libc.load(path) orelse return error.Unreadable;
    work.file = file;
    const count = work.messages.len;
    work.inputs = serbench.allocator.alloc([]const u8, count) catch return error.Unreadable;
    if (!work.framed) {
        work.inputs[0] = file;
    } else if (!message_file.split(file, work.inputs)) return error.NotFramed;
    var largest: usize = 0;
    for (work.inputs) |input| largest = @max(largest, input.len);
    work.copy = libc.aligned(largest + work.padding) orelse return error.Unreadable;
}

pub fn forget() void {
    if (!loaded) return;
    loaded = false;
    work.tree.free();
    if (work.file) |file| libc.free(file.ptr);
    serbench.allocator.free(work.inputs);
    libc.free(work.copy);
}
