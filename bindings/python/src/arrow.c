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

/*
 * What the lengths of an array may be: a batch has at most so many rows, and no memory more elements. Sums and
 * products of them do not overflow. Whether there is memory for the lengths cannot be seen.
 */
static const int64_t most_rows = (int64_t)UINT32_MAX - 1, most_elements = INT64_C(1) << 52;

static int raise_malformed(const char *name, const char *what)
{
    PyErr_Format(PyExc_ValueError, "malformed Arrow data, column %s: %s", name, what);
    return -1;
}

static const char *name_of(const struct schema *schema)
{
    return schema->name && *schema->name ? schema->name : "without a name";
}

static int check_schema(const struct schema *schema, const char *name)
{
    if (!schema->format)
        return raise_malformed(name, "it has no format");
    if (schema->n_children < 0 || (schema->n_children > 0 && !schema->children))
        return raise_malformed(name, "its children are missing");
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema->children[i])
            return raise_malformed(name, "one of its children is missing");
    return 0;
}

/* Raises where an array contradicts its schema or itself. */
static int check_array(const struct schema *schema, const struct array *array, const char *name)
{
    if (check_schema(schema, name) < 0)
        return -1;
    if (array->length < 0 || array->length > most_elements)
        return raise_malformed(name, "its length is negative, or more than memory holds");
    if (array->offset < 0 || array->offset > most_elements)
        return raise_malformed(name, "its offset is negative, or more than memory holds");
    if (array->n_buffers < 0 || (array->n_buffers > 0 && !array->buffers))
        return raise_malformed(name, "its buffers are missing");
    if (array->null_count > 0 && (array->n_buffers == 0 || !array->buffers[0]))
        return raise_malformed(name, "it counts nulls, and does not say where they are");
    if (array->n_children != schema->n_children || (array->n_children > 0 && !array->children))
        return raise_malformed(name, "its children are not those of its schema");
    for (int64_t i = 0; i < array->n_children; i++)
        if (!array->children[i])
            return raise_malformed(name, "one of its children is missing");
    return 0;
}

/* A range of an array's elements, width of them a row. */
struct range {
    const struct schema *schema;
    const struct array *array;
    int64_t first, length, width;
};

/* Raises if any element is null. */
static int refuse_nulls(struct range at, const char *name)
{
    const unsigned char *valid = at.array->null_count != 0 && at.array->n_buffers > 0 ? at.array->buffers[0] : NULL;
    for (int64_t i = at.first; valid && i < at.first + at.length; i++)
        if (!(valid[i / 8] >> i % 8 & 1)) {
            PyErr_Format(PyExc_ValueError,
                         "row %lld of the Arrow column %s is null, which has no meaning here: fill it, with nan say",
                         (long long)((i - at.first) / at.width), name);
            return -1;
        }
    return 0;
}

/* How many numbers a row of a column has: 1, or those of fixed-size lists. 0: more than any shape has, or none. */
static int64_t width_of(const struct schema *schema)
{
    if (strncmp(schema->format, "+w:", 3) != 0)
        return 1;
    char *end;
    const long long width = strtoll(schema->format + 3, &end, 10);
    return end != schema->format + 3 && !*end && width > 0 && width <= MOST_FIELDS ? width : 0;
}

/* Of fixed-size lists the range of their numbers; other ranges as they are. Raises where they end too soon. */
static int enter_lists(struct range *at, const char *name)
{
    if (strncmp(at->schema->format, "+w:", 3) != 0)
        return 0;
    if (at->schema->n_children != 1)
        return raise_malformed(name, "a fixed-size list has one child");
    const struct schema *schema = at->schema->children[0];
    const struct array *items = at->array->children[0];
    const int64_t width = width_of(at->schema), end = (at->first + at->length) * width;
    if (check_array(schema, items, name) < 0 || refuse_nulls(*at, name) < 0)
        return -1;
    if (items->length < end)
        return raise_malformed(name, "its lists have fewer numbers than its rows need");
    *at = (struct range){schema, items, at->first * width + items->offset, at->length * width, width};
    return 0;
}

/*
 * (type, width or 0, bytes) of numbers, or of fixed-size lists of numbers; the format as text for others; NULL:
 * exception. The range's array has been checked, and holds it.
 */
static PyObject *column_of(PyObject *owner, struct range at)
{
    const char *name = name_of(at.schema);
    const struct schema *schema = at.schema;
    const bool lists = strncmp(schema->format, "+w:", 3) == 0;
    size_t size = 0;
    if (at.length > most_rows)
        return PyErr_Format(PyExc_ValueError, "the Arrow column %s has %lld rows, and a batch at most %lld", name,
                            (long long)at.length, (long long)most_rows);
    if (width_of(schema) == 0)
        return PyUnicode_FromString(schema->format);
    if (enter_lists(&at, name) < 0)
        return NULL;
    const char *type = at.schema->dictionary ? NULL : type_of(at.schema->format, &size);
    if (!type)
        return PyUnicode_FromString(schema->format);
    if (at.array->n_buffers != 2)
        raise_malformed(name, "numbers have two buffers");
    else if (at.length > 0 && !at.array->buffers[1])
        raise_malformed(name, "it has no values");
    if (PyErr_Occurred() || refuse_nulls(at, name) < 0)
        return NULL;
    struct column *column = PyObject_New(struct column, column_type);
    if (!column)
        return NULL;
    Py_INCREF(owner);
    column->owner = owner;
    column->bytes = (Py_ssize_t)at.length * (Py_ssize_t)size;
    column->first = column->bytes > 0 ? (const char *)at.array->buffers[1] + at.first * (int64_t)size : NULL;
    return Py_BuildValue("sLN", type, lists ? (long long)at.width : 0, column);
}

/* What column_of gives for a column of a stream that ended before its first array. */
static PyObject *empty_column(const struct schema *schema)
{
    const bool lists = strncmp(schema->format, "+w:", 3) == 0;
    return Py_BuildValue("sLy#", "f4", lists ? (long long)width_of(schema) : 0, "", (Py_ssize_t)0);
}

/* A column of records, of which all holds the arrays; NULL stands for no rows. */
static PyObject *column_of_records(PyObject *owner, const struct array *all, const struct schema *child, int64_t i)
{
    const char *name = name_of(child);
    if (!all)
        return check_schema(child, name) == 0 ? empty_column(child) : NULL;
    const struct array *array = all->children[i];
    if (check_array(child, array, name) < 0)
        return NULL;
    if (array->length < all->offset + all->length) {
        raise_malformed(name, "it is shorter than its records");
        return NULL;
    }
    return column_of(owner, (struct range){child, array, all->offset + array->offset, all->length, 1});
}

/* [(name, column)] of records, where columns that are not wanted are None, and nothing is looked at. */
static PyObject *columns_of(PyObject *owner, const struct array *all, const struct schema *schema, PyObject *wanted)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < schema->n_children; i++) {
        const struct schema *child = schema->children[i];
        PyObject *name = PyUnicode_FromString(child->name ? child->name : ""), *column = NULL, *pair = NULL;
        const int is_wanted = name ? PySequence_Contains(wanted, name) : -1;
        if (is_wanted >= 0)
            column = is_wanted ? column_of_records(owner, all, child, i) : Py_NewRef(Py_None);
        if (column)
            pair = Py_BuildValue("(OO)", name, column);
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
        Py_XDECREF(column);
        Py_XDECREF(pair);
    }
    return list;
}

/* The columns of records, or one column. Takes the array, whether or not it raises. */
static PyObject *take(const struct schema *schema, struct array *array, PyObject *wanted)
{
    struct owner *owner = PyObject_New(struct owner, owner_type);
    if (!owner) {
        array->release(array);
        return NULL;
    }
    owner->array = *array;
    array->release = NULL;
    const struct array *all = &owner->array;
    const struct range range = {schema, all, all->offset, all->length, 1};
    PyObject *result = NULL;
    if (check_array(schema, all, name_of(schema)) == 0) {
        if (strcmp(schema->format, "+s") != 0)
            result = column_of((PyObject *)owner, range);
        else if (refuse_nulls(range, "of records") == 0)
            result = columns_of((PyObject *)owner, all, schema, wanted);
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

/* arrow_array(schema capsule, array capsule, names wanted of records) -> columns, or one column */
static PyObject *py_arrow_array(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second, *wanted;
    if (!PyArg_ParseTuple(args, "OOO", &first, &second, &wanted))
        return NULL;
    struct schema *schema = open_capsule(first, "arrow_schema");
    struct array *array = schema ? open_capsule(second, "arrow_array") : NULL;
    if (!array)
        return NULL;
    return schema->release && array->release ? take(schema, array, wanted) : raise_taken();
}

/* Appends an object to a list and drops it; -1 with an exception, also if it is NULL. */
static int append(PyObject *list, PyObject *object)
{
    const int result = object ? PyList_Append(list, object) : -1;
    Py_XDECREF(object);
    return result;
}

/* Appends the next array of a stream to a list: 1, or 0 at the end, or -1 with an exception. */
static int append_next(struct stream *stream, const struct schema *schema, PyObject *wanted, PyObject *list)
{
    struct array array = {0};
    const int error = stream->get_next(stream, &array);
    if (PyErr_Occurred())
        return -1;
    if (error) {
        const char *text = stream->get_last_error ? stream->get_last_error(stream) : NULL;
        PyErr_Format(PyExc_ValueError, "an Arrow stream ended with error %d: %s", error, text ? text : "no reason");
        return -1;
    }
    if (array.release)
        return append(list, take(schema, &array, wanted)) < 0 ? -1 : 1;
    if (PyList_Size(list) > 0)
        return 0;
    if (check_schema(schema, name_of(schema)) < 0)
        return -1;
    const bool records = strcmp(schema->format, "+s") == 0;
    return append(list, records ? columns_of(NULL, NULL, schema, wanted) : empty_column(schema));
}

/* arrow_stream(stream capsule, names wanted of records) -> what arrow_array gives, one a chunk, at least one */
static PyObject *py_arrow_stream(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *wanted;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &wanted))
        return NULL;
    struct stream *from = open_capsule(capsule, "arrow_array_stream");
    if (!from)
        return NULL;
    if (!from->release)
        return raise_taken();
    struct stream stream = *from;
    from->release = NULL;
    struct schema schema = {0};
    PyObject *list = PyList_New(0);
    int more = list && stream.get_schema && stream.get_next ? 1 : -1;
    if (more < 0 || stream.get_schema(&stream, &schema) || !schema.release) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "an Arrow stream without a schema");
        more = -1;
    }
    while (more > 0)
        more = append_next(&stream, &schema, wanted, list);
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
                                {"arrow_stream", py_arrow_stream, METH_VARARGS, NULL},
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
