#include "task.h"

#include "given.h"
#include "heap.h"
#include "overhead.h"
#include "values.h"
#include "walker.h"

/* --- reading ---------------------------------------------------------------------------------------------
 */

/* The value at `path` in plain dicts and lists, a new reference; NULL with an exception. */
static PyObject *follow(PyObject *document, PyObject *path) {
    PyObject *value = Py_NewRef(document);
    for (Py_ssize_t i = 0; value != NULL && i < PyList_GET_SIZE(path); i++) {
        PyObject *next = PyObject_GetItem(value, PyList_GET_ITEM(path, i));
        Py_DECREF(value);
        value = next;
    }
    return value;
}

static bool look_up(sb_task *task, PyObject *document, PyObject *paths) {
    Py_ssize_t count = PyList_GET_SIZE(paths);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *path = PyList_GET_ITEM(paths, i);
        PyObject *both[] = {document, path};
        PyObject *value =
            task->find == NULL ? follow(document, path) : PyObject_Vectorcall(task->find, both, 2, NULL);
        if (value == NULL) return false;
        bool scalar = sb_is_scalar(value);
        bool ok = scalar && sb_hash_object(&task->hash->h, value);
        Py_DECREF(value);
        if (!scalar) PyErr_Format(PyExc_LookupError, "there is no scalar at %R", path);
        if (!ok) return false;
    }
    sb_hash_count(&task->hash->h, (size_t)count);
    return true;
}

/* Hashes what was read. */
static bool consume(sb_task *task, PyObject *value, PyObject *paths) {
    sb_hash *h = &task->hash->h;
    if (Py_IS_TYPE(value, &sb_words_type)) {
        PyObject *bytes = sb_words_bytes(value);
        h->state = sb_hash_whole_words(h->state, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
        return true;
    }
    if (task->walk != NULL && Py_IS_TYPE(task->walk, &sb_walker_type))
        return sb_walker_hash(task->walk, h, value);
    if (task->walk != NULL) {
        PyObject *both[] = {value, (PyObject *)task->hash};
        PyObject *done = PyObject_Vectorcall(task->walk, both, 2, NULL);
        Py_XDECREF(done);
        return done != NULL;
    }
    return paths != NULL ? look_up(task, value, paths) : sb_hash_object(h, value);
}

PyObject *sb_task_copy(const sb_work *work) {
    sb_heap_ignore(true);
    PyObject *copy =
        PyBytes_FromStringAndSize(PyBytes_AS_STRING(work->argument), PyBytes_GET_SIZE(work->argument));
    sb_heap_ignore(false);
    return copy;
}

static bool read_one(sb_task *task, const sb_work *work) {
    PyObject *copy = sb_task_copy(work);
    PyObject *value = copy == NULL ? NULL : PyObject_CallOneArg(work->function, copy);
    bool ok = value != NULL && consume(task, value, work->paths);
    Py_XDECREF(value);
    Py_XDECREF(copy);
    return ok;
}

/* --- writing ---------------------------------------------------------------------------------------------
 */

PyObject *sb_task_write(const sb_work *work) {
    PyObject *output = PyObject_CallOneArg(work->function, work->argument);
    if (output != NULL && PyUnicode_Check(output)) {
        PyObject *bytes = PyUnicode_AsUTF8String(output);
        Py_DECREF(output);
        return bytes;
    }
    if (output != NULL && !PyObject_CheckBuffer(output)) {
        PyErr_Format(PyExc_TypeError, "the contender wrote a %s, neither bytes nor a string",
                     Py_TYPE(output)->tp_name);
        Py_CLEAR(output);
    }
    return output;
}

static bool write_one(sb_task *task, const sb_work *work) {
    PyObject *output = sb_task_write(work);
    if (output == NULL) return false;
    bool ok = true;
    if (PyBytes_CheckExact(output)) {
        sb_hash_str(&task->hash->h, PyBytes_AS_STRING(output), (size_t)PyBytes_GET_SIZE(output));
    } else {
        Py_buffer view;
        ok = PyObject_GetBuffer(output, &view, PyBUF_SIMPLE) == 0;
        if (ok) {
            sb_hash_str(&task->hash->h, view.buf, (size_t)view.len);
            PyBuffer_Release(&view);
        }
    }
    Py_DECREF(output);
    return ok;
}

bool sb_task_run(sb_task *task) {
    for (Py_ssize_t i = 0; i < task->count; i++)
        if (!(task->reads ? read_one(task, &task->works[i]) : write_one(task, &task->works[i]))) return false;
    return true;
}

/* --- the object ------------------------------------------------------------------------------------------
 */

static void task_free(PyObject *self) {
    sb_task *task = (sb_task *)self;
    sb_own_free(task);
    for (Py_ssize_t i = 0; i < task->count; i++) {
        Py_XDECREF(task->works[i].function);
        Py_XDECREF(task->works[i].argument);
        Py_XDECREF(task->works[i].paths);
    }
    PyMem_Free(task->works);
    Py_XDECREF(task->walk);
    Py_XDECREF(task->find);
    Py_XDECREF((PyObject *)task->hash);
    Py_TYPE(self)->tp_free(self);
}

/* Takes (function, argument, paths or None). */
static bool take_work(sb_task *task, PyObject *tuple) {
    PyObject *function, *argument, *paths;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "a document is a tuple");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "OOO", &function, &argument, &paths)) return false;
    if (task->reads && !PyBytes_CheckExact(argument)) {
        PyErr_SetString(PyExc_TypeError, "a reader's input is bytes");
        return false;
    }
    bool good = paths == Py_None || PyList_CheckExact(paths);
    for (Py_ssize_t i = 0; good && paths != Py_None && i < PyList_GET_SIZE(paths); i++)
        good = PyList_CheckExact(PyList_GET_ITEM(paths, i));
    if (!good) {
        PyErr_SetString(PyExc_TypeError, "paths are lists of keys and indexes");
        return false;
    }
    sb_work *work = &task->works[task->count++];
    work->function = Py_NewRef(function);
    work->argument = Py_NewRef(argument);
    work->paths = paths == Py_None ? NULL : Py_NewRef(paths);
    return true;
}

static PyObject *task_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    PyObject *works, *walk, *find;
    int reads;
    if (names != NULL || !PyArg_ParseTuple(arguments, "pO!OO", &reads, &PyList_Type, &works, &walk, &find)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "Task takes no names");
        return NULL;
    }
    sb_task *task = (sb_task *)type->tp_alloc(type, 0);
    if (task == NULL) return NULL;
    task->reads = reads != 0;
    task->walk = walk == Py_None ? NULL : Py_NewRef(walk);
    task->find = find == Py_None ? NULL : Py_NewRef(find);
    task->hash = (sb_hash_holder *)sb_hash_type.tp_alloc(&sb_hash_type, 0);
    task->works = PyMem_Calloc((size_t)PyList_GET_SIZE(works) + 1, sizeof *task->works);
    bool ok = task->hash != NULL && task->works != NULL;
    if (task->works == NULL) (void)PyErr_NoMemory();
    for (Py_ssize_t i = 0; ok && i < PyList_GET_SIZE(works); i++)
        ok = take_work(task, PyList_GET_ITEM(works, i));
    if (!ok) Py_CLEAR(task);
    return (PyObject *)task;
}

static PyMethodDef methods[] = {
    {"hashes", sb_task_hashes, METH_VARARGS,
     "hashes(path) -> content and exact hash; what it saw at `path`."},
    {"outputs", sb_task_outputs, METH_NOARGS, "outputs() -> what a writer writes of each document."},
    {"sample", sb_task_sample, METH_VARARGS,
     "sample(iterations, chunks, warmup) -> wall, cpu, faults, hash."},
    {"overhead", sb_task_overhead, METH_VARARGS, "The same of what the harness itself does."},
    {"count", sb_task_count, METH_VARARGS, "count(iterations) -> hash."},
    {"heap", sb_task_heap, METH_NOARGS, "heap() -> allocations, bytes and peak, or None without a counter."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject sb_task_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "serbench_core.Task",
    .tp_basicsize = sizeof(sb_task),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = methods,
    .tp_new = task_new,
    .tp_dealloc = task_free,
};
