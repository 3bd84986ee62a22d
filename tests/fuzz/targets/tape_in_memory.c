#include "tape_in_memory.h"

#include "tape_read.c" /* its reader of bytes in memory is static */

bool tape_in_memory(const void *data, size_t size) {
    sb_tree tree = {0};
    const char *reason = NULL;
    bool read = read_tree(&tree, data, size, &reason);
    if (read == (reason != NULL)) abort();
    if (!read) return false;
    sb_hash content = sb_hash_start(false), exact = sb_hash_start(true);
    sb_hash_value(&content, tree.root);
    sb_hash_value(&exact, tree.root);
    sb_tree_free(&tree);
    return true;
}
