#include "heap.h"

#ifndef SB_STATIC /* a statically linked worker, whose size is taken, has no loader to ask */
#include <dlfcn.h>
#endif
#include <stddef.h>
#include <string.h>

static void (*start)(void);
static void (*stop)(sb_heap_counts *counts);
static void (*set_ignored)(bool ignore);

#ifdef SB_STATIC
bool sb_heap_find(void) { return false; }
#else
/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bits serve. */
static void find(const char *name, void *function) {
    void *symbol = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &symbol, sizeof symbol);
}

bool sb_heap_find(void) {
    find("sb_heap_counter_start", &start);
    find("sb_heap_counter_stop", &stop);
    find("sb_heap_counter_ignore", &set_ignored);
    return start != NULL && stop != NULL && set_ignored != NULL;
}
#endif

void sb_heap_start(void) { start(); }

sb_heap_counts sb_heap_stop(void) {
    sb_heap_counts counts;
    stop(&counts);
    return counts;
}

void sb_heap_ignore(bool ignore) {
    if (set_ignored != NULL) set_ignored(ignore);
}
