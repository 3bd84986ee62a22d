/* The tool behind the orchestrator's datasets: makes a tape, or looks at one, and prints its facts.
 *
 *     dataset generate SIZE SEED safe|plain OUT.tape
 *     dataset import FILE.json OUT.tape
 *     dataset messages OUT.tape FILE...
 *     dataset info IN.tape
 *
 * One line of JSON goes to standard output. Exit status: 0; 2 for what the user can mend, with
 * {"error", "line", "column"}; 1 for anything else, explained on standard error. A tape is written beside
 * OUT under another name, read back, and then renamed: OUT is a whole tape or is not there. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "generator.h"
#include "import_json.h"

enum { DONE = 0, BROKEN = 1, REFUSED = 2 };

static char *partial; /* the name of the tape that is being written, for the signal handler */

typedef struct facts {
    uint64_t largest_positive;
    int64_t most_negative;
    uint64_t doubles, integral_doubles, negative_zeros, large_whole_doubles;
    bool nul_in_values, nul_in_keys, integer_keys_move;
} facts;

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

static bool has_nul(const char *bytes, uint32_t length) { return memchr(bytes, '\0', length) != NULL; }

/* Whether a key is the decimal form of a number from 0 to 2^32 - 2: JavaScript's objects put these first. */
static bool is_index(const char *key, uint32_t length, uint64_t *index) {
    *index = 0;
    if (length == 0 || length > 10 || (length > 1 && key[0] == '0')) return false;
    for (uint32_t i = 0; i < length; i++) {
        if (key[i] < '0' || key[i] > '9') return false;
        *index = *index * 10 + (uint64_t)(key[i] - '0');
    }
    return *index < UINT32_MAX;
}

/* Whether an object of JavaScript would put the members of a map into another order. */
static bool moves_keys(const sb_value *map) {
    bool others = false;
    uint64_t index, next = 0;
    for (uint32_t i = 0; i < map->length; i++) {
        if (!is_index(map->as.members[i].key, map->as.members[i].key_length, &index)) {
            others = true;
            continue;
        }
        if (others || index < next) return true;
        next = index + 1;
    }
    return false;
}

static void look_at(const sb_value *value, facts *f) {
    switch ((sb_type)value->type) {
        case SB_I64:
            if (value->as.i64 < f->most_negative) f->most_negative = value->as.i64;
            return;
        case SB_U64:
            if (value->as.u64 > f->largest_positive) f->largest_positive = value->as.u64;
            return;
        case SB_F64: {
            /* Integral is what both hashes take for an integer: they are asked, not imitated. */
            sb_hash as_content = sb_hash_start(false), as_constant = as_content;
            sb_hash_f64(&as_content, value->as.f64);
            sb_hash_f64(&as_constant, 0.5);
            f->doubles++;
            f->integral_doubles += as_content.state != as_constant.state;
            f->negative_zeros += value->as.f64 == 0 && signbit(value->as.f64) != 0;
            f->large_whole_doubles +=
                fabs(value->as.f64) > 0x1p53 && value->as.f64 >= -0x1p63 && value->as.f64 < 0x1p64;
            return;
        }
        case SB_STR: f->nul_in_values |= has_nul(value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) look_at(&value->as.items[i], f);
            return;
        case SB_MAP:
            f->integer_keys_move |= moves_keys(value);
            for (uint32_t i = 0; i < value->length; i++) {
                f->nul_in_keys |= has_nul(value->as.members[i].key, value->as.members[i].key_length);
                look_at(&value->as.members[i].value, f);
            }
            return;
        case SB_NIL:
        case SB_BOOL: return;
    }
}

/* What is said of a dataset's root: of messages, the type that all of them have, or "mixed". */
static const char *root_name(const sb_value *root, bool messages) {
    static const char *const names[] = {"nil", "bool", "i64", "u64", "f64", "string", "array", "map"};
    if (!messages) return names[root->type];
    for (uint32_t i = 1; i < root->length; i++)
        if (root->as.items[i].type != root->as.items[0].type) return "mixed";
    return names[root->as.items[0].type];
}

/* With `messages` the root's elements are documents of their own: hashed one after the other. */
static void print_facts(const sb_tree *tree, bool messages) {
    const char *const truth[] = {"false", "true"};
    facts f = {0};
    sb_hash content = sb_hash_start(false), exact = sb_hash_start(true);
    uint32_t count = messages ? tree->root->length : 1;
    const sb_value *documents = messages ? tree->root->as.items : tree->root;
    for (uint32_t i = 0; i < count; i++) {
        sb_hash_value(&content, &documents[i]);
        sb_hash_value(&exact, &documents[i]);
    }
    look_at(tree->root, &f);
    (void)printf(
        "{\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\",\"nodes\":%llu,\"depth\":%llu,\"root\":\"%s\",",
        content.state, exact.state, (unsigned long long)tree->header.values - messages,
        (unsigned long long)tree->header.depth - messages, root_name(tree->root, messages));
    (void)printf("\"string_bytes\":%llu,\"members\":%llu,\"largest_positive\":%llu,\"most_negative\":%lld,",
                 (unsigned long long)tree->header.string_bytes, (unsigned long long)tree->header.members,
                 (unsigned long long)f.largest_positive, (long long)f.most_negative);
    (void)printf("\"nul_in_values\":%s,\"nul_in_keys\":%s,\"integer_keys_move\":%s,", truth[f.nul_in_values],
                 truth[f.nul_in_keys], truth[f.integer_keys_move]);
    (void)printf("\"doubles\":%llu,\"integral_doubles\":%llu,\"negative_zeros\":%llu,",
                 (unsigned long long)f.doubles, (unsigned long long)f.integral_doubles,
                 (unsigned long long)f.negative_zeros);
    (void)printf("\"large_whole_doubles\":%llu,\"messages\":%u}\n", (unsigned long long)f.large_whole_doubles,
                 count);
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
    print_facts(&tree, messages);
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

static int info(char **arguments) {
    sb_refusal refusal;
    sb_tree tree;
    uint64_t size;
    int file =
        sb_open_file(arguments[0], UINT64_MAX, &size, &refusal); /* sb_tree_read would wait on a FIFO */
    if (file < 0) return refuse(&refusal);
    (void)close(file);
    refusal.line = refusal.column = 0;
    if (!sb_tree_read(&tree, arguments[0], refusal.sentence, sizeof refusal.sentence))
        return refuse(&refusal);
    print_facts(&tree, false);
    sb_tree_free(&tree);
    return finish_output(DONE);
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
        status = info(arguments + 2);
    else
        (void)fputs(
            "usage: dataset generate SIZE SEED safe|plain OUT | import FILE OUT | messages OUT FILE... | "
            "info TAPE\n",
            stderr);
    return status;
}
