/* SPDX-License-Identifier: MIT */
/* Shapes made of others: boxes around shapes, frusta of matrices and cameras; and strict checks. */
#include "binding.h"

#include <abut/engine.h>

#include <stdlib.h>
#include <string.h>

/* bounds(shapes) -> six columns of float32 */
static PyObject *py_bounds(PyObject *module, PyObject *object)
{
    (void)module;
    const struct batch *batch = batch_of(object, "shapes");
    if (!batch)
        return NULL;
    const size_t n = batch->items.columns.n;
    float *block = elements(n, 6 * sizeof *block), *columns[6];
    if (!block)
        return PyErr_NoMemory();
    for (unsigned k = 0; k < 6; k++)
        columns[k] = block + k * n;
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = batch->kind == ABUT_SET_HULLS ? abut_aabbs_of_hulls(&batch->items.hulls, columns)
                                           : abut_aabbs_of(set_of(batch), columns);
    PyEval_RestoreThread(thread);
    if (status == ABUT_OK)
        return memory_new(block, n * 6 * sizeof *block);
    free(block);
    if (status == ABUT_ERROR_ARGUMENT)
        return PyErr_Format(PyExc_TypeError, "%s have no boxes around them", shapes[batch->kind].plural);
    return raise_status(status, NULL, NULL);
}

/* check(shapes): raises a ValueError for the first invalid row */
static PyObject *py_check(PyObject *module, PyObject *object)
{
    (void)module;
    const struct batch *batch = batch_of(object, "shapes");
    if (!batch)
        return NULL;
    struct abut_invalid invalid = {0};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = abut_check(set_of(batch), &invalid);
    PyEval_RestoreThread(thread);
    if (status == ABUT_ERROR_INVALID)
        return raise_invalid(shapes[batch->kind].plural, &invalid);
    return status == ABUT_OK ? Py_BuildValue("") : raise_status(status, NULL, NULL);
}

static PyObject *planes_of(const float planes[6][4], unsigned n)
{
    float *bytes = elements(24, sizeof *bytes);
    if (bytes)
        memcpy(bytes, planes, n * sizeof planes[0]);
    return memory_new(bytes, n * sizeof planes[0]);
}

/* frustum_of_matrix(sixteen floats as bytes, vectors, depth) -> planes, row by row, or None */
static PyObject *py_frustum_of_matrix(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer view;
    int vectors, depth;
    if (!PyArg_ParseTuple(args, "y*ii", &view, &vectors, &depth))
        return NULL;
    float matrix[16], planes[6][4];
    const bool fits = view.len == (Py_ssize_t)sizeof matrix;
    if (fits)
        memcpy(matrix, view.buf, sizeof matrix);
    PyBuffer_Release(&view);
    if (!fits)
        return PyErr_Format(PyExc_ValueError, "a matrix of 4 x 4 float32 is needed");
    const unsigned n = abut_frustum_from_matrix(matrix, (enum abut_vectors)vectors, (enum abut_depth)depth, planes);
    return n > 0 ? planes_of((const float(*)[4])planes, n) : Py_BuildValue("");
}

/* frustum_of_camera(eye, direction, up, tangent, aspect, near, far) -> planes, row by row, or None */
static PyObject *py_frustum_of_camera(PyObject *module, PyObject *args)
{
    (void)module;
    struct abut_camera c;
    if (!PyArg_ParseTuple(args, "(fff)(fff)(fff)ffff", &c.eye[0], &c.eye[1], &c.eye[2], &c.direction[0],
                          &c.direction[1], &c.direction[2], &c.up[0], &c.up[1], &c.up[2], &c.tangent, &c.aspect,
                          &c.near_distance, &c.far_distance))
        return NULL;
    float planes[6][4];
    const unsigned n = abut_frustum_from_camera(&c, planes);
    return n > 0 ? planes_of((const float(*)[4])planes, n) : Py_BuildValue("");
}

PyMethodDef making_methods[5] = {{"bounds", py_bounds, METH_O, NULL},
                                 {"check", py_check, METH_O, NULL},
                                 {"frustum_of_matrix", py_frustum_of_matrix, METH_VARARGS, NULL},
                                 {"frustum_of_camera", py_frustum_of_camera, METH_VARARGS, NULL},
                                 {NULL, NULL, 0, NULL}};
