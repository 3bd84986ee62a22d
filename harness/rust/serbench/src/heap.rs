//! Asking the counting library (harness/c/preload/counter.c), which is preloaded in launches of its own.

use std::sync::OnceLock;

use crate::libc;

#[repr(C)]
#[derive(Default)]
pub struct Counts {
    pub allocations: u64,
    pub bytes: u64,
    pub peak: u64,
}

pub struct Counter {
    pub start: unsafe extern "C" fn(),
    pub stop: unsafe extern "C" fn(&mut Counts),
    ignore: unsafe extern "C" fn(bool),
}

static COUNTER: OnceLock<Option<Counter>> = OnceLock::new();

/// The counting library; None when it is not preloaded.
pub fn counter() -> Option<&'static Counter> {
    COUNTER.get_or_init(find).as_ref()
}

#[cfg(target_feature = "crt-static")] // a program whose size is taken has no loader to ask
fn find() -> Option<Counter> {
    None
}

#[cfg(not(target_feature = "crt-static"))]
fn find() -> Option<Counter> {
    let symbol = |name: &std::ffi::CStr| {
        // SAFETY: a null handle asks all that is loaded, and the name ends with a NUL.
        let found = unsafe { libc::dlsym(std::ptr::null_mut(), name.as_ptr()) };
        (!found.is_null()).then_some(found)
    };
    // SAFETY: the counting library declares them so (harness/c/src/heap.h).
    unsafe {
        Some(Counter {
            start: std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn()>(symbol(
                c"sb_heap_counter_start",
            )?),
            stop: std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn(&mut Counts)>(symbol(
                c"sb_heap_counter_stop",
            )?),
            ignore: std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn(bool)>(symbol(
                c"sb_heap_counter_ignore",
            )?),
        })
    }
}

/// Between `true` and `false` the harness's own blocks are allocated: they do not count.
pub fn ignore(on: bool) {
    if let Some(Some(counter)) = COUNTER.get() {
        // SAFETY: it takes any value at any time.
        unsafe { (counter.ignore)(on) }
    }
}

/// Memory that is freed stays with the process. By glibc's default that depends on what else was freed before, the
/// harness's own buffer too, and not on the library (METHOD.md, "Page faults"). Other allocators ignore it.
pub fn keep_freed_memory() {
    #[cfg(target_env = "gnu")]
    {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20); // what glibc accepts at the most
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
    }
}
