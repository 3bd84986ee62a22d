//! A look-up's iteration is a reader's (task_read.zig), of the values at some paths. The tree is that of these
//! values: an array for each document.

const contender = @import("contender");
const serbench = @import("serbench");
const libc = serbench.libc;
const message = @import("message.zig");
const tape = @import("tape.zig");
const workspace = @import("workspace.zig");
const Value = serbench.Value;

var tree: ?tape.Tree = null;

/// The paths of the document at hand.
inline fn pathsNow() []const Value {
    const root = tree.?.root;
    return if (workspace.work.framed) root.array[serbench.baseline.current].array else root.array;
}

pub fn read(data: []u8, hash: *serbench.Hash) !void {
    const paths = pathsNow();
    try contender.lookup(data, paths, hash);
    hash.count(paths.len);
}

fn arePaths(paths: *const Value, values: *const Value) bool {
    if (paths.* != .array or values.* != .array or paths.array.len != values.array.len) return false;
    for (paths.array) |*path| {
        if (path.* != .array) return false;
        for (path.array) |*step| if (step.* != .string and step.* != .natural) return false;
    }
    return true;
}

pub fn prepare(request: *const message.Message) !void {
    const read_tree = tape.read(request.text("paths", "")) catch
        return serbench.fail("the tape of paths cannot be read: {s}", .{tape.failure});
    tree = read_tree;
    const values = workspace.work.messages;
    const one: []const Value = read_tree.root[0..1];
    const all = if (!workspace.work.framed) one else if (one[0] == .array) one[0].array else one[0..0];
    if (all.len == values.len) {
        for (all, values) |*paths, *found| {
            if (!arePaths(paths, found)) break;
        } else return;
    }
    return serbench.fail("the tape of paths does not belong to the values", .{});
}

pub fn forget() void {
    if (tree) |read_tree| read_tree.free();
    tree = null;
}
