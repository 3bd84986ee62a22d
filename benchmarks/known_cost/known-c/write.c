/* A writer of known cost: steps, as many as the first element says, then bytes that are there. */
#include <serbench/writer.h>

#include "steps.h"

static char bytes[64000];

bool sb_setup(void) {
    memset(bytes, 'x', sizeof bytes);
    return true;
}

bool sb_write(const sb_value *root, sb_output *out) {
    keep(take_steps(root->as.items[0].as.u64));
    sb_output_block(out, bytes, sizeof bytes);
    return true;
}

const char *sb_library_version(void) { return ""; }
