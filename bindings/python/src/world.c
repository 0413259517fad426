/* SPDX-License-Identifier: MIT */
/* The type abut._abut.World: items that move, and the pairs that begin and end to touch. */
#include "index.h"

#include "pool.h"

#include <abut/world.h>

#include <stdlib.h>
#include <string.h>

PyTypeObject *world_type;

struct world {
    PyObject_HEAD struct abut_world *world;
    bool busy; /* a call runs without Python's lock */
};

/* One call at a time: marks it as begun, or raises. Changes only under Python's lock. */
static int begin(struct world *self)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this world");
        return -1;
    }
    self->busy = true;
    return 0;
}

static PyObject *none(void)
{
    return Py_BuildValue("");
}

/* The elements of a buffer of uint32 or uint64, or NULL for None. -1 with an exception if there are not n. */
static int labels_of(PyObject *object, Py_buffer *view, size_t n, size_t size, const void **elements)
{
    *elements = NULL;
    memset(view, 0, sizeof *view);
    if (object == Py_None)
        return 0;
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) < 0)
        return -1;
    if ((size_t)view->len == n * size) {
        *elements = view->buf;
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "%zu items need as many ids, groups, masks and data", n);
    return -1;
}

/* Buffers of groups, masks and data, each None or n elements. release_labels takes them back, also after an error. */
struct label_views {
    Py_buffer views[3];
    struct abut_world_labels labels;
};

static void release_labels(struct label_views *from)
{
    for (unsigned i = 0; i < 3; i++)
        PyBuffer_Release(&from->views[i]);
}

static int take_labels(struct label_views *to, PyObject *const objects[3], size_t n)
{
    const void *found[3];
    memset(to, 0, sizeof *to);
    for (unsigned i = 0; i < 3; i++)
        if (labels_of(objects[i], &to->views[i], n, i < 2 ? sizeof(uint32_t) : sizeof(uint64_t), &found[i]) < 0) {
            release_labels(to);
            return -1;
        }
    to->labels = (struct abut_world_labels){found[0], found[1], found[2]};
    return 0;
}

/* None or an exception. */
static PyObject *answer(enum abut_status status, const struct batch *batch, const struct abut_invalid *invalid)
{
    switch (status) {
    case ABUT_OK:
        return none();
    case ABUT_ERROR_INVALID:
        if (batch)
            return raise_invalid(shapes[batch->kind].plural, invalid);
        return PyErr_Format(PyExc_ValueError, "these bytes are no world that this version of abut saved");
    case ABUT_ERROR_PREDICATE:
        return PyErr_Format(PyExc_TypeError,
                            "shapes that these groups and masks let meet have no predicate; abut.predicates() "
                            "lists those that exist, and groups and masks keep other shapes apart");
    case ABUT_ERROR_ARGUMENT:
        return PyErr_Format(PyExc_ValueError, "an id that is not in the world, or one of another shape");
    default:
        return raise_status(status, NULL, NULL);
    }
}

/* World(padding, touch, bytes of a saved world or None) */
static PyObject *new_world(PyTypeObject *type, PyObject *args, PyObject *names)
{
    (void)names;
    float padding;
    int touch;
    PyObject *saved;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "fiO", &padding, &touch, &saved))
        return NULL;
    if (saved != Py_None && PyObject_GetBuffer(saved, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    struct world *self = (struct world *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    enum abut_status status = self ? ABUT_OK : ABUT_ERROR_MEMORY;
    const struct abut_options options = {.touch = (enum abut_touch)touch};
    if (self)
        status = saved != Py_None ? abut_world_restore(view.buf, (size_t)view.len, &options, &self->world)
                                  : abut_world_new(padding, &options, &self->world);
    if (saved != Py_None)
        PyBuffer_Release(&view);
    if (status == ABUT_OK)
        return (PyObject *)self;
    Py_XDECREF((PyObject *)self);
    if (status == ABUT_ERROR_ARGUMENT)
        return PyErr_Format(PyExc_ValueError, "padding is a distance, finite and not negative");
    return answer(status, NULL, NULL);
}

static void release(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    abut_world_free(((struct world *)object)->world);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* add(shapes, groups, masks, data) -> ids */
static PyObject *add(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    PyObject *items, *objects[3];
    struct label_views views;
    if (!PyArg_ParseTuple(args, "OOOO", &items, &objects[0], &objects[1], &objects[2]))
        return NULL;
    const struct batch *batch = batch_of(items, "shapes");
    if (!batch)
        return NULL;
    if (batch->kind == ABUT_SET_HULLS || batch->kind == ABUT_SET_PLANES)
        return PyErr_Format(PyExc_TypeError, "%s cannot be in a world", shapes[batch->kind].plural);
    const size_t n = batch->items.columns.n;
    if (take_labels(&views, objects, n) < 0)
        return NULL;
    uint32_t *ids = elements(n, sizeof *ids);
    if (!ids || begin(self) < 0) {
        release_labels(&views);
        free(ids);
        return ids ? NULL : PyErr_NoMemory();
    }
    struct abut_invalid invalid = {0};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    status = abut_world_add(self->world, set_of(batch), &views.labels, &invalid, ids);
    PyEval_RestoreThread(thread);
    self->busy = false;
    release_labels(&views);
    if (status == ABUT_OK)
        return memory_new(ids, n * sizeof *ids);
    free(ids);
    return answer(status, batch, &invalid);
}

/* move(ids, shapes) */
static PyObject *move(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    PyObject *numbers, *items;
    Py_buffer view;
    const void *ids;
    if (!PyArg_ParseTuple(args, "OO", &numbers, &items))
        return NULL;
    const struct batch *batch = batch_of(items, "shapes");
    if (!batch)
        return NULL;
    PyObject *result = NULL;
    if (labels_of(numbers, &view, batch->items.columns.n, sizeof(uint32_t), &ids) == 0 && begin(self) == 0) {
        struct abut_invalid invalid = {0};
        enum abut_status status;
        PyThreadState *const thread = PyEval_SaveThread();
        status = abut_world_move(self->world, ids, set_of(batch), &invalid);
        PyEval_RestoreThread(thread);
        self->busy = false;
        result = answer(status, batch, &invalid);
    }
    PyBuffer_Release(&view);
    return result;
}

/* label(ids, groups, masks, data) */
static PyObject *label(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    PyObject *objects[3];
    Py_buffer ids;
    struct label_views views;
    if (!PyArg_ParseTuple(args, "y*OOO", &ids, &objects[0], &objects[1], &objects[2]))
        return NULL;
    const size_t n = (size_t)ids.len / sizeof(uint32_t);
    PyObject *result = NULL;
    if (take_labels(&views, objects, n) == 0) {
        if (begin(self) == 0) {
            result = answer(abut_world_label(self->world, ids.buf, n, &views.labels), NULL, NULL);
            self->busy = false;
        }
        release_labels(&views);
    }
    PyBuffer_Release(&ids);
    return result;
}

/* remove(ids) */
static PyObject *remove_items(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    Py_buffer ids;
    if (!PyArg_ParseTuple(args, "y*", &ids))
        return NULL;
    PyObject *result = NULL;
    if (begin(self) == 0) {
        result = answer(abut_world_remove(self->world, ids.buf, (size_t)ids.len / sizeof(uint32_t)), NULL, NULL);
        self->busy = false;
    }
    PyBuffer_Release(&ids);
    return result;
}

/* A copy of pairs: the world's own lists last until its next call. */
static PyObject *copy_of(const struct abut_pair *pairs, size_t n)
{
    struct abut_pair *copy = elements(n, sizeof *copy);
    if (copy && n > 0)
        memcpy(copy, pairs, n * sizeof *copy);
    return memory_new(copy, n * sizeof *copy);
}

/* update(kept, workers) -> pairs that began, that ended, and that were kept */
static PyObject *update(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    int kept, workers;
    if (!PyArg_ParseTuple(args, "pi", &kept, &workers) || begin(self) < 0)
        return NULL;
    struct abut_world_changes changes = {0};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_threads threads;
    struct pool *pool = pool_of(workers, &threads);
    const struct abut_options options = {.threads = pool ? &threads : NULL};
    status = abut_world_update(self->world, kept, &options, &changes);
    pool_free(pool);
    PyEval_RestoreThread(thread);
    PyObject *lists[3] = {NULL, NULL, NULL}, *result = NULL;
    if (status == ABUT_OK) {
        lists[0] = copy_of(changes.began, changes.n_began);
        lists[1] = copy_of(changes.ended, changes.n_ended);
        lists[2] = copy_of(changes.kept, changes.n_kept);
        if (lists[0] && lists[1] && lists[2])
            result = PyTuple_Pack(3, lists[0], lists[1], lists[2]);
    }
    self->busy = false;
    for (unsigned i = 0; i < 3; i++)
        Py_XDECREF(lists[i]);
    return status == ABUT_OK ? result : answer(status, NULL, NULL);
}

/* touching(id) -> ids */
static PyObject *touching(PyObject *object, PyObject *args)
{
    struct world *self = (struct world *)object;
    unsigned id;
    size_t n = 0;
    if (!PyArg_ParseTuple(args, "I", &id) || begin(self) < 0)
        return NULL;
    enum abut_status status = abut_world_touching(self->world, id, NULL, 0, &n);
    uint32_t *others = status == ABUT_OK ? elements(n, sizeof *others) : NULL;
    if (others)
        status = abut_world_touching(self->world, id, others, n, &n);
    self->busy = false;
    if (status == ABUT_OK)
        return memory_new(others, n * sizeof *others);
    free(others);
    return answer(status, NULL, NULL);
}

/* save() -> bytes */
static PyObject *save(PyObject *object, PyObject *args)
{
    (void)args;
    struct world *self = (struct world *)object;
    size_t size = 0;
    if (begin(self) < 0)
        return NULL;
    enum abut_status status = abut_world_save(self->world, NULL, 0, &size);
    void *bytes = status == ABUT_OK ? elements(size, 1) : NULL;
    if (bytes)
        status = abut_world_save(self->world, bytes, size, &size);
    self->busy = false;
    if (status == ABUT_OK)
        return memory_new(bytes, size);
    free(bytes);
    return answer(status, NULL, NULL);
}

/* info(id) -> (whether it is in the world, its data) */
static PyObject *info(PyObject *object, PyObject *args)
{
    const struct world *self = (struct world *)object;
    unsigned id;
    if (!PyArg_ParseTuple(args, "I", &id) || begin((struct world *)object) < 0)
        return NULL;
    const bool has = abut_world_has(self->world, id);
    const unsigned long long data = has ? abut_world_data(self->world, id) : 0;
    ((struct world *)object)->busy = false;
    return Py_BuildValue("OK", has ? Py_True : Py_False, data);
}

/* sizes() -> (items, pairs, bytes) */
static PyObject *sizes(PyObject *object, PyObject *args)
{
    (void)args;
    struct world *self = (struct world *)object;
    if (begin(self) < 0)
        return NULL;
    const struct abut_world *world = self->world;
    const Py_ssize_t all[3] = {(Py_ssize_t)abut_world_count(world), (Py_ssize_t)abut_world_pair_count(world),
                               (Py_ssize_t)abut_world_bytes(world)};
    self->busy = false;
    return Py_BuildValue("nnn", all[0], all[1], all[2]);
}

int world_ready(void)
{
    static PyMethodDef methods[] = {
        {"add", add, METH_VARARGS, NULL},       {"move", move, METH_VARARGS, NULL},
        {"label", label, METH_VARARGS, NULL},   {"remove", remove_items, METH_VARARGS, NULL},
        {"update", update, METH_VARARGS, NULL}, {"touching", touching, METH_VARARGS, NULL},
        {"save", save, METH_NOARGS, NULL},      {"info", info, METH_VARARGS, NULL},
        {"sizes", sizes, METH_NOARGS, NULL},    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)new_world}, {Py_tp_dealloc, (void *)release}, {Py_tp_methods, (void *)methods}, {0, NULL}};
    static PyType_Spec spec = {"abut._abut.World", sizeof(struct world), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               slots};
    world_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return world_type ? 0 : -1;
}
