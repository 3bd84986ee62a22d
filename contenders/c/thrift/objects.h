/* What the code of generate.py calls: how values of thrift's objects are hashed. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <serbench/contender.h>
#include <serbench/hash.h>
#include <string.h>
#include <thrift/c_glib/config.h>
#include <thrift/c_glib/protocol/thrift_compact_protocol.h>
#include <thrift/c_glib/transport/thrift_memory_buffer.h>

#include "data.h"
#include "data_types.c"

static inline void walk_bool(sb_hash *h, gboolean value) { sb_hash_bool(h, value); }
static inline void walk_int32(sb_hash *h, gint32 value) { sb_hash_i64(h, value); }
static inline void walk_uint32(sb_hash *h, gint64 value) { sb_hash_i64(h, value); }
static inline void walk_int64(sb_hash *h, gint64 value) { sb_hash_i64(h, value); }
static inline void walk_double(sb_hash *h, gdouble value) { sb_hash_f64(h, value); }
/* An empty string may be NULL. */
static inline void walk_string(sb_hash *h, const gchar *text) {
    sb_hash_str(h, text, text == NULL ? 0 : strlen(text));
}

#include "objects.inc"

/* The finalize of the compiler's classes, and of the buffer, does not call that of their parent, as GObject's
 * manual demands: each object would leak 48 bytes. */
#define MENDED(name)                                                        \
    static void (*own_##name)(GObject *);                                   \
    static void finalize_##name(GObject *object) {                          \
        own_##name(object);                                                 \
        G_OBJECT_CLASS(g_type_class_peek(G_TYPE_OBJECT))->finalize(object); \
    }
CLASSES(MENDED)
MENDED(thrift_memory_buffer)

#define MEND(name)                                                                \
    {                                                                             \
        GObjectClass *made = G_OBJECT_CLASS(g_type_class_ref(name##_get_type())); \
        own_##name = made->finalize;                                              \
        made->finalize = finalize_##name;                                         \
    }

bool sb_setup(void) {
    CLASSES(MEND)
    MEND(thrift_memory_buffer)
    return true;
}

static inline bool failed(GError *error) {
    (void)sb_fail("%s", error == NULL ? "the library tells no error" : error->message);
    g_clear_error(&error);
    return false;
}

/* A protocol over a buffer that has the bytes, and frees them when the protocol is freed. */
static inline ThriftProtocol *protocol_over(GByteArray *bytes) {
    ThriftMemoryBuffer *buffer = g_object_new(THRIFT_TYPE_MEMORY_BUFFER, "buf", bytes, NULL);
    ThriftProtocol *protocol = g_object_new(THRIFT_TYPE_COMPACT_PROTOCOL, "transport", buffer, NULL);
    g_object_unref(buffer);
    return protocol;
}

/* A new root; NULL (see sb_fail) if the library refuses the bytes. The buffer removes what it has read. */
static inline Root *decode(const char *data, size_t size) {
    GError *error = NULL;
    GByteArray *bytes = g_byte_array_sized_new((guint)size);
    ThriftProtocol *protocol = protocol_over(g_byte_array_append(bytes, (const guint8 *)data, (guint)size));
    Root *root = NEW_ROOT;
    const bool good = thrift_struct_read(THRIFT_STRUCT(root), protocol, &error) >= 0;
    g_object_unref(protocol);
    if (good) return root;
    g_object_unref(root);
    (void)failed(error);
    return NULL;
}

const char *sb_library_version(void) { return PACKAGE_VERSION; }

#endif
