#include "overhead.h"

#include "calls.h"
#include "seen.h"
#include "values.h"

/* Scalars of one type follow each other, strings by their lengths, so that no branch has to guess which comes
 * next, or where a string ends. So the hash is not that of the reader. */
struct sb_own {
    PyObject **scalars;
    Py_ssize_t count;
    sb_calls *calls; /* of which the counts are taken */
    char *record;
    size_t *sizes; /* of a writer's outputs */
    char *block;   /* as many bytes as the most of them */
};

static int by_length(const void *a, const void *b) {
    PyObject *const *x = a, *const *y = b;
    Py_ssize_t first = PyUnicode_GET_LENGTH(*x), second = PyUnicode_GET_LENGTH(*y);
    return first < second ? -1 : first > second;
}

static int group_of(PyObject *scalar) {
    if (PyUnicode_CheckExact(scalar)) return 3;
    if (PyLong_CheckExact(scalar)) return 1;
    return PyFloat_CheckExact(scalar) ? 2 : 0;
}

static bool take_scalars(sb_own *own, PyObject *list) {
    Py_ssize_t count = PyList_GET_SIZE(list);
    own->scalars = PyMem_Calloc((size_t)count + 1, sizeof *own->scalars);
    if (own->scalars == NULL) {
        (void)PyErr_NoMemory();
        return false;
    }
    for (int group = 0; group < 4; group++)
        for (Py_ssize_t i = 0; i < count; i++)
            if (group_of(PyList_GET_ITEM(list, i)) == group)
                own->scalars[own->count++] = Py_NewRef(PyList_GET_ITEM(list, i));
    Py_ssize_t first = own->count;
    while (first > 0 && PyUnicode_CheckExact(own->scalars[first - 1])) first--;
    qsort(own->scalars + first, (size_t)(own->count - first), sizeof *own->scalars, by_length);
    return true;
}

static bool record_reader(sb_task *task, sb_own *own) {
    size_t size = 0;
    sb_seen seen = {open_memstream(&own->record, &size)};
    PyObject *list = PyList_New(0);
    if (seen.file == NULL) (void)PyErr_NoMemory();
    bool ok = seen.file != NULL && list != NULL;
    if (ok) {
        task->hash->h = sb_hash_start(true);
        task->hash->h.seen = &seen;
        sb_seen_scalars = list;
        ok = sb_task_run(task);
        sb_seen_scalars = NULL;
        task->hash->h.seen = NULL;
    }
    if (seen.file != NULL) (void)fclose(seen.file);
    if (ok) own->calls = sb_calls_of(own->record, size);
    if (ok && own->calls == NULL) (void)PyErr_NoMemory();
    ok = ok && own->calls != NULL && take_scalars(own, list);
    Py_XDECREF(list);
    return ok;
}

/* How many bytes an output has, which is released; -1 with an exception. */
static Py_ssize_t size_of(PyObject *output) {
    Py_buffer view;
    Py_ssize_t size = -1;
    if (output != NULL && PyObject_GetBuffer(output, &view, PyBUF_SIMPLE) == 0) {
        size = view.len;
        PyBuffer_Release(&view);
    }
    Py_XDECREF(output);
    return size;
}

static bool record_writer(sb_task *task, sb_own *own) {
    size_t largest = 1;
    own->sizes = PyMem_Calloc((size_t)task->count + 1, sizeof *own->sizes);
    for (Py_ssize_t i = 0; own->sizes != NULL && i < task->count; i++) {
        Py_ssize_t size = size_of(sb_task_write(&task->works[i]));
        if (size < 0) return false;
        own->sizes[i] = (size_t)size;
        if (own->sizes[i] > largest) largest = own->sizes[i];
    }
    own->block = own->sizes == NULL ? NULL : PyMem_Malloc(largest);
    if (own->block == NULL) {
        (void)PyErr_NoMemory();
        return false;
    }
    memset(own->block, 'x', largest);
    return true;
}

bool sb_own_record(sb_task *task) {
    if (task->own != NULL) return true;
    task->own = PyMem_Calloc(1, sizeof *task->own);
    if (task->own == NULL) {
        (void)PyErr_NoMemory();
        return false;
    }
    if (task->reads ? record_reader(task, task->own) : record_writer(task, task->own)) return true;
    sb_own_free(task);
    return false;
}

bool sb_own_iterate(void *context) {
    sb_task *task = context;
    const sb_own *own = task->own;
    sb_hash *h = &task->hash->h;
    *h = sb_hash_start(true);
    for (Py_ssize_t i = 0; i < task->count; i++) {
        if (task->reads)
            Py_XDECREF(sb_task_copy(&task->works[i]));
        else
            sb_hash_str(h, own->block, own->sizes[i]);
    }
    for (Py_ssize_t i = 0; i < own->count; i++)
        if (!sb_hash_object(h, own->scalars[i])) return false;
    if (own->calls != NULL) sb_calls_repeat_counts(own->calls, h);
    return true;
}

void sb_own_free(sb_task *task) {
    sb_own *own = task->own;
    if (own == NULL) return;
    for (Py_ssize_t i = 0; i < own->count; i++) Py_DECREF(own->scalars[i]);
    PyMem_Free(own->scalars);
    sb_calls_free(own->calls);
    free(own->record);
    PyMem_Free(own->sizes);
    PyMem_Free(own->block);
    PyMem_Free(own);
    task->own = NULL;
}
