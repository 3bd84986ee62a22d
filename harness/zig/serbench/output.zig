//! Where a writer leaves its bytes, in one of two ways.

const libc = @import("libc.zig");
const heap = @import("heap.zig");
const Hash = @import("hash.zig").Hash;

pub const Output = struct {
    /// The harness's buffer, null until something is appended.
    buffer: ?[*]u8 = null,
    size: usize = 0,
    capacity: usize = 0,
    handed_over: bool = false,
    /// Of all messages so far.
    hash: Hash = .{ .exact = true },
    bytes: usize = 0,
    /// Where the bytes go too, null in every timed call.
    copy: ?*libc.FILE = null,

    /// For a library that builds the whole output in its own memory: hands it over once, before freeing it.
    pub fn block(out: *Output, data: []const u8) void {
        out.hash.string(data);
        out.bytes += data.len;
        out.handed_over = true;
        if (out.copy) |file| _ = libc.fwrite(data.ptr, 1, data.len, file);
    }

    /// For a library that needs a buffer from its caller: appends to the harness's, which doubles as it
    /// grows and is made anew in every call.
    pub inline fn append(out: *Output, data: []const u8) error{OutOfMemory}!void {
        if (out.buffer == null or data.len > out.capacity - out.size) try out.grow(data.len);
        @memcpy(out.buffer.?[out.size..][0..data.len], data);
        out.size += data.len;
    }

    fn grow(out: *Output, more: usize) error{OutOfMemory}!void {
        @branchHint(.cold);
        var capacity: usize = if (out.capacity == 0) 4096 else out.capacity * 2;
        while (capacity - out.size < more) capacity *= 2;
        heap.ignore(true);
        const larger = libc.realloc(out.buffer, capacity);
        heap.ignore(false);
        out.buffer = @ptrCast(larger orelse return error.OutOfMemory);
        out.capacity = capacity;
    }
};
