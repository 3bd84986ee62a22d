//! What the harness takes from libc. It prints and formats with libc alone, so that a contender's code
//! size holds all that the contender itself needs of Zig's standard library.

pub const FILE = opaque {};
pub const timespec = extern struct { sec: c_long, nsec: c_long };
/// Two times of two words each, then counts; musl keeps more room behind them than glibc.
pub const rusage = extern struct { times: [4]c_long, before: [4]c_long, minor_faults: c_long, others: [25]c_long };

pub const SEEK_SET = 0;
pub const SEEK_END = 2;
pub const CLOCK_MONOTONIC = 1;
pub const CLOCK_PROCESS_CPUTIME_ID = 2;
pub const PR_SET_PDEATHSIG = 1;
pub const RUSAGE_SELF = 0;
pub const M_TRIM_THRESHOLD = -1;
pub const M_MMAP_THRESHOLD = -3;
pub const SIGKILL: c_ulong = 9;
pub const EIO = 5;

pub extern "c" var stdin: *FILE;
pub extern "c" fn fopen(path: [*:0]const u8, mode: [*:0]const u8) ?*FILE;
pub extern "c" fn open_memstream(block: *?[*]u8, size: *usize) ?*FILE;
pub extern "c" fn fdopen(descriptor: c_int, mode: [*:0]const u8) ?*FILE;
pub extern "c" fn fclose(file: *FILE) c_int;
pub extern "c" fn fflush(file: *FILE) c_int;
pub extern "c" fn ferror(file: *FILE) c_int;
pub extern "c" fn fseek(file: *FILE, offset: c_long, whence: c_int) c_int;
pub extern "c" fn ftell(file: *FILE) c_long;
pub extern "c" fn rewind(file: *FILE) void;
pub extern "c" fn fread(data: [*]u8, size: usize, count: usize, file: *FILE) usize;
pub extern "c" fn fwrite(data: [*]const u8, size: usize, count: usize, file: *FILE) usize;
pub extern "c" fn fputs(text: [*:0]const u8, file: *FILE) c_int;
pub extern "c" fn fputc(byte: c_int, file: *FILE) c_int;
pub extern "c" fn fprintf(file: *FILE, format: [*:0]const u8, ...) c_int;
pub extern "c" fn snprintf(text: [*]u8, size: usize, format: [*:0]const u8, ...) c_int;
pub extern "c" fn getline(line: *?[*]u8, capacity: *usize, file: *FILE) isize;
pub extern "c" fn malloc(size: usize) ?*anyopaque;
pub extern "c" fn calloc(count: usize, size: usize) ?*anyopaque;
pub extern "c" fn realloc(block: ?*anyopaque, size: usize) ?*anyopaque;
pub extern "c" fn aligned_alloc(alignment: usize, size: usize) ?*anyopaque;
pub extern "c" fn free(block: ?*anyopaque) void;
pub extern "c" fn abort() noreturn;
pub extern "c" fn strerror(number: c_int) [*:0]const u8;
pub extern "c" fn __errno_location() *c_int;
pub extern "c" fn clock_gettime(clock: c_int, time: *timespec) c_int;
pub extern "c" fn getrusage(who: c_int, used: *rusage) c_int;
pub extern "c" fn dlsym(handle: ?*anyopaque, name: [*:0]const u8) ?*anyopaque;
pub extern "c" fn dup(descriptor: c_int) c_int;
pub extern "c" fn dup2(from: c_int, to: c_int) c_int;
pub extern "c" fn prctl(option: c_int, ...) c_int;

/// The text of the last error of a call above.
pub fn lastError() [*:0]const u8 {
    return strerror(__errno_location().*);
}

/// At a multiple of 64, for the same alignment in every launch.
pub fn aligned(size: usize) ?[*]u8 {
    return @ptrCast(aligned_alloc(64, (size + 64) / 64 * 64) orelse return null);
}

/// A file's bytes, to be freed; null, with the reason in `lastError`, if it cannot be read.
pub fn load(path: [*:0]const u8) ?[]u8 {
    __errno_location().* = EIO; // for a short read, which need not set it
    const file = fopen(path, "rb") orelse return null;
    defer _ = fclose(file);
    const length = if (fseek(file, 0, SEEK_END) == 0) ftell(file) else -1;
    if (length < 0) return null;
    rewind(file);
    const size: usize = @intCast(length);
    const block = aligned(size) orelse return null;
    if (fread(block, 1, size, file) != size) {
        free(block);
        return null;
    }
    return block[0..size];
}
