/* Put before the source of a native row: what it hands over is looked at, and its requests for memory
 * counted. */
#include <serbench/reader.h>
#include <serbench/writer.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long probe_requests;

/* They come before the C library's own, also for the libraries of the row. */
#ifdef __cplusplus
#define PROBE_OWN extern "C"
#define PROBE_NOTHROW noexcept
#else
#define PROBE_OWN
#define PROBE_NOTHROW
#endif
PROBE_OWN void *__libc_malloc(size_t size);
PROBE_OWN void *__libc_calloc(size_t count, size_t size);
PROBE_OWN void *__libc_realloc(void *block, size_t size);
PROBE_OWN void *malloc(size_t size) PROBE_NOTHROW {
    probe_requests++;
    return __libc_malloc(size);
}
PROBE_OWN void *calloc(size_t count, size_t size) PROBE_NOTHROW {
    probe_requests++;
    return __libc_calloc(count, size);
}
PROBE_OWN void *realloc(void *block, size_t size) PROBE_NOTHROW {
    probe_requests++;
    return __libc_realloc(block, size);
}

static unsigned long probe_first, probe_second;
/* How often the row asks for memory in its first call, and in a second one. */
#define PROBE_TWICE(call)                                                                        \
    (probe_requests = 0, (call) && (probe_first = probe_requests, probe_requests = 0, (call)) && \
                             (probe_second = probe_requests, true))
