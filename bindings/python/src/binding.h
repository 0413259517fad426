/* SPDX-License-Identifier: MIT */
/* What the files of the extension share: results as buffers, batches of shapes, exceptions, and the lock of Python. */
#ifndef ABUT_PYTHON_BINDING_H
#define ABUT_PYTHON_BINDING_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <abut/distance.h>
#include <abut/index.h>

enum { MOST_FIELDS = 15 };

/* A shape by the number of its kind, from src/tables/shapes.def; hulls come after it. */
struct shape {
    const char *plural;
    unsigned fields;
    const char *field[MOST_FIELDS];
};
extern const struct shape shapes[];
enum { SHAPES = ABUT_SET_HULLS + 1 };

/* All shapes but hulls are a count and columns. */
union items {
    struct {
        size_t n;
        const float *at[MOST_FIELDS];
    } columns;
    struct abut_points points;
    struct abut_capsules capsules;
    struct abut_hulls hulls;
};

/* A batch of shapes: a view of Python's buffers, and copies of the columns that could not be used in place. */
struct batch {
    PyObject_HEAD enum abut_set_kind kind;
    union items items;
    Py_buffer views[MOST_FIELDS];
    unsigned held;
    float *copies[MOST_FIELDS];
    unsigned copied; /* columns */
    uint32_t *offsets;
    bool single; /* one item, given without the dimension of rows */
};

extern PyTypeObject *batch_type, *memory_type, *index_type, *world_type;
int batch_ready(void);
int memory_ready(void);
int index_ready(void);
int world_ready(void);
int arrow_ready(void);

/* The object as a batch, or NULL with a TypeError that names the argument. Borrowed. */
struct batch *batch_of(PyObject *object, const char *argument);

/* The batch as a set, which lives as long as the batch. */
struct abut_set set_of(const struct batch *batch);

/*
 * A buffer that owns bytes from malloc, or NULL with an exception and the bytes freed. bytes = NULL is out of memory.
 */
PyObject *memory_new(void *bytes, size_t size);

/* malloc of n elements, never of 0 bytes. NULL if that is too much. */
void *elements(size_t n, size_t size);

/* Sets the exception that fits a status; the sets are for messages, and may be NULL. Returns NULL. */
PyObject *raise_status(enum abut_status status, const struct batch *a, const struct batch *b);

/* Sets a ValueError that names the first invalid row and field. Returns NULL. */
PyObject *raise_invalid(const char *plural, const struct abut_invalid *invalid);

extern PyMethodDef predicate_methods[4], making_methods[5], arrow_methods[3];

#endif
