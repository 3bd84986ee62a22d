#include "walker.h"

#include "values.h"

/* The last two are of classes whose messages stand for a list in a list, for a null and for an entry of a
 * map. */
typedef enum kind { SCALAR, LIST, MAP, ENTRIES, BOXED, MESSAGE, WITHIN, KEYED } kind;

typedef enum presence {
    ALWAYS,
    OPTIONAL, /* absent if the attribute is `absent`, or not in `fields_set` */
    SKIPPED,  /* absent if HasField(name) is false */
    NULLED    /* null if HasField(name) is false */
} presence;

typedef struct field {
    PyObject *key;
    PyObject *name; /* of the attribute, interned */
    Py_ssize_t place;
    int presence;
} field;

typedef struct shape {
    kind kind;
    Py_ssize_t place; /* of what a list, a map or a box has in it */
    field *fields;
    Py_ssize_t count;
} shape;

typedef struct walker {
    PyObject ob_base;
    shape *shapes;
    Py_ssize_t count;
    PyObject *absent;
    PyObject *fields_set; /* NULL, or the name of the attribute */
    int items;            /* whether messages are dicts, and not objects with attributes */
    PyObject *key, *value, *has_field;
} walker;

/* --- the walk --------------------------------------------------------------------------------------------
 */

static bool walk(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *object);

static bool walk_list(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *list) {
    PyObject *items = PySequence_Fast(list, "the schema has a list where the object has none");
    if (items == NULL) return false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PySequence_Fast_GET_SIZE(items); i++)
        ok = walk(own, h, place, PySequence_Fast_GET_ITEM(items, i));
    if (ok) sb_hash_count(h, (size_t)PySequence_Fast_GET_SIZE(items));
    Py_DECREF(items);
    return ok;
}

static bool walk_map(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *map) {
    Py_ssize_t next = 0;
    PyObject *key, *value;
    if (!PyDict_Check(map)) {
        PyErr_Format(PyExc_TypeError, "the schema has a map where the object has a %s",
                     Py_TYPE(map)->tp_name);
        return false;
    }
    while (PyDict_Next(map, &next, &key, &value))
        if (!sb_hash_object(h, key) || !walk(own, h, place, value)) return false;
    sb_hash_count(h, (size_t)PyDict_GET_SIZE(map));
    return true;
}

/* What a message has under a name: a new reference. */
static PyObject *get(const walker *own, PyObject *object, PyObject *name) {
    return own->items ? PyObject_GetItem(object, name) : PyObject_GetAttr(object, name);
}

static bool walk_part(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *object, PyObject *name) {
    PyObject *part = PyObject_GetItem(object, name);
    bool ok = part != NULL && walk(own, h, place, part);
    Py_XDECREF(part);
    return ok;
}

/* The scalar of a list's entry `{key, value}`, which stands for that of a map. */
static bool hash_key(const walker *own, sb_hash *h, PyObject *entry) {
    PyObject *key = PyObject_GetItem(entry, own->key);
    bool ok = key != NULL && sb_hash_object(h, key);
    Py_XDECREF(key);
    return ok;
}

static bool walk_entries(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *list) {
    PyObject *entries = PySequence_Fast(list, "the schema has a map where the object has no list of entries");
    if (entries == NULL) return false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PySequence_Fast_GET_SIZE(entries); i++) {
        PyObject *entry = PySequence_Fast_GET_ITEM(entries, i);
        ok = hash_key(own, h, entry) && walk_part(own, h, place, entry, own->value);
    }
    if (ok) sb_hash_count(h, (size_t)PySequence_Fast_GET_SIZE(entries));
    Py_DECREF(entries);
    return ok;
}

/* Whether HasField(name) of a message is true, or -1 with an exception. */
static int has_field(const walker *own, PyObject *object, PyObject *name) {
    PyObject *answer = PyObject_CallMethodOneArg(object, own->has_field, name);
    int has = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return has;
}

/* Whether a field of `object` is there, or -1 with an exception. */
static int is_present(const walker *own, const field *one, PyObject *object, PyObject *set, PyObject *value) {
    switch ((presence)one->presence) {
        case OPTIONAL: return set == NULL ? value != own->absent : PySet_Contains(set, one->name);
        case SKIPPED: return has_field(own, object, one->name);
        case ALWAYS:
        case NULLED: break;
    }
    return 1;
}

/* The value of a field that is there, in which a message may have null. */
static bool walk_field(const walker *own, sb_hash *h, const field *one, PyObject *object, PyObject *value) {
    if (one->presence == NULLED) {
        int has = has_field(own, object, one->name);
        if (has <= 0) return has == 0 && sb_hash_object(h, Py_None);
    }
    return walk(own, h, one->place, value);
}

/* What a message has in the field that it is there for. */
static bool walk_within(const walker *own, sb_hash *h, const field *one, PyObject *object) {
    PyObject *value = PyObject_GetAttr(object, one->name);
    bool ok = value != NULL && walk_field(own, h, one, object, value);
    Py_XDECREF(value);
    return ok;
}

/* A map as a list of messages with a key and a value. */
static bool walk_keyed(const walker *own, sb_hash *h, const field *one, PyObject *list) {
    PyObject *items = PySequence_Fast(list, "the schema has a map where the object has no list of entries");
    if (items == NULL) return false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PySequence_Fast_GET_SIZE(items); i++) {
        PyObject *entry = PySequence_Fast_GET_ITEM(items, i);
        PyObject *key = PyObject_GetAttr(entry, own->key);
        ok = key != NULL && sb_hash_object(h, key) && walk_within(own, h, one, entry);
        Py_XDECREF(key);
    }
    if (ok) sb_hash_count(h, (size_t)PySequence_Fast_GET_SIZE(items));
    Py_DECREF(items);
    return ok;
}

static bool walk_message(const walker *own, sb_hash *h, const shape *type, PyObject *object) {
    PyObject *set = own->fields_set == NULL ? NULL : PyObject_GetAttr(object, own->fields_set);
    if (set == NULL && own->fields_set != NULL) return false;
    size_t found = 0;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < type->count; i++) {
        const field *one = &type->fields[i];
        PyObject *value = get(own, object, one->name);
        int present = value == NULL ? -1 : is_present(own, one, object, set, value);
        ok = present == 0 ||
             (present > 0 && sb_hash_object(h, one->key) && walk_field(own, h, one, object, value));
        found += present > 0;
        Py_XDECREF(value);
    }
    if (ok) sb_hash_count(h, found);
    Py_XDECREF(set);
    return ok;
}

static bool walk(const walker *own, sb_hash *h, Py_ssize_t place, PyObject *object) {
    const shape *type = &own->shapes[place];
    if (object == Py_None) return sb_hash_object(h, object);
    switch (type->kind) {
        case SCALAR:
            if (sb_is_scalar(object)) return sb_hash_object(h, object);
            PyErr_Format(PyExc_TypeError, "the schema has a scalar where the object has a %s",
                         Py_TYPE(object)->tp_name);
            return false;
        case LIST: return walk_list(own, h, type->place, object);
        case MAP: return walk_map(own, h, type->place, object);
        case ENTRIES: return walk_entries(own, h, type->place, object);
        case BOXED: return walk_part(own, h, type->place, object, own->value);
        case WITHIN: return walk_within(own, h, type->fields, object);
        case KEYED: return walk_keyed(own, h, type->fields, object);
        case MESSAGE: break;
    }
    return walk_message(own, h, type, object);
}

bool sb_walker_hash(PyObject *self, sb_hash *h, PyObject *object) {
    const walker *own = (const walker *)self;
    return walk(own, h, own->count - 1, object);
}

/* --- the table -------------------------------------------------------------------------------------------
 */

/* Whether `place` is that of an earlier shape than the one that is being read, so that a walk ends. */
static bool is_earlier(const walker *own, Py_ssize_t place) {
    if (place >= 0 && place < own->count) return true;
    PyErr_SetString(PyExc_ValueError, "a shape has another in it that is no earlier one");
    return false;
}

static bool take_field(const walker *own, shape *type, PyObject *tuple) {
    PyObject *key, *name;
    Py_ssize_t place;
    int presence;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "a field is a tuple");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "UUni", &key, &name, &place, &presence) || !is_earlier(own, place))
        return false;
    if (presence < ALWAYS || presence > NULLED) {
        PyErr_SetString(PyExc_ValueError, "a field has no known presence");
        return false;
    }
    name = Py_NewRef(name);
    PyUnicode_InternInPlace(&name);
    type->fields[type->count++] =
        (field){.key = Py_NewRef(key), .name = name, .place = place, .presence = presence};
    return true;
}

static bool is_container(const char *name, kind *found) {
    static const char *const names[] = {
        [LIST] = "list", [MAP] = "map", [ENTRIES] = "entries", [BOXED] = "boxed"};
    for (kind each = LIST; each <= BOXED; each++) {
        if (strcmp(name, names[each]) != 0) continue;
        *found = each;
        return true;
    }
    return false;
}

static bool take_shape(walker *own, PyObject *tuple) {
    const char *name;
    PyObject *what = NULL;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "a shape is a tuple");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "s|O", &name, &what)) return false;
    shape *type = &own->shapes[own->count];
    bool ok = true;
    if (strcmp(name, "message") == 0 && what != NULL && PyTuple_Check(what)) {
        type->kind = MESSAGE;
        type->fields = PyMem_Calloc((size_t)PyTuple_GET_SIZE(what) + 1, sizeof *type->fields);
        if (type->fields == NULL) (void)PyErr_NoMemory();
        ok = type->fields != NULL;
        for (Py_ssize_t i = 0; ok && i < PyTuple_GET_SIZE(what); i++)
            ok = take_field(own, type, PyTuple_GET_ITEM(what, i));
    } else if (is_container(name, &type->kind) && what != NULL) {
        type->place = PyLong_AsSsize_t(what);
        ok = !PyErr_Occurred() && is_earlier(own, type->place);
    } else if ((strcmp(name, "within") == 0 || strcmp(name, "keyed") == 0) && what != NULL) {
        type->kind = name[0] == 'w' ? WITHIN : KEYED;
        type->fields = PyMem_Calloc(1, sizeof *type->fields);
        if (type->fields == NULL) (void)PyErr_NoMemory();
        ok = type->fields != NULL && take_field(own, type, what);
    } else if (strcmp(name, "scalar") != 0) {
        PyErr_SetString(PyExc_ValueError, "a shape is of no known kind");
        ok = false;
    }
    own->count++; /* also of one that failed: walker_free frees what it has */
    return ok;
}

static void walker_free(PyObject *self) {
    walker *own = (walker *)self;
    for (Py_ssize_t i = 0; i < own->count; i++) {
        for (Py_ssize_t k = 0; k < own->shapes[i].count; k++) {
            Py_DECREF(own->shapes[i].fields[k].key);
            Py_DECREF(own->shapes[i].fields[k].name);
        }
        PyMem_Free(own->shapes[i].fields);
    }
    PyMem_Free(own->shapes);
    Py_XDECREF(own->absent);
    Py_XDECREF(own->fields_set);
    Py_XDECREF(own->key);
    Py_XDECREF(own->value);
    Py_XDECREF(own->has_field);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *walker_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    PyObject *shapes, *absent, *fields_set;
    int items = 0;
    if (names != NULL ||
        !PyArg_ParseTuple(arguments, "O!OU|p", &PyList_Type, &shapes, &absent, &fields_set, &items)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "Walker takes no names");
        return NULL;
    }
    walker *own = (walker *)type->tp_alloc(type, 0);
    if (own == NULL) return NULL;
    own->absent = Py_NewRef(absent);
    own->items = items;
    own->key = PyUnicode_InternFromString("key");
    own->value = PyUnicode_InternFromString("value");
    own->has_field = PyUnicode_InternFromString("HasField");
    own->fields_set = PyUnicode_GET_LENGTH(fields_set) == 0 ? NULL : Py_NewRef(fields_set);
    if (own->fields_set != NULL) PyUnicode_InternInPlace(&own->fields_set);
    own->shapes = PyMem_Calloc((size_t)PyList_GET_SIZE(shapes) + 1, sizeof *own->shapes);
    bool ok = own->shapes != NULL && own->key != NULL && own->value != NULL && own->has_field != NULL;
    if (!ok) (void)PyErr_NoMemory();
    for (Py_ssize_t i = 0; ok && i < PyList_GET_SIZE(shapes); i++)
        ok = take_shape(own, PyList_GET_ITEM(shapes, i));
    if (ok && own->count == 0) {
        PyErr_SetString(PyExc_ValueError, "there is no shape");
        ok = false;
    }
    if (!ok) Py_CLEAR(own);
    return (PyObject *)own;
}

PyTypeObject sb_walker_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "serbench_core.Walker",
    .tp_basicsize = sizeof(walker),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = walker_new,
    .tp_dealloc = walker_free,
};
