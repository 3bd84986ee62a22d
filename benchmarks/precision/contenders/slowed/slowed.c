/* MPack's tree test, slowed by STEPS steps. The number is data, so that all such programs have the same code.
 */
#include <serbench/reader.h>

#include "../busy/steps.h"

#define sb_read read_tree
#include "../../../../contenders/c/mpack/tree.c"
#undef sb_read

#ifndef STEPS
#define STEPS 0
#endif

static volatile uint64_t number = STEPS;

bool sb_read(char *data, size_t size, sb_hash *h) {
    bool ok = read_tree(data, size, h);
    take_steps(number);
    return ok;
}
