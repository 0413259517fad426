/* SPDX-License-Identifier: MIT */
/* What the searches of an index share: their threads, and Python's signals while they run. */
#ifndef ABUT_PYTHON_SEARCH_H
#define ABUT_PYTHON_SEARCH_H

#include "index.h"

#include "pool.h"

/* Python's signals, looked at during a long search: Ctrl-C ends it. Signals are the main thread's. */
struct watch {
    double last;
    bool raised;
    unsigned calls, every; /* the clock is read at every so many calls */
};

/* What all searches are asked with. */
struct search {
    struct index *self;
    const struct batch *queries; /* NULL: the index itself */
    int relation, touch, workers;
    struct watch watch;
    struct abut_threads threads;
    struct pool *pool;
};

/* Marks the search as begun, or raises. */
int search_start(struct search *search, PyObject *object, PyObject *queries);

/* The options of a search, and its threads. */
struct abut_options search_options(struct search *search);

/* False if a signal handler raised an exception. Called without Python's lock, on the thread that called. */
bool search_proceed(void *watch);

/* The exception of a status. */
PyObject *search_raise(const struct search *search, enum abut_status status);

/* Two results as a tuple. Takes their memory. */
PyObject *both_of(void *first, size_t first_bytes, void *second, size_t second_bytes);

#endif
