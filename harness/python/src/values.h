/* The value tree in Python's own objects: made of a tape, and hashed. */
#ifndef SERBENCH_PYTHON_VALUES_H
#define SERBENCH_PYTHON_VALUES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "serbench/hash.h"
#include "serbench/value.h"

/* The tree as dict, list, str, int, float, bool and None; equal keys are one object, as json.loads makes
 * them. NULL with an exception if that failed. */
PyObject *sb_object_of(const sb_value *root);

/* Hashes `object` and all that it contains. False with an exception for what no document can contain, such as
 * an integer beyond 64 bits. */
bool sb_hash_object(sb_hash *h, PyObject *object);

/* A list that gets every scalar and key that is hashed while the hash is seen; NULL but for sb_own_record. */
extern PyObject *sb_seen_scalars;

/* Whether `object` is one that a look-up may find: no container, and none of a library's own kinds of it. */
bool sb_is_scalar(PyObject *object);

#endif
