/* SPDX-License-Identifier: MIT */
/* Questions item by item or of all pairs: predicates, classes and distances. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* Writes one byte a bit, eight at a time. */
static void unpack(const uint64_t *bits, size_t n, unsigned char *bytes)
{
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t eight = bits[i / 64] >> i % 64 & 0xff;
        /* Bit k to the highest bit of byte k: copies of the byte, one bit of each kept and carried to the top. */
        const uint64_t kept = eight * 0x0101010101010101u & 0x8040201008040201u;
        const uint64_t ones = (kept + 0x00406070787c7e7fu) >> 7 & 0x0101010101010101u;
        const unsigned some = n - i < 8 ? (unsigned)(n - i) : 8;
        if (some == 8)
            for (unsigned k = 0; k < 8; k++)
                bytes[i + k] = (unsigned char)(ones >> 8 * k);
        else
            for (unsigned k = 0; k < some; k++)
                bytes[i + k] = (unsigned char)(ones >> 8 * k);
    }
}

/* The number of pairs of two batches item by item; -1 if they do not broadcast. */
static Py_ssize_t pairs_of(const struct batch *a, const struct batch *b)
{
    const size_t na = a->items.columns.n, nb = b->items.columns.n;
    if (na != nb && na != 1 && nb != 1) {
        raise_status(ABUT_ERROR_LENGTHS, a, b);
        return -1;
    }
    return (Py_ssize_t)(na == 1 ? nb : na);
}

/* One byte a bit, row by row. */
static PyObject *bytes_of(uint64_t *bits, size_t rows, size_t n)
{
    unsigned char *bytes = rows > 0 && n > SIZE_MAX / rows ? NULL : elements(rows * n, 1);
    const size_t words = abut_mask_words(n);
    PyThreadState *const thread = PyEval_SaveThread();
    for (size_t i = 0; bytes && i < rows; i++)
        unpack(bits + i * words, n, bytes + i * n);
    free(bits);
    PyEval_RestoreThread(thread);
    return memory_new(bytes, rows * n);
}

/* test(relation, a, b, touch, all, packed) -> (hits, rows, n): bytes, or words of bits if packed */
static PyObject *py_test(PyObject *module, PyObject *args)
{
    (void)module;
    int relation, touch, all, packed;
    PyObject *first, *second;
    if (!PyArg_ParseTuple(args, "iOOipp", &relation, &first, &second, &touch, &all, &packed))
        return NULL;
    const struct batch *a = batch_of(first, "a"), *b = a ? batch_of(second, "b") : NULL;
    if (!b)
        return NULL;
    const bool by_hull = b->kind == ABUT_SET_HULLS;
    size_t n = (by_hull ? a : b)->items.columns.n, rows = all ? (by_hull ? b : a)->items.columns.n : 1;
    if (!all) {
        const Py_ssize_t pairs = pairs_of(a, b);
        if (pairs < 0)
            return NULL;
        n = (size_t)pairs;
    }
    const size_t words = abut_mask_words(n);
    uint64_t *bits = rows > 0 && words > SIZE_MAX / rows ? NULL : elements(rows * words, sizeof *bits);
    if (!bits)
        return PyErr_NoMemory();
    const struct abut_options options = {.touch = (enum abut_touch)touch};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = (all ? abut_test_all : abut_test)((enum abut_relation)relation, set_of(a), set_of(b), &options, bits);
    PyEval_RestoreThread(thread);
    if (status != ABUT_OK) {
        free(bits);
        return raise_status(status, a, b);
    }
    PyObject *hits = packed ? memory_new(bits, rows * words * sizeof *bits) : bytes_of(bits, rows, n);
    return hits ? Py_BuildValue("(Nnn)", hits, (Py_ssize_t)rows, (Py_ssize_t)n) : NULL;
}

/* classify(a, b) -> one byte a pair */
static PyObject *py_classify(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second;
    if (!PyArg_ParseTuple(args, "OO", &first, &second))
        return NULL;
    const struct batch *a = batch_of(first, "a"), *b = a ? batch_of(second, "b") : NULL;
    const Py_ssize_t n = b ? pairs_of(a, b) : -1;
    if (n < 0)
        return NULL;
    uint8_t *classes = elements((size_t)n, 1);
    if (!classes)
        return PyErr_NoMemory();
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = abut_classify(set_of(a), set_of(b), NULL, classes);
    PyEval_RestoreThread(thread);
    if (status != ABUT_OK) {
        free(classes);
        return raise_status(status, a, b);
    }
    return memory_new(classes, (size_t)n);
}

/* distance(points, shapes) -> four columns of float32: d2, x, y, z */
static PyObject *py_distance(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second;
    if (!PyArg_ParseTuple(args, "OO", &first, &second))
        return NULL;
    const struct batch *a = batch_of(first, "points"), *b = a ? batch_of(second, "shapes") : NULL;
    if (a && a->kind != ABUT_SET_POINTS)
        return PyErr_Format(PyExc_TypeError, "distance() takes points and other shapes, in this order");
    const Py_ssize_t pairs = b ? pairs_of(a, b) : -1;
    if (pairs < 0)
        return NULL;
    const size_t n = (size_t)pairs;
    float *columns = elements(n, 4 * sizeof *columns);
    if (!columns)
        return PyErr_NoMemory();
    const struct abut_closest closest = {columns + n, columns + 2 * n, columns + 3 * n};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = abut_distance(&a->items.points, set_of(b), columns, &closest);
    PyEval_RestoreThread(thread);
    if (status != ABUT_OK) {
        free(columns);
        return raise_status(status, a, b);
    }
    return memory_new(columns, n * 4 * sizeof *columns);
}

PyMethodDef predicate_methods[4] = {{"test", py_test, METH_VARARGS, NULL},
                                    {"classify", py_classify, METH_VARARGS, NULL},
                                    {"distance", py_distance, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
