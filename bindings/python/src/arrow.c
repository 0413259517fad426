/* SPDX-License-Identifier: MIT */
/* Columns of Arrow data, in place, by the C data interface: no Arrow library is needed, neither here nor to build. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* The structs that the interface lays down: https://arrow.apache.org/docs/format/CDataInterface.html */
struct schema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct schema **children, *dictionary;
    void (*release)(struct schema *);
    void *private_data;
};
struct array {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct array **children, *dictionary;
    void (*release)(struct array *);
    void *private_data;
};
struct stream {
    int (*get_schema)(struct stream *, struct schema *);
    int (*get_next)(struct stream *, struct array *);
    const char *(*get_last_error)(struct stream *);
    void (*release)(struct stream *);
    void *private_data;
};

/* Holds an array that was moved out of its capsule, until the last column that looks at it is gone. */
struct owner {
    PyObject_HEAD struct array array;
};

/* Read-only elements of an owner's array, as a buffer of bytes. */
struct column {
    PyObject_HEAD PyObject *owner;
    const char *first;
    Py_ssize_t bytes;
};

static PyTypeObject *owner_type, *column_type;

static void free_owner(PyObject *self)
{
    struct owner *owner = (struct owner *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *raised[3]; /* kept from what the producer does */
    PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
    if (owner->array.release)
        owner->array.release(&owner->array);
    PyErr_Restore(raised[0], raised[1], raised[2]);
    PyObject_Free(self);
    Py_DECREF(type);
}

static void free_column(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((struct column *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const struct column *column = (struct column *)self;
    static char nothing;
    return PyBuffer_FillInfo(view, self, column->bytes > 0 ? (void *)column->first : &nothing, column->bytes, 1, flags);
}

/* NumPy's name of a format of numbers, or NULL; and the size of one. */
static const char *type_of(const char *format, size_t *size)
{
    static const struct {
        char format[2];
        const char *type;
        size_t size;
    } types[] = {{"e", "f2", 2}, {"f", "f4", 4}, {"g", "f8", 8}, {"c", "i1", 1}, {"C", "u1", 1}, {"s", "i2", 2},
                 {"S", "u2", 2}, {"i", "i4", 4}, {"I", "u4", 4}, {"l", "i8", 8}, {"L", "u8", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(format, types[i].format) == 0) {
            *size = types[i].size;
            return types[i].type;
        }
    return NULL;
}

/* Raises if any of length elements from first on is null. */
static int refuse_nulls(const struct array *array, int64_t first, int64_t length, const char *name)
{
    const unsigned char *valid = array->null_count != 0 && array->n_buffers > 0 ? array->buffers[0] : NULL;
    for (int64_t i = first; valid && i < first + length; i++)
        if (!(valid[i / 8] >> i % 8 & 1)) {
            PyErr_Format(PyExc_ValueError,
                         "row %lld of the Arrow column %s is null, which has no meaning here: fill it, with nan say",
                         (long long)(i - first), name);
            return -1;
        }
    return 0;
}

/* A range of an array's elements. */
struct range {
    const struct schema *schema;
    const struct array *array;
    int64_t first, length;
};

/* (type, width, bytes) of numbers or of fixed-size lists of numbers; the format as text for others; NULL: exception. */
static PyObject *column_of(PyObject *owner, struct range at)
{
    const char *name = at.schema->name && *at.schema->name ? at.schema->name : "without a name";
    int64_t width = 0;
    size_t size = 0;
    if (strncmp(at.schema->format, "+w:", 3) == 0 && at.schema->n_children == 1 && at.array->n_children == 1) {
        width = strtoll(at.schema->format + 3, NULL, 10);
        if (refuse_nulls(at.array, at.first, at.length, name) < 0)
            return NULL;
        const struct array *items = at.array->children[0];
        at = (struct range){at.schema->children[0], items, at.first * width + items->offset, at.length * width};
    }
    const char *type = at.schema->dictionary ? NULL : type_of(at.schema->format, &size);
    if (!type || width < 0 || at.array->n_buffers != 2)
        return PyUnicode_FromString(at.schema->format);
    if (refuse_nulls(at.array, at.first, at.length, name) < 0)
        return NULL;
    if (at.length > 0 && !at.array->buffers[1])
        return PyErr_Format(PyExc_ValueError, "the Arrow column %s has no values", name);
    struct column *column = PyObject_New(struct column, column_type);
    if (!column)
        return NULL;
    Py_INCREF(owner);
    column->owner = owner;
    column->bytes = (Py_ssize_t)at.length * (Py_ssize_t)size;
    column->first = column->bytes > 0 ? (const char *)at.array->buffers[1] + at.first * (int64_t)size : NULL;
    return Py_BuildValue("sLN", type, (long long)width, column);
}

/* The columns of a struct as {name: column}, or one column. Takes the array, whether or not it raises. */
static PyObject *take(const struct schema *schema, struct array *array)
{
    struct owner *owner = PyObject_New(struct owner, owner_type);
    if (!owner) {
        array->release(array);
        return NULL;
    }
    owner->array = *array;
    array->release = NULL;
    const struct array *all = &owner->array;
    PyObject *result = NULL;
    if (strcmp(schema->format, "+s") != 0)
        result = column_of((PyObject *)owner, (struct range){schema, all, all->offset, all->length});
    else if (refuse_nulls(all, all->offset, all->length, "of records") == 0)
        result = PyDict_New();
    for (int64_t i = 0; result && PyDict_Check(result) && i < schema->n_children && i < all->n_children; i++) {
        const struct array *child = all->children[i];
        const struct range range = {schema->children[i], child, all->offset + child->offset, all->length};
        PyObject *column = column_of((PyObject *)owner, range);
        const char *name = schema->children[i]->name;
        if (!column || PyDict_SetItemString(result, name ? name : "", column) < 0)
            Py_CLEAR(result);
        Py_XDECREF(column);
    }
    Py_DECREF((PyObject *)owner);
    return result;
}

/* What a capsule of that name points to, if nobody has taken it yet. */
static void *open_capsule(PyObject *capsule, const char *name)
{
    void *pointer = PyCapsule_GetPointer(capsule, name);
    if (!pointer && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "an empty capsule %s", name);
    return pointer;
}

static PyObject *raise_taken(void)
{
    return PyErr_Format(PyExc_ValueError, "Arrow data that was released, or taken, before");
}

/* arrow_array(schema capsule, array capsule) -> columns, or one column */
static PyObject *py_arrow_array(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second;
    if (!PyArg_ParseTuple(args, "OO", &first, &second))
        return NULL;
    struct schema *schema = open_capsule(first, "arrow_schema");
    struct array *array = schema ? open_capsule(second, "arrow_array") : NULL;
    if (!array)
        return NULL;
    return schema->release && array->release ? take(schema, array) : raise_taken();
}

/* Appends the next array of a stream to a list: 1, or 0 at the end, or -1 with an exception. */
static int append_next(struct stream *stream, const struct schema *schema, PyObject *list)
{
    struct array array = {0};
    const int error = stream->get_next(stream, &array);
    if (PyErr_Occurred())
        return -1;
    if (error) {
        const char *text = stream->get_last_error(stream);
        PyErr_Format(PyExc_ValueError, "an Arrow stream ended with error %d: %s", error, text ? text : "no reason");
        return -1;
    }
    if (!array.release)
        return 0;
    PyObject *columns = take(schema, &array);
    const int appended = columns ? PyList_Append(list, columns) : -1;
    Py_XDECREF(columns);
    return appended < 0 ? -1 : 1;
}

/* arrow_stream(stream capsule) -> a list of what arrow_array gives, one a chunk */
static PyObject *py_arrow_stream(PyObject *module, PyObject *capsule)
{
    (void)module;
    struct stream *from = open_capsule(capsule, "arrow_array_stream");
    if (!from)
        return NULL;
    if (!from->release)
        return raise_taken();
    struct stream stream = *from;
    from->release = NULL;
    struct schema schema = {0};
    PyObject *list = PyList_New(0);
    int more = list ? 1 : -1;
    if (more > 0 && (stream.get_schema(&stream, &schema) || !schema.release)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "an Arrow stream without a schema");
        more = -1;
    }
    while (more > 0)
        more = append_next(&stream, &schema, list);
    PyObject *raised[3];
    PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
    if (schema.release)
        schema.release(&schema);
    stream.release(&stream);
    PyErr_Restore(raised[0], raised[1], raised[2]);
    if (more < 0)
        Py_CLEAR(list);
    return list;
}

PyMethodDef arrow_methods[3] = {{"arrow_array", py_arrow_array, METH_VARARGS, NULL},
                                {"arrow_stream", py_arrow_stream, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

int arrow_ready(void)
{
    enum { FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION };
    static PyType_Slot owner_slots[] = {{Py_tp_dealloc, (void *)free_owner}, {0, NULL}};
    static PyType_Slot column_slots[] = {
        {Py_tp_dealloc, (void *)free_column}, {Py_bf_getbuffer, (void *)get_buffer}, {0, NULL}};
    static PyType_Spec owner_spec = {"abut._abut.ArrowOwner", sizeof(struct owner), 0, FLAGS, owner_slots};
    static PyType_Spec column_spec = {"abut._abut.ArrowColumn", sizeof(struct column), 0, FLAGS, column_slots};
    owner_type = (PyTypeObject *)PyType_FromSpec(&owner_spec);
    column_type = (PyTypeObject *)PyType_FromSpec(&column_spec);
    return owner_type && column_type ? 0 : -1;
}
