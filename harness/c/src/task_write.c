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
    sb_hash hash; /* of all messages so far */
    FILE *copy;   /* where the bytes go too, NULL in every timed call */
    size_t bytes; /* of all messages so far */
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
    sb_hash_str(&out->hash, data, size);
    out->bytes += size;
    out->handed_over = true;
    if (out->copy == NULL) return;
    if (size > 0) (void)fwrite(data, 1, size, out->copy);
    if (sb_work.framed) sb_message_size(out->copy, sb_work.current, size);
}

static bool write_one(sb_output *out) {
    out->data = NULL;
    out->size = out->capacity = 0;
    out->handed_over = false;
    bool ok = write_tree(&sb_work.messages[sb_work.current], out);
    if (ok && !out->handed_over) sb_output_block(out, out->data, out->size);
    free(out->data);
    return ok;
}

static bool write_all(sb_output *out) {
    bool ok = true;
    out->hash = sb_hash_start(true);
    for (uint32_t i = 0; i < sb_work.count; i++) {
        sb_work.current = i;
        ok &= write_one(out);
    }
    sb_work.hash = out->hash.state;
    return ok;
}

bool sb_task_iterate(void *context) {
    (void)context;
    sb_output out = {0};
    return write_all(&out);
}

/* How many bytes an iteration makes of each message, and as many as the most of them. */
static size_t *sizes;
static char *block;

bool sb_task_record(void) {
    sb_output out = {.hash = sb_hash_start(true)};
    size_t largest = 1;
    sb_task_forget_record();
    sizes = calloc(sb_work.count, sizeof *sizes);
    if (sizes == NULL) return sb_fail("out of memory");
    for (uint32_t i = 0; i < sb_work.count; i++) {
        size_t before = out.bytes;
        sb_work.current = i;
        if (!write_one(&out)) return false;
        sizes[i] = out.bytes - before;
        if (sizes[i] > largest) largest = sizes[i];
    }
    block = malloc(largest);
    if (block == NULL) return sb_fail("out of memory");
    memset(block, 'x', largest); /* pages of zeros that nobody wrote to would all be the same one */
    return true;
}

bool sb_task_overhead(void *context) {
    (void)context;
    sb_hash h = sb_hash_start(true);
    for (uint32_t i = 0; i < sb_work.count; i++) sb_hash_str(&h, block, sizes[i]);
    sb_work.hash = h.state;
    return true;
}

void sb_task_forget_record(void) {
    free(sizes);
    free(block);
    sizes = NULL;
    block = NULL;
}

bool sb_task_verify(const char *output, FILE *reply) {
    sb_output out = {.copy = fopen(output, "wb")};
    if (out.copy == NULL) return sb_fail("cannot write the output %s: %s", output, strerror(errno));
    if (sb_work.framed) sb_messages_begin(out.copy, sb_work.count);
    bool ok = write_all(&out);
    bool complete = ferror(out.copy) == 0;
    if (fclose(out.copy) != 0 || !complete) ok = sb_fail("cannot write the output %s", output);
    if (ok) (void)fprintf(reply, ",\"bytes\":%zu,\"hash\":\"%08x\"", out.bytes, out.hash.state);
    return ok;
}
