/* A user's text file in memory: read with clear refusals, and the place of a byte in it. */
#ifndef SERBENCH_TEXT_INPUT_H
#define SERBENCH_TEXT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is wrong with a user's file, as one sentence; line and column count from 1 and are 0 where no
 * place applies. A column is a code point. */
typedef struct sb_refusal {
    char sentence[256];
    uint64_t line, column;
} sb_refusal;

typedef struct sb_text {
    char *block;       /* what sb_text_free frees */
    const char *bytes; /* behind the byte order mark, if there is one */
    size_t size;
} sb_text;

/* Writes the sentence, printf-like, and no place. */
void sb_refuse(sb_refusal *refusal, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens the regular file `path` of at most `limit` bytes; returns a descriptor, or -1 after sb_refuse.
 * Never waits, not even on a FIFO. */
int sb_open_file(const char *path, uint64_t limit, uint64_t *size, sb_refusal *refusal);

/* Reads the whole of `path`; false after sb_refuse. */
bool sb_text_read(sb_text *text, const char *path, uint64_t limit, sb_refusal *refusal);
void sb_text_free(sb_text *text);

/* Sets the refusal's line and column to those of the byte at `offset`. */
void sb_text_place(const sb_text *text, size_t offset, sb_refusal *refusal);

/* The bytes (1 to 4) of the valid UTF-8 sequence at `bytes`, or 0 if there is none in `size` bytes. */
size_t sb_utf8_sequence(const char *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
