#include "compare.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

/* One call of the hash. */
typedef struct event {
    char tag; /* '\0' at the end of the file */
    uint64_t word;
    const char *bytes; /* of a string, `word` of them */
} event;

/* Where in the document a value stands. */
typedef struct place {
    const struct place *parent;
    const sb_member *member; /* NULL in an array */
    uint32_t index;
} place;

typedef struct comparing {
    const unsigned char *at, *end;
    sb_comparison *found;
} comparing;

static uint64_t get(const unsigned char *from, int bytes) {
    uint64_t word = 0;
    for (int i = 0; i < bytes; i++) word |= (uint64_t)from[i] << (8 * i);
    return word;
}

static event next(comparing *c) {
    event e = {'\0', 0, NULL};
    while (c->at != c->end && (*c->at == '(' || *c->at == ')')) c->at++; /* of maps without an order */
    if (c->at == c->end) return e;
    char tag = (char)*c->at;
    int bytes = strchr("iud", tag) != NULL ? 8 : tag == 's' || tag == 'e' ? 4 : 0;
    if (c->end - c->at <= bytes) return e;
    e.word = get(c->at + 1, bytes);
    if (tag == 's' && e.word > (uint64_t)(c->end - c->at - 5)) return e;
    e.tag = tag;
    e.bytes = (const char *)c->at + 5;
    c->at += 1 + bytes + (tag == 's' ? e.word : 0);
    return e;
}

static size_t print_place(char *out, size_t size, const place *at) {
    if (at->parent == NULL) return (size_t)snprintf(out, size, "at $");
    size_t used = print_place(out, size, at->parent);
    if (used >= size) return used;
    if (at->member == NULL) return used + (size_t)snprintf(out + used, size - used, "[%u]", at->index);
    return used + (size_t)snprintf(out + used, size - used, ".%.40s", at->member->key);
}

static void describe(char *out, size_t size, event e) {
    double number;
    memcpy(&number, &e.word, sizeof number);
    switch (e.tag) {
        case 'n': (void)snprintf(out, size, "null"); return;
        case 't':
        case 'f': (void)snprintf(out, size, "%s", e.tag == 't' ? "true" : "false"); return;
        case 'i': (void)snprintf(out, size, "%lld", (long long)e.word); return;
        case 'u': (void)snprintf(out, size, "%llu", (unsigned long long)e.word); return;
        case 'd': (void)snprintf(out, size, "%.17g", number); return;
        case 's': (void)snprintf(out, size, "'%.*s'", (int)(e.word < 40 ? e.word : 40), e.bytes); return;
        case 'e': (void)snprintf(out, size, "the end after %u elements", (unsigned)e.word); return;
        default: (void)snprintf(out, size, "nothing"); return;
    }
}

/* Keeps the first difference; returns false. */
static bool differs(comparing *c, const place *at, event found, event expected) {
    char is[80], should[80], where[200];
    describe(is, sizeof is, found);
    describe(should, sizeof should, expected);
    (void)print_place(where, sizeof where, at);
    (void)snprintf(c->found->difference, sizeof c->found->difference, "%s: %s where %s is right", where, is,
                   should);
    return false;
}

static double as_double(event e) {
    double number;
    memcpy(&number, &e.word, sizeof number);
    return e.tag == 'd' ? number : e.tag == 'i' ? (double)(int64_t)e.word : (double)e.word;
}

static bool is_number(event e) { return e.tag == 'i' || e.tag == 'u' || e.tag == 'd'; }
static bool is_negative(event e) { return e.tag == 'i' && (int64_t)e.word < 0; }

/* Whether `integer` is what the digits of `number` say, with as few of them as tell it from all other doubles
 * and zeros after them: so it is written by who holds it as a double. */
static bool is_shortest(uint64_t integer, double number) {
    char digits[32];
    int more = 0;
    do (void)snprintf(digits, sizeof digits, "%.*e", more, number);
    while (strtod(digits, NULL) != number && ++more < 17);
    int exponent = atoi(strchr(digits, 'e') + 1);
    uint64_t value = (uint64_t)(digits[0] - '0');
    for (int i = 1; i <= exponent; i++) {
        uint64_t digit = i <= more ? (uint64_t)(digits[i + 1] - '0') : 0;
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    return value == integer;
}

/* Whether an integer is the value of `number`, or is written from it in its shortest digits. */
static bool is_written_from(event integer, double number) {
    if (is_negative(integer) != (number < 0)) return false;
    uint64_t size = is_negative(integer) ? -integer.word : integer.word;
    double positive = fabs(number);
    return (positive < 0x1p64 && size == (uint64_t)positive) || is_shortest(size, positive);
}

/* Whether an integer beyond 2^53 became the double nearest to it or one beside that, as of who rounds at each
 * of its bytes, or an integer that was written from the nearest double. */
static bool is_rounded(event found, event expected) {
    double nearest = as_double(expected);
    if (fabs(nearest) < 0x1p53) return false;
    if (found.tag != 'd') return is_written_from(found, nearest);
    return as_double(found) >= nextafter(nearest, -INFINITY) &&
           as_double(found) <= nextafter(nearest, INFINITY);
}

/* Whether a double has exactly the value of an integer, of which none has the sign of -0. */
static bool same_value(double number, event integer) {
    if (!(number >= -0x1p63 && number < 0x1p64) || is_negative(integer) != (signbit(number) != 0))
        return false;
    return number < 0 ? (int64_t)number == (int64_t)integer.word : (uint64_t)number == integer.word;
}

static bool compare_integer(comparing *c, const place *at, event found, event expected) {
    if (!is_number(found)) return differs(c, at, found, expected);
    if (found.tag == 'd' ? same_value(as_double(found), expected)
                         : found.word == expected.word && is_negative(found) == is_negative(expected)) {
        c->found->retyped += found.tag == 'd' && fabs(as_double(found)) > 0x1p53;
        return true;
    }
    c->found->integers++;
    return is_rounded(found, expected) || differs(c, at, found, expected);
}

static bool compare_double(comparing *c, const place *at, event found, event expected) {
    if (!is_number(found)) return differs(c, at, found, expected);
    double is = as_double(found), should = as_double(expected);
    if (is == should && (should != 0 || signbit(is) == signbit(should))) {
        c->found->retyped += found.tag != 'd' && fabs(should) > 0x1p53;
        return found.tag == 'd' || is_written_from(found, should) || differs(c, at, found, expected);
    }
    if (is == 0 && should == 0 && signbit(should)) {
        c->found->negative_zeros++;
        return true;
    }
    double relative = should != 0 ? fabs((is - should) / should) : DBL_MAX;
    if (!(relative <= DBL_MAX)) relative = DBL_MAX;
    c->found->doubles++;
    if (relative > c->found->max_relative) c->found->max_relative = relative;
    return true;
}

static void mix(sb_hash *h, event e) {
    switch (e.tag) {
        case 'n': sb_hash_nil(h); return;
        case 't':
        case 'f': sb_hash_bool(h, e.tag == 't'); return;
        case 'd': sb_hash_f64(h, as_double(e)); return;
        case 's': sb_hash_str(h, e.bytes, (size_t)e.word); return;
        case 'e': sb_hash_count(h, (size_t)e.word); return;
        default: sb_hash_u64(h, e.word); return;
    }
}

static bool compare_value(comparing *c, const sb_value *value, const place *at, sb_hash *unordered);

/* The end of a container, which ends by the same rule in both hashes. */
static bool compare_end(comparing *c, const place *at, uint32_t count, sb_hash *unordered) {
    event expected = {'e', count, NULL}, found = next(c);
    if (found.tag != 'e' || found.word != count) return differs(c, at, found, expected);
    mix(&c->found->exact, found);
    mix(unordered, found);
    return true;
}

static bool compare_array(comparing *c, const sb_value *array, const place *at, sb_hash *unordered) {
    for (uint32_t i = 0; i < array->length; i++) {
        place inside = {at, NULL, i};
        if (!compare_value(c, &array->as.items[i], &inside, unordered)) return false;
    }
    return compare_end(c, at, array->length, unordered);
}

static int by_key(const void *left, const void *right) {
    const sb_member *const *a = left, *const *b = right;
    if ((*a)->key_length != (*b)->key_length) return (*a)->key_length < (*b)->key_length ? -1 : 1;
    return memcmp((*a)->key, (*b)->key, (*a)->key_length);
}

/* The members of a map by their keys, then those that have not been met, in the order of the map. */
static const sb_member **make_index(const sb_value *map) {
    size_t length = map->length;
    const sb_member **members = calloc(2 * length + 1, sizeof *members);
    for (size_t i = 0; members != NULL && i < length; i++)
        members[i] = members[length + i] = &map->as.members[i];
    if (members != NULL) qsort(members, length, sizeof *members, by_key);
    return members;
}

/* The member with the key that was found, if it has not been met before. */
static const sb_member *take(const sb_member **members, const sb_value *map, event key) {
    sb_member wanted = {.key = key.bytes, .key_length = (uint32_t)key.word};
    const sb_member *pointer = &wanted;
    const sb_member **place = bsearch(&pointer, members, map->length, sizeof pointer, by_key);
    if (place == NULL) return NULL;
    const sb_member **left = &members[map->length + (size_t)(*place - map->as.members)];
    const sb_member *member = *left;
    *left = NULL;
    return member;
}

static bool compare_map(comparing *c, const sb_value *map, const place *at, sb_hash *unordered) {
    const sb_member **members = make_index(map);
    uint32_t sum = 0;
    bool good = members != NULL;
    if (!good) (void)snprintf(c->found->difference, sizeof c->found->difference, "there is no memory for it");
    for (uint32_t i = 0; i < map->length && good; i++) {
        event key = next(c);
        const sb_member *member = key.tag == 's' ? take(members, map, key) : NULL;
        const sb_member *due = &map->as.members[i];
        if (member == NULL) {
            good = differs(c, at, key, (event){'s', due->key_length, due->key});
            break;
        }
        sb_hash entry = sb_hash_entry(unordered);
        place inside = {at, member, 0};
        c->found->keys_moved |= member != due;
        mix(&c->found->exact, key);
        mix(&entry, key);
        good = compare_value(c, &member->value, &inside, &entry);
        sum += entry.state;
    }
    free(members);
    if (!good) return false;
    sb_hash_mix(unordered, sum);
    return compare_end(c, at, map->length, unordered);
}

static bool compare_value(comparing *c, const sb_value *value, const place *at, sb_hash *unordered) {
    if (value->type == SB_ARRAY) return compare_array(c, value, at, unordered);
    if (value->type == SB_MAP) return compare_map(c, value, at, unordered);
    event found = next(c), expected = {0};
    bool good;
    switch ((sb_type)value->type) {
        case SB_I64:
        case SB_U64:
            expected.tag = value->type == SB_I64 ? 'i' : 'u';
            expected.word = value->as.u64;
            good = compare_integer(c, at, found, expected);
            break;
        case SB_F64:
            expected.tag = 'd';
            memcpy(&expected.word, &value->as.f64, sizeof expected.word);
            good = compare_double(c, at, found, expected);
            break;
        case SB_STR:
            expected = (event){'s', value->length, value->as.str};
            good = found.tag == 's' && found.word == value->length &&
                   memcmp(found.bytes, value->as.str, value->length) == 0;
            break;
        default:
            expected.tag = value->type == SB_NIL ? 'n' : value->as.boolean ? 't' : 'f';
            good = found.tag == expected.tag;
    }
    if (!good) return c->found->difference[0] != '\0' ? false : differs(c, at, found, expected);
    mix(&c->found->exact, found);
    mix(unordered, found);
    return true;
}

/* A whole file in memory; NULL, with errno set, if it cannot be read. */
static unsigned char *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    unsigned char *data = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length >= 0) {
        rewind(file);
        *size = (size_t)length;
        data = malloc(*size + 1);
        if (data != NULL && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    (void)fclose(file);
    return data;
}

bool sb_compare(const sb_value *documents, uint32_t count, const char *seen, sb_comparison *result) {
    size_t size;
    unsigned char *data = load(seen, &size);
    if (data == NULL) return false;
    memset(result, 0, sizeof *result);
    result->exact = result->unordered = sb_hash_start(true);
    comparing c = {data, data + size, result};
    const place root = {NULL, NULL, 0};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++)
        good = compare_value(&c, &documents[i], &root, &result->unordered);
    if (good && c.at != c.end) (void)differs(&c, &root, next(&c), (event){0});
    free(data);
    return true;
}
