/* Paths drawn from a tape, and the values at them: what the test `lookup` is given. */
#ifndef SERBENCH_LOOKUP_TOOL_H
#define SERBENCH_LOOKUP_TOOL_H

#include "tape.h"

/* Draws from every one of `count` documents up to eight of its scalars, spread over it, in an order that is
 * drawn too. Writes an array: for each document, an array of paths; a path is an array of keys (strings) and
 * indexes (u64) from the document's root. With `messages` there is one such array around all documents'. */
void sb_draw_paths(sb_tape *tape, const sb_value *documents, uint32_t count, bool messages, uint64_t seed);

/* Writes the values at these paths, as arrays of the same shape; false if there is none at one of them. */
bool sb_find_values(sb_tape *tape, const sb_value *documents, uint32_t count, bool messages,
                    const sb_value *paths);

#endif
