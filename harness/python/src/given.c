#include "given.h"

#include <stddef.h>

#include "values.h"

typedef struct given {
    PyObject ob_base;
    vectorcallfunc call;
    PyObject *value;
} given;

static PyObject *call(PyObject *self, PyObject *const *Py_UNUSED(arguments), size_t count, PyObject *names) {
    given *own = (given *)self;
    if (PyVectorcall_NARGS(count) != 1 || names != NULL) {
        PyErr_SetString(PyExc_TypeError, "Given takes one argument");
        return NULL;
    }
    return Py_NewRef(own->value);
}

static PyObject *given_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *known[] = {"value", NULL};
    PyObject *value;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O", known, &value)) return NULL;
    given *own = (given *)type->tp_alloc(type, 0);
    if (own == NULL) return NULL;
    own->call = call;
    own->value = Py_NewRef(value);
    return (PyObject *)own;
}

static void given_free(PyObject *self) {
    Py_XDECREF(((given *)self)->value);
    Py_TYPE(self)->tp_free(self);
}

PyTypeObject sb_given_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "serbench_core.Given",
    .tp_basicsize = sizeof(given),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(given, call),
    .tp_call = PyVectorcall_Call,
    .tp_new = given_new,
    .tp_dealloc = given_free,
};

typedef struct words {
    PyObject ob_base;
    PyObject *bytes;
} words;

static PyObject *words_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    PyObject *bytes;
    if (names != NULL || !PyArg_ParseTuple(arguments, "S", &bytes)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "Words takes bytes");
        return NULL;
    }
    words *own = (words *)type->tp_alloc(type, 0);
    if (own != NULL) own->bytes = Py_NewRef(bytes);
    return (PyObject *)own;
}

static void words_free(PyObject *self) {
    Py_XDECREF(((words *)self)->bytes);
    Py_TYPE(self)->tp_free(self);
}

PyTypeObject sb_words_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "serbench_core.Words",
    .tp_basicsize = sizeof(words),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = words_new,
    .tp_dealloc = words_free,
};

PyObject *sb_words_bytes(PyObject *self) { return ((words *)self)->bytes; }
