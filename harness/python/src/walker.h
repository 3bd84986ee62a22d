/* The walk over the objects of generated classes, driven by a table that is made of the schema. */
#ifndef SERBENCH_PYTHON_WALKER_H
#define SERBENCH_PYTHON_WALKER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "serbench/hash.h"

/* Walker(shapes, absent, fields_set, items = False): a shape is ("scalar",), ("list", place), ("map", place),
 * ("entries", place), a list of dicts with `key` and `value` for a map, ("boxed", place), a dict with
 * `value`, or ("message", ((key, attribute, place, optional), ...)), in which a place is that of an earlier
 * shape; the last is the root's. With `items` messages are dicts, and have items for attributes. An optional
 * field is absent if its attribute is `absent`, or, unless `fields_set` is empty, if the object's set of this
 * name lacks it. */
extern PyTypeObject sb_walker_type;

/* Hashes every field of `object` with its key. False with an exception. */
bool sb_walker_hash(PyObject *walker, sb_hash *h, PyObject *object);

#endif
