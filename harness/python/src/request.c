/* The requests that iterate. Clock and loop are those of harness/c. */
#include <errno.h>

#include "clock.h"
#include "heap.h"
#include "overhead.h"
#include "seen.h"

enum { MOST_CHUNKS = 100000, HEAP_COUNTS = 3 };

/* As clock.c calls it. After a failure it does nothing, because an exception waits. */
static bool iterate(void *context) {
    sb_task *task = context;
    if (task->failed) return false;
    task->hash->h = sb_hash_start(true);
    task->failed = !sb_task_run(task);
    return !task->failed;
}

static PyObject *timed(sb_task *task, sb_iteration what, PyObject *arguments) {
    unsigned long long iterations, chunks, warmup;
    if (!PyArg_ParseTuple(arguments, "KKK", &iterations, &chunks, &warmup)) return NULL;
    if (chunks < 1 || chunks > MOST_CHUNKS)
        return PyErr_Format(PyExc_ValueError, "a sample has 1 to 100,000 chunks");
    uint64_t *times = PyMem_RawCalloc(2 * chunks, sizeof *times);
    if (times == NULL) return PyErr_NoMemory();
    task->failed = false;
    bool ok = sb_repeat(what, task, warmup);
    uint64_t faults = sb_page_faults(); /* a system call, as the one behind: outside of all chunks */
    ok = ok && sb_time_chunks(what, task, iterations, chunks, times, times + chunks);
    faults = sb_page_faults() - faults;
    PyObject *wall = ok ? PyList_New((Py_ssize_t)chunks) : NULL;
    PyObject *cpu = wall == NULL ? NULL : PyList_New((Py_ssize_t)chunks);
    for (uint64_t i = 0; ok && i < chunks; i++) {
        PyObject *both[] = {PyLong_FromUnsignedLongLong(times[i]),
                            PyLong_FromUnsignedLongLong(times[chunks + i])};
        ok = cpu != NULL && both[0] != NULL && both[1] != NULL;
        if (!ok) {
            Py_XDECREF(both[0]);
            Py_XDECREF(both[1]);
            break;
        }
        PyList_SET_ITEM(wall, (Py_ssize_t)i, both[0]);
        PyList_SET_ITEM(cpu, (Py_ssize_t)i, both[1]);
    }
    PyMem_RawFree(times);
    if (!ok) {
        Py_XDECREF(wall);
        Py_XDECREF(cpu);
        return NULL;
    }
    return Py_BuildValue("NNKI", wall, cpu, (unsigned long long)faults, (unsigned)task->hash->h.state);
}

PyObject *sb_task_sample(PyObject *self, PyObject *arguments) {
    return timed((sb_task *)self, iterate, arguments);
}

PyObject *sb_task_overhead(PyObject *self, PyObject *arguments) {
    sb_task *task = (sb_task *)self;
    return sb_own_record(task) ? timed(task, sb_own_iterate, arguments) : NULL;
}

PyObject *sb_task_count(PyObject *self, PyObject *arguments) {
    sb_task *task = (sb_task *)self;
    unsigned long long iterations;
    if (!PyArg_ParseTuple(arguments, "K", &iterations)) return NULL;
    task->failed = false;
    bool ok = sb_counted_region(iterate, task, iterations);
    sb_counted_end();
    return ok ? PyLong_FromUnsignedLong(task->hash->h.state) : NULL;
}

/* The least of some counts: lists, dicts and floats that were freed are kept for the next ones. */
PyObject *sb_task_heap(PyObject *self, PyObject *unused) {
    sb_task *task = (sb_task *)self;
    sb_heap_counts least = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    (void)unused;
    if (!sb_heap_find()) Py_RETURN_NONE;
    task->failed = false;
    if (!iterate(task)) return NULL; /* what a library allocates once and keeps is not one iteration's */
    for (int i = 0; i < HEAP_COUNTS; i++) {
        sb_heap_start();
        bool ok = iterate(task);
        sb_heap_counts counts = sb_heap_stop();
        if (!ok) return NULL;
        if (counts.allocations < least.allocations) least = counts;
    }
    return Py_BuildValue("KKK", (unsigned long long)least.allocations, (unsigned long long)least.bytes,
                         (unsigned long long)least.peak);
}

/* One iteration by one of the hashes, with every call of it in the file `path` unless that is empty. */
static bool hash_once(sb_task *task, bool exact, const char *path) {
    sb_seen seen = {NULL};
    if (path[0] != '\0' && (seen.file = fopen(path, "wb")) == NULL) {
        (void)PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
        return false;
    }
    task->hash->h = sb_hash_start(exact);
    if (seen.file != NULL) task->hash->h.seen = &seen;
    bool ok = sb_task_run(task);
    task->hash->h.seen = NULL;
    if (seen.file == NULL) return ok;
    bool complete = ferror(seen.file) == 0;
    complete &= fclose(seen.file) == 0;
    if (ok && !complete) (void)PyErr_Format(PyExc_OSError, "cannot write %s", path);
    return ok && complete;
}

PyObject *sb_task_hashes(PyObject *self, PyObject *arguments) {
    sb_task *task = (sb_task *)self;
    const char *path;
    if (!PyArg_ParseTuple(arguments, "s", &path) || !hash_once(task, false, "")) return NULL;
    uint32_t content = task->hash->h.state;
    if (!hash_once(task, true, path)) return NULL;
    return Py_BuildValue("II", (unsigned)content, (unsigned)task->hash->h.state);
}

PyObject *sb_task_outputs(PyObject *self, PyObject *unused) {
    sb_task *task = (sb_task *)self;
    PyObject *outputs = PyList_New(task->count);
    (void)unused;
    for (Py_ssize_t i = 0; outputs != NULL && i < task->count; i++) {
        PyObject *output = sb_task_write(&task->works[i]);
        PyObject *bytes = output == NULL ? NULL : PyBytes_FromObject(output);
        Py_XDECREF(output);
        if (bytes == NULL)
            Py_CLEAR(outputs);
        else
            PyList_SET_ITEM(outputs, i, bytes);
    }
    return outputs;
}
