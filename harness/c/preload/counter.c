/* The counting library: preloaded before the allocator in use, it counts what one iteration requests.
 *
 * Every block carries a header with the size that was asked for, since the allocator itself only knows
 * the size that it rounded up to. A worker calls the three sb_heap_counter_ functions (src/heap.c). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/heap.h"

typedef struct header {
    uint64_t size;    /* as requested */
    uint32_t offset;  /* from the allocator's block to the caller's */
    uint32_t counted; /* the count it belongs to, 0 for none */
} header;

enum { HEADER = sizeof(header), ARENA = 1 << 16 };
_Static_assert(HEADER == 16, "the header keeps malloc's alignment");

static void *(*real_malloc)(size_t);
static void (*real_free)(void *);
static void *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);

/* What dlsym itself allocates before the allocator's functions are known; never freed. */
static _Alignas(16) char arena[ARENA];
static size_t arena_used;

static uint32_t current; /* the running count's number, 0 when none runs */
static uint32_t starts;
static bool ignored;
static int64_t live;
static sb_heap_counts counts;

static void find(const char *name, void *function) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) _exit(127);
    memcpy(function, &symbol, sizeof symbol);
}

static void find_all(void) {
    static bool finding;
    if (real_malloc != NULL || finding) return;
    finding = true;
    find("free", &real_free);
    find("realloc", &real_realloc);
    find("posix_memalign", &real_posix_memalign);
    find("malloc", &real_malloc);
}

static header *header_of(void *block) { return (header *)((char *)block - HEADER); }

static bool in_arena(const void *block) {
    return (const char *)block >= arena && (const char *)block < arena + ARENA;
}

static void add_live(int64_t bytes) {
    live += bytes;
    if (live > (int64_t)counts.peak) counts.peak = (uint64_t)live;
}

/* Makes the header of a fresh allocator's block and returns the caller's part of it. */
static void *enter(char *base, size_t offset, size_t size) {
    header *h = header_of(base + offset);
    h->size = size;
    h->offset = (uint32_t)offset;
    h->counted = ignored ? 0 : current;
    if (h->counted != 0) {
        counts.allocations++;
        counts.bytes += size;
        add_live((int64_t)size);
    }
    return base + offset;
}

static void leave(const header *h) {
    if (h->counted != 0 && h->counted == current) live -= (int64_t)h->size;
}

void *malloc(size_t size) {
    find_all();
    if (size > SIZE_MAX - HEADER) {
        errno = ENOMEM;
        return NULL;
    }
    if (real_malloc == NULL) {
        size_t need = (size + HEADER + 15) / 16 * 16;
        if (need > ARENA - arena_used) _exit(127);
        char *base = arena + arena_used;
        arena_used += need;
        return enter(base, HEADER, size);
    }
    char *base = real_malloc(size + HEADER);
    return base != NULL ? enter(base, HEADER, size) : NULL;
}

void free(void *block) {
    if (block == NULL || in_arena(block)) return;
    header *h = header_of(block);
    leave(h);
    real_free((char *)block - h->offset);
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = malloc(count * size);
    /* Through a volatile pointer, or the compiler turns malloc and memset into calloc: this function. */
    if (block != NULL) {
        void *(*volatile fill)(void *, int, size_t) = memset;
        fill(block, 0, count * size);
    }
    return block;
}

static void *move(void *block, size_t size) {
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    size_t old = header_of(block)->size;
    memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}

void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    header *h = header_of(block);
    if (in_arena(block) || h->offset != HEADER || size > SIZE_MAX - HEADER) return move(block, size);
    uint64_t old = h->size;
    char *base = real_realloc(h, size + HEADER);
    if (base == NULL) return NULL;
    h = (header *)base;
    h->size = size;
    if (h->counted != 0 && h->counted == current) {
        counts.allocations++;
        if (size > old) counts.bytes += size - old;
        add_live((int64_t)size - (int64_t)old);
    }
    return base + HEADER;
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    find_all();
    size_t offset = alignment > HEADER ? alignment : HEADER;
    void *base;
    if (size > SIZE_MAX - offset) return ENOMEM;
    int error = real_posix_memalign(&base, alignment, size + offset);
    if (error == 0) *block = enter(base, offset, size);
    return error;
}

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = NULL;
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    int error = posix_memalign(&block, alignment, size);
    if (error != 0) errno = error;
    return error == 0 ? block : NULL;
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

void *valloc(size_t size) { return aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return aligned_alloc(page, (size + page - 1) / page * page);
}

/* mimalloc brings it, too, and would answer past this library; libc's own ends in realloc. */
void *reallocarray(void *block, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, count * size);
}

/* So it does with these two, since version 3. */
char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *strdup(const char *text) { return strndup(text, strlen(text)); }

size_t malloc_usable_size(void *block) { return block != NULL ? header_of(block)->size : 0; }

void sb_heap_counter_start(void) {
    memset(&counts, 0, sizeof counts);
    live = 0;
    current = ++starts;
}

void sb_heap_counter_stop(sb_heap_counts *result) {
    current = 0;
    *result = counts;
}

void sb_heap_counter_ignore(bool ignore) { ignored = ignore; }
