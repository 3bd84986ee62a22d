/* The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself. */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "fragment.h"
#include "heap.h"
#include "message.h"
#include "serbench/reader.h"
#include "task.h"

enum { PROTOCOL = 1, MAX_CHUNKS = 100000 };

bool sb_root_is_array;
static FILE *reply;
static bool ready, recorded;

static void refuse(const char *reason) {
    (void)fputs("{\"ok\":false,\"error\":", reply);
    sb_write_text(reply, reason);
    (void)fputs("}\n", reply);
}

static void describe(void) {
    (void)fprintf(reply,
                  "{\"ok\":true,\"protocol\":%d,\"language\":\"" SB_LANGUAGE "\",\"test\":\"" SB_TEST "\"",
                  PROTOCOL);
    (void)fputs(",\"library_version\":", reply);
    sb_write_text(reply, sb_library_version());
    (void)fputs(",\"compiler\":", reply);
#ifdef __clang__
    sb_write_text(reply, "clang " __clang_version__);
#else
    sb_write_text(reply, "gcc " __VERSION__);
#endif
    (void)fputs(",\"flags\":", reply);
    sb_write_text(reply, SB_FLAGS);
    (void)fputs("}\n", reply);
}

static void prepare(const sb_message *message) {
    static bool set_up;
    char error[512];
    const char *input = sb_message_text(message, "input", "");
    ready = recorded = false;
    if (input[0] == '\0' && strcmp(SB_TEST, "write") != 0) {
        refuse("a reader needs an input");
        return;
    }
    if (!sb_workspace_load(sb_message_text(message, "tape", ""), input, sb_message_text(message, "words", ""),
                           sb_message_number(message, "padding", 1),
                           sb_message_number(message, "messages", 0) != 0, error, sizeof error)) {
        refuse(error);
        return;
    }
    sb_root_is_array = sb_work.messages[0].type == SB_ARRAY;
    if (!set_up && sb_message_number(message, "fragment", 1)) sb_fragment_heap();
    if (!set_up && !sb_setup()) {
        refuse(sb_failure());
        return;
    }
    set_up = true;
    if (!sb_task_prepare(message)) {
        refuse(sb_failure());
        return;
    }
    ready = true;
    (void)fputs("{\"ok\":true}\n", reply);
}

static void verify(const sb_message *message) {
    char *fields = NULL;
    size_t size = 0;
    FILE *answer = reply;
    FILE *memory = open_memstream(&fields, &size);
    if (memory == NULL) {
        refuse("out of memory");
        return;
    }
    bool ok = sb_task_verify(sb_message_text(message, "output", ""), memory);
    (void)fclose(memory);
    if (ok)
        (void)fprintf(answer, "{\"ok\":true%s}\n", fields);
    else
        refuse(sb_failure());
    free(fields);
}

static void write_list(const char *name, const uint64_t *values, uint64_t count) {
    (void)fprintf(reply, ",\"%s\":[", name);
    for (uint64_t i = 0; i < count; i++)
        (void)fprintf(reply, "%s%llu", i == 0 ? "" : ",", (unsigned long long)values[i]);
    (void)fputc(']', reply);
}

/* Times an iteration, which is that of the test or of what the harness does in it. */
static void sample(const sb_message *message, sb_iteration iteration) {
    uint64_t chunks = sb_message_number(message, "chunks", 1);
    if (chunks < 1 || chunks > MAX_CHUNKS) {
        refuse("a sample has 1 to 100,000 chunks");
        return;
    }
    uint64_t *times = calloc(2 * chunks, sizeof *times);
    if (times == NULL) {
        refuse("out of memory");
        return;
    }
    bool ok = sb_repeat(iteration, NULL, sb_message_number(message, "warmup", 0));
    uint64_t faults = sb_page_faults(); /* a system call, as the one behind: outside of all chunks */
    ok = ok && sb_time_chunks(iteration, NULL, sb_message_number(message, "iterations", 1), chunks, times,
                              times + chunks);
    faults = sb_page_faults() - faults;
    if (ok) {
        (void)fprintf(reply, "{\"ok\":true,\"hash\":\"%08x\"", sb_work.hash);
        write_list("wall", times, chunks);
        write_list("cpu", times + chunks, chunks);
        (void)fprintf(reply, ",\"page_faults\":%llu}\n", (unsigned long long)faults);
    } else {
        refuse(sb_failure());
    }
    free(times);
}

static void overhead(const sb_message *message) {
    recorded = recorded || sb_task_record();
    if (recorded)
        sample(message, sb_task_overhead);
    else
        refuse(sb_failure());
}

static void count(const sb_message *message) {
    bool ok = sb_counted_region(sb_task_iterate, NULL, sb_message_number(message, "iterations", 1));
    sb_counted_end();
    if (ok)
        (void)fprintf(reply, "{\"ok\":true,\"hash\":\"%08x\"}\n", sb_work.hash);
    else
        refuse(sb_failure());
}

static void heap(void) {
    if (!sb_heap_find()) {
        (void)fputs("{\"ok\":true,\"allocations\":null,\"bytes\":null,\"peak\":null}\n", reply);
        return;
    }
    bool ok = sb_task_iterate(NULL); /* what a library allocates once and keeps is not one iteration's */
    sb_heap_start();
    ok = ok && sb_task_iterate(NULL);
    sb_heap_counts counts = sb_heap_stop();
    if (ok)
        (void)fprintf(reply, "{\"ok\":true,\"allocations\":%llu,\"bytes\":%llu,\"peak\":%llu}\n",
                      (unsigned long long)counts.allocations, (unsigned long long)counts.bytes,
                      (unsigned long long)counts.peak);
    else
        refuse(sb_failure());
}

/* Answers one line; false when it was the last. */
static bool answer(char *line) {
    sb_message message;
    const char *what = sb_message_parse(&message, line) ? sb_message_text(&message, "do", "") : "";
    if (strcmp(what, "quit") == 0) return false;
    if (strcmp(what, "describe") == 0)
        describe();
    else if (strcmp(what, "prepare") == 0)
        prepare(&message);
    else if (strcmp(what, "verify") != 0 && strcmp(what, "sample") != 0 && strcmp(what, "count") != 0 &&
             strcmp(what, "heap") != 0 && strcmp(what, "overhead") != 0)
        refuse("unknown request");
    else if (!ready)
        refuse("nothing is prepared");
    else if (what[0] == 'v')
        verify(&message);
    else if (what[0] == 's')
        sample(&message, sb_task_iterate);
    else if (what[0] == 'o')
        overhead(&message);
    else if (what[0] == 'c')
        count(&message);
    else
        heap();
    return fflush(reply) == 0;
}

int main(void) {
    sb_keep_freed_memory();
    /* The protocol keeps standard output to itself: what a library prints goes to standard error. */
    int fd = dup(STDOUT_FILENO);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || (reply = fdopen(fd, "w")) == NULL) return 1;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0 && answer(line)) continue;
    free(line);
    sb_workspace_forget();
    return fclose(reply) == 0 ? 0 : 1;
}
