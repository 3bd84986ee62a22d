//! What `prepare` loads: the value tree, the encoded input, room for its copy, and a baseline's words.

const std = @import("std");
const serbench = @import("serbench");
const libc = serbench.libc;
const message_file = @import("message_file.zig");
const tape = @import("tape.zig");
const Value = serbench.Value;

/// A file, and the part of it that each message has; nothing if there is none.
const Parts = struct {
    file: ?[]u8 = null,
    of: [][]const u8 = &.{},

    fn load(parts: *Parts, path: [:0]const u8) error{ Unreadable, NotFramed }!void {
        const file = libc.load(path) orelse return error.Unreadable;
        parts.file = file;
        parts.of = serbench.allocator.alloc([]const u8, work.messages.len) catch return error.Unreadable;
        if (!work.framed) {
            parts.of[0] = file;
        } else if (!message_file.split(file, parts.of)) return error.NotFramed;
    }

    fn free(parts: Parts) void {
        if (parts.file) |file| libc.free(file.ptr);
        serbench.allocator.free(parts.of);
    }
};

const Workspace = struct {
    tree: tape.Tree,
    /// What an iteration handles one by one: usually the root alone.
    messages: []const Value,
    /// Several messages: inputs and outputs are framed files (message_file.zig).
    framed: bool,
    /// Zero bytes that follow each copy.
    padding: usize,
    /// The file of the encoded input; null for most writers.
    input: Parts = .{},
    /// The words that exact_hash mixes; none for all but baselines.
    words: Parts = .{},
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

/// Loads the tape and, unless their paths are empty, the input and the words; false with the reason in
/// `reason`. With `messages` the elements of the root are handled one by one, and both are framed files.
pub fn load(path: [:0]const u8, input: [:0]const u8, words: [:0]const u8, padding: usize, messages: bool) bool {
    forget();
    const tree = tape.read(path) catch
        return failedFile("the tape %s cannot be read: %s", path, tape.failure);
    const one: []const Value = tree.root[0..1];
    const all = if (!messages) one else if (tree.root.* == .array) tree.root.array else one[0..0];
    work = .{ .tree = tree, .messages = all, .framed = messages, .padding = padding };
    loaded = true;
    if (all.len == 0) return failedFile("the tape %s has no messages", path, "");
    if (input.len > 0) loadInput(input) catch |why| return unread(input, why);
    if (words.len > 0) work.words.load(words) catch |why| return unread(words, why);
    serbench.baseline.messages = all;
    serbench.baseline.inputs = work.input.of;
    serbench.baseline.words = work.words.of;
    _ = select(0);
    return true;
}

fn unread(path: [:0]const u8, why: error{ Unreadable, NotFramed }) bool {
    const unframed = "it is not a file of these messages";
    const said: [*:0]const u8 = if (why == error.NotFramed) unframed else libc.lastError();
    return failedFile("the input %s cannot be read: %s", path, said);
}

fn loadInput(path: [:0]const u8) error{ Unreadable, NotFramed }!void {
    try work.input.load(path);
    var largest: usize = 0;
    for (work.input.of) |input| largest = @max(largest, input.len);
    work.copy = libc.aligned(largest + work.padding) orelse return error.Unreadable;
}

pub fn forget() void {
    if (!loaded) return;
    loaded = false;
    work.tree.free();
    work.input.free();
    work.words.free();
    libc.free(work.copy);
}
