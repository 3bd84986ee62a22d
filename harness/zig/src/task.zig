//! A task is what one iteration of a test does: task_read.zig or task_write.zig.

const serbench = @import("serbench");
const Tree = @import("tape.zig").Tree;

/// What `prepare` loaded.
pub const Workspace = struct {
    tree: Tree,
    /// The encoded input, followed by `padding` zero bytes; null for most writers.
    input: ?[]u8 = null,
    /// As large as `input`: what a reader is given, made anew in every iteration.
    copy: [*]u8 = undefined,
    padding: usize = 0,
    /// Of the last iteration.
    hash: u32 = 0,
};

pub var work: Workspace = undefined;

/// Why the last call of the contender failed.
pub var reason: []const u8 = "";

/// Keeps the reason of a failed call: the contender's own words, or the name of its error.
pub fn failed(why: anyerror) bool {
    reason = if (why == error.Failed) serbench.reason else @errorName(why);
    return false;
}
