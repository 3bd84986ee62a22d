/* The extension module `serbench_core`: what of the worker must not take time of its own. */
#include "fragment.h"
#include "given.h"
#include "tape.h"
#include "task.h"
#include "values.h"
#include "walker.h"

static PyObject *read_tape(PyObject *self, PyObject *arguments) {
    const char *path;
    char error[512];
    sb_tree tree;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "s", &path)) return NULL;
    if (!sb_tree_read(&tree, path, error, sizeof error)) return PyErr_Format(PyExc_ValueError, "%s", error);
    PyObject *root = sb_object_of(tree.root);
    sb_tree_free(&tree);
    return root;
}

static PyObject *fragment_heap(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    sb_fragment_heap();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"read_tape", read_tape, METH_VARARGS, "read_tape(path) -> the value tree."},
    {"fragment_heap", fragment_heap, METH_NOARGS, "Fragment the heap as harness/c does."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "serbench_core",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit_serbench_core(void) {
    static PyTypeObject *const types[] = {&sb_given_type, &sb_words_type, &sb_task_type, &sb_walker_type};
    PyObject *module = PyModule_Create(&definition);
    bool ok = module != NULL && PyType_Ready(&sb_hash_type) == 0;
    for (size_t i = 0; ok && i < sizeof types / sizeof *types; i++)
        ok = PyModule_AddType(module, types[i]) == 0;
#ifdef Py_GIL_DISABLED
    /* One thread only comes here; without this word the import would turn the lock on for all. */
    ok = ok && PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED) == 0;
#endif
    if (!ok) Py_CLEAR(module);
    return module;
}
