/* The calls of the hash that a reader makes, repeated without the reader: what hashing its values takes. */
#ifndef SERBENCH_CALLS_H
#define SERBENCH_CALLS_H

#include "serbench/hash.h"

typedef struct sb_calls sb_calls;

/* The calls in a record of `size` bytes as docs/protocol.md describes it, which must stay as long as they do;
 * NULL when memory runs out. */
sb_calls *sb_calls_of(const char *record, size_t size);
void sb_calls_free(sb_calls *calls);

/* Makes all of them. Those of one kind follow each other, strings by their lengths, so that no branch has to
 * guess which kind comes next, or where a string ends. So the hash is not that of the reader. */
void sb_calls_repeat(const sb_calls *calls, sb_hash *h);

/* Makes those that end arrays and maps, for a harness that has the values in another form. */
void sb_calls_repeat_counts(const sb_calls *calls, sb_hash *h);

#endif
