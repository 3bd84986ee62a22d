/* The tape reader without a file. */
#ifndef TAPE_IN_MEMORY_H
#define TAPE_IN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a tape of `size` bytes and hashes its values; false if the reader refuses it, with a reason. */
bool tape_in_memory(const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
