/* A look-up's iteration is a reader's (task_read.c), of the values at some paths. The tree is that of these
 * values: an array for each document. */
#include <stdlib.h>

#include "serbench/lookup.h"
#include "serbench/reader.h"
#include "task.h"

static struct {
    sb_tree tree;
    sb_path *paths; /* of all messages, one after the other */
    size_t *first;  /* the first one of each message, and one more at the end */
    char *pointers; /* the text of all */
} plan;

bool sb_missing(const sb_path *path) { return sb_fail("no value at \"%.200s\"", path->pointer); }

bool sb_read(char *data, size_t size, sb_hash *h) {
    size_t first = plan.first[sb_work.current], count = plan.first[sb_work.current + 1] - first;
    if (!sb_lookup(data, size, plan.paths + first, count, h)) return false;
    sb_hash_count(h, count);
    return true;
}

/* Writes `step` as a part of a JSON Pointer to `to`, if it is not NULL; returns its length. */
static size_t put_step(const sb_value *step, char *to) {
    char number[24], *at = to;
    size_t size = 1;
    if (step->type == SB_U64) {
        int length = snprintf(number, sizeof number, "/%llu", (unsigned long long)step->as.u64);
        if (to != NULL) memcpy(to, number, (size_t)length);
        return (size_t)length;
    }
    if (to != NULL) *at++ = '/';
    for (uint32_t i = 0; i < step->length; i++) {
        char c = step->as.str[i];
        bool escaped = c == '~' || c == '/';
        size += 1 + escaped;
        if (to == NULL) continue;
        if (escaped) *at++ = '~';
        *at++ = escaped ? (char)(c == '~' ? '0' : '1') : c;
    }
    return size;
}

static bool is_path(const sb_value *path) {
    bool good = path->type == SB_ARRAY;
    for (uint32_t i = 0; good && i < path->length; i++)
        good = path->as.items[i].type == SB_STR || path->as.items[i].type == SB_U64;
    return good;
}

/* The paths of every message; false if the tape has something else. */
static const sb_value *paths_of(uint32_t message) {
    const sb_value *root = plan.tree.root, *values = &sb_work.messages[message];
    if (sb_work.framed && (root->type != SB_ARRAY || root->length != sb_work.count)) return NULL;
    const sb_value *paths = sb_work.framed ? &root->as.items[message] : root;
    bool good = paths->type == SB_ARRAY && values->type == SB_ARRAY && paths->length == values->length;
    for (uint32_t i = 0; good && i < paths->length; i++) good = is_path(&paths->as.items[i]);
    return good ? paths : NULL;
}

static size_t pointer_size(const sb_value *path) {
    size_t size = 1;
    for (uint32_t i = 0; i < path->length; i++) size += put_step(&path->as.items[i], NULL);
    return size;
}

static bool reserve(void) {
    size_t count = 0, text = 0;
    for (uint32_t i = 0; i < sb_work.count; i++) {
        const sb_value *paths = paths_of(i);
        if (paths == NULL) return sb_fail("the tape of paths does not belong to the values");
        for (uint32_t j = 0; j < paths->length; j++) text += pointer_size(&paths->as.items[j]);
        count += paths->length;
    }
    plan.paths = calloc(count + 1, sizeof *plan.paths);
    plan.first = calloc(sb_work.count + 1, sizeof *plan.first);
    plan.pointers = malloc(text + 1);
    return (plan.paths != NULL && plan.first != NULL && plan.pointers != NULL) || sb_fail("out of memory");
}

bool sb_task_prepare(const sb_message *message) {
    char error[512];
    if (!sb_tree_read(&plan.tree, sb_message_text(message, "paths", ""), error, sizeof error))
        return sb_fail("%s", error);
    if (!reserve()) return false;
    char *text = plan.pointers;
    sb_path *to = plan.paths;
    for (uint32_t i = 0; i < sb_work.count; i++) {
        const sb_value *paths = paths_of(i);
        for (uint32_t j = 0; j < paths->length; j++, to++) {
            const sb_value *path = &paths->as.items[j];
            *to = (sb_path){path->as.items, path->length, 0, text};
            for (uint32_t k = 0; k < path->length; k++) text += put_step(&path->as.items[k], text);
            to->pointer_length = (uint32_t)(text - to->pointer);
            *text++ = '\0';
        }
        plan.first[i + 1] = plan.first[i] + paths->length;
    }
    return true;
}

void sb_task_forget(void) {
    sb_tree_free(&plan.tree);
    free(plan.paths);
    free(plan.first);
    free(plan.pointers);
    memset(&plan, 0, sizeof plan);
}
