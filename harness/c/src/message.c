#include "message.h"

#include <stdlib.h>
#include <string.h>

/* Undoes the escapes that stand for one byte each; the orchestrator sends UTF-8 and needs no others. */
static char *take_string(char **at) {
    char *from = *at, *to, *start;
    if (*from++ != '"') return NULL;
    for (start = to = from; *from != '"'; from++) {
        if (*from == '\0') return NULL;
        if (*from == '\\') {
            static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
            const char *known = strchr(names, *++from);
            if (known == NULL || *from == '\0') return NULL;
            *to++ = bytes[known - names];
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    *at = from + 1;
    return start;
}

static void skip_space(char **at) { *at += strspn(*at, " \t\r\n"); }

static bool take_field(sb_field *field, char **at) {
    field->text = NULL;
    field->number = 0;
    field->name = take_string(at);
    if (field->name == NULL) return false;
    skip_space(at);
    if (*(*at)++ != ':') return false;
    skip_space(at);
    if (**at == '"') {
        field->text = take_string(at);
        return field->text != NULL;
    }
    if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
        field->number = **at == 't';
        *at += **at == 't' ? 4 : 5;
        return true;
    }
    if (**at < '0' || **at > '9') return false;
    field->number = strtoull(*at, at, 10);
    return true;
}

bool sb_message_parse(sb_message *message, char *line) {
    message->count = 0;
    skip_space(&line);
    if (*line++ != '{') return false;
    skip_space(&line);
    while (*line != '}') {
        if (message->count == SB_MAX_FIELDS || !take_field(&message->fields[message->count++], &line))
            return false;
        skip_space(&line);
        if (*line == ',') {
            line++;
            skip_space(&line);
        } else if (*line != '}') {
            return false;
        }
    }
    line++;
    skip_space(&line);
    return *line == '\0';
}

static const sb_field *find(const sb_message *message, const char *name, bool text) {
    for (size_t i = 0; i < message->count; i++) {
        const sb_field *field = &message->fields[i];
        if (strcmp(field->name, name) == 0 && (field->text != NULL) == text) return field;
    }
    return NULL;
}

const char *sb_message_text(const sb_message *message, const char *name, const char *otherwise) {
    const sb_field *field = find(message, name, true);
    return field != NULL ? field->text : otherwise;
}

uint64_t sb_message_number(const sb_message *message, const char *name, uint64_t otherwise) {
    const sb_field *field = find(message, name, false);
    return field != NULL ? field->number : otherwise;
}

void sb_write_text(FILE *file, const char *text) {
    (void)fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            (void)fprintf(file, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            (void)fprintf(file, "\\u%04x", *c);
        else
            (void)fputc(*c, file);
    }
    (void)fputc('"', file);
}
