/* A known pattern of requests, counted by the preloaded counting library (test_units.py). */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static void *volatile kept; /* so that the compiler removes no request */

static void show(const char *name, sb_heap_counts counts) {
    printf("%s %llu %llu %llu\n", name, (unsigned long long)counts.allocations,
           (unsigned long long)counts.bytes, (unsigned long long)counts.peak);
}

static void *keep(void *block) {
    kept = block;
    return block;
}

static void simple(void) {
    void *a = keep(malloc(100)), *b = keep(malloc(50));
    free(a);
    void *c = keep(malloc(30));
    free(b);
    free(c);
}

static void zeroed(void) {
    unsigned char *a = keep(calloc(7, 9));
    for (int i = 0; i < 63; i++)
        if (a[i] != 0) abort();
    free(a);
    if (keep(calloc(SIZE_MAX / 2, 3)) != NULL) abort();
}

static void growing(void) {
    char *a = keep(realloc(NULL, 10));
    memset(a, 'x', 10);
    a = keep(realloc(a, 100000));
    if (memcmp(a, "xxxxxxxxxx", 10) != 0) abort();
    a = keep(realloc(a, 40));
    if (memcmp(a, "xxxxxxxxxx", 10) != 0) abort();
    free(a);
}

static void aligned(void) {
    char *a = keep(aligned_alloc(256, 512)), *b = NULL;
    if (posix_memalign((void **)&b, 4096, 20) != 0 || (uintptr_t)a % 256 != 0 || (uintptr_t)b % 4096 != 0)
        abort();
    memset(a, 'y', 512);
    a = keep(realloc(a, 600));
    if (a[511] != 'y') abort();
    free(a);
    free(b);
}

static void nothing(void) { free(NULL); }

static void left_over(void) { (void)keep(malloc(64)); }

static void hidden(void) {
    sb_heap_ignore(true);
    char *harness = keep(malloc(5000));
    sb_heap_ignore(false);
    char *own = keep(malloc(5));
    harness = keep(realloc(harness, 9000));
    free(harness);
    free(own);
}

int main(void) {
    void *before = keep(malloc(1000));
    if (!sb_heap_find()) return 1;
    const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"simple", simple},   {"zeroed", zeroed},       {"growing", growing}, {"aligned", aligned},
                 {"nothing", nothing}, {"left_over", left_over}, {"hidden", hidden}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_heap_start();
        cases[i].run();
        show(cases[i].name, sb_heap_stop());
    }
    sb_heap_start();
    free(before); /* from before the count: it must not bring the level below zero */
    void *after = keep(malloc(10));
    show("before", sb_heap_stop());
    free(after);
    if (malloc_usable_size(keep(malloc(33))) != 33) return 1;
    return 0;
}
