#include "message_file.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8, HEAD = 2 * WORD };

static uint64_t get(const unsigned char *place) {
    uint64_t value = 0;
    for (int i = 0; i < WORD; i++) value |= (uint64_t)place[i] << (8 * i);
    return value;
}

static void put(FILE *file, uint64_t value) {
    for (int i = 0; i < WORD; i++) (void)fputc((int)(value >> (8 * i) & 0xff), file);
}

sb_span *sb_message_spans(const char *data, size_t size, uint32_t count) {
    const unsigned char *bytes = (const unsigned char *)data;
    if (size < HEAD || memcmp(data, SB_MESSAGES_MAGIC, WORD) != 0 || get(bytes + WORD) != count ||
        (size - HEAD) / WORD < count)
        return NULL;
    size_t offset = HEAD + (size_t)count * WORD;
    sb_span *spans = malloc(((size_t)count + 1) * sizeof *spans);
    for (uint32_t i = 0; spans != NULL && i < count; i++) {
        uint64_t length = get(bytes + HEAD + (size_t)i * WORD);
        if (length > size - offset) {
            free(spans);
            return NULL;
        }
        spans[i].offset = offset;
        spans[i].size = (size_t)length;
        offset += (size_t)length;
    }
    return spans;
}

void sb_messages_begin(FILE *file, uint32_t count) {
    (void)fwrite(SB_MESSAGES_MAGIC, 1, WORD, file);
    put(file, count);
    for (uint32_t i = 0; i < count; i++) put(file, 0);
}

void sb_message_size(FILE *file, uint32_t index, size_t size) {
    (void)fseek(file, HEAD + (long)index * WORD, SEEK_SET);
    put(file, size);
    (void)fseek(file, 0, SEEK_END);
}
