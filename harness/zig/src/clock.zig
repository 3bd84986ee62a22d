//! The clock and the loop: everything that is timed goes through `timeChunks`.

const libc = @import("serbench").libc;

/// One iteration of a test; false if it failed.
pub const Iteration = *const fn () bool;

fn now(clock: c_int) u64 {
    var time: libc.timespec = undefined;
    _ = libc.clock_gettime(clock, &time);
    return @as(u64, @intCast(time.sec)) * 1_000_000_000 + @as(u64, @intCast(time.nsec));
}

/// Runs `iteration` `count` times without a look at any clock; false if one failed.
pub fn repeat(iteration: Iteration, count: u64) bool {
    // Read as volatile, so that the optimizer does not see through the call and fold iterations together.
    var chosen = iteration;
    const volatile_place: *volatile Iteration = &chosen;
    const call = volatile_place.*;
    var ok = true;
    for (0..count) |_| {
        if (!call()) ok = false;
    }
    return ok;
}

/// Times `wall.len` chunks of `iterations` iterations each: the nanoseconds of each chunk by the monotonic
/// clock into `wall` and of this process into `cpu`. False, at the end of a chunk, if one failed.
pub fn timeChunks(iteration: Iteration, iterations: u64, wall: []u64, cpu: []u64) bool {
    for (wall, cpu) |*wall_chunk, *cpu_chunk| {
        // The CPU clock is a system call, so it stands outside of the wall clock's readings.
        const cpu_start = now(libc.CLOCK_PROCESS_CPUTIME_ID);
        const start = now(libc.CLOCK_MONOTONIC);
        const ok = repeat(iteration, iterations);
        const end = now(libc.CLOCK_MONOTONIC);
        cpu_chunk.* = now(libc.CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        wall_chunk.* = end - start;
        if (!ok) return false;
    }
    return true;
}

/// How often this process has been given a page of memory since it began: its minor page faults.
pub fn pageFaults() u64 {
    var used: libc.rusage = undefined;
    return if (libc.getrusage(libc.RUSAGE_SELF, &used) == 0) @intCast(used.minor_faults) else 0;
}

/// The same as `repeat`, but a function of its own around which an instruction counter is toggled: it has
/// the name that it has in C, and is exported, so that its symbol is there without debug information.
export fn sb_counted_region(iteration: *const anyopaque, count: u64) bool {
    return repeat(@ptrCast(iteration), count);
}

pub fn countedRegion(iteration: Iteration, count: u64) bool {
    var region: *const fn (*const anyopaque, u64) callconv(.c) bool = &sb_counted_region;
    const volatile_place: *volatile @TypeOf(region) = &region; // not inlined, or nothing would be toggled
    return volatile_place.*(@ptrCast(iteration), count);
}
