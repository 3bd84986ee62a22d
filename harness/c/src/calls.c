#include "calls.h"

#include <stdlib.h>

/* Kinds of calls. */
enum { NIL, BOOL, I64, U64, F64, STR, COUNT, KINDS };

typedef struct text {
    const char *bytes;
    size_t length;
} text;

/* Calls of one kind. */
typedef struct group {
    size_t count;
    text *keys; /* of entries only: each call follows that of a key, or is none if it would be a COUNT */
    text *texts;
    uint64_t *words;
} group;

struct sb_calls {
    group values[KINDS];
    group entries[KINDS]; /* of maps whose order of keys does not count */
    size_t maps;          /* of that kind */
    char *bytes;          /* of the strings that are values */
};

/* --- the record ------------------------------------------------------------------------------------------
 */

typedef struct cursor {
    const unsigned char *at, *end;
} cursor;

typedef struct call {
    char tag;
    uint64_t word;
    text text;
} call;

static int bytes_after(char tag) {
    return tag == 'i' || tag == 'u' || tag == 'd' ? 8 : tag == 's' || tag == 'e' ? 4 : 0;
}

/* The next call; a record is one of ours, and complete. */
static call next(cursor *c) {
    call found = {.tag = (char)*c->at++};
    int bytes = bytes_after(found.tag);
    for (int i = 0; i < bytes; i++) found.word |= (uint64_t)*c->at++ << (8 * i);
    if (found.tag == 's') {
        found.text = (text){(const char *)c->at, (size_t)found.word};
        c->at += found.word;
    }
    if (found.tag == 't') found.word = 1;
    return found;
}

static int kind_of(char tag) {
    switch (tag) {
        case 'n': return NIL;
        case 't':
        case 'f': return BOOL;
        case 'i': return I64;
        case 'u': return U64;
        case 'd': return F64;
        case 's': return STR;
        default: return COUNT;
    }
}

/* Adds a call to a group, which has the room for it once it was counted. */
static void add(group *to, const call *key, call value) {
    if (to->words != NULL) {
        if (key != NULL) to->keys[to->count] = key->text;
        to->texts[to->count] = value.text;
        to->words[to->count] = value.word;
    }
    to->count++;
}

/* Adds all calls. The value of an entry may be an array, whose first element then stands for it. */
static void add_all(sb_calls *to, cursor c) {
    while (c.at < c.end) {
        call found = next(&c);
        if (found.tag == ')') {
            to->maps++;
        } else if (found.tag != '(') {
            add(&to->values[kind_of(found.tag)], NULL, found);
        } else {
            call key = next(&c), none = {.tag = 'e'};
            bool alone = c.at == c.end || strchr("()e", *c.at) != NULL;
            call value = alone ? none : next(&c);
            add(&to->entries[kind_of(value.tag)], &key, value);
        }
    }
}

static bool make_room(group *of, bool keyed) {
    of->texts = calloc(of->count + 1, sizeof *of->texts);
    of->words = calloc(of->count + 1, sizeof *of->words);
    if (keyed) of->keys = calloc(of->count + 1, sizeof *of->keys);
    of->count = 0;
    return of->texts != NULL && of->words != NULL && (!keyed || of->keys != NULL);
}

static int by_length(const void *a, const void *b) {
    const text *x = a, *y = b;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Puts strings in the order of their lengths, one after the other in memory: else the end of each would be a
 * guess that the processor learns in some launches and not in others. */
static bool sort_texts(sb_calls *calls) {
    group *strings = &calls->values[STR];
    size_t size = 0;
    qsort(strings->texts, strings->count, sizeof *strings->texts, by_length);
    for (size_t i = 0; i < strings->count; i++) size += strings->texts[i].length;
    char *at = calls->bytes = malloc(size + 1);
    for (size_t i = 0; at != NULL && i < strings->count; i++) {
        text *each = &strings->texts[i];
        if (each->length > 0) memcpy(at, each->bytes, each->length);
        each->bytes = at;
        at += each->length;
    }
    return at != NULL;
}

sb_calls *sb_calls_of(const char *record, size_t size) {
    cursor c = {(const unsigned char *)record, (const unsigned char *)record + size};
    sb_calls *calls = calloc(1, sizeof *calls);
    if (calls == NULL) return NULL;
    add_all(calls, c);
    calls->maps = 0;
    bool ok = true;
    for (int kind = 0; kind < KINDS; kind++)
        ok = ok && make_room(&calls->values[kind], false) && make_room(&calls->entries[kind], true);
    if (ok) add_all(calls, c);
    if (ok && sort_texts(calls)) return calls;
    sb_calls_free(calls);
    return NULL;
}

void sb_calls_free(sb_calls *calls) {
    for (int kind = 0; calls != NULL && kind < KINDS; kind++) {
        group *both[] = {&calls->values[kind], &calls->entries[kind]};
        for (int i = 0; i < 2; i++) {
            free(both[i]->keys);
            free(both[i]->texts);
            free(both[i]->words);
        }
    }
    if (calls != NULL) free(calls->bytes);
    free(calls);
}

/* --- the calls -------------------------------------------------------------------------------------------
 */

/* The state is in memory between two calls, as it is in a reader that hands the hash to other functions. */
static inline void apart(sb_hash *h) { __asm__ volatile("" : : "r"(h) : "memory"); }

__attribute__((always_inline)) static inline void make(int kind, const group *from, size_t i, sb_hash *h) {
    double number;
    switch (kind) {
        case NIL: sb_hash_nil(h); break;
        case BOOL: sb_hash_bool(h, from->words[i] != 0); break;
        case I64: sb_hash_i64(h, (int64_t)from->words[i]); break;
        case U64: sb_hash_u64(h, from->words[i]); break;
        case F64:
            memcpy(&number, &from->words[i], sizeof number);
            sb_hash_f64(h, number);
            break;
        case STR: sb_hash_str(h, from->texts[i].bytes, from->texts[i].length); break;
        case COUNT: sb_hash_count(h, (size_t)from->words[i]); break;
    }
    apart(h);
}

/* All of one kind, which is known where this is inlined; returns the sum of the entries' hashes. */
__attribute__((always_inline)) static inline uint32_t make_all(int kind, const sb_calls *calls, sb_hash *h) {
    const group *values = &calls->values[kind], *entries = &calls->entries[kind];
    uint32_t sum = 0;
    for (size_t i = 0; i < values->count; i++) make(kind, values, i, h);
    for (size_t i = 0; i < entries->count; i++) {
        sb_hash entry = sb_hash_entry(h);
        sb_hash_str(&entry, entries->keys[i].bytes, entries->keys[i].length);
        apart(&entry);
        if (kind != COUNT) make(kind, entries, i, &entry);
        sum += entry.state;
    }
    return sum;
}

void sb_calls_repeat(const sb_calls *calls, sb_hash *h) {
    uint32_t sum = make_all(NIL, calls, h);
    sum += make_all(BOOL, calls, h);
    sum += make_all(I64, calls, h);
    sum += make_all(U64, calls, h);
    sum += make_all(F64, calls, h);
    sum += make_all(STR, calls, h);
    sum += make_all(COUNT, calls, h);
    for (size_t i = 0; i < calls->maps; i++) {
        sb_hash_mix(h, sum);
        apart(h);
    }
}

void sb_calls_repeat_counts(const sb_calls *calls, sb_hash *h) { (void)make_all(COUNT, calls, h); }
