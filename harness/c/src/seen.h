/* What a reader saw: every call of the hash in order, as docs/protocol.md describes the file. */
#ifndef SERBENCH_SEEN_H
#define SERBENCH_SEEN_H

#include <stdio.h>

#include "serbench/hash.h"

struct sb_seen {
    FILE *file;
};

#endif
