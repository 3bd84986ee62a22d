/* The worker's side of the protocol's lines: flat JSON objects of strings, whole numbers and booleans. */
#ifndef SERBENCH_MESSAGE_H
#define SERBENCH_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SB_MAX_FIELDS = 16 };

typedef struct sb_field {
    const char *name;
    const char *text; /* NULL for a number or a boolean */
    uint64_t number;  /* 1 or 0 for a boolean */
} sb_field;

typedef struct sb_message {
    sb_field fields[SB_MAX_FIELDS];
    size_t count;
} sb_message;

/* Takes `line`, which ends in NUL and is changed, apart; false if it is not such an object. */
bool sb_message_parse(sb_message *message, char *line);

/* The field's value, or `otherwise` when the message has no such field of that kind. */
const char *sb_message_text(const sb_message *message, const char *name, const char *otherwise);
uint64_t sb_message_number(const sb_message *message, const char *name, uint64_t otherwise);

/* Writes `text` as a JSON string with its quotes. */
void sb_write_text(FILE *file, const char *text);

#endif
