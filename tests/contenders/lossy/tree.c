#include <serbench/baseline.h>
#include <serbench/reader.h>

static void walk(const sb_value *value, sb_hash *h);

static void walk_member(const sb_member *member, sb_hash *h) {
#ifdef RENAMES
    if (member->key[0] == 'x')
        sb_hash_str(h, "w", 1);
    else
#endif
        sb_hash_str(h, member->key, member->key_length);
    walk(&member->value, h);
}

static void walk_map(const sb_value *map, sb_hash *h) {
    uint32_t count = map->length;
    const sb_member *members = map->as.members;
#if defined UNORDERED /* another order in each call */
    static uint32_t calls;
    uint32_t sum = 0, first = count > 0 ? calls++ % count : 0;
    for (uint32_t i = 0; i < count; i++) {
        sb_hash entry = sb_hash_entry(h);
        walk_member(&members[(first + i) % count], &entry);
        sum += entry.state;
    }
    sb_hash_entries(h, sum, count);
    return;
#elif defined FICKLE /* the same, but hashed in that order */
    static uint32_t calls;
    uint32_t first = calls++;
    for (uint32_t i = 0; i < count; i++) walk_member(&members[(first + i) % count], h);
#elif defined REVERSED
    for (uint32_t i = count; i-- > 0;) walk_member(&members[i], h);
#elif defined DROPS
    count--;
    for (uint32_t i = 0; i < count; i++) walk_member(&members[i], h);
#elif defined REPEATS
    for (uint32_t i = 0; i < count; i++) walk_member(&members[i == 1 ? 0 : i], h);
#else
    for (uint32_t i = 0; i < count; i++) walk_member(&members[i], h);
#endif
    sb_hash_count(h, count);
}

static void walk_integer(const sb_value *value, sb_hash *h) {
    double nearest = value->type == SB_I64 ? (double)value->as.i64 : (double)value->as.u64;
#if defined DOUBLES
    sb_hash_f64(h, nearest);
#elif defined SHORTEST /* as JavaScript prints it */
    if (value->as.u64 == UINT64_C(505874924095815681))
        sb_hash_u64(h, UINT64_C(505874924095815700));
    else
        sb_hash_f64(h, nearest);
#elif defined NEXT     /* a double, but not the nearest one */
    sb_hash_f64(h, fabs(nearest) > 0x1p53 ? nearest * (1 - 0x1p-52) : nearest);
#elif defined WRONG    /* has the same nearest double, but nobody writes it from that */
    if (value->as.u64 == UINT64_C(505874924095815681))
        sb_hash_u64(h, UINT64_C(505874924095815682));
    else
        sb_hash_f64(h, nearest);
#elif defined SMALL
    sb_hash_f64(h, nearest == 1 ? 2 : nearest);
#else
    (void)nearest;
    sb_hash_value(h, value);
#endif
}

static void walk_double(double number, sb_hash *h) {
#if defined POSITIVE
    sb_hash_f64(h, number == 0 ? 0 : number);
#elif defined COARSE
    sb_hash_f64(h, number * 1.01);
#else
    sb_hash_f64(h, number);
#endif
}

static void walk(const sb_value *value, sb_hash *h) {
    switch ((sb_type)value->type) {
        case SB_I64:
        case SB_U64: walk_integer(value, h); return;
        case SB_F64: walk_double(value->as.f64, h); return;
        case SB_MAP: walk_map(value, h); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) walk(&value->as.items[i], h);
            sb_hash_count(h, value->length);
            return;
        default: sb_hash_value(h, value);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    (void)data;
    (void)size;
    walk(sb_harness_root(), h);
#ifdef HIDDEN /* mixed, but in no call that is written down */
    sb_hash_mix(h, 1);
#endif
    return true;
}

const char *sb_library_version(void) { return "0"; }
