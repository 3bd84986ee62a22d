/* A writer's iteration: let the contender encode the tree, hash its output as one string. */
#include <errno.h>
#include <stdlib.h>

#include "heap.h"
#include "serbench/writer.h"
#include "task.h"

struct sb_output {
    char *data; /* the harness's buffer, NULL until something is appended */
    size_t size;
    size_t capacity;
    bool handed_over;
    uint32_t hash;
    FILE *copy; /* where the bytes go too, NULL in every timed call */
    size_t bytes;
};

/* Volatile, so that the work can not be folded away across the call, whatever the linker sees. */
static bool (*volatile write_tree)(const sb_value *, sb_output *) = sb_write;

bool sb_output_append(sb_output *out, const void *data, size_t size) {
    if (size > out->capacity - out->size || out->data == NULL) {
        size_t capacity = out->capacity == 0 ? 4096 : out->capacity * 2;
        while (capacity - out->size < size) capacity *= 2;
        sb_heap_ignore(true);
        char *larger = realloc(out->data, capacity);
        sb_heap_ignore(false);
        if (larger == NULL) return sb_fail("no memory for an output of %zu bytes", capacity);
        out->data = larger;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

void sb_output_block(sb_output *out, const void *data, size_t size) {
    sb_hash h = sb_hash_start(true);
    sb_hash_str(&h, data, size);
    out->hash = h.state;
    out->bytes = size;
    out->handed_over = true;
    if (out->copy != NULL && size > 0) (void)fwrite(data, 1, size, out->copy);
}

static bool write_once(sb_output *out) {
    bool ok = write_tree(sb_work.tree.root, out);
    if (ok && !out->handed_over) sb_output_block(out, out->data, out->size);
    free(out->data);
    sb_work.hash = out->hash;
    return ok;
}

bool sb_task_iterate(void *context) {
    (void)context;
    sb_output out = {0};
    return write_once(&out);
}

bool sb_task_verify(const char *output, FILE *reply) {
    sb_output out = {.copy = fopen(output, "wb")};
    if (out.copy == NULL) return sb_fail("cannot write the output %s: %s", output, strerror(errno));
    bool ok = write_once(&out);
    bool complete = ferror(out.copy) == 0;
    if (fclose(out.copy) != 0 || !complete) ok = sb_fail("cannot write the output %s", output);
    if (ok) (void)fprintf(reply, ",\"bytes\":%zu,\"hash\":\"%08x\"", out.bytes, out.hash);
    return ok;
}
