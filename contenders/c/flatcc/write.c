#include <serbench/struct_writer.h>

#include "tables.h"

static bool pack(flatcc_builder_t *B, const data_root *root, sb_output *out) {
    if (flatbuffers_buffer_start(B, NULL) != 0) return sb_fail("out of memory");
    const flatbuffers_ref_t made = OF_ROOT(pack)(B, root);
    /* buffer_end takes 0 as it takes any other root. */
    if (made == 0 || flatbuffers_buffer_end(B, made) == 0) return sb_fail("flatcc cannot make the buffer");
    size_t size;
    void *const block = flatcc_builder_finalize_buffer(B, &size);
    if (block == NULL) return sb_fail("out of memory");
    sb_output_block(out, block, size);
    flatcc_builder_free(block);
    return true;
}

#ifdef REUSE
static flatcc_builder_t builder;

bool sb_setup(void) { return flatcc_builder_init(&builder) == 0 || sb_fail("out of memory"); }

bool sb_write_struct(const data_root *root, sb_output *out) {
    if (flatcc_builder_reset(&builder) != 0) return sb_fail("out of memory");
    return pack(&builder, root, out);
}
#else
bool sb_write_struct(const data_root *root, sb_output *out) {
    flatcc_builder_t builder;
    if (flatcc_builder_init(&builder) != 0) return sb_fail("out of memory");
    const bool good = pack(&builder, root, out);
    flatcc_builder_clear(&builder);
    return good;
}
#endif
