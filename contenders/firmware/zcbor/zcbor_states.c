#include <firmware.h>
#include <zcbor_decode.h>
#include <zcbor_encode.h>

/* Every open container takes one of the states behind the first, and what they share takes the last. The
 * manifest says how deep they may be. */
#define DEEPEST 32
#define STATES (DEEPEST + 2)

static zcbor_state_t states[STATES];

static bool element(zcbor_state_t *state);

static bool text(zcbor_state_t *state) {
    struct zcbor_string string;
    if (!zcbor_tstr_decode(state, &string)) return false;
    sb_hash_str(&fw_sum, (const char *)string.value, string.len);
    return true;
}

static bool integer(zcbor_state_t *state) {
    uint64_t natural;
    int64_t negative;
    if (ZCBOR_MAJOR_TYPE(*state->payload) == ZCBOR_MAJOR_TYPE_PINT) {
        if (!zcbor_uint64_decode(state, &natural)) return false;
        sb_hash_u64(&fw_sum, natural);
    } else {
        if (!zcbor_int64_decode(state, &negative)) return false;
        sb_hash_i64(&fw_sum, negative);
    }
    return true;
}

static bool simple(zcbor_state_t *state) {
    float real;
    bool boolean;
    if (ZCBOR_IS_FLOAT(*state->payload)) {
        if (!zcbor_float32_decode(state, &real)) return false;
        sb_hash_f64(&fw_sum, (double)real);
    } else if (ZCBOR_ADDITIONAL(*state->payload) == ZCBOR_NIL_VAL) {
        if (!zcbor_nil_expect(state, NULL)) return false;
        sb_hash_nil(&fw_sum);
    } else {
        if (!zcbor_bool_decode(state, &boolean)) return false;
        sb_hash_bool(&fw_sum, boolean);
    }
    return true;
}

static bool list(zcbor_state_t *state) {
    size_t count = 0;
    if (!zcbor_list_start_decode(state)) return false;
    for (; !zcbor_array_at_end(state); count++)
        if (!element(state)) return false;
    sb_hash_count(&fw_sum, count);
    return zcbor_list_end_decode(state);
}

static bool map(zcbor_state_t *state) {
    size_t count = 0;
    if (!zcbor_map_start_decode(state)) return false;
    for (; !zcbor_array_at_end(state); count++)
        if (!text(state) || !element(state)) return false;
    sb_hash_count(&fw_sum, count);
    return zcbor_map_end_decode(state);
}

static bool element(zcbor_state_t *state) {
    if (zcbor_payload_at_end(state)) return false;
    switch (ZCBOR_MAJOR_TYPE(*state->payload)) {
        case ZCBOR_MAJOR_TYPE_PINT:
        case ZCBOR_MAJOR_TYPE_NINT: return integer(state);
        case ZCBOR_MAJOR_TYPE_TSTR: return text(state);
        case ZCBOR_MAJOR_TYPE_LIST: return list(state);
        case ZCBOR_MAJOR_TYPE_MAP: return map(state);
        case ZCBOR_MAJOR_TYPE_SIMPLE: return simple(state);
        default: return false;
    }
}

bool fw_read(const char *data, size_t size) {
    zcbor_new_decode_state(states, STATES, (const uint8_t *)data, size, 1, NULL, 0);
    return element(states) && zcbor_payload_at_end(states);
}

bool fw_walk(void) { return true; }

void fw_release(void) {}

/* A state that no container of the document has taken is as it was at the start. */
size_t fw_pool(void) {
    size_t taken = STATES;
    while (taken > 2 && states[taken - 2].payload_end == NULL) taken--;
    return taken * sizeof *states;
}

static bool put(zcbor_state_t *state, const sb_value *value) {
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return zcbor_nil_put(state, NULL);
        case SB_BOOL: return zcbor_bool_put(state, value->as.boolean);
        case SB_I64: return zcbor_int64_put(state, value->as.i64);
        case SB_U64: return zcbor_uint64_put(state, value->as.u64);
        case SB_F64: return zcbor_float32_put(state, (float)value->as.f64);
        case SB_STR: return zcbor_tstr_encode_ptr(state, value->as.str, value->length);
        case SB_ARRAY:
            good = zcbor_list_start_encode(state, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(state, &value->as.items[i]);
            return good && zcbor_list_end_encode(state, value->length);
        default:
            good = zcbor_map_start_encode(state, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = zcbor_tstr_encode_ptr(state, member->key, member->key_length) &&
                       put(state, &member->value);
            }
            return good && zcbor_map_end_encode(state, value->length);
    }
}

size_t fw_write(char *out, size_t capacity) {
    zcbor_new_encode_state(states, STATES, (uint8_t *)out, capacity, 1);
    return put(states, &fw_tree) ? (size_t)(states[0].payload - (const uint8_t *)out) : 0;
}

const char *fw_version(void) { return ZCBOR_VERSION_STR; }
