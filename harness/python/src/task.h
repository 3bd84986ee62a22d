/* What an iteration is, and the requests that run it. */
#ifndef SERBENCH_PYTHON_TASK_H
#define SERBENCH_PYTHON_TASK_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "hash_object.h"

/* One document. */
typedef struct sb_work {
    PyObject *function; /* of the contender: reads the copy of an input, or writes */
    PyObject *argument; /* the input, or what is written */
    PyObject *paths;    /* NULL but for a look-up: a list of lists of keys and indexes */
} sb_work;

typedef struct sb_own sb_own; /* overhead.h */

typedef struct sb_task {
    PyObject ob_base;
    bool reads;
    sb_work *works;
    Py_ssize_t count;
    PyObject *walk;       /* the contender's own, a Walker, or NULL */
    PyObject *find;       /* the same for a look-up */
    sb_hash_holder *hash; /* of the last iteration */
    bool failed;          /* an exception is set, and nothing more may be called */
    sb_own *own;          /* what the harness itself does in an iteration; NULL until it was asked for */
} sb_task;

extern PyTypeObject sb_task_type;

/* One iteration with the hash as it is; false with an exception if it failed. */
bool sb_task_run(sb_task *task);

/* The copy of a reader's input, a new reference; NULL with an exception. */
PyObject *sb_task_copy(const sb_work *work);

/* What the contender wrote, as a new bytes object or another with its buffer; NULL with an exception. */
PyObject *sb_task_write(const sb_work *work);

/* The requests of docs/protocol.md that iterate. */
PyObject *sb_task_sample(PyObject *self, PyObject *arguments);
PyObject *sb_task_overhead(PyObject *self, PyObject *arguments);
PyObject *sb_task_count(PyObject *self, PyObject *arguments);
PyObject *sb_task_heap(PyObject *self, PyObject *unused);
PyObject *sb_task_hashes(PyObject *self, PyObject *arguments);
PyObject *sb_task_outputs(PyObject *self, PyObject *unused);

#endif
