//! The clock and the loop: everything that is timed goes through `time_chunks`.

use std::ffi::c_int;
use std::hint::black_box;
use std::ptr;

use crate::libc;
use crate::worker::Session;

/// One iteration of a test; false if it failed.
pub type Iteration = fn(&mut Session) -> bool;

fn now(clock: c_int) -> u64 {
    let mut time = libc::Time::default();
    libc::clock_gettime(clock, &mut time);
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

/// Runs `iteration` `count` times without a look at any clock; false if one failed.
pub fn repeat(iteration: Iteration, session: &mut Session, count: u64) -> bool {
    // SAFETY: it points to a function pointer. Read as volatile, so that the optimizer does not see through the call
    // and fold iterations together.
    let call = unsafe { ptr::read_volatile(&iteration) };
    let mut ok = true;
    for _ in 0..count {
        ok &= call(session);
    }
    ok
}

/// Times chunks of `iterations` iterations each, as many as `wall` is long: the nanoseconds of each chunk by the
/// monotonic clock into `wall` and of this process into `cpu`. False, at the end of a chunk, if one failed.
pub fn time_chunks(
    iteration: Iteration,
    session: &mut Session,
    iterations: u64,
    wall: &mut [u64],
    cpu: &mut [u64],
) -> bool {
    for (wall, cpu) in wall.iter_mut().zip(cpu) {
        // The CPU clock is a system call, so it stands outside of the wall clock's readings.
        let cpu_start = now(libc::CLOCK_PROCESS_CPUTIME_ID);
        let start = now(libc::CLOCK_MONOTONIC);
        let ok = repeat(iteration, session, iterations);
        let end = now(libc::CLOCK_MONOTONIC);
        *cpu = now(libc::CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        *wall = end - start;
        if !ok {
            return false;
        }
    }
    true
}

/// How often this process has been given a page of memory since it began: its minor page faults.
pub fn page_faults() -> u64 {
    let mut used = libc::Usage::default();
    if libc::getrusage(libc::RUSAGE_SELF, &mut used) == 0 { used.minor_faults as u64 } else { 0 }
}

/// The same as `repeat`, but a function of its own around which an instruction counter is toggled: it has the name
/// that it has in C.
#[unsafe(no_mangle)]
#[inline(never)]
fn sb_counted_region(iteration: Iteration, session: &mut Session, count: u64) -> bool {
    repeat(iteration, session, count)
}

pub fn counted_region(iteration: Iteration, session: &mut Session, count: u64) -> bool {
    black_box(sb_counted_region as fn(Iteration, &mut Session, u64) -> bool)(iteration, session, count)
}
