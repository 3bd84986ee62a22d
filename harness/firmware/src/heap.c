#include "heap.h"

#include <stdint.h>
#include <string.h>

#include "firmware.h"

/* A first-fit allocator: blocks stand one behind the other in one array, each behind a header. Simple, and
 * the same on every target, so that its share in a count is too. */

#define ALIGNMENT sizeof(uint64_t)

typedef struct header {
    uint16_t units; /* of ALIGNMENT bytes, the header's own included */
    uint16_t used;  /* requested bytes + 1, or 0 for a free block */
    uint32_t unused;
} header;

#define UNITS (FW_ARENA / sizeof(header))

static header arena[UNITS];
static size_t in_use, peak;

size_t fw_heap_peak(void) { return peak; }

void fw_heap_reset(void) { peak = in_use; }

static void account(size_t more, size_t less) {
    in_use = in_use + more - less;
    if (in_use > peak) peak = in_use;
}

void *fw_malloc(size_t size) {
    if (size > FW_ARENA) return NULL;
    uint16_t wanted = (uint16_t)(1 + (size + sizeof(header) - 1) / sizeof(header));
    if (arena[0].units == 0) arena[0].units = UNITS;
    for (size_t at = 0; at < UNITS; at += arena[at].units) {
        header *block = &arena[at];
        if (block->used != 0) continue;
        while (at + block->units < UNITS && block[block->units].used == 0)
            block->units = (uint16_t)(block->units + block[block->units].units);
        if (block->units < wanted) continue;
        if (block->units > wanted) {
            block[wanted].units = (uint16_t)(block->units - wanted);
            block[wanted].used = 0;
            block->units = wanted;
        }
        block->used = (uint16_t)(size + 1);
        account(size, 0);
        return block + 1;
    }
    return NULL;
}

void fw_free(void *memory) {
    if (memory == NULL) return;
    header *block = (header *)memory - 1;
    account(0, block->used - 1u);
    block->used = 0;
}

void *fw_realloc(void *memory, size_t size) {
    void *larger = fw_malloc(size);
    if (memory != NULL && larger != NULL) {
        size_t old = ((header *)memory)[-1].used - 1u;
        memcpy(larger, memory, old < size ? old : size);
        fw_free(memory);
    }
    return larger;
}
