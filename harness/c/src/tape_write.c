/* Writing a tape: values are appended as they come, counts are filled in when a container ends. */
#include <stdlib.h>

#include "tape.h"

static unsigned char *grow(sb_tape *tape, size_t more) {
    if (tape->failed != NULL) return NULL;
    if (tape->size + more > tape->capacity) {
        size_t capacity = tape->capacity < 4096 ? 4096 : tape->capacity;
        while (capacity < tape->size + more) capacity += capacity / 2;
        unsigned char *data = realloc(tape->data, capacity);
        if (data == NULL) {
            tape->failed = "out of memory";
            return NULL;
        }
        tape->data = data;
        tape->capacity = capacity;
    }
    unsigned char *place = tape->data + tape->size;
    tape->size += more;
    return place;
}

static void put(unsigned char *place, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) place[i] = (unsigned char)(value >> (8 * i));
}

static void tagged(sb_tape *tape, char tag, uint64_t value, int bytes) {
    unsigned char *place = grow(tape, 1 + (size_t)bytes);
    if (place == NULL) return;
    place[0] = (unsigned char)tag;
    put(place + 1, value, bytes);
    tape->header.values++;
}

static void text(sb_tape *tape, const char *bytes, uint32_t length) {
    unsigned char *place = grow(tape, length);
    if (place != NULL && length > 0) memcpy(place, bytes, length);
    tape->header.string_bytes += length;
}

void sb_tape_begin(sb_tape *tape) {
    memset(tape, 0, sizeof *tape);
    (void)grow(tape, SB_TAPE_HEADER);
}

void sb_tape_nil(sb_tape *tape) { tagged(tape, 'n', 0, 0); }
void sb_tape_bool(sb_tape *tape, bool value) { tagged(tape, value ? 't' : 'f', 0, 0); }
void sb_tape_u64(sb_tape *tape, uint64_t value) { tagged(tape, 'u', value, 8); }

void sb_tape_i64(sb_tape *tape, int64_t value) { tagged(tape, value < 0 ? 'i' : 'u', (uint64_t)value, 8); }

void sb_tape_f64(sb_tape *tape, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    tagged(tape, 'd', bits, 8);
}

void sb_tape_str(sb_tape *tape, const char *bytes, uint32_t length) {
    tagged(tape, 's', length, 4);
    text(tape, bytes, length);
}

void sb_tape_key(sb_tape *tape, const char *bytes, uint32_t length) {
    unsigned char *place = grow(tape, 4);
    if (place == NULL) return;
    put(place, length, 4);
    text(tape, bytes, length);
    tape->header.members++;
}

size_t sb_tape_open(sb_tape *tape, sb_type type) {
    tagged(tape, type == SB_MAP ? 'm' : 'a', 0, 4);
    if (++tape->open > tape->header.depth) tape->header.depth = tape->open;
    if (tape->open > SB_MAX_DEPTH && tape->failed == NULL) tape->failed = "nested deeper than 1,024 levels";
    return tape->size - 4;
}

void sb_tape_end(sb_tape *tape, size_t place, uint32_t count) {
    tape->open--;
    if (tape->failed == NULL) put(tape->data + place, count, 4);
}

bool sb_tape_write(sb_tape *tape, const char *path) {
    if (tape->failed != NULL) return false;
    memcpy(tape->data, SB_TAPE_MAGIC, 8);
    put(tape->data + 8, tape->header.values, 8);
    put(tape->data + 16, tape->header.members, 8);
    put(tape->data + 24, tape->header.string_bytes, 8);
    put(tape->data + 32, tape->header.depth, 8);
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    bool written = fwrite(tape->data, 1, tape->size, file) == tape->size;
    return (fclose(file) == 0) && written;
}

void sb_tape_free(sb_tape *tape) {
    free(tape->data);
    memset(tape, 0, sizeof *tape);
}
