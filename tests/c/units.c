/* Parts of the harness, run by test_units.py under the sanitizers: what the first argument names. */
#include <stdlib.h>

#include "message.h"
#include "serbench/writer.h"
#include "tape.h"
#include "task.h"

/* The writer that task_write.c calls: appends the pieces that the test asks for. */
static size_t piece, pieces, blocks;

bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    char *bytes = malloc(piece + 1);
    if (bytes == NULL) return sb_fail("out of memory");
    for (size_t i = 0; i < pieces; i++) {
        memset(bytes, 'a' + (int)(i % 26), piece);
        if (!sb_output_append(out, bytes, piece)) return false;
    }
    if (blocks != 0) sb_output_block(out, bytes, piece);
    free(bytes);
    return true;
}

const char *sb_library_version(void) { return ""; }

/* Each line of standard input as a message: "bad", or its fields, one in a line. */
static int messages(void) {
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
        sb_message message;
        char *copy = malloc((size_t)length + 1); /* of just this size, so that no read beyond it passes */
        memcpy(copy, line, (size_t)length + 1);
        if (!sb_message_parse(&message, copy)) {
            puts("bad");
        } else {
            for (size_t i = 0; i < message.count; i++) {
                const sb_field *field = &message.fields[i];
                sb_write_text(stdout, field->name);
                if (field->text != NULL) {
                    (void)fputc('=', stdout);
                    sb_write_text(stdout, field->text);
                } else {
                    printf("=%llu", (unsigned long long)field->number);
                }
                (void)fputc(' ', stdout);
            }
            printf("do:");
            sb_write_text(stdout, sb_message_text(&message, "do", "none"));
            printf(" n:%llu\n", (unsigned long long)sb_message_number(&message, "n", 77));
        }
        free(copy);
    }
    free(line);
    return 0;
}

/* Both hashes of every tape that standard input names, or why it cannot be read. */
static int tapes(void) {
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        sb_tree tree;
        char error[512];
        path[strcspn(path, "\n")] = '\0';
        if (!sb_tree_read(&tree, path, error, sizeof error)) {
            puts(error);
            continue;
        }
        sb_hash content = sb_hash_start(false), exact = sb_hash_start(true);
        sb_hash_value(&content, tree.root);
        sb_hash_value(&exact, tree.root);
        printf("%08x %08x\n", content.state, exact.state);
        sb_tree_free(&tree);
    }
    return 0;
}

/* Both hashes of scalars: `f BITS`, `i NUMBER`, `u NUMBER`, `s HEX` (or `s -`), each in a line. */
static int scalars(void) {
    char kind, text[256];
    while (scanf(" %c %255s", &kind, text) == 2) {
        sb_hash hashes[] = {sb_hash_start(false), sb_hash_start(true)};
        for (int n = 0; n < 2; n++) {
            uint64_t bits = strtoull(text, NULL, kind == 'f' ? 16 : 10);
            double number;
            memcpy(&number, &bits, 8);
            if (kind == 'f') sb_hash_f64(&hashes[n], number);
            if (kind == 'u') sb_hash_u64(&hashes[n], bits);
            if (kind == 'i') sb_hash_i64(&hashes[n], strtoll(text, NULL, 10));
            if (kind == 's') {
                size_t length = text[0] == '-' ? 0 : strlen(text) / 2;
                char *bytes = malloc(length + (length == 0)); /* unterminated, of just this size */
                for (size_t i = 0; i < length; i++) {
                    unsigned byte;
                    (void)sscanf(text + 2 * i, "%2x", &byte);
                    bytes[i] = (char)byte;
                }
                sb_hash_str(&hashes[n], bytes, length);
                free(bytes);
            }
        }
        printf("%08x %08x\n", hashes[0].state, hashes[1].state);
    }
    return 0;
}

/* The output of a writer that appends `count` pieces of `size` bytes, then a block of them if so asked. */
static int output(char **arguments) {
    pieces = strtoull(arguments[0], NULL, 10);
    piece = strtoull(arguments[1], NULL, 10);
    blocks = strtoull(arguments[2], NULL, 10);
    static const sb_value nothing = {.type = SB_NIL};
    sb_work.messages = &nothing;
    sb_work.count = 1;
    if (!sb_task_iterate(NULL)) return 1;
    uint32_t timed = sb_work.hash;
    if (!sb_task_verify(arguments[3], stdout)) return 1;
    printf("\n%08x\n", timed);
    return 0;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "messages") == 0) return messages();
    if (count == 2 && strcmp(arguments[1], "tapes") == 0) return tapes();
    if (count == 2 && strcmp(arguments[1], "scalars") == 0) return scalars();
    if (count == 6 && strcmp(arguments[1], "output") == 0) return output(arguments + 2);
    return 2;
}
