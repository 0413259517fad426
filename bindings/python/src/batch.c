/* SPDX-License-Identifier: MIT */
/* Batches of shapes: columns of float32, in place where Python's arrays allow it. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F(member) #member,
#define POINTERS(plural) (unsigned)((sizeof(struct abut_##plural) - sizeof(size_t)) / sizeof(void *))
#define SHAPE(name, plural, fields) {#plural, POINTERS(plural), {fields}},
#define HULL_SHAPE(name, plural, fields) {#plural, POINTERS(plural) - 1, {fields}}, /* less the offsets */
const struct shape shapes[] = {
#include "tables/shapes.def"
};
_Static_assert(sizeof shapes / sizeof *shapes == SHAPES, "kinds of sets are numbered as shapes are");

PyTypeObject *batch_type;

/* One column as it lies in Python's memory. n = 1 stands for as many as the other columns have. */
struct column {
    const char *base;
    ptrdiff_t stride;
    size_t n;
    char type; /* 'f' or 'd' */
};

/* The value that cannot be converted. */
struct refusal {
    size_t row;
    unsigned field;
    const char *what; /* NULL: none */
};

/* What is done to the values on their way to float32. */
struct conversion {
    const double *origin; /* subtracted from positions, or NULL */
    bool exact;           /* a value that would be rounded is refused */
};

static bool type_is(const Py_buffer *view, char type, size_t size)
{
    const char *format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=')
        format++;
    return format[0] == type && format[1] == '\0' && view->itemsize == (Py_ssize_t)size;
}

static char type_of(const Py_buffer *view)
{
    return type_is(view, 'f', sizeof(float)) ? 'f' : type_is(view, 'd', sizeof(double)) ? 'd' : '\0';
}

/*
 * Finds the columns of a part of that width: an array of shape (n,) or () for one column; else (n, width) or (width,),
 * where the last dimension may be two, as (3, 3) for 9. *single is cleared if there is a dimension of rows. The shape
 * and the first of its fields are for messages.
 */
static int columns_of_part(const Py_buffer *view, unsigned width, struct column *columns, bool *single,
                           const struct shape *shape, unsigned field)
{
    const int inner = width == 1 ? 0 : 1;
    Py_ssize_t inner_size = 1;
    int ndim = view->ndim, rows = 0;
    const char type = type_of(view);
    if (!type) {
        PyErr_SetString(PyExc_TypeError, "an array of native float32 or float64 is needed");
        return -1;
    }
    for (int first = ndim; first >= 0 && ndim - first <= 2; first--) {
        inner_size = 1;
        for (int i = first; i < ndim; i++)
            inner_size *= view->shape[i];
        if (first <= 1 && ndim - first >= inner && inner_size == (Py_ssize_t)width) {
            rows = first;
            goto found;
        }
    }
    if (width == 1)
        PyErr_Format(PyExc_ValueError, "%s: %s is one column, an array of shape (n,); this one has %d dimensions",
                     shape->plural, shape->field[field], ndim);
    else
        PyErr_Format(PyExc_ValueError,
                     "%s: %s to %s: %u numbers a row are needed: an array of shape (n, %u)%s; this one has %d %s, "
                     "the last of length %zd",
                     shape->plural, shape->field[field], shape->field[field + width - 1], width, width,
                     width == 9 ? " or (n, 3, 3)" : "", ndim, ndim == 1 ? "dimension" : "dimensions",
                     ndim > 0 ? view->shape[ndim - 1] : (Py_ssize_t)0);
    return -1;
found:
    for (unsigned j = 0; j < width; j++) {
        ptrdiff_t offset = 0;
        Py_ssize_t rest = (Py_ssize_t)j;
        for (int i = ndim - 1; i >= rows; i--) {
            offset += rest % view->shape[i] * view->strides[i];
            rest /= view->shape[i];
        }
        columns[j] = (struct column){(const char *)view->buf + offset, rows ? view->strides[0] : 0,
                                     rows ? (size_t)view->shape[0] : 1, type};
    }
    if (rows)
        *single = false;
    return 0;
}

/* Whether an origin is subtracted from this field: a position, as minx, and no size, direction or normal. */
static bool is_position(enum abut_set_kind kind, const char *field)
{
    const size_t length = strlen(field);
    return kind != ABUT_SET_PLANES && kind != ABUT_SET_HULLS && strchr("xyz", field[length - 1]) != NULL &&
           (length != 2 || strchr("huvwn", field[0]) == NULL);
}

static bool in_place(const struct column *column, size_t n)
{
    return column->type == 'f' && column->n == n && (n <= 1 || column->stride == (ptrdiff_t)sizeof(float)) &&
           (uintptr_t)column->base % sizeof(float) == 0;
}

/* Converts rows of one column; false at the first that is refused. */
static bool convert(const struct column *from, size_t first, size_t end, double origin, bool exact, float *to,
                    struct refusal *refusal)
{
    const ptrdiff_t stride = from->n == 1 ? 0 : from->stride;
    const char *at = from->base + (ptrdiff_t)first * stride;
    if (from->type == 'f' && origin == 0) {
        for (size_t i = first; i < end; i++, at += stride)
            memcpy(&to[i], at, sizeof *to);
        return true;
    }
    for (size_t i = first; i < end; i++, at += stride) {
        float single;
        double value;
        memcpy(&single, at, sizeof single);
        if (from->type == 'f')
            value = single;
        else
            memcpy(&value, at, sizeof value);
        const double moved = value - origin;
        to[i] = (float)moved;
        if (isinf(to[i]) && !isinf(value))
            refusal->what = "is beyond float32";
        else if (exact && !isnan(value) && ((double)to[i] != moved || moved + origin != value))
            refusal->what = "is no float32, and exact=True refuses to round it";
        if (refusal->what) {
            refusal->row = i;
            return false;
        }
    }
    return true;
}

/* Fills the copies, in blocks of rows so that a cache line of rows is read once. Runs without Python's lock. */
static void gather(const struct batch *batch, const struct column *columns, const struct conversion *conversion,
                   struct refusal *refusal)
{
    enum { BLOCK = 512 };
    const struct shape *shape = &shapes[batch->kind];
    const size_t n = batch->items.columns.n;
    for (size_t first = 0; first < n; first += BLOCK)
        for (unsigned j = 0; j < shape->fields; j++) {
            float *to = (float *)batch->items.columns.at[j];
            if (columns[j].type == '\0')
                continue;
            const char *name = shape->field[j];
            const bool moves = conversion->origin && is_position(batch->kind, name);
            const double origin = moves ? conversion->origin[name[strlen(name) - 1] - 'x'] : 0;
            const size_t end = n - first < BLOCK ? n : first + BLOCK;
            refusal->field = j;
            if (!convert(&columns[j], first, end, origin, conversion->exact, to, refusal))
                return;
        }
}

/* The number of rows of all columns, or -1 with an exception. */
static int length_of(const struct shape *shape, const struct column *columns, size_t *n)
{
    *n = columns[0].n;
    for (unsigned j = 1; j < shape->fields; j++) {
        if (columns[j].n != *n && columns[j].n != 1 && *n != 1) {
            PyErr_Format(PyExc_ValueError, "%s: field %s has %zu rows, and an earlier field %zu", shape->plural,
                         shape->field[j], columns[j].n, *n);
            return -1;
        }
        *n = *n == 1 ? columns[j].n : *n;
    }
    return 0;
}

/* Makes the batch's columns: in place where they can stay, else copies. */
static int take_columns(struct batch *batch, struct column *columns, const struct conversion *conversion)
{
    const struct shape *shape = &shapes[batch->kind];
    size_t n;
    if (length_of(shape, columns, &n) < 0)
        return -1;
    batch->items.columns.n = n;
    for (unsigned j = 0; j < shape->fields; j++) {
        const bool moves = conversion->origin && is_position(batch->kind, shape->field[j]);
        if (!moves && in_place(&columns[j], n)) {
            batch->items.columns.at[j] = (const float *)columns[j].base;
            columns[j].type = '\0';
        } else
            batch->copied++;
    }
    if (batch->copied == 0)
        return 0;
    const enum abut_status status = abut_columns_new(n, batch->copied, batch->copies, NULL);
    if (status != ABUT_OK) {
        raise_status(status, NULL, NULL);
        return -1;
    }
    for (unsigned j = 0, copy = 0; j < shape->fields; j++)
        if (columns[j].type != '\0')
            batch->items.columns.at[j] = batch->copies[copy++];
    struct refusal refusal = {0};
    PyThreadState *const thread = PyEval_SaveThread();
    gather(batch, columns, conversion, &refusal);
    PyEval_RestoreThread(thread);
    if (!refusal.what)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s: row %zu: %s %s", shape->plural, refusal.row, shape->field[refusal.field],
                 refusal.what);
    return -1;
}

/* Gets the buffers of all parts and their columns. */
static int take_parts(struct batch *batch, PyObject *parts, PyObject *widths, struct column *columns)
{
    const struct shape *shape = &shapes[batch->kind];
    const Py_ssize_t n = PyTuple_Size(parts);
    unsigned filled = 0;
    if (n < 1 || n > MOST_FIELDS || PyTuple_Size(widths) != n)
        goto wrong;
    batch->single = true;
    for (Py_ssize_t i = 0; i < n; i++) {
        const long width = PyLong_AsLong(PyTuple_GetItem(widths, i));
        if (width < 1 || width > (long)(shape->fields - filled))
            goto wrong;
        Py_buffer *view = &batch->views[i];
        if (PyObject_GetBuffer(PyTuple_GetItem(parts, i), view, PyBUF_STRIDES | PyBUF_FORMAT) < 0)
            return -1;
        batch->held++;
        if (columns_of_part(view, (unsigned)width, columns + filled, &batch->single, shape, (unsigned)filled) < 0)
            return -1;
        filled += (unsigned)width;
    }
    if (filled == shape->fields)
        return 0;
wrong:
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s have %u fields", shape->plural, shape->fields);
    return -1;
}

/* Copies the offsets of hulls, so that nobody changes them behind the checks, and checks them. */
static int take_offsets(struct batch *batch, PyObject *object)
{
    Py_buffer view;
    const size_t planes = batch->items.columns.n;
    if (PyObject_GetBuffer(object, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0)
        return -1;
    const size_t n = (size_t)view.len / sizeof(uint32_t);
    int result = -1;
    if (view.ndim != 1 || !type_is(&view, 'I', sizeof(uint32_t)) || n < 1)
        PyErr_SetString(PyExc_TypeError, "hulls: offsets are an array of uint32, one more than there are hulls");
    else if (!(batch->offsets = elements(n, sizeof *batch->offsets)))
        PyErr_NoMemory();
    else
        result = 0;
    if (result == 0)
        memcpy(batch->offsets, view.buf, n * sizeof *batch->offsets);
    PyBuffer_Release(&view);
    for (size_t i = 0; result == 0 && i < n; i++)
        if (batch->offsets[i] > planes || (i > 0 && batch->offsets[i] < batch->offsets[i - 1])) {
            PyErr_Format(PyExc_ValueError,
                         "hulls: offset %zu is %lu: offsets ascend, to at most the number of planes, %zu", i,
                         (unsigned long)batch->offsets[i], planes);
            result = -1;
        }
    if (result < 0)
        return -1;
    const float *at[4];
    memcpy(at, batch->items.columns.at, sizeof at);
    batch->items.hulls = (struct abut_hulls){n - 1, batch->offsets, at[0], at[1], at[2], at[3]};
    return 0;
}

static void release_views(struct batch *batch)
{
    for (unsigned i = 0; i < batch->held; i++)
        PyBuffer_Release(&batch->views[i]);
    batch->held = 0;
}

static void release(PyObject *self)
{
    struct batch *batch = (struct batch *)self;
    PyTypeObject *type = Py_TYPE(self);
    release_views(batch);
    if (batch->copied > 0)
        abut_columns_free(batch->copies, NULL);
    free(batch->offsets);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Batch(kind, parts, widths, origin or None, exact, offsets or None, single): single is for hulls */
static PyObject *new_batch(PyTypeObject *type, PyObject *args, PyObject *names)
{
    (void)names;
    unsigned kind;
    int exact, single;
    PyObject *parts, *widths, *origin, *offsets;
    double at[3];
    if (!PyArg_ParseTuple(args, "IO!O!OpOp", &kind, &PyTuple_Type, &parts, &PyTuple_Type, &widths, &origin, &exact,
                          &offsets, &single))
        return NULL;
    if (kind >= SHAPES || (kind == ABUT_SET_HULLS) != (offsets != Py_None))
        return PyErr_Format(PyExc_ValueError, "no such kind of shapes");
    if (origin != Py_None) {
        if (kind == ABUT_SET_HULLS || kind == ABUT_SET_PLANES)
            return PyErr_Format(PyExc_ValueError, "%s: planes take no origin", shapes[kind].plural);
        if (!PyTuple_Check(origin))
            return PyErr_Format(PyExc_TypeError, "origin: three numbers are needed");
        if (!PyArg_ParseTuple(origin, "ddd;origin: three numbers are needed", &at[0], &at[1], &at[2]))
            return NULL;
    }
    struct batch *batch = (struct batch *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!batch)
        return NULL;
    batch->kind = (enum abut_set_kind)kind;
    struct column columns[MOST_FIELDS];
    const struct conversion conversion = {origin != Py_None ? at : NULL, exact};
    if (take_parts(batch, parts, widths, columns) < 0 || take_columns(batch, columns, &conversion) < 0 ||
        (offsets != Py_None && take_offsets(batch, offsets) < 0)) {
        Py_DECREF(batch);
        return NULL;
    }
    if (batch->copied == shapes[kind].fields)
        release_views(batch);
    if (offsets != Py_None)
        batch->single = single && batch->items.columns.n == 1;
    return (PyObject *)batch;
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)((struct batch *)self)->items.columns.n;
}

static PyObject *get_kind(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((struct batch *)self)->kind);
}

static PyObject *get_single(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((struct batch *)self)->single);
}

static PyObject *get_copied(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(((struct batch *)self)->copied);
}

struct batch *batch_of(PyObject *object, const char *argument)
{
    if (PyObject_TypeCheck(object, batch_type))
        return (struct batch *)object;
    PyErr_Format(PyExc_TypeError, "%s: shapes are needed, such as abut.Points(array) or abut.Spheres(array)", argument);
    return NULL;
}

struct abut_set set_of(const struct batch *batch)
{
    return (struct abut_set){batch->kind, &batch->items};
}

int batch_ready(void)
{
    static PyGetSetDef attributes[] = {
        {"_kind", get_kind, NULL, NULL, NULL},
        {"single", get_single, NULL, "Whether this is one item, given as one row.", NULL},
        {"copied", get_copied, NULL, "How many columns had to be copied.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, (void *)new_batch},
                                  {Py_tp_dealloc, (void *)release},
                                  {Py_tp_getset, (void *)attributes},
                                  {Py_sq_length, (void *)length},
                                  {0, NULL}};
    static PyType_Spec spec = {"abut._abut.Batch", sizeof(struct batch), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               slots};
    batch_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return batch_type ? 0 : -1;
}
