/* A task is what one iteration of a test does: task_read.c or task_write.c, linked into the worker. */
#ifndef SERBENCH_TASK_H
#define SERBENCH_TASK_H

#include <stdio.h>

#include "tape.h"

/* What `prepare` loaded. */
typedef struct sb_workspace {
    sb_tree tree;
    char *input; /* the encoded input, followed by `padding` zero bytes; NULL for most writers */
    char *copy;  /* as large as `input`: what a reader is given, made anew in every iteration */
    size_t input_size;
    size_t padding;
    uint32_t hash; /* of the last iteration */
} sb_workspace;

extern sb_workspace sb_work;

/* Why the last call of the contender failed. */
const char *sb_failure(void);

/* One iteration, as it is timed; `context` is not used. Leaves its hash in sb_work. */
bool sb_task_iterate(void *context);

/* Does the task once and writes what it proves as fields of the reply, each preceded by a comma.
 * `output` is where a writer leaves its bytes. False (see sb_fail) if it failed. */
bool sb_task_verify(const char *output, FILE *reply);

#endif
