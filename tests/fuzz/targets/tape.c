/* Any bytes as a tape: read and hashed, or refused with a reason. */
#include <stdint.h>

#include "tape_in_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)tape_in_memory(data, size);
    return 0;
}
