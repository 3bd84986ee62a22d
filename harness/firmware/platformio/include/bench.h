/* What `./serbench board` puts into the firmware: libraries in a format, documents, and which goes with
 * which. */
#ifndef SERBENCH_BENCH_H
#define SERBENCH_BENCH_H

#include <serbench/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A document in one format. */
typedef struct bench_document {
    const char *name;  /* as a JSON string, with its quotes */
    const char *input; /* encoded, followed by a zero byte */
    uint16_t size;
    const sb_value *tree; /* NULL where no library writes from it */
} bench_document;

/* A contender in one format: the functions of firmware.h under names of their own. */
typedef struct bench_library {
    const char *id, *format;
    bool (*read)(const char *data, size_t size);
    bool (*walk)(void);
    size_t (*write)(char *out, size_t capacity);
    void (*release)(void);
    size_t (*pool)(void);
    const char *(*version)(void);
} bench_library;

typedef struct bench_row {
    const bench_library *library;
    const bench_document *document;
} bench_row;

extern const bench_row bench_rows[];
extern const uint16_t bench_row_count;
extern char bench_output[];
extern const uint16_t bench_output_size;

/* What contenders see as fw_tree. */
extern const sb_value *bench_tree;

#ifdef __cplusplus
}
#endif
#endif
