/* A task is what one iteration of a test does: task_read.c or task_write.c, linked into the worker. */
#ifndef SERBENCH_TASK_H
#define SERBENCH_TASK_H

#include <stdio.h>

#include "message.h"
#include "message_file.h"
#include "tape.h"

/* What `prepare` loaded. */
typedef struct sb_workspace {
    sb_tree tree;
    const sb_value *messages; /* what an iteration handles one by one: usually the root alone */
    uint32_t count;           /* of messages */
    bool framed;              /* several messages: inputs and outputs are framed files (message_file.h) */
    char *input;              /* the file of the encoded input; NULL for most writers */
    sb_span *inputs;          /* `count` spans of it, NULL without an input */
    char *words;              /* the file of the words that exact_hash mixes; NULL for all but baselines */
    sb_span *words_of;        /* `count` spans of it */
    char *copy;               /* what a reader is given, made anew for every message */
    size_t padding;           /* zero bytes that follow each copy */
    uint32_t current;         /* the message at hand */
    uint32_t hash;            /* of the last iteration */
} sb_workspace;

extern sb_workspace sb_work;

/* Loads the tape and, unless their paths are empty, the input and the words into sb_work; false with one
 * sentence in `error`. With `messages` the elements of the root are handled one by one, and both are framed
 * files. */
bool sb_workspace_load(const char *tape, const char *input, const char *words, size_t padding, bool messages,
                       char *error, size_t error_size);
void sb_workspace_forget(void);

/* A new copy of input `message` with its padding, to be freed; NULL when memory runs out. */
char *sb_workspace_copy(uint32_t message);

/* May be defined by a task: what more it loads, untimed, once the workspace is loaded and the contender set
 * up. False (see sb_fail) if that failed. */
bool sb_task_prepare(const sb_message *message);

/* May be defined by a task: frees that, as long as the workspace is still there. */
void sb_task_forget(void);

/* Why the last call of the contender failed. */
const char *sb_failure(void);

/* One iteration, as it is timed; `context` is not used. Leaves its hash in sb_work. */
bool sb_task_iterate(void *context);

/* What the harness itself does in an iteration (docs/protocol.md, "Overhead"): sb_task_record makes one that
 * is not timed to find out, false (see sb_fail) if that failed; sb_task_overhead does it, and leaves a hash
 * in sb_work; sb_task_forget_record frees what was recorded. */
bool sb_task_record(void);
bool sb_task_overhead(void *context);
void sb_task_forget_record(void);

/* Does the task once and writes what it proves as fields of the reply, each preceded by a comma.
 * `output` is where a writer leaves its bytes, and a reader what it saw, unless it is empty. False (see
 * sb_fail) if it failed. */
bool sb_task_verify(const char *output, FILE *reply);

#endif
