/* SPDX-License-Identifier: MIT */
/* The Python object of an index, for the files that build and search it. */
#ifndef ABUT_PYTHON_INDEX_H
#define ABUT_PYTHON_INDEX_H

#include "binding.h"

struct index {
    PyObject_HEAD struct abut_index *index;
    enum abut_set_kind kind;
    unsigned searches; /* that run now */
    bool refitting;
};

struct pool;

/* Marks a search, or raises if the index is being refit. Python's lock is held. */
int search_begin(struct index *index);
void search_end(struct index *index);

/* A pool of that many threads and its entry for the options, or NULL for one thread. -1 is as many as processors. */
struct pool *pool_of(int workers, struct abut_threads *threads);

PyObject *index_join(PyObject *self, PyObject *args);
PyObject *index_counts(PyObject *self, PyObject *args);
PyObject *index_nearest(PyObject *self, PyObject *args);
PyObject *index_cast(PyObject *self, PyObject *args);
PyObject *index_cast_any(PyObject *self, PyObject *args);
PyObject *index_cast_all(PyObject *self, PyObject *args);

#endif
