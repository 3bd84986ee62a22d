/* The contract of a firmware contender: what it defines, and what the firmware's harness gives it.
 *
 * One program holds one contender and one document. The harness owns everything that is counted: it calls
 * fw_read and fw_write between its two marker functions, and checks what they did outside of them. */
#ifndef SERBENCH_FIRMWARE_H
#define SERBENCH_FIRMWARE_H

#include <serbench/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be defined by the contender. */

/* Counted: decodes `size` bytes at `data` into the library's own document, which stays until fw_release;
 * a library without a document hashes into fw_sum as it reads. `data` is never changed, and a zero byte
 * follows it. False if the data could not be decoded or memory ran out. */
bool fw_read(const char *data, size_t size);

/* Not counted: hashes the library's document into fw_sum. True at once where fw_read has done so. */
bool fw_walk(void);

/* Counted: encodes into `out`, from the library's own document if it has one (fw_read was called just
 * before), else from fw_tree. Returns the number of bytes, 0 for a failure. */
size_t fw_write(char *out, size_t capacity);

/* Not counted: frees the document, if there is one. */
void fw_release(void);

/* The bytes that the document takes of memory which the library was given at the start; 0 for a library that
 * only allocates (the harness counts that itself). */
size_t fw_pool(void);

/* The library's version as the library itself reports it, "" if it does not. */
const char *fw_version(void);

/* What the harness gives. */

extern sb_hash fw_sum;
extern const sb_value fw_tree;

/* Allocates from fixed memory (firmware's src/heap.c), as malloc and its kin do. */
void *fw_malloc(size_t size);
void *fw_realloc(void *block, size_t size);
void fw_free(void *block);

#ifdef __cplusplus
}
#endif
#endif
