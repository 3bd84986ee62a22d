/* What `prepare` loads: the value tree, the encoded input, and room for its copy. */
#include <errno.h>
#include <stdlib.h>

#include "serbench/baseline.h"
#include "task.h"

enum { MAX_PADDING = 1 << 16 };

sb_workspace sb_work;

const sb_value *sb_harness_root(void) { return &sb_work.messages[sb_work.current]; }

const char *sb_harness_input(size_t *size) {
    *size = 0;
    if (sb_work.inputs == NULL) return NULL;
    *size = sb_work.inputs[sb_work.current].size;
    return sb_work.input + sb_work.inputs[sb_work.current].offset;
}

/* At a multiple of 64, for the same alignment in every launch. */
static char *aligned(size_t size) { return aligned_alloc(64, (size + 64) / 64 * 64); }

static char *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *data = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length >= 0) {
        rewind(file);
        *size = (size_t)length;
        data = aligned(*size);
        if (data != NULL && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    (void)fclose(file);
    return data;
}

static sb_span *whole(size_t size) {
    sb_span *span = malloc(sizeof *span);
    if (span != NULL) *span = (sb_span){0, size};
    return span;
}

static bool load_input(const char *path) {
    size_t size = 0, largest = 0;
    errno = 0;
    sb_work.input = load(path, &size);
    if (sb_work.input == NULL) return false;
    sb_work.inputs = sb_work.framed ? sb_message_spans(sb_work.input, size, sb_work.count) : whole(size);
    for (uint32_t i = 0; sb_work.inputs != NULL && i < sb_work.count; i++)
        if (sb_work.inputs[i].size > largest) largest = sb_work.inputs[i].size;
    if (sb_work.inputs != NULL) sb_work.copy = aligned(largest + sb_work.padding);
    return sb_work.copy != NULL;
}

bool sb_workspace_load(const char *tape, const char *input, size_t padding, bool messages, char *error,
                       size_t error_size) {
    sb_workspace_forget();
    if (padding > MAX_PADDING) {
        (void)snprintf(error, error_size, "the padding is more than 65,536 bytes");
        return false;
    }
    if (!sb_tree_read(&sb_work.tree, tape, error, error_size)) return false;
    const sb_value *root = sb_work.tree.root;
    if (messages && (root->type != SB_ARRAY || root->length == 0)) {
        (void)snprintf(error, error_size, "the tape %s has no messages", tape);
        return false;
    }
    sb_work.framed = messages;
    sb_work.messages = messages ? root->as.items : root;
    sb_work.count = messages ? root->length : 1;
    sb_work.padding = padding;
    if (input[0] != '\0' && !load_input(input)) {
        (void)snprintf(error, error_size, "the input %s cannot be read: %s", input,
                       errno != 0 ? strerror(errno) : "it is not a file of these messages");
        return false;
    }
    return true;
}

void sb_workspace_forget(void) {
    sb_tree_free(&sb_work.tree);
    free(sb_work.input);
    free(sb_work.inputs);
    free(sb_work.copy);
    memset(&sb_work, 0, sizeof sb_work);
}
