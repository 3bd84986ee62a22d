/* MPack's tree test, slowed by STEPS steps. */
#include <serbench/reader.h>

#include "../busy/number.h"

#define sb_read read_tree
#include "../../../../contenders/c/mpack/tree.c"
#undef sb_read

bool sb_read(char *data, size_t size, sb_hash *h) {
    bool ok = read_tree(data, size, h);
    take_steps(number);
    return ok;
}
