/* Preloaded where instructions are counted, so that counts repeat: libraries seed their hash tables with
 * getrandom. Its bytes are then the same in every launch; within one they differ. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    static uint32_t state;
    (void)flags;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223; /* Numerical Recipes' constants */
        ((uint8_t *)buffer)[i] = (uint8_t)(state >> 24);
    }
    return (ssize_t)size;
}
