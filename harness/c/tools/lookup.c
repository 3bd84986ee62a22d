#include "lookup.h"

#include "random.h"

enum { MOST_PATHS = 8 };

/* How a container leads to one of its elements. */
typedef struct step {
    const sb_value *container;
    uint32_t index;
} step;

typedef struct trail {
    step steps[SB_MAX_DEPTH];
    uint32_t length;
} trail;

static const sb_value *element(const sb_value *container, uint32_t index) {
    return container->type == SB_MAP ? &container->as.members[index].value : &container->as.items[index];
}

static bool is_container(const sb_value *value) { return value->type == SB_ARRAY || value->type == SB_MAP; }

static uint64_t count_scalars(const sb_value *value) {
    if (!is_container(value)) return 1;
    uint64_t count = 0;
    for (uint32_t i = 0; i < value->length; i++) count += count_scalars(element(value, i));
    return count;
}

/* Goes to the scalar before which there are `*before` others in `value`, which is counted down. */
static bool go_to(const sb_value *value, uint64_t *before, trail *way) {
    if (!is_container(value)) return (*before)-- == 0;
    step *here = &way->steps[way->length++];
    here->container = value;
    for (here->index = 0; here->index < value->length; here->index++)
        if (go_to(element(value, here->index), before, way)) return true;
    way->length--;
    return false;
}

static void put_path(sb_tape *tape, const trail *way) {
    size_t place = sb_tape_open(tape, SB_ARRAY);
    for (uint32_t i = 0; i < way->length; i++) {
        step at = way->steps[i];
        if (at.container->type == SB_MAP)
            sb_tape_str(tape, at.container->as.members[at.index].key,
                        at.container->as.members[at.index].key_length);
        else
            sb_tape_u64(tape, at.index);
    }
    sb_tape_end(tape, place, way->length);
}

/* Uniform below `bound`, but for less than 2^-32. */
static uint64_t below(sb_random *random, uint64_t bound) {
    uint64_t high = sb_random_next(random);
    return ((high << 32) | sb_random_next(random)) % bound;
}

static void draw_from(sb_tape *tape, const sb_value *document, sb_random *random) {
    uint64_t scalars = count_scalars(document), chosen[MOST_PATHS];
    uint32_t count = scalars < MOST_PATHS ? (uint32_t)scalars : MOST_PATHS;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t first = scalars * i / count, after = scalars * (i + 1) / count;
        chosen[i] = first + below(random, after - first);
    }
    for (uint32_t i = count; i > 1; i--) {
        uint64_t other = below(random, i), kept = chosen[other];
        chosen[other] = chosen[i - 1];
        chosen[i - 1] = kept;
    }
    size_t place = sb_tape_open(tape, SB_ARRAY);
    for (uint32_t i = 0; i < count; i++) {
        trail way;
        way.length = 0;
        (void)go_to(document, &chosen[i], &way);
        put_path(tape, &way);
    }
    sb_tape_end(tape, place, count);
}

void sb_draw_paths(sb_tape *tape, const sb_value *documents, uint32_t count, bool messages, uint64_t seed) {
    sb_random random;
    sb_random_seed(&random, seed);
    size_t place = messages ? sb_tape_open(tape, SB_ARRAY) : 0;
    for (uint32_t i = 0; i < count; i++) draw_from(tape, &documents[i], &random);
    if (messages) sb_tape_end(tape, place, count);
}

static const sb_value *take_step(const sb_value *value, const sb_value *towards) {
    if (value->type == SB_ARRAY && towards->type == SB_U64 && towards->as.u64 < value->length)
        return &value->as.items[towards->as.u64];
    for (uint32_t i = 0; value->type == SB_MAP && towards->type == SB_STR && i < value->length; i++) {
        const sb_member *member = &value->as.members[i];
        if (member->key_length == towards->length &&
            memcmp(member->key, towards->as.str, towards->length) == 0)
            return &member->value;
    }
    return NULL;
}

static bool put_scalar(sb_tape *tape, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: sb_tape_nil(tape); return true;
        case SB_BOOL: sb_tape_bool(tape, value->as.boolean); return true;
        case SB_I64: sb_tape_i64(tape, value->as.i64); return true;
        case SB_U64: sb_tape_u64(tape, value->as.u64); return true;
        case SB_F64: sb_tape_f64(tape, value->as.f64); return true;
        case SB_STR: sb_tape_str(tape, value->as.str, value->length); return true;
        case SB_ARRAY:
        case SB_MAP: return false;
    }
    return false;
}

static bool find_in(sb_tape *tape, const sb_value *document, const sb_value *paths) {
    size_t place = sb_tape_open(tape, SB_ARRAY);
    for (uint32_t i = 0; i < paths->length; i++) {
        const sb_value *path = &paths->as.items[i], *value = document;
        for (uint32_t j = 0; path->type == SB_ARRAY && value != NULL && j < path->length; j++)
            value = take_step(value, &path->as.items[j]);
        if (path->type != SB_ARRAY || value == NULL || !put_scalar(tape, value)) return false;
    }
    sb_tape_end(tape, place, paths->length);
    return true;
}

bool sb_find_values(sb_tape *tape, const sb_value *documents, uint32_t count, bool messages,
                    const sb_value *paths) {
    if (paths->type != SB_ARRAY || (messages && paths->length != count)) return false;
    if (!messages) return find_in(tape, documents, paths);
    size_t place = sb_tape_open(tape, SB_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        if (paths->as.items[i].type != SB_ARRAY || !find_in(tape, &documents[i], &paths->as.items[i]))
            return false;
    sb_tape_end(tape, place, count);
    return true;
}
