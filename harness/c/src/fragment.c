#include "fragment.h"

#include <limits.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "random.h"

enum { BLOCKS = 65536 };

/* Reachable for ever, so that no leak checker takes them for lost. */
static void *blocks[BLOCKS];

void sb_keep_freed_memory(void) {
#ifdef __GLIBC__
    enum { LARGEST = 32 << 20 }; /* what glibc accepts at the most, and where its own threshold ends */
    (void)mallopt(M_MMAP_THRESHOLD, LARGEST);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void sb_fragment_heap(void) {
    sb_random random;
    sb_random_seed(&random, 34986);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        size_t size = (size_t)1 << (sb_random_next(&random) % 12);
        size += sb_random_next(&random) % 8;
        blocks[i] = malloc(size);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t j = sb_random_next(&random) % (BLOCKS - i) + i;
        void *block = blocks[i];
        blocks[i] = blocks[j];
        blocks[j] = block;
    }
    for (uint32_t i = 0; i < BLOCKS / 2; i++) {
        free(blocks[i]);
        blocks[i] = NULL;
    }
}
