/* No library: what the harness alone takes of the flash, with the hash of every kind of value. */
#include <firmware.h>

bool fw_read(const char *data, size_t size) {
    sb_hash_str(&fw_sum, data, size);
    return true;
}

bool fw_walk(void) {
    volatile float number = 0.5f;
    sb_hash_nil(&fw_sum);
    sb_hash_bool(&fw_sum, number > 0);
    sb_hash_u64(&fw_sum, (uint64_t)fw_sum.state);
    sb_hash_i64(&fw_sum, (int64_t)fw_sum.state);
    sb_hash_f64(&fw_sum, (double)number);
    sb_hash_count(&fw_sum, 1);
    return true;
}

size_t fw_write(char *out, size_t capacity) {
    (void)capacity;
    out[0] = 0;
#ifdef FW_TREE
    out[0] = (char)fw_tree.type;
#endif
    return 1;
}

void fw_release(void) {}

size_t fw_pool(void) { return 0; }

const char *fw_version(void) { return ""; }
