/* What is said of a tape: its hashes, and what libraries may not be able to take (docs/tape.md). */
#ifndef SERBENCH_FACTS_H
#define SERBENCH_FACTS_H

#include "tape.h"

/* Prints the facts of a tape as one line of JSON. With `messages` the root's elements are documents of their
 * own: hashed one after the other. */
void sb_print_facts(const sb_tree *tree, bool messages);

#endif
