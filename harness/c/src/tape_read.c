/* Reading a tape into one block: [values of arrays][members of maps][strings with a NUL each].
 *
 * A tape may be damaged: every count is held against the bytes that are left and the room that the
 * header announced, before anything is written. */
#include <errno.h>
#include <stdlib.h>

#include "tape.h"

typedef struct reading {
    const unsigned char *at, *end;
    char *block_at, *block_end;     /* values and members: room for the next container */
    char *strings_at, *strings_end; /* room for the next string */
    sb_tape_header met;             /* what the header should have announced */
    const char *failed;
} reading;

static uint64_t get(const unsigned char *place, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)place[i] << (8 * i);
    return value;
}

static bool fail(reading *r, const char *reason) {
    if (r->failed == NULL) r->failed = reason;
    return false;
}

static bool take(reading *r, int bytes, uint64_t *value) {
    if (r->end - r->at < bytes) return fail(r, "it ends in the middle of a value");
    *value = get(r->at, bytes);
    r->at += bytes;
    return true;
}

static bool take_string(reading *r, const char **bytes, uint32_t *length) {
    uint64_t n;
    if (!take(r, 4, &n)) return false;
    if ((uint64_t)(r->end - r->at) < n) return fail(r, "it ends in the middle of a string");
    if ((uint64_t)(r->strings_end - r->strings_at) < n + 1)
        return fail(r, "its header announces fewer string bytes than it has");
    if (n > 0) memcpy(r->strings_at, r->at, (size_t)n);
    r->met.string_bytes += n;
    r->strings_at[n] = '\0';
    *bytes = r->strings_at;
    *length = (uint32_t)n;
    r->strings_at += n + 1;
    r->at += n;
    return true;
}

static bool take_value(reading *r, sb_value *value, unsigned depth);

/* Reserves `count` cells of `size` bytes; NULL if the header announced fewer. */
static void *reserve(reading *r, uint64_t count, size_t size) {
    if ((uint64_t)(r->block_end - r->block_at) / size < count) {
        (void)fail(r, "its header announces fewer values than it has");
        return NULL;
    }
    void *cells = r->block_at;
    r->block_at += count * size;
    return cells;
}

static bool take_array(reading *r, sb_value *value, unsigned depth) {
    sb_value *items = reserve(r, value->length, sizeof *items);
    if (items == NULL) return false;
    value->type = SB_ARRAY;
    value->as.items = items;
    for (uint32_t i = 0; i < value->length; i++)
        if (!take_value(r, &items[i], depth)) return false;
    return true;
}

static bool take_map(reading *r, sb_value *value, unsigned depth) {
    sb_member *members = reserve(r, value->length, sizeof *members);
    if (members == NULL) return false;
    value->type = SB_MAP;
    value->as.members = members;
    r->met.members += value->length;
    for (uint32_t i = 0; i < value->length; i++)
        if (!take_string(r, &members[i].key, &members[i].key_length) ||
            !take_value(r, &members[i].value, depth))
            return false;
    return true;
}

static bool take_value(reading *r, sb_value *value, unsigned depth) {
    uint64_t tag, x = 0;
    memset(value, 0, sizeof *value);
    if (!take(r, 1, &tag)) return false;
    r->met.values++;
    switch ((char)tag) {
        case 'n': value->type = SB_NIL; return true;
        case 'f':
        case 't':
            value->type = SB_BOOL;
            value->as.boolean = tag == 't';
            return true;
        case 'i':
            value->type = SB_I64;
            if (!take(r, 8, &x)) return false;
            value->as.i64 = (int64_t)x;
            return true;
        case 'u': value->type = SB_U64; return take(r, 8, &value->as.u64);
        case 'd':
            value->type = SB_F64;
            if (!take(r, 8, &x)) return false;
            memcpy(&value->as.f64, &x, sizeof x);
            return true;
        case 's': value->type = SB_STR; return take_string(r, &value->as.str, &value->length);
        case 'a':
        case 'm':
            if (depth >= SB_MAX_DEPTH) return fail(r, "it is nested deeper than 1,024 levels");
            if (!take(r, 4, &x)) return false;
            value->length = (uint32_t)x;
            if (depth + 1 > r->met.depth) r->met.depth = depth + 1;
            return tag == 'm' ? take_map(r, value, depth + 1) : take_array(r, value, depth + 1);
        default: return fail(r, "it has an unknown tag");
    }
}

static bool read_tree(sb_tree *tree, const unsigned char *data, size_t size, const char **reason) {
    if (size < SB_TAPE_HEADER || memcmp(data, SB_TAPE_MAGIC, 8) != 0) {
        *reason = "it is not a tape of this version";
        return false;
    }
    sb_tape_header *header = &tree->header;
    header->values = get(data + 8, 8);
    header->members = get(data + 16, 8);
    header->string_bytes = get(data + 24, 8);
    header->depth = get(data + 32, 8);
    if (header->values == 0 || header->values > size || header->members >= header->values ||
        header->string_bytes > size) {
        *reason = "its header does not fit its length";
        return false;
    }
    /* Where addresses have 32 bits the sum can be more than there are. */
    uint64_t cells =
        (header->values - header->members) * sizeof(sb_value) + header->members * sizeof(sb_member);
    if (cells + header->string_bytes + header->values + header->members > PTRDIFF_MAX) {
        *reason = "there is not enough memory for it";
        return false;
    }
    size_t items = (size_t)(header->values - header->members) * sizeof(sb_value);
    size_t members = (size_t)header->members * sizeof(sb_member);
    size_t strings = (size_t)(header->string_bytes + header->values + header->members);
    char *block = malloc(items + members + strings);
    if (block == NULL) {
        *reason = "there is not enough memory for it";
        return false;
    }
    reading r = {data + SB_TAPE_HEADER,
                 data + size,
                 block,
                 block + items + members,
                 block + items + members,
                 block + items + members + strings,
                 {0},
                 NULL};
    sb_value *root = reserve(&r, 1, sizeof *root);
    if (root != NULL && take_value(&r, root, 0)) {
        if (r.at != r.end)
            (void)fail(&r, "bytes follow its root");
        else if (memcmp(&r.met, header, sizeof r.met) != 0)
            (void)fail(&r, "its header announces other counts than it has");
    }
    if (r.failed != NULL) {
        *reason = r.failed;
        free(block);
        return false;
    }
    tree->root = root;
    tree->block = block;
    return true;
}

bool sb_tree_read(sb_tree *tree, const char *path, char *error, size_t error_size) {
    memset(tree, 0, sizeof *tree);
    const char *reason = NULL;
    unsigned char *data = NULL;
    size_t size = 0;
    errno = EIO; /* for a short read, which need not set it */
    FILE *file = fopen(path, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file);
        rewind(file);
        size = length > 0 ? (size_t)length : 0;
        data = malloc(size + 1);
        if (data != NULL && fread(data, 1, size, file) != size) {
            free(data);
            data = NULL;
        }
    }
    if (data == NULL)
        reason = strerror(errno);
    else
        (void)read_tree(tree, data, size, &reason);
    if (file != NULL) (void)fclose(file);
    free(data);
    if (reason != NULL) (void)snprintf(error, error_size, "the tape %s cannot be read: %s", path, reason);
    return reason == NULL;
}

void sb_tree_free(sb_tree *tree) {
    free(tree->block);
    memset(tree, 0, sizeof *tree);
}
