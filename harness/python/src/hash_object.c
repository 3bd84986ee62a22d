#include "hash_object.h"

#include "values.h"

static PyObject *value(PyObject *self, PyObject *object) {
    if (!sb_hash_object(&((sb_hash_holder *)self)->h, object)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *count(PyObject *self, PyObject *number) {
    size_t elements = PyLong_AsSize_t(number);
    if (elements == (size_t)-1 && PyErr_Occurred()) return NULL;
    sb_hash_count(&((sb_hash_holder *)self)->h, elements);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"value", value, METH_O, "Mix a key, a scalar, or a whole tree."},
    {"count", count, METH_O, "End an array or a map: the number of its elements or entries."},
    {NULL, NULL, 0, NULL},
};

/* No tp_new: only a task makes one. */
PyTypeObject sb_hash_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "serbench_core.Hash",
    .tp_basicsize = sizeof(sb_hash_holder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = methods,
};
