/* What `prepare` loads: the value tree, the encoded input, room for its copy, and a baseline's words. */
#include <errno.h>
#include <stdlib.h>

#include "serbench/baseline.h"
#include "task.h"

enum { MAX_PADDING = 1 << 16 };

sb_workspace sb_work;

const sb_value *sb_harness_root(void) { return &sb_work.messages[sb_work.current]; }

/* The part of `file` that is the message at hand. */
static const char *part(const char *file, const sb_span *spans, size_t *size) {
    *size = 0;
    if (spans == NULL) return NULL;
    *size = spans[sb_work.current].size;
    return file + spans[sb_work.current].offset;
}

const char *sb_harness_input(size_t *size) { return part(sb_work.input, sb_work.inputs, size); }

const char *sb_harness_words(size_t *size) { return part(sb_work.words, sb_work.words_of, size); }

#ifdef __SANITIZE_ADDRESS__
/* Not a byte too many, so that each byte that is read beyond is seen. */
static char *aligned(size_t size) { return malloc(size); }
#else
/* At a multiple of 64, for the same alignment in every launch. */
static char *aligned(size_t size) { return aligned_alloc(64, (size + 64) / 64 * 64); }
#endif

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

static bool load_parts(const char *path, char **file, sb_span **spans) {
    size_t size = 0;
    errno = 0;
    *file = load(path, &size);
    if (*file == NULL) return false;
    *spans = sb_work.framed ? sb_message_spans(*file, size, sb_work.count) : whole(size);
    return *spans != NULL;
}

static bool load_input(const char *path) {
    size_t largest = 0;
    if (!load_parts(path, &sb_work.input, &sb_work.inputs)) return false;
    for (uint32_t i = 0; i < sb_work.count; i++)
        if (sb_work.inputs[i].size > largest) largest = sb_work.inputs[i].size;
    sb_work.copy = aligned(largest + sb_work.padding);
    return sb_work.copy != NULL;
}

static bool unread(const char *path, char *error, size_t error_size) {
    (void)snprintf(error, error_size, "the input %s cannot be read: %s", path,
                   errno != 0 ? strerror(errno) : "it is not a file of these messages");
    return false;
}

bool sb_workspace_load(const char *tape, const char *input, const char *words, size_t padding, bool messages,
                       char *error, size_t error_size) {
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
    if (input[0] != '\0' && !load_input(input)) return unread(input, error, error_size);
    if (words[0] != '\0' && !load_parts(words, &sb_work.words, &sb_work.words_of))
        return unread(words, error, error_size);
    return true;
}

char *sb_workspace_copy(uint32_t message) {
    sb_span span = sb_work.inputs[message];
    char *copy = aligned(span.size + sb_work.padding);
    if (copy == NULL) return NULL;
    memcpy(copy, sb_work.input + span.offset, span.size);
    memset(copy + span.size, 0, sb_work.padding);
    return copy;
}

void sb_workspace_forget(void) {
    sb_task_forget();
    sb_task_forget_record();
    sb_tree_free(&sb_work.tree);
    free(sb_work.input);
    free(sb_work.inputs);
    free(sb_work.copy);
    free(sb_work.words);
    free(sb_work.words_of);
    memset(&sb_work, 0, sizeof sb_work);
}
