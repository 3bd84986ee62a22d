/* What has to be true of an import, whatever the text. */
#ifndef IMPORTING_H
#define IMPORTING_H

#include <cstdint>
#include <cstdlib>

#include "import_json.cpp" /* its importers of text in memory are not for others */
#include "tape_in_memory.h"

/* An accepted text has become a tape that can be read; a refused one has a sentence and a place in it. */
inline void check_import(bool imported, sb_tape *tape, const sb_refusal &refusal, size_t size) {
    if (imported) {
        if (!sb_tape_write(tape, "/dev/null") || !tape_in_memory(tape->data, tape->size)) std::abort();
    } else if (refusal.sentence[0] == '\0' || refusal.line == 0 || refusal.line > size + 1 ||
               refusal.column == 0 || refusal.column > size + 1) {
        std::abort();
    }
}

#endif
