#include "serbench/hash.h"

#include <stdio.h>
#include <stdlib.h>

#include "serbench/value.h"

void sb_numbers_add(sb_numbers *numbers, double number) {
    if (numbers->count == numbers->capacity) {
        size_t capacity = numbers->capacity < 256 ? 256 : numbers->capacity * 2;
        double *values = realloc(numbers->values, capacity * sizeof *values);
        if (values == NULL) {
            (void)fputs("out of memory while recording numbers\n", stderr);
            abort();
        }
        numbers->values = values;
        numbers->capacity = capacity;
    }
    numbers->values[numbers->count++] = number;
}

void sb_hash_value(sb_hash *h, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: sb_hash_nil(h); return;
        case SB_BOOL: sb_hash_bool(h, value->as.boolean); return;
        case SB_I64: sb_hash_i64(h, value->as.i64); return;
        case SB_U64: sb_hash_u64(h, value->as.u64); return;
        case SB_F64: sb_hash_f64(h, value->as.f64); return;
        case SB_STR: sb_hash_str(h, value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) sb_hash_value(h, &value->as.items[i]);
            sb_hash_count(h, value->length);
            return;
        case SB_MAP:
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                sb_hash_str(h, member->key, member->key_length);
                sb_hash_value(h, &member->value);
            }
            sb_hash_count(h, value->length);
            return;
    }
}
