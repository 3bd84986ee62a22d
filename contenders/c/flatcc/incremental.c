#include <serbench/reader.h>

#include "tables.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
#ifndef UNCHECKED
    const int error = ROOT(verify_as_root)(data, size);
    if (error != flatcc_verify_ok) return sb_fail("%s", flatcc_verify_error_string(error));
#else
    (void)size;
#endif
    OF_ROOT(walk)(h, ROOT(as_root)(data));
    return true;
}
