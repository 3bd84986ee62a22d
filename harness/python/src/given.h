/* What a baseline is made of: a function that does nothing but hand over what it was given before. */
#ifndef SERBENCH_PYTHON_GIVEN_H
#define SERBENCH_PYTHON_GIVEN_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyTypeObject sb_given_type; /* Given(value): called with one argument, returns `value` */
extern PyTypeObject sb_words_type; /* Words(bytes): the words that exact_hash mixes, hashed as they are */

/* The bytes of a Words. */
PyObject *sb_words_bytes(PyObject *words);

#endif
