/* The 2016 suite's baseline of a writer: a block is hashed. */
#include <serbench/baseline.h>
#include <serbench/writer.h>

bool sb_write(const sb_value *root, sb_output *out) {
    size_t size;
    const char *data = sb_harness_input(&size);
    (void)root;
    sb_output_block(out, data, size);
    return true;
}

const char *sb_library_version(void) { return ""; }
