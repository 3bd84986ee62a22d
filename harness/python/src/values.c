#include "values.h"

/* One level of a document is one call of hash_object, so a damaged one must not take the whole stack. */
enum { DEEPEST = 4096 };

/* --- of a tape -------------------------------------------------------------------------------------------
 */

/* The key, or the object that an equal key before it became. */
static PyObject *key_of(const sb_member *member, PyObject *known) {
    PyObject *key = PyUnicode_DecodeUTF8(member->key, (Py_ssize_t)member->key_length, NULL);
    if (key == NULL) return NULL;
    PyObject *kept = PyDict_SetDefault(known, key, key);
    Py_XINCREF(kept);
    Py_DECREF(key);
    return kept;
}

static PyObject *make(const sb_value *value, PyObject *known);

static PyObject *make_list(const sb_value *value, PyObject *known) {
    PyObject *list = PyList_New((Py_ssize_t)value->length);
    for (uint32_t i = 0; list != NULL && i < value->length; i++) {
        PyObject *item = make(&value->as.items[i], known);
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, item);
    }
    return list;
}

static PyObject *make_dict(const sb_value *value, PyObject *known) {
    PyObject *dict = PyDict_New();
    for (uint32_t i = 0; dict != NULL && i < value->length; i++) {
        const sb_member *member = &value->as.members[i];
        PyObject *key = key_of(member, known);
        PyObject *item = key == NULL ? NULL : make(&member->value, known);
        if (item == NULL || PyDict_SetItem(dict, key, item) < 0) Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(item);
    }
    return dict;
}

static PyObject *make(const sb_value *value, PyObject *known) {
    switch ((sb_type)value->type) {
        case SB_NIL: Py_RETURN_NONE;
        case SB_BOOL: return PyBool_FromLong(value->as.boolean);
        case SB_I64: return PyLong_FromLongLong(value->as.i64);
        case SB_U64: return PyLong_FromUnsignedLongLong(value->as.u64);
        case SB_F64: return PyFloat_FromDouble(value->as.f64);
        case SB_STR: return PyUnicode_DecodeUTF8(value->as.str, (Py_ssize_t)value->length, NULL);
        case SB_ARRAY: return make_list(value, known);
        case SB_MAP: return make_dict(value, known);
    }
    PyErr_SetString(PyExc_SystemError, "a tree has a value of no type");
    return NULL;
}

PyObject *sb_object_of(const sb_value *root) {
    PyObject *known = PyDict_New();
    PyObject *made = known == NULL ? NULL : make(root, known);
    Py_XDECREF(known);
    return made;
}

/* --- hashed ----------------------------------------------------------------------------------------------
 */

static bool hash_object(sb_hash *h, PyObject *object, int depth);

PyObject *sb_seen_scalars;

/* False with an exception if a scalar could not be kept. */
static bool see(const sb_hash *h, PyObject *object) {
    if (h->seen == NULL || sb_seen_scalars == NULL || !sb_is_scalar(object)) return true;
    return PyList_Append(sb_seen_scalars, object) == 0;
}

/* Room for a string's UTF-8; a string's own would stay with it, and keys that a library keeps would have one.
 */
static char *room;
static size_t room_size;

/* The UTF-8 of `count` characters of which at least one is not ASCII; its length, or -1 with an exception. */
static Py_ssize_t encode(PyObject *text, Py_ssize_t count) {
    int kind = (int)PyUnicode_KIND(text);
    const void *characters = PyUnicode_DATA(text);
    size_t most = (size_t)count * 4;
    if (most > room_size) {
        char *larger = PyMem_RawRealloc(room, most);
        if (larger == NULL) {
            (void)PyErr_NoMemory();
            return -1;
        }
        room = larger;
        room_size = most;
    }
    unsigned char *to = (unsigned char *)room;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, characters, i);
        if (c < 0x80) {
            *to++ = (unsigned char)c;
            continue;
        }
        if (c >= 0xd800 && c < 0xe000) {
            PyErr_SetString(PyExc_ValueError, "the decoded data contain half of a surrogate pair");
            return -1;
        }
        if (c < 0x800) {
            *to++ = (unsigned char)(0xc0 | c >> 6);
        } else {
            if (c < 0x10000) {
                *to++ = (unsigned char)(0xe0 | c >> 12);
            } else {
                *to++ = (unsigned char)(0xf0 | c >> 18);
                *to++ = (unsigned char)(0x80 | (c >> 12 & 0x3f));
            }
            *to++ = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        }
        *to++ = (unsigned char)(0x80 | (c & 0x3f));
    }
    return (char *)to - room;
}

static bool hash_text(sb_hash *h, PyObject *text) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return false; /* a string of a kind that only 3.11 still has */
#endif
    Py_ssize_t count = PyUnicode_GET_LENGTH(text);
    if (PyUnicode_IS_ASCII(text)) {
        sb_hash_str(h, PyUnicode_DATA(text), (size_t)count);
        return true;
    }
    Py_ssize_t size = encode(text, count);
    if (size < 0) return false;
    sb_hash_str(h, room, (size_t)size);
    return true;
}

static bool hash_int(sb_hash *h, PyObject *number) {
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        if (value == -1 && PyErr_Occurred()) return false;
        if (value < 0)
            sb_hash_i64(h, value);
        else
            sb_hash_u64(h, (uint64_t)value);
        return true;
    }
    uint64_t natural = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_SetString(PyExc_OverflowError, "the decoded data contain an integer beyond 64 bits");
        return false;
    }
    sb_hash_u64(h, natural);
    return true;
}

static bool hash_key(sb_hash *h, PyObject *key) {
    if (PyUnicode_Check(key)) return see(h, key) && hash_text(h, key);
    PyErr_Format(PyExc_TypeError, "the decoded data contain a key that is a %s", Py_TYPE(key)->tp_name);
    return false;
}

static bool hash_dict(sb_hash *h, PyObject *dict, int depth) {
    Py_ssize_t place = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &place, &key, &value))
        if (!hash_key(h, key) || !hash_object(h, value, depth)) return false;
    sb_hash_count(h, (size_t)PyDict_GET_SIZE(dict));
    return true;
}

/* What is no dict and has items, such as the multi-map of Ion: as its own method yields them. */
static bool hash_mapping(sb_hash *h, PyObject *mapping, int depth) {
    PyObject *items = PyMapping_Items(mapping);
    if (items == NULL) return false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i);
        ok = PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2 && hash_key(h, PyTuple_GET_ITEM(pair, 0)) &&
             hash_object(h, PyTuple_GET_ITEM(pair, 1), depth);
    }
    if (ok) sb_hash_count(h, (size_t)PyList_GET_SIZE(items));
    Py_DECREF(items);
    return ok;
}

/* A list, a tuple, or another sequence. */
static bool hash_sequence(sb_hash *h, PyObject *sequence, int depth) {
    PyObject *items = PySequence_Fast(sequence, "the decoded data contain no sequence");
    if (items == NULL) return false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PySequence_Fast_GET_SIZE(items); i++)
        ok = hash_object(h, PySequence_Fast_GET_ITEM(items, i), depth);
    if (ok) sb_hash_count(h, (size_t)PySequence_Fast_GET_SIZE(items));
    Py_DECREF(items);
    return ok;
}

/* A Decimal: the integer that it is, or the nearest double. */
static bool hash_decimal(sb_hash *h, PyObject *number) {
    double nearest = PyFloat_AsDouble(number);
    if (nearest == -1.0 && PyErr_Occurred()) return false;
    if (isfinite(nearest) && fabs(nearest) < 0x1p65 && nearest != 0.0) {
        PyObject *whole = PyNumber_Long(number);
        int same = whole == NULL ? -1 : PyObject_RichCompareBool(whole, number, Py_EQ);
        bool ok = same >= 0 && (same == 0 || hash_int(h, whole));
        Py_XDECREF(whole);
        if (!ok || same == 1) return ok;
    }
    sb_hash_f64(h, nearest);
    return true;
}

static bool is_decimal(PyObject *object) {
    for (PyTypeObject *type = Py_TYPE(object); type != NULL; type = type->tp_base)
        if (strcmp(type->tp_name, "decimal.Decimal") == 0) return true;
    return false;
}

bool sb_is_scalar(PyObject *object) {
    return object == Py_None || PyUnicode_Check(object) || PyLong_Check(object) || PyFloat_Check(object) ||
           is_decimal(object);
}

/* What is none of Python's own types exactly. */
static bool hash_other(sb_hash *h, PyObject *object, int depth) {
    if (PyUnicode_Check(object)) return hash_text(h, object);
    if (PyLong_Check(object)) return hash_int(h, object);
    if (PyFloat_Check(object)) {
        sb_hash_f64(h, PyFloat_AS_DOUBLE(object));
        return true;
    }
    if (PyDict_Check(object)) return hash_dict(h, object, depth);
    if (PyList_Check(object) || PyTuple_Check(object)) return hash_sequence(h, object, depth);
    if (is_decimal(object)) return hash_decimal(h, object);
    bool bytes = PyBytes_Check(object) || PyByteArray_Check(object) || PyMemoryView_Check(object);
    if (!bytes && PyMapping_Check(object) && PyObject_HasAttrString(object, "items"))
        return hash_mapping(h, object, depth);
    if (!bytes && PySequence_Check(object)) return hash_sequence(h, object, depth);
    PyErr_Format(PyExc_TypeError, "the decoded data contain a %s", Py_TYPE(object)->tp_name);
    return false;
}

static bool hash_object(sb_hash *h, PyObject *object, int depth) {
    if (depth > DEEPEST) {
        PyErr_SetString(PyExc_RecursionError, "the decoded data are nested deeper than any document");
        return false;
    }
    if (!see(h, object)) return false;
    if (PyUnicode_CheckExact(object)) return hash_text(h, object);
    if (object == Py_None) {
        sb_hash_nil(h);
    } else if (object == Py_True || object == Py_False) {
        sb_hash_bool(h, object == Py_True);
    } else if (PyFloat_CheckExact(object)) {
        sb_hash_f64(h, PyFloat_AS_DOUBLE(object));
    } else if (PyLong_CheckExact(object)) {
        return hash_int(h, object);
    } else if (PyDict_CheckExact(object)) {
        return hash_dict(h, object, depth + 1);
    } else if (PyList_CheckExact(object)) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(object); i++)
            if (!hash_object(h, PyList_GET_ITEM(object, i), depth + 1)) return false;
        sb_hash_count(h, (size_t)PyList_GET_SIZE(object));
    } else {
        return hash_other(h, object, depth + 1);
    }
    return true;
}

bool sb_hash_object(sb_hash *h, PyObject *object) { return hash_object(h, object, 0); }
