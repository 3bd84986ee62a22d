/* What the code of generate.py calls: the schema's tables, and how fields are hashed and set. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <google/protobuf/descriptor.upb.h>
#include <serbench/contender.h>
#include <serbench/hash.h>
#include <stdlib.h>
#include <upb/base/status.h>
#include <upb/message/accessors.h>
#include <upb/message/array.h>
#include <upb/reflection/def.h>
#include <upb/wire/decode.h>
#include <upb/wire/encode.h>

#include "data.h"

typedef const upb_MiniTableField *Field;

#include "descriptor.inc"

static const upb_MiniTable *tables[MESSAGES];
static Field fields[FIELDS + 1];

/* The tables of the schema, which stay until the program ends. */
bool sb_setup(void) {
    upb_DefPool *pool = upb_DefPool_New();
    upb_Arena *arena = upb_Arena_New();
    if (pool == NULL || arena == NULL) return sb_fail("out of memory");
    const google_protobuf_FileDescriptorProto *file =
        google_protobuf_FileDescriptorProto_parse((const char *)descriptor, sizeof descriptor, arena);
    upb_Status status;
    upb_Status_Clear(&status);
    if (file == NULL) return sb_fail("the library refuses the descriptor");
    if (upb_DefPool_AddFile(pool, file, &status) == NULL)
        return sb_fail("%s", upb_Status_ErrorMessage(&status));
    upb_Arena_Free(arena);
    for (size_t m = 0, f = 0; m < MESSAGES; m++) {
        const upb_MessageDef *message = upb_DefPool_FindMessageByName(pool, names[m]);
        tables[m] = upb_MessageDef_MiniTable(message);
        for (int number = 1; number <= upb_MessageDef_FieldCount(message); number++)
            fields[f++] = upb_FieldDef_MiniTable(upb_MessageDef_FindFieldByNumber(message, (uint32_t)number));
    }
    return true;
}

#define SCALAR(kind, Name, type, call)                                                           \
    static inline void walk_##kind(sb_hash *h, const upb_Message *from, Field f) {               \
        call(h, upb_Message_Get##Name(from, f, 0));                                              \
    }                                                                                            \
    static inline void walk_##kind##_items(sb_hash *h, const upb_Message *from, Field f) {       \
        const upb_Array *items = upb_Message_GetArray(from, f);                                  \
        const size_t count = items == NULL ? 0 : upb_Array_Size(items);                          \
        for (size_t i = 0; i < count; i++) call(h, ((const type *)upb_Array_DataPtr(items))[i]); \
        sb_hash_count(h, count);                                                                 \
    }                                                                                            \
    static inline void put_##kind(upb_Message *to, Field f, type value) {                        \
        upb_Message_SetBaseField##Name(to, f, value);                                            \
    }

SCALAR(bool, Bool, bool, sb_hash_bool)
SCALAR(int32, Int32, int32_t, sb_hash_i64)
SCALAR(int64, Int64, int64_t, sb_hash_i64)
SCALAR(uint32, UInt32, uint32_t, sb_hash_u64)
SCALAR(uint64, UInt64, uint64_t, sb_hash_u64)
SCALAR(double, Double, double, sb_hash_f64)

static inline void walk_view(sb_hash *h, upb_StringView text) { sb_hash_str(h, text.data, text.size); }

static inline void walk_string(sb_hash *h, const upb_Message *from, Field f) {
    walk_view(h, upb_Message_GetString(from, f, (upb_StringView){"", 0}));
}

static inline void walk_string_items(sb_hash *h, const upb_Message *from, Field f) {
    const upb_Array *items = upb_Message_GetArray(from, f);
    const size_t count = items == NULL ? 0 : upb_Array_Size(items);
    for (size_t i = 0; i < count; i++) walk_view(h, upb_Array_Get(items, i).str_val);
    sb_hash_count(h, count);
}

static inline upb_StringView borrowed(const data_string *text) {
    return upb_StringView_FromDataAndSize(text->data, text->size);
}

static inline upb_Message *new_message(size_t table, upb_Arena *arena) {
    upb_Message *made = upb_Message_New(tables[table], arena);
    if (made == NULL) abort();
    return made;
}

/* The field's list, of a size. */
static inline upb_Array *list(upb_Message *to, Field f, size_t count, upb_Arena *arena) {
    upb_Array *made = upb_Message_GetOrCreateMutableArray(to, f, arena);
    if (made == NULL || !upb_Array_Resize(made, count, arena)) abort();
    return made;
}

static inline void put_items(upb_Message *to, Field f, const void *items, size_t count, size_t size,
                             upb_Arena *arena) {
    if (count > 0) memcpy(upb_Array_MutableDataPtr(list(to, f, count, arena)), items, count * size);
}

#include "messages.inc"

/* Decodes a root into the arena; NULL (see sb_fail) if it cannot be. */
static inline upb_Message *decode(const char *data, size_t size, upb_Arena *arena) {
    upb_Message *root = new_message(ROOT, arena);
    const upb_DecodeStatus status = upb_Decode(data, size, root, tables[ROOT], NULL, 0, arena);
    if (status == kUpb_DecodeStatus_Ok) return root;
    (void)sb_fail("%s", upb_DecodeStatus_String(status));
    return NULL;
}

/* It reports none. */
const char *sb_library_version(void) { return ""; }

#endif
