/* Asking the counting library (preload/counter.c), which is preloaded in launches of its own. */
#ifndef SERBENCH_HEAP_H
#define SERBENCH_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_heap_counts {
    uint64_t allocations; /* calls that returned a new or another block */
    uint64_t bytes;       /* requested by them; of a realloc, what it added */
    uint64_t peak;        /* the most requested bytes that were live at once, above the level at the start */
} sb_heap_counts;

/* Finds the counting library; false when it is not preloaded. */
bool sb_heap_find(void);
void sb_heap_start(void);
sb_heap_counts sb_heap_stop(void);

/* Between `true` and `false` the harness's own blocks are allocated: they do not count. */
void sb_heap_ignore(bool ignore);

#endif
