#include "marker.h"

/* In a file of their own and different, so that no compiler or linker can leave out or merge them. */

volatile unsigned char fw_region;

__attribute__((noinline)) void fw_begin(void) { fw_region = 1; }

__attribute__((noinline)) void fw_end(void) { fw_region = 2; }
