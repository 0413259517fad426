/* SPDX-License-Identifier: MIT */
/* Exceptions for the library's errors. */
#include "binding.h"

PyObject *raise_status(enum abut_status status, const struct batch *a, const struct batch *b)
{
    if (status == ABUT_ERROR_MEMORY)
        return PyErr_NoMemory();
    if (status == ABUT_ERROR_PREDICATE && a && b)
        return PyErr_Format(PyExc_TypeError,
                            "%s and %s have no such predicate; abut.predicates() lists those that exist",
                            shapes[a->kind].plural, shapes[b->kind].plural);
    if (status == ABUT_ERROR_LENGTHS && a && b)
        return PyErr_Format(PyExc_ValueError,
                            "%zu %s and %zu %s do not pair up: lengths are equal, or one of them is 1 (for all with "
                            "all: touches(a, b, all=True), or an Index)",
                            a->items.columns.n, shapes[a->kind].plural, b->items.columns.n, shapes[b->kind].plural);
    PyErr_SetString(status == ABUT_ERROR_PREDICATE ? PyExc_TypeError : PyExc_ValueError, abut_status_text(status));
    return NULL;
}

PyObject *raise_invalid(const char *plural, const struct abut_invalid *invalid)
{
    return PyErr_Format(PyExc_ValueError, "%s: row %zu: %s %s (%zu invalid in all)", plural, invalid->row,
                        invalid->field, invalid->what, invalid->count);
}
