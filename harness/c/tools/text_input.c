#include "text_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sb_refuse(sb_refusal *refusal, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(refusal->sentence, sizeof refusal->sentence, format, arguments);
    va_end(arguments);
    refusal->line = refusal->column = 0;
}

int sb_open_file(const char *path, uint64_t limit, uint64_t *size, sb_refusal *refusal) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO without a writer opens at once */
    if (file < 0) {
        sb_refuse(refusal, "the file cannot be opened: %s", strerror(errno));
        return -1;
    }
    if (fstat(file, &status) != 0)
        sb_refuse(refusal, "the file cannot be examined: %s", strerror(errno));
    else if (S_ISDIR(status.st_mode))
        sb_refuse(refusal, "this is a folder, not a file");
    else if (!S_ISREG(status.st_mode))
        sb_refuse(refusal, "this is not a regular file but a pipe, a socket or a device");
    else if ((uint64_t)status.st_size > limit)
        sb_refuse(refusal, "the file has %llu bytes; at most %llu are accepted",
                  (unsigned long long)status.st_size, (unsigned long long)limit);
    else {
        *size = (uint64_t)status.st_size;
        return file;
    }
    (void)close(file);
    return -1;
}

/* Reads up to `size` bytes: fewer if the file has become shorter meanwhile. */
static bool read_all(int file, char *block, size_t size, size_t *done) {
    for (*done = 0; *done < size;) {
        ssize_t more = read(file, block + *done, size - *done);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return false;
        if (more == 0) break;
        *done += (size_t)more;
    }
    return true;
}

bool sb_text_read(sb_text *text, const char *path, uint64_t limit, sb_refusal *refusal) {
    uint64_t size;
    memset(text, 0, sizeof *text);
    int file = sb_open_file(path, limit, &size, refusal);
    if (file < 0) return false;
    text->block = malloc((size_t)size + 1);
    bool read = text->block != NULL && read_all(file, text->block, (size_t)size, &text->size);
    if (text->block == NULL)
        sb_refuse(refusal, "there is not enough memory for the file's %llu bytes", (unsigned long long)size);
    else if (!read)
        sb_refuse(refusal, "the file cannot be read: %s", strerror(errno));
    (void)close(file);
    if (!read) {
        sb_text_free(text);
        return false;
    }
    text->bytes = text->block;
    if (text->size >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0) {
        text->bytes += 3;
        text->size -= 3;
    }
    return true;
}

void sb_text_free(sb_text *text) {
    free(text->block);
    memset(text, 0, sizeof *text);
}

void sb_text_place(const sb_text *text, size_t offset, sb_refusal *refusal) {
    refusal->line = refusal->column = 1;
    for (size_t i = 0; i < offset && i < text->size; i++) {
        if (text->bytes[i] == '\n') {
            refusal->line++;
            refusal->column = 1;
        } else if (((unsigned char)text->bytes[i] & 0xC0) != 0x80) { /* not the middle of a sequence */
            refusal->column++;
        }
    }
}

size_t sb_utf8_sequence(const char *bytes, size_t size) {
    const unsigned char *b = (const unsigned char *)bytes;
    if (size == 0) return 0;
    if (b[0] < 0x80) return 1;
    if (b[0] < 0xC2 || b[0] > 0xF4) return 0;
    size_t length = b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    if (size < length) return 0;
    for (size_t i = 1; i < length; i++)
        if ((b[i] & 0xC0) != 0x80) return 0;
    /* The second byte tells overlong forms, surrogates and points above U+10FFFF. */
    if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) || (b[0] == 0xF0 && b[1] < 0x90) ||
        (b[0] == 0xF4 && b[1] > 0x8F))
        return 0;
    return length;
}
