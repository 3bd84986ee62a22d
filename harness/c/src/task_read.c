/* A reader's iteration: copy the input, let the contender decode it and hash every value. */
#include <errno.h>
#include <stdlib.h>

#include "calls.h"
#include "seen.h"
#include "serbench/reader.h"
#include "task.h"

/* Volatile, so that the work can not be folded away across the call, whatever the linker sees. */
static bool (*volatile read_input)(char *, size_t, sb_hash *) = sb_read;

/* Makes the copy of the input of a message, and that message the one at hand. */
static void copy_input(uint32_t message) {
    sb_span span = sb_work.inputs[message];
    sb_work.current = message;
    sb_root_is_array = sb_work.messages[message].type == SB_ARRAY;
    memcpy(sb_work.copy, sb_work.input + span.offset, span.size);
    memset(sb_work.copy + span.size, 0, sb_work.padding);
}

static bool read_copies(sb_hash *h) {
    bool ok = true;
    for (uint32_t i = 0; i < sb_work.count; i++) {
        copy_input(i);
        ok &= read_input(sb_work.copy, sb_work.inputs[i].size, h);
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

/* The calls of the hash in an iteration, and the record that they are in. */
static sb_calls *calls;
static char *record;

bool sb_task_record(void) {
    size_t size = 0;
    sb_hash h = sb_hash_start(true);
    sb_task_forget_record();
    sb_seen seen = {open_memstream(&record, &size)};
    if (seen.file == NULL) return sb_fail("out of memory");
    h.seen = &seen;
    bool ok = read_copies(&h);
    if (fclose(seen.file) != 0) return sb_fail("out of memory");
    if (!ok) return false;
    calls = sb_calls_of(record, size);
    return calls != NULL || sb_fail("out of memory");
}

bool sb_task_overhead(void *context) {
    (void)context;
    sb_hash h = sb_hash_start(true);
    for (uint32_t i = 0; i < sb_work.count; i++) copy_input(i);
    sb_calls_repeat(calls, &h);
    sb_work.hash = h.state;
    return true;
}

void sb_task_forget_record(void) {
    sb_calls_free(calls);
    free(record);
    calls = NULL;
    record = NULL;
}

/* Reads once more and leaves every call of the hash in a file; false with the reason if that failed. */
static bool show_copies(sb_hash *h, const char *output) {
    sb_seen seen = {fopen(output, "wb")};
    if (seen.file == NULL) return sb_fail("cannot write %s: %s", output, strerror(errno));
    h->seen = &seen;
    bool ok = read_copies(h);
    h->seen = NULL;
    bool complete = ferror(seen.file) == 0;
    if (fclose(seen.file) != 0 || !complete) return sb_fail("cannot write %s", output);
    return ok;
}

bool sb_task_verify(const char *output, FILE *reply) {
    sb_hash content = sb_hash_start(false), exact = sb_hash_start(true);
    if (!read_copies(&content)) return false;
    if (output[0] == '\0' ? !read_copies(&exact) : !show_copies(&exact, output)) return false;
    (void)fprintf(reply, ",\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\"", content.state, exact.state);
    return true;
}
