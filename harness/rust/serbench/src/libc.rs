//! What the harness takes from libc, which the standard library links anyway.

use std::ffi::{c_int, c_long, c_ulong, c_void};

#[repr(C)]
#[derive(Default)]
pub struct Time {
    pub seconds: c_long,
    pub nanoseconds: c_long,
}

/// Two times of two words each, then counts; musl keeps more room behind them than glibc.
#[repr(C)]
#[derive(Default)]
pub struct Usage {
    times: [c_long; 4],
    before: [c_long; 4],
    pub minor_faults: c_long,
    others: [c_long; 25],
}

pub const CLOCK_MONOTONIC: c_int = 1;
pub const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
pub const RUSAGE_SELF: c_int = 0;
pub const PR_SET_PDEATHSIG: c_int = 1;
pub const SIGKILL: c_ulong = 9;
#[cfg(target_env = "gnu")]
pub const M_TRIM_THRESHOLD: c_int = -1;
#[cfg(target_env = "gnu")]
pub const M_MMAP_THRESHOLD: c_int = -3;

unsafe extern "C" {
    pub safe fn clock_gettime(clock: c_int, time: &mut Time) -> c_int;
    pub safe fn getrusage(who: c_int, used: &mut Usage) -> c_int;
    pub safe fn dup(descriptor: c_int) -> c_int;
    pub safe fn dup2(from: c_int, to: c_int) -> c_int;
    pub safe fn prctl(option: c_int, argument: c_ulong) -> c_int;
    pub safe fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    pub safe fn malloc(size: usize) -> *mut c_void;
    pub unsafe fn free(block: *mut c_void);
    #[cfg(target_env = "gnu")]
    pub safe fn mallopt(option: c_int, value: c_int) -> c_int;
    #[cfg(not(target_feature = "crt-static"))]
    pub unsafe fn dlsym(handle: *mut c_void, name: *const std::ffi::c_char) -> *mut c_void;
}
