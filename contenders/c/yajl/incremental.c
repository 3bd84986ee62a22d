#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

#ifdef NUMBER_CALLBACK
#include "number.h"
#else
#include <serbench/reader.h>
#endif

/* YAJL does not say how many elements a container had: they are counted, from the root's own level on. */
typedef struct state {
    sb_hash *h;
    unsigned depth;
    uint32_t counts[1026];
} state;

static sb_hash *element(void *context) {
    state *s = context;
    s->counts[s->depth]++;
    return s->h;
}

static int on_null(void *context) { return sb_hash_nil(element(context)), 1; }
static int on_boolean(void *context, int value) { return sb_hash_bool(element(context), value != 0), 1; }

#ifdef NUMBER_CALLBACK
static int on_number(void *context, const char *text, size_t length) {
    return hash_number(element(context), text, length);
}
#define NUMBERS NULL, NULL, on_number
#else
static int on_integer(void *context, long long value) { return sb_hash_i64(element(context), value), 1; }
static int on_double(void *context, double value) { return sb_hash_f64(element(context), value), 1; }
#define NUMBERS on_integer, on_double, NULL
#endif

static int on_string(void *context, const unsigned char *bytes, size_t length) {
    return sb_hash_str(element(context), (const char *)bytes, length), 1;
}

static int on_key(void *context, const unsigned char *bytes, size_t length) {
    return sb_hash_str(((state *)context)->h, (const char *)bytes, length), 1;
}

static int on_start(void *context) {
    state *s = context;
    (void)element(s);
    if (s->depth + 1 == sizeof s->counts / sizeof s->counts[0]) return sb_fail("nested too deep");
    s->counts[++s->depth] = 0;
    return 1;
}

static int on_end(void *context) {
    state *s = context;
    sb_hash_count(s->h, s->counts[s->depth--]);
    return 1;
}

static const yajl_callbacks callbacks = {on_null, on_boolean, NUMBERS,  on_string, on_start,
                                         on_key,  on_end,     on_start, on_end};

bool sb_read(char *data, size_t size, sb_hash *h) {
    state s = {.h = h};
    const unsigned char *text = (const unsigned char *)data;
    yajl_handle handle = yajl_alloc(&callbacks, NULL, &s);
    if (handle == NULL) return sb_fail("out of memory");
    yajl_status status = yajl_parse(handle, text, size);
    if (status == yajl_status_ok) status = yajl_complete_parse(handle);
    if (status == yajl_status_error) {
        unsigned char *message = yajl_get_error(handle, 0, text, size);
        (void)sb_fail("%s", (const char *)message);
        yajl_free_error(handle, message);
    }
    yajl_free(handle);
    return status == yajl_status_ok;
}

const char *sb_library_version(void) { return SB_VERSION_3(YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO); }
