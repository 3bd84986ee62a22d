#include "facts.h"

#include <stdio.h>

typedef struct facts {
    uint64_t largest_positive;
    int64_t most_negative;
    uint64_t doubles, integral_doubles;
    bool nul_in_values, nul_in_keys;
} facts;

static bool has_nul(const char *bytes, uint32_t length) { return memchr(bytes, '\0', length) != NULL; }

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
            return;
        }
        case SB_STR: f->nul_in_values |= has_nul(value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) look_at(&value->as.items[i], f);
            return;
        case SB_MAP:
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

void sb_print_facts(const sb_tree *tree, bool messages) {
    const char *const truth[] = {"false", "true"};
    facts f = {0};
    sb_hash content = sb_hash_start(false), exact = sb_hash_start(true), unordered = exact;
    uint32_t count = messages ? tree->root->length : 1;
    const sb_value *documents = messages ? tree->root->as.items : tree->root;
    for (uint32_t i = 0; i < count; i++) {
        sb_hash_value(&content, &documents[i]);
        sb_hash_value(&exact, &documents[i]);
        sb_hash_unordered(&unordered, &documents[i]);
    }
    look_at(tree->root, &f);
    (void)printf("{\"content_hash\":\"%08x\",\"exact_hash\":\"%08x\",\"unordered_hash\":\"%08x\",",
                 content.state, exact.state, unordered.state);
    (void)printf("\"nodes\":%llu,\"depth\":%llu,\"root\":\"%s\",",
                 (unsigned long long)tree->header.values - messages,
                 (unsigned long long)tree->header.depth - messages, root_name(tree->root, messages));
    (void)printf("\"string_bytes\":%llu,\"members\":%llu,\"largest_positive\":%llu,\"most_negative\":%lld,",
                 (unsigned long long)tree->header.string_bytes, (unsigned long long)tree->header.members,
                 (unsigned long long)f.largest_positive, (long long)f.most_negative);
    (void)printf("\"nul_in_values\":%s,\"nul_in_keys\":%s,", truth[f.nul_in_values], truth[f.nul_in_keys]);
    (void)printf("\"doubles\":%llu,\"integral_doubles\":%llu,\"messages\":%u}\n",
                 (unsigned long long)f.doubles, (unsigned long long)f.integral_doubles, count);
}
