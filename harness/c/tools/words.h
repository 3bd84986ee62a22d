/* The words that exact_hash mixes for a value tree, in their order (docs/tape.md): what a baseline hashes. */
#ifndef SERBENCH_WORDS_H
#define SERBENCH_WORDS_H

#include "tape.h"

/* Writes the words of `root` to `file`, each as a little-endian u32; with `messages` those of its elements as
 * a framed file. What went wrong is left in ferror. */
void sb_write_words(FILE *file, const sb_value *root, bool messages);

#endif
