//! Asking the counting library (harness/c/heap/counter.c), which is preloaded in launches of its own.

const libc = @import("libc.zig");

pub const Counts = extern struct {
    allocations: u64,
    bytes: u64,
    peak: u64,
};

const Counter = struct {
    start: *const fn () callconv(.c) void,
    stop: *const fn (*Counts) callconv(.c) void,
    ignore: *const fn (bool) callconv(.c) void,
};

var counter: ?Counter = null;

fn symbol(comptime Function: type, name: [*:0]const u8) ?Function {
    return @ptrCast(libc.dlsym(null, name) orelse return null);
}

/// Finds the counting library; false when it is not preloaded.
pub fn find() bool {
    counter = .{
        .start = symbol(*const fn () callconv(.c) void, "sb_heap_counter_start") orelse return false,
        .stop = symbol(*const fn (*Counts) callconv(.c) void, "sb_heap_counter_stop") orelse return false,
        .ignore = symbol(*const fn (bool) callconv(.c) void, "sb_heap_counter_ignore") orelse return false,
    };
    return true;
}

pub fn start() void {
    counter.?.start();
}

pub fn stop() Counts {
    var counts: Counts = undefined;
    counter.?.stop(&counts);
    return counts;
}

/// Between `true` and `false` the harness's own blocks are allocated: they do not count.
pub fn ignore(on: bool) void {
    if (counter) |found| found.ignore(on);
}
