/* A user's JSON file becomes a tape. What is refused, and how numbers are read: docs/tape.md. */
#ifndef SERBENCH_IMPORT_JSON_H
#define SERBENCH_IMPORT_JSON_H

#include "tape.h"
#include "text_input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SB_MAX_JSON_BYTES (UINT64_C(1) << 30)

/* Appends the document in `path` to a tape that has just begun; false with the reason and, where there
 * is one, the place. */
bool sb_import_json(sb_tape *tape, const char *path, sb_refusal *refusal);

/* Appends the message or messages in `path` and adds their number to `count`: the whole document, or with
 * `lines` one document in each line that is not blank. */
bool sb_import_messages(sb_tape *tape, const char *path, bool lines, uint32_t *count, sb_refusal *refusal);

#ifdef __cplusplus
}
#endif
#endif
