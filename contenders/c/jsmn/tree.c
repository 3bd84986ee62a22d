#include <jsmn.h>
#include <stdlib.h>

#include "text.h"

typedef struct walker {
    char *data;
    const jsmntok_t *tokens;
    int count, at;
    sb_hash *h;
} walker;

static bool element(walker *w);

static bool string(walker *w) {
    if (w->at == w->count) return sb_fail("a container has fewer values than it says");
    const jsmntok_t *token = &w->tokens[w->at++];
    if (token->type != JSMN_STRING) return sb_fail("a key is no string");
    hash_string(w->h, w->data + token->start, w->data + token->end);
    return true;
}

static bool element(walker *w) {
    if (w->at == w->count) return sb_fail("a container has fewer values than it says");
    const jsmntok_t *token = &w->tokens[w->at];
    if (token->type == JSMN_STRING) return string(w);
    w->at++;
    if (token->type == JSMN_PRIMITIVE)
        return hash_primitive(w->h, w->data + token->start, (size_t)(token->end - token->start));
    if (token->type != JSMN_ARRAY && token->type != JSMN_OBJECT) return sb_fail("an undefined token");
    for (int i = 0; i < token->size; i++)
        if ((token->type == JSMN_OBJECT && !string(w)) || !element(w)) return false;
    sb_hash_count(w->h, (size_t)token->size);
    return true;
}

static int parse(const char *data, size_t size, jsmntok_t *tokens, int count) {
    jsmn_parser parser;
    jsmn_init(&parser);
    return jsmn_parse(&parser, data, size, tokens, (unsigned)count);
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    int count = parse(data, size, NULL, 0);
    if (count <= 0) return sb_fail("jsmnerr %d", count);
    jsmntok_t *tokens = malloc((size_t)count * sizeof *tokens);
    if (tokens == NULL) return sb_fail("out of memory");
    walker w = {.data = data, .tokens = tokens, .count = parse(data, size, tokens, count), .h = h};
    bool good = w.count > 0 ? element(&w) : sb_fail("jsmnerr %d", w.count);
    if (good && w.at != w.count) good = sb_fail("more than one value");
    free(tokens);
    return good;
}

const char *sb_library_version(void) { return ""; }
