/* The fixed memory that libraries allocate from, and the most of it that was in use. */
#ifndef SERBENCH_FIRMWARE_HEAP_H
#define SERBENCH_FIRMWARE_HEAP_H

#include <stddef.h>

/* The largest sum of requested bytes since the last fw_heap_reset; the allocator's own headers are left out.
 */
size_t fw_heap_peak(void);

/* From here on the peak counts anew, from what is in use now. */
void fw_heap_reset(void);

#endif
