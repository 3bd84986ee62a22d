/* Encoded messages in one file: the eight bytes of the magic, their number, the size of each (little-endian
 * u64), then the messages one after the other. */
#ifndef SERBENCH_MESSAGE_FILE_H
#define SERBENCH_MESSAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SB_MESSAGES_MAGIC "sbmsgs1\n"

typedef struct sb_span {
    size_t offset, size;
} sb_span;

/* The spans of `count` messages in the `size` bytes at `data`; NULL if it is not such a file or memory is
 * out. To be freed. */
sb_span *sb_message_spans(const char *data, size_t size, uint32_t count);

/* Writes the head of such a file with sizes that are filled in by sb_message_size. */
void sb_messages_begin(FILE *file, uint32_t count);
/* Fills in the size of message `index`, and goes back to the end of the file. */
void sb_message_size(FILE *file, uint32_t index, size_t size);

#endif
