/* The hash as a contender's own walk meets it: an object with the methods `value` and `count`. */
#ifndef SERBENCH_PYTHON_HASH_OBJECT_H
#define SERBENCH_PYTHON_HASH_OBJECT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "serbench/hash.h"

typedef struct sb_hash_holder {
    PyObject ob_base;
    sb_hash h;
} sb_hash_holder;

extern PyTypeObject sb_hash_type;

#endif
