/* SPDX-License-Identifier: MIT */
/* The type abut._abut.Index: built once, searched by many calls, from any thread. */
#include "index.h"

#include "pool.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *index_type;

/*
 * Python's lock is not held during a search, so another thread may call. Searches may overlap; a refit may overlap
 * nothing. The counts change only under the lock.
 */
int search_begin(struct index *index)
{
    if (index->refitting) {
        PyErr_SetString(PyExc_RuntimeError, "another thread refits this index");
        return -1;
    }
    index->searches++;
    return 0;
}

void search_end(struct index *index)
{
    index->searches--;
}

/* Threads for one call. NULL is one thread. */
struct pool *pool_of(int workers, struct abut_threads *threads)
{
    const unsigned count = workers < 0 ? pool_cores() : (unsigned)workers;
    struct pool *pool = count > 1 ? pool_new(count < POOL_MOST_THREADS ? count : POOL_MOST_THREADS) : NULL;
    if (pool)
        *threads = pool_threads(pool);
    return pool;
}

/* The batch and options of a call (shapes, workers, skip_invalid), or NULL with an exception. */
static const struct batch *batch_of_call(PyObject *args, int *workers, int *skip_invalid)
{
    PyObject *shapes_object;
    return PyArg_ParseTuple(args, "Oip", &shapes_object, workers, skip_invalid) ? batch_of(shapes_object, "shapes")
                                                                                : NULL;
}

/* Index(shapes, workers, skip_invalid) */
static PyObject *new_index(PyTypeObject *type, PyObject *args, PyObject *names)
{
    (void)names;
    int workers, skip_invalid;
    const struct batch *batch = batch_of_call(args, &workers, &skip_invalid);
    if (!batch)
        return NULL;
    if (batch->kind == ABUT_SET_HULLS || batch->kind == ABUT_SET_PLANES)
        return PyErr_Format(PyExc_TypeError, "%s cannot be indexed: index the other shapes, and query with these",
                            shapes[batch->kind].plural);
    struct index *self = (struct index *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self)
        return NULL;
    self->kind = batch->kind;
    struct abut_invalid invalid = {0};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_threads threads;
    struct pool *pool = pool_of(workers, &threads);
    const struct abut_options options = {.threads = pool ? &threads : NULL, .skip_invalid = skip_invalid};
    status = abut_index_new(set_of(batch), &options, &invalid, &self->index);
    pool_free(pool);
    PyEval_RestoreThread(thread);
    if (status == ABUT_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return status == ABUT_ERROR_INVALID ? raise_invalid(shapes[batch->kind].plural, &invalid)
                                        : raise_status(status, NULL, NULL);
}

static void release(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    abut_index_free(((struct index *)self)->index);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* refit(shapes, workers, skip_invalid, uint32 numbers of those that moved or None: all) -> growth, or None if some */
static PyObject *refit(PyObject *object, PyObject *args)
{
    struct index *self = (struct index *)object;
    PyObject *shapes_object;
    int workers, skip_invalid;
    Py_buffer moved;
    if (!PyArg_ParseTuple(args, "Oipz*", &shapes_object, &workers, &skip_invalid, &moved))
        return NULL;
    const struct batch *batch = batch_of(shapes_object, "shapes");
    if (batch && (batch->kind != self->kind || batch->items.columns.n != abut_index_count(self->index)))
        PyErr_Format(PyExc_ValueError, "the index holds %zu %s, and is refit with as many",
                     abut_index_count(self->index), shapes[self->kind].plural);
    else if (batch && (self->searches > 0 || self->refitting))
        PyErr_Format(PyExc_RuntimeError, "another thread uses this index");
    if (PyErr_Occurred()) {
        PyBuffer_Release(&moved);
        return NULL;
    }
    self->refitting = true;
    const bool some = moved.obj != NULL;
    struct abut_invalid invalid = {0};
    double growth = 0;
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_threads threads;
    struct pool *pool = pool_of(workers, &threads);
    const struct abut_options options = {.threads = pool ? &threads : NULL, .skip_invalid = skip_invalid};
    status = some ? abut_index_refit_some(self->index, set_of(batch), moved.buf, (size_t)moved.len / sizeof(uint32_t),
                                          &options, NULL, &invalid)
                  : abut_index_refit(self->index, set_of(batch), &options, &growth, &invalid);
    pool_free(pool);
    PyEval_RestoreThread(thread);
    self->refitting = false;
    PyBuffer_Release(&moved);
    if (status == ABUT_ERROR_INVALID)
        return raise_invalid(shapes[batch->kind].plural, &invalid);
    if (status != ABUT_OK)
        return raise_status(status, NULL, NULL);
    return some ? Py_NewRef(Py_None) : PyFloat_FromDouble(growth);
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)abut_index_count(((struct index *)self)->index);
}

static PyObject *get_kind(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((struct index *)self)->kind);
}

static PyObject *get_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(abut_index_bytes(((struct index *)self)->index));
}

int index_ready(void)
{
    static PyMethodDef methods[] = {{"refit", refit, METH_VARARGS, NULL},
                                    {"join", index_join, METH_VARARGS, NULL},
                                    {"counts", index_counts, METH_VARARGS, NULL},
                                    {"nearest", index_nearest, METH_VARARGS, NULL},
                                    {"cast", index_cast, METH_VARARGS, NULL},
                                    {"cast_any", index_cast_any, METH_VARARGS, NULL},
                                    {"cast_all", index_cast_all, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyGetSetDef attributes[] = {{"_kind", get_kind, NULL, NULL, NULL},
                                       {"nbytes", get_bytes, NULL, "The memory of the index, in bytes.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, (void *)new_index},   {Py_tp_dealloc, (void *)release},
                                  {Py_tp_methods, (void *)methods}, {Py_tp_getset, (void *)attributes},
                                  {Py_sq_length, (void *)length},   {0, NULL}};
    static PyType_Spec spec = {"abut._abut.Index", sizeof(struct index), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               slots};
    index_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return index_type ? 0 : -1;
}
