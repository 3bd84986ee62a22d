//! Asking the counting library (harness/c/preload/counter.c), which is preloaded in launches of its own.

const std = @import("std");
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

/// Memory that is freed stays with the process. By glibc's default that depends on what else was freed before, the
/// harness's own buffer too, and not on the library (METHOD.md, "Page faults"). Other allocators ignore it.
pub fn keepFreedMemory() void {
    // musl, with which a program is linked to take its size, has no such call.
    const mallopt = symbol(*const fn (c_int, c_int) callconv(.c) c_int, "mallopt") orelse return;
    _ = mallopt(libc.M_MMAP_THRESHOLD, 32 << 20); // what glibc accepts at the most
    _ = mallopt(libc.M_TRIM_THRESHOLD, std.math.maxInt(c_int));
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
