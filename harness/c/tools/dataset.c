/* The tool behind the orchestrator's datasets: makes a tape, or looks at one, and prints its facts.
 *
 *     dataset generate SIZE SEED safe|plain OUT.tape
 *     dataset import FILE.json OUT.tape
 *     dataset messages OUT.tape FILE...
 *     dataset info IN.tape
 *     dataset words IN.tape OUT [messages]
 *     dataset paths IN.tape SEED one|messages OUT.tape
 *     dataset values IN.tape PATHS.tape one|messages OUT.tape
 *     dataset compare IN.tape SEEN document|messages
 *
 * One line of JSON goes to standard output. Exit status: 0; 2 for what the user can mend, with
 * {"error", "line", "column"}; 1 for anything else, explained on standard error. A tape is written beside
 * OUT under another name, read back, and then renamed: OUT is a whole tape or is not there. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "compare.h"
#include "facts.h"
#include "generator.h"
#include "import_json.h"
#include "lookup.h"
#include "words.h"

enum { DONE = 0, BROKEN = 1, REFUSED = 2 };

static char *partial; /* the name of the tape that is being written, for the signal handler */

static void print_escaped(const char *text) {
    size_t size = strlen(text);
    for (size_t i = 0, length; i < size; i += length) {
        length = sb_utf8_sequence(text + i, size - i);
        if (length == 0) {
            (void)fputs("\\ufffd", stdout);
            length = 1;
        } else if ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\') {
            (void)printf("\\u%04x", (unsigned)(unsigned char)text[i]);
        } else {
            (void)fwrite(text + i, 1, length, stdout);
        }
    }
}

static int finish_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    (void)fprintf(stderr, "dataset: standard output cannot be written: %s\n", strerror(errno));
    return BROKEN;
}

static int refuse(const sb_refusal *refusal) {
    (void)fputs("{\"error\":\"", stdout);
    print_escaped(refusal->sentence);
    (void)printf("\",\"line\":%llu,\"column\":%llu}\n", (unsigned long long)refusal->line,
                 (unsigned long long)refusal->column);
    return finish_output(REFUSED);
}

static void remove_partial(int signal_number) {
    if (partial != NULL) (void)unlink(partial);
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void remove_partial_on_signals(void) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = remove_partial};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        /* What the caller ignores stays ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, NULL);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* a file size limit is then an error of the write */
}

/* Writes the tape to `out` and prints the facts of what is there. */
static int deliver(sb_tape *tape, const char *out, bool messages) {
    sb_refusal refusal;
    sb_tree tree;
    char error[512];
    size_t room = strlen(out) + 32;
    partial = malloc(room);
    if (partial == NULL) {
        (void)fputs("dataset: out of memory\n", stderr);
        return BROKEN;
    }
    (void)snprintf(partial, room, "%s.%ld.partial", out, (long)getpid());
    if (!sb_tape_write(tape, partial)) {
        sb_refuse(&refusal, "the tape cannot be written: %s",
                  tape->failed != NULL ? tape->failed : strerror(errno));
        (void)unlink(partial);
        return refuse(&refusal);
    }
    sb_tape_free(tape); /* before the read-back takes its own memory */
    if (!sb_tree_read(&tree, partial, error, sizeof error)) {
        (void)fprintf(stderr, "dataset: %s\n", error);
        (void)unlink(partial);
        return BROKEN;
    }
    if (rename(partial, out) != 0) {
        sb_refuse(&refusal, "the tape cannot be written: %s", strerror(errno));
        (void)unlink(partial);
        sb_tree_free(&tree);
        return refuse(&refusal);
    }
    sb_print_facts(&tree, messages);
    sb_tree_free(&tree);
    return finish_output(DONE);
}

/* A decimal number without a sign, at most `limit`. */
static bool to_number(const char *text, uint64_t limit, uint64_t *number) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value <= limit;
}

static int generate(char **arguments) {
    sb_refusal refusal;
    sb_tape tape;
    uint64_t size, seed;
    bool safe = strcmp(arguments[2], "safe") == 0;
    if (!to_number(arguments[0], 5, &size) || size == 0) {
        sb_refuse(&refusal, "the size of generated data must be 1 to 5");
        return refuse(&refusal);
    }
    if (!to_number(arguments[1], UINT64_MAX, &seed)) {
        sb_refuse(&refusal, "the seed of generated data must be a number from 0 to 18446744073709551615");
        return refuse(&refusal);
    }
    if (!safe && strcmp(arguments[2], "plain") != 0) {
        (void)fputs("dataset: the third argument must be safe or plain\n", stderr);
        return BROKEN;
    }
    sb_tape_begin(&tape);
    sb_generate(&tape, (unsigned)size, seed, safe);
    int status = deliver(&tape, arguments[3], false);
    sb_tape_free(&tape);
    return status;
}

static int import(char **arguments) {
    sb_refusal refusal;
    sb_tape tape;
    sb_tape_begin(&tape);
    int status = sb_import_json(&tape, arguments[0], &refusal) ? deliver(&tape, arguments[1], false)
                                                               : refuse(&refusal);
    sb_tape_free(&tape);
    return status;
}

static bool write_words(const sb_tree *tree, const char *out, bool messages, sb_refusal *refusal) {
    FILE *file = fopen(out, "wb");
    if (file != NULL) sb_write_words(file, tree->root, messages);
    bool written = file != NULL && ferror(file) == 0;
    if (file != NULL && fclose(file) == 0 && written) return true;
    sb_refuse(refusal, "the words cannot be written: %s", strerror(errno));
    return false;
}

static bool read_tape(sb_tree *tree, const char *path, sb_refusal *refusal) {
    uint64_t size;
    int file = sb_open_file(path, UINT64_MAX, &size, refusal); /* sb_tree_read would wait on a FIFO */
    if (file < 0) return false;
    (void)close(file);
    refusal->line = refusal->column = 0;
    return sb_tree_read(tree, path, refusal->sentence, sizeof refusal->sentence);
}

/* The documents of a tape: its root, or the messages in it. */
static bool documents_of(const sb_tree *tree, bool messages, const sb_value **documents, uint32_t *count,
                         sb_refusal *refusal) {
    if (messages && tree->root->type != SB_ARRAY) {
        sb_refuse(refusal, "it has no messages");
        return false;
    }
    *documents = messages ? tree->root->as.items : tree->root;
    *count = messages ? tree->root->length : 1;
    return true;
}

/* Prints the facts of a tape; `out` is where the words that its hash mixes go, NULL for nowhere. */
static int info(const char *tape, const char *out, bool messages) {
    sb_refusal refusal;
    sb_tree tree;
    if (!read_tape(&tree, tape, &refusal)) return refuse(&refusal);
    const sb_value *documents;
    uint32_t count;
    bool written = documents_of(&tree, messages, &documents, &count, &refusal) &&
                   (out == NULL || write_words(&tree, out, messages, &refusal));
    if (written) sb_print_facts(&tree, messages);
    sb_tree_free(&tree);
    return written ? finish_output(DONE) : refuse(&refusal);
}

/* Draws paths from a tape, or, with those of another tape, finds the values at them. */
static int look_up(char **arguments, bool draw) {
    sb_refusal refusal;
    sb_tree tree, paths;
    sb_tape tape;
    uint64_t seed = 0;
    bool messages = strcmp(arguments[2], "messages") == 0, good = true;
    if (draw && !to_number(arguments[1], UINT64_MAX, &seed)) {
        sb_refuse(&refusal, "the seed must be a number from 0 to 18446744073709551615");
        return refuse(&refusal);
    }
    if (!read_tape(&tree, arguments[0], &refusal)) return refuse(&refusal);
    const sb_value *documents = NULL;
    uint32_t count = 0;
    sb_tape_begin(&tape);
    if (!documents_of(&tree, messages, &documents, &count, &refusal)) {
        good = false;
    } else if (draw) {
        sb_draw_paths(&tape, documents, count, messages, seed);
    } else if (!read_tape(&paths, arguments[1], &refusal)) {
        good = false;
    } else {
        good = sb_find_values(&tape, documents, count, messages, paths.root);
        if (!good) sb_refuse(&refusal, "there is no value at one of the paths");
        sb_tree_free(&paths);
    }
    sb_tree_free(&tree);
    int status = good ? deliver(&tape, arguments[3], messages) : refuse(&refusal);
    sb_tape_free(&tape);
    return status;
}

/* How what a reader saw, in the file SEEN, differs from a tape. */
static int compare(char **arguments) {
    sb_refusal refusal = {{0}, 0, 0};
    sb_tree tree;
    sb_comparison found;
    const sb_value *documents;
    uint32_t count;
    if (!read_tape(&tree, arguments[0], &refusal)) return refuse(&refusal);
    if (!documents_of(&tree, strcmp(arguments[2], "messages") == 0, &documents, &count, &refusal)) {
        sb_tree_free(&tree);
        return refuse(&refusal);
    }
    bool done = sb_compare(documents, count, arguments[1], &found);
    if (done) {
        (void)fputs("{\"difference\":\"", stdout);
        print_escaped(found.difference);
        (void)printf("\",\"exact_hash\":\"%08x\",\"unordered_hash\":\"%08x\",", found.exact.state,
                     found.unordered.state);
        (void)printf("\"integers\":%llu,\"negative_zeros\":%llu,\"keys_moved\":%s,",
                     (unsigned long long)found.integers, (unsigned long long)found.negative_zeros,
                     found.keys_moved ? "true" : "false");
        (void)printf("\"retyped\":%llu,\"doubles\":%llu,\"max_relative\":%.17g}\n",
                     (unsigned long long)found.retyped, (unsigned long long)found.doubles,
                     found.max_relative);
    } else {
        (void)fprintf(stderr, "dataset: %s cannot be read: %s\n", arguments[1], strerror(errno));
    }
    sb_tree_free(&tree);
    return done ? finish_output(DONE) : BROKEN;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* Documents to be handled one by one, as the elements of one array: files, or the lines of files that
 * are named *.jsonl or *.ndjson. On a refusal the sentence begins with the file's name. */
static int messages(int count, char **arguments) {
    sb_refusal refusal = {{0}, 0, 0}, where;
    sb_tape tape;
    uint32_t number = 0;
    sb_tape_begin(&tape);
    size_t place = sb_tape_open(&tape, SB_ARRAY);
    for (int i = 1; i < count; i++) {
        bool lines = ends_with(arguments[i], ".jsonl") || ends_with(arguments[i], ".ndjson");
        if (!sb_import_messages(&tape, arguments[i], lines, &number, &refusal)) {
            where = refusal;
            sb_refuse(&refusal, "%.120s: %.120s", arguments[i], where.sentence);
            refusal.line = where.line;
            refusal.column = where.column;
            sb_tape_free(&tape);
            return refuse(&refusal);
        }
    }
    sb_tape_end(&tape, place, number);
    if (number == 0) {
        sb_refuse(&refusal, "there is no message in it");
        sb_tape_free(&tape);
        return refuse(&refusal);
    }
    int status = deliver(&tape, arguments[0], true);
    sb_tape_free(&tape);
    return status;
}

int main(int count, char **arguments) {
    int status = BROKEN;
    remove_partial_on_signals();
    if (count == 6 && strcmp(arguments[1], "generate") == 0)
        status = generate(arguments + 2);
    else if (count == 4 && strcmp(arguments[1], "import") == 0)
        status = import(arguments + 2);
    else if (count >= 4 && strcmp(arguments[1], "messages") == 0)
        status = messages(count - 2, arguments + 2);
    else if (count == 3 && strcmp(arguments[1], "info") == 0)
        status = info(arguments[2], NULL, false);
    else if ((count == 4 || count == 5) && strcmp(arguments[1], "words") == 0)
        status = info(arguments[2], arguments[3], count == 5);
    else if (count == 6 && strcmp(arguments[1], "paths") == 0)
        status = look_up(arguments + 2, true);
    else if (count == 6 && strcmp(arguments[1], "values") == 0)
        status = look_up(arguments + 2, false);
    else if (count == 5 && strcmp(arguments[1], "compare") == 0)
        status = compare(arguments + 2);
    else
        (void)fputs(
            "usage: dataset generate SIZE SEED safe|plain OUT | import FILE OUT | messages OUT FILE... | "
            "info TAPE | words TAPE OUT [messages] | paths IN SEED one|messages OUT | "
            "values IN PATHS one|messages OUT | compare TAPE SEEN document|messages\n",
            stderr);
    return status;
}
