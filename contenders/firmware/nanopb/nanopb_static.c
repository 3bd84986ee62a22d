#include <firmware.h>
#include <pb_decode.h>
#include <pb_encode.h>

/* Made for each document from its schema (generate.py): the structure that is decoded into, and the walk
 * over it. */
extern const pb_msgdesc_t *const fw_message_fields;
extern void *const fw_message;
extern const size_t fw_message_size;
void fw_message_walk(void);

bool fw_read(const char *data, size_t size) {
    pb_istream_t stream = pb_istream_from_buffer((const pb_byte_t *)data, size);
    return pb_decode(&stream, fw_message_fields, fw_message);
}

bool fw_walk(void) {
    fw_message_walk();
    return true;
}

void fw_release(void) {}

size_t fw_pool(void) { return fw_message_size; }

size_t fw_write(char *out, size_t capacity) {
    pb_ostream_t stream = pb_ostream_from_buffer((pb_byte_t *)out, capacity);
    return pb_encode(&stream, fw_message_fields, fw_message) ? stream.bytes_written : 0;
}

/* The macro's text begins with the library's name. */
const char *fw_version(void) { return NANOPB_VERSION + sizeof "nanopb"; }
