/* Any bytes as the lines that a worker is sent. Each is answered by one line, until `quit`.
 *
 * Its contender only hashes its input. The loop runs once however often is asked: a large number is not a
 * defect. */
#define main worker_main
#include "worker.c"
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const char *sb_library_version(void) { return "1.0"; }

bool sb_read(char *data, size_t size, sb_hash *h) {
    sb_hash_str(h, data, size);
    return sb_work.padding == 0 || data[size] == '\0' || sb_fail("no zero byte follows the input");
}

void sb_fragment_heap(void) {}

void sb_keep_freed_memory(void) {}

uint64_t sb_page_faults(void) { return 0; }

bool sb_repeat(sb_iteration iteration, void *context, uint64_t count) {
    return count == 0 || iteration(context);
}

bool sb_counted_region(sb_iteration iteration, void *context, uint64_t count) {
    return sb_repeat(iteration, context, count);
}

void sb_counted_end(void) {}

bool sb_time_chunks(sb_iteration iteration, void *context, uint64_t iterations, uint64_t chunks,
                    uint64_t *wall, uint64_t *cpu) {
    wall[chunks - 1] = cpu[chunks - 1] = chunks;
    return sb_repeat(iteration, context, iterations);
}

/* Sends the lines of `data`; returns how many of them want an answer. */
static size_t send_lines(const char *data, size_t size) {
    size_t sent = 0;
    for (const char *at = data, *end = data + size; at < end; sent++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline != NULL ? newline + 1 : end) - at);
        char *line = malloc(length + 1); /* of just this size, so that no read beyond it passes */
        if (line == NULL) abort();
        memcpy(line, at, length);
        line[length] = '\0';
        bool more = answer(line);
        free(line);
        if (!more) break;
        at += length;
    }
    return sent;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char begin[] = "{\"ok\":";
    char *answers = NULL;
    size_t length = 0;
    reply = open_memstream(&answers, &length);
    ready = false;
    size_t sent = send_lines((const char *)data, size);
    if (fclose(reply) != 0) abort();
    sb_workspace_forget();
    for (char *at = answers, *end = answers + length; at < end; sent--) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL || newline[-1] != '}' || memcmp(at, begin, sizeof begin - 1) != 0) abort();
        at = newline + 1;
    }
    if (sent != 0) abort();
    free(answers);
    return 0;
}
