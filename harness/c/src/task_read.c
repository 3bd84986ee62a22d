/* A reader's iteration: copy the input, let the contender decode it and hash every value. */
#include <float.h>
#include <stdlib.h>

#include "serbench/reader.h"
#include "task.h"

/* Volatile, so that the work can not be folded away across the call, whatever the linker sees. */
static bool (*volatile read_input)(char *, size_t, sb_hash *) = sb_read;

static bool read_copies(sb_hash *h) {
    bool ok = true;
    for (uint32_t i = 0; i < sb_work.count; i++) {
        sb_span span = sb_work.inputs[i];
        sb_work.current = i;
        sb_root_is_array = sb_work.messages[i].type == SB_ARRAY;
        memcpy(sb_work.copy, sb_work.input + span.offset, span.size);
        memset(sb_work.copy + span.size, 0, sb_work.padding);
        ok &= read_input(sb_work.copy, span.size, h);
    }
    return ok;
}

bool sb_task_iterate(void *context) {
    (void)context;
    sb_hash h = sb_hash_start(true);
    bool ok = read_copies(&h);
    sb_work.hash = h.state;
    return ok;
}

static size_t count_doubles(const sb_value *value) {
    size_t count = value->type == SB_F64;
    for (uint32_t i = 0; value->type == SB_ARRAY && i < value->length; i++)
        count += count_doubles(&value->as.items[i]);
    for (uint32_t i = 0; value->type == SB_MAP && i < value->length; i++)
        count += count_doubles(&value->as.members[i].value);
    return count;
}

/* How many numbers differ from the tape's, and the largest difference relative to the tape's. */
static void compare_numbers(const sb_numbers *expected, const sb_numbers *found, FILE *reply) {
    if (expected->count != found->count) return;
    size_t changed = 0;
    double largest = 0;
    for (size_t i = 0; i < expected->count; i++) {
        double e = expected->values[i], f = found->values[i];
        if (memcmp(&e, &f, sizeof e) == 0) continue;
        changed++;
        double relative = e != 0 ? fabs((f - e) / e) : DBL_MAX;
        if (!(relative <= DBL_MAX)) relative = DBL_MAX;
        if (relative > largest) largest = relative;
    }
    (void)fprintf(reply, ",\"changed\":%zu,\"doubles\":%zu,\"max_relative\":%.17g", changed,
                  count_doubles(sb_work.tree.root), largest);
}

bool sb_task_verify(const char *output, FILE *reply) {
    (void)output;
    sb_numbers expected = {0}, found = {0};
    sb_hash content = sb_hash_start(false), exact = sb_hash_start(true), tree = sb_hash_start(true);
    tree.numbers = &expected;
    for (uint32_t i = 0; i < sb_work.count; i++) sb_hash_value(&tree, &sb_work.messages[i]);
    exact.numbers = &found;
    bool ok = read_copies(&content) && read_copies(&exact);
    if (ok) {
        (void)fprintf(reply, ",\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\"", content.state,
                      exact.state);
        compare_numbers(&expected, &found, reply);
    }
    free(expected.values);
    free(found.values);
    return ok;
}
