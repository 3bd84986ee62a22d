#include <serbench/struct_writer.h>

#include "tables.h"

static bool pack(Builder *B, const data_root *root, sb_output *out) {
    size_t size;
    void *block;
    if (flatbuffers_buffer_start(B, NULL) != 0 || !flatbuffers_buffer_end(B, OF_ROOT(pack)(B, root)))
        return sb_fail("flatcc cannot make the buffer");
    block = flatcc_builder_finalize_buffer(B, &size);
    if (block == NULL) return sb_fail("out of memory");
    sb_output_block(out, block, size);
    flatcc_builder_free(block);
    return true;
}

#ifdef REUSE
static Builder builder;

bool sb_setup(void) { return flatcc_builder_init(&builder) == 0 || sb_fail("out of memory"); }

bool sb_write_struct(const data_root *root, sb_output *out) {
    return flatcc_builder_reset(&builder) == 0 && pack(&builder, root, out);
}
#else
bool sb_write_struct(const data_root *root, sb_output *out) {
    Builder builder;
    if (flatcc_builder_init(&builder) != 0) return sb_fail("out of memory");
    const bool good = pack(&builder, root, out);
    flatcc_builder_clear(&builder);
    return good;
}
#endif
