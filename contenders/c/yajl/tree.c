#include <yajl/yajl_tree.h>
#include <yajl/yajl_version.h>

#include "number.h"

static bool walk(yajl_val value, sb_hash *h) {
    switch (value->type) {
        case yajl_t_null: sb_hash_nil(h); return true;
        case yajl_t_true: sb_hash_bool(h, true); return true;
        case yajl_t_false: sb_hash_bool(h, false); return true;
        case yajl_t_string: sb_hash_str(h, value->u.string, strlen(value->u.string)); return true;
        case yajl_t_number:
            if (YAJL_IS_INTEGER(value))
                sb_hash_i64(h, YAJL_GET_INTEGER(value));
            else if (YAJL_IS_DOUBLE(value) && strpbrk(YAJL_GET_NUMBER(value), ".eE") != NULL)
                sb_hash_f64(h, YAJL_GET_DOUBLE(value));
            else
                return hash_number(h, YAJL_GET_NUMBER(value), strlen(YAJL_GET_NUMBER(value)));
            return true;
        case yajl_t_array:
            for (size_t i = 0; i < value->u.array.len; i++)
                if (!walk(value->u.array.values[i], h)) return false;
            sb_hash_count(h, value->u.array.len);
            return true;
        case yajl_t_object:
            for (size_t i = 0; i < value->u.object.len; i++) {
                sb_hash_str(h, value->u.object.keys[i], strlen(value->u.object.keys[i]));
                if (!walk(value->u.object.values[i], h)) return false;
            }
            sb_hash_count(h, value->u.object.len);
            return true;
        default: return sb_fail("unknown type %d", (int)value->type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    char error[1024];
    (void)size; /* it reads up to the zero byte after the data */
    yajl_val root = yajl_tree_parse(data, error, sizeof error);
    if (root == NULL) return sb_fail("%s", error);
    bool good = walk(root, h);
    yajl_tree_free(root);
    return good;
}

const char *sb_library_version(void) { return SB_VERSION_3(YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO); }
