#include <serbench/struct_writer.h>

#include "structs.h"

static bool make(struct capn *message, const data_root *plain) {
    const capn_ptr place = capn_root(message);
    const Root_ptr made = OF_ROOT(new)(place.seg);
    Root root;
    if (!OF_ROOT(fill)(made.p.seg, plain, &root)) return false;
    OF_ROOT(write)(&root, made);
    return capn_setp(place, 0, made.p) == 0;
}

static bool encode(struct capn *message, sb_output *out) {
    const int size = capn_size(message);
    uint8_t *const bytes = size < 0 ? NULL : malloc((size_t)size);
    if (bytes == NULL) return sb_fail("no memory for a message of %d bytes", size);
    const bool good = capn_write_mem(message, bytes, (size_t)size, 0) == size;
    if (good) sb_output_block(out, bytes, (size_t)size);
    free(bytes);
    return good || sb_fail("the message cannot be written");
}

bool sb_write_struct(const data_root *root, sb_output *out) {
    struct capn message;
    capn_init_malloc(&message);
    const bool good = make(&message, root) || sb_fail("the message cannot be made");
    const bool written = good && encode(&message, out);
    capn_free(&message);
    return written;
}
