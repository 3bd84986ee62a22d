//! What a contender in Zig may use: `@import("serbench")`.
//!
//! A contender's file declares
//!
//!     pub const library_version = "1.2.3"; // as the library itself reports it; "": as its build.zig.zon does
//!
//! and, for the test `write`, a function that encodes the tree at `root` and hands the bytes to `out`,
//!
//!     pub fn write(root: *const Value, out: *Output) !void
//!
//! or, for `tree` and `incremental`, one that decodes `data` and calls the hash for every value:
//!
//!     pub fn read(data: []u8, hash: *Hash) !void
//!
//! or, for `lookup`, one that calls the hash for the scalar at each of `paths`, in their order. A path is an
//! array of steps from the root: `.string` is a key of a map, `.natural` an index of an array. An error must be
//! returned if there is no scalar at one of them:
//!
//!     pub fn lookup(data: []u8, paths: []const Value, hash: *Hash) !void
//!
//! `data` is a fresh copy of the input in every call. It may be changed, is followed by at least one zero
//! byte (more if the manifest states a padding), and belongs to the harness. Everything that is allocated
//! must be freed again. An error that is returned fails the row, with its name as the reason, or with the
//! text given to `fail`.
//!
//! For `serialize` it declares the type of the library's own document, which is made of such `data` before the
//! clock runs. The data stay until the document is released. What the library keeps in a document so that it
//! need not encode it again must not be used.
//!
//!     pub const Document = ...;
//!     pub fn document(data: []u8) !Document
//!     pub fn serialize(document: *Document, out: *Output) !void
//!     pub fn release(document: *Document) void
//!
//! What should be done once, untimed, before the first call, stands in
//!
//!     pub fn setup() !void

const std = @import("std");

pub const Value = @import("value.zig").Value;
pub const Member = @import("value.zig").Member;
pub const Hash = @import("hash.zig").Hash;
pub const Seen = @import("hash.zig").Seen;
pub const Output = @import("output.zig").Output;

/// The allocator of a program that is linked with libc: what it allocates is counted, and another
/// malloc may be preloaded under it.
pub const allocator = std.heap.c_allocator;

/// True when the root is an array. Only a format that has no root array (BSON) looks at it.
pub var root_is_array: bool = false;

/// For the baseline only: the harness's own data, which no contender may touch. Of several messages it is the one
/// at hand.
pub const baseline = struct {
    pub var messages: []const Value = &.{};
    /// The smallest encoding of the group; empty if there is no input.
    pub var inputs: []const []const u8 = &.{};
    /// The words that exact_hash mixes, four bytes each; empty if none were given.
    pub var words: []const []const u8 = &.{};
    pub var current: usize = 0;

    pub fn root() *const Value {
        return &messages[current];
    }

    pub fn input() []const u8 {
        return if (current < inputs.len) inputs[current] else "";
    }

    /// Hashes every value without a walk: its words are read one after the other.
    pub inline fn hashWords(hash: *Hash) void {
        if (current < words.len) hash.state = Hash.wholeWords(hash.state, words[current]);
    }
};

/// For the harness only.
pub const libc = @import("libc.zig");
pub const heap = @import("heap.zig");

var reason_buffer: [512]u8 = undefined;
/// Why the last call of `fail` was made; empty if there was none.
pub var reason: []const u8 = "";

/// Records why a call failed and returns the error: `return serbench.fail("line {d}", .{line});`
pub fn fail(comptime format: []const u8, arguments: anytype) error{Failed} {
    reason = std.fmt.bufPrint(&reason_buffer, format, arguments) catch &reason_buffer;
    return error.Failed;
}
