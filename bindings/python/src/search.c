/* SPDX-License-Identifier: MIT */
/* Searches of an index: pairs, compressed rows, counts, any, nearest. */
#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool search_proceed(void *context)
{
    const double often = 0.05;
    struct watch *watch = context;
    if (watch->calls++ % watch->every != 0)
        return true;
    const double now = seconds();
    if (watch->last == 0 || now - watch->last < often) {
        watch->last = watch->last == 0 ? now : watch->last;
        return true;
    }
    watch->last = now;
    const PyGILState_STATE state = PyGILState_Ensure();
    watch->raised = PyErr_CheckSignals() < 0;
    PyGILState_Release(state);
    return !watch->raised;
}

enum form { UNSORTED, SORTED, ROWS };

/* All pairs of a join, at the end of the memory of the result. */
struct list {
    enum form form;
    int64_t *memory; /* of a result: pairs or items; behind queries, if SORTED */
    size_t n;
};

static struct abut_pair *pairs_of(const struct list *list)
{
    return (struct abut_pair *)(void *)(list->memory + (list->form == SORTED ? list->n : 0));
}

static struct abut_pair *get_pairs(void *context, size_t n)
{
    struct list *list = context;
    list->memory = elements(n, (list->form == SORTED ? 2 : 1) * sizeof *list->memory);
    list->n = list->memory ? n : 0;
    return list->memory ? pairs_of(list) : NULL;
}

/*
 * Writes the item of each pair over the pair, which takes as many bytes, and its query, if wanted, to queries. Writes
 * where each row begins, if wanted, to offsets[rows + 1]. Pairs are sorted.
 */
static void spread(struct list *list, int64_t *queries, int64_t *offsets, size_t rows)
{
    char *at = (char *)pairs_of(list);
    size_t row = 0;
    for (size_t i = 0; i < list->n; i++, at += sizeof(int64_t)) {
        struct abut_pair pair;
        memcpy(&pair, at, sizeof pair);
        const int64_t item = pair.b;
        memcpy(at, &item, sizeof item);
        if (queries)
            queries[i] = pair.a;
        while (offsets && row <= pair.a)
            offsets[row++] = (int64_t)i;
    }
    while (offsets && row <= rows)
        offsets[row++] = (int64_t)list->n;
}

PyObject *both_of(void *first, size_t first_bytes, void *second, size_t second_bytes)
{
    PyObject *one = memory_new(first, first_bytes), *other = memory_new(second, second_bytes);
    PyObject *both = one && other ? PyTuple_Pack(2, one, other) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(other);
    return both;
}

/* The results of a join: pairs of uint32, or two rows of int64, or offsets and items. Takes the list's memory. */
static PyObject *result_of(struct list *list, size_t n)
{
    const size_t bytes = list->n * (list->form == SORTED ? 2 : 1) * sizeof *list->memory;
    if (!list->memory)
        list->memory = elements(0, 1);
    int64_t *offsets = list->form == ROWS ? elements(n + 1, sizeof *offsets) : NULL;
    enum abut_status status = list->memory && (offsets || list->form != ROWS) ? ABUT_OK : ABUT_ERROR_MEMORY;
    PyThreadState *const thread = PyEval_SaveThread();
    if (status == ABUT_OK && list->form != UNSORTED)
        status = abut_sort_pairs(pairs_of(list), list->n, NULL);
    if (status == ABUT_OK && list->form != UNSORTED)
        spread(list, list->form == SORTED ? list->memory : NULL, offsets, n);
    PyEval_RestoreThread(thread);
    if (status == ABUT_OK)
        return offsets ? both_of(offsets, (n + 1) * sizeof *offsets, list->memory, bytes)
                       : memory_new(list->memory, bytes);
    free(offsets);
    free(list->memory);
    if (status == ABUT_ERROR_TOO_MANY)
        return PyErr_Format(PyExc_ValueError, "%zu pairs are too many to sort: join() leaves them unsorted", list->n);
    return raise_status(status, NULL, NULL);
}

struct abut_options search_options(struct search *search)
{
    search->pool = pool_of(search->workers, &search->threads);
    /* With threads a call comes after much work, else after each packet of queries. */
    search->watch = (struct watch){.every = search->pool ? 1 : 64};
    return (struct abut_options){.touch = (enum abut_touch)search->touch,
                                 .relation = (enum abut_relation)search->relation,
                                 .threads = search->pool ? &search->threads : NULL,
                                 .proceed = search_proceed,
                                 .proceed_context = &search->watch};
}

int search_start(struct search *search, PyObject *object, PyObject *queries)
{
    search->self = (struct index *)object;
    search->queries = queries == Py_None ? NULL : batch_of(queries, "queries");
    if (queries != Py_None && !search->queries)
        return -1;
    return search_begin(search->self);
}

PyObject *search_raise(const struct search *search, enum abut_status status)
{
    if (search->watch.raised)
        return NULL;
    if (status != ABUT_ERROR_PREDICATE)
        return raise_status(status, NULL, NULL);
    return PyErr_Format(
        PyExc_TypeError, "an index of %s cannot be searched for %s in this way; abut.predicates() lists what can",
        shapes[search->self->kind].plural, search->queries ? shapes[search->queries->kind].plural : "pairs of its own");
}

/* The six bounds of a box that owns pairs, or NULL. */
static const struct abut_own *own_of(const Py_buffer *view, struct abut_own *box)
{
    if (view->len != (Py_ssize_t)sizeof *box)
        return NULL;
    memcpy(box, view->buf, sizeof *box);
    return box;
}

/* join(queries or None, relation, touch, workers, form, six floats as bytes, or none: the box that owns pairs) */
PyObject *index_join(PyObject *object, PyObject *args)
{
    struct search search;
    int form;
    PyObject *queries;
    Py_buffer bounds;
    struct abut_own box;
    if (!PyArg_ParseTuple(args, "Oiiiiy*", &queries, &search.relation, &search.touch, &search.workers, &form, &bounds))
        return NULL;
    const struct abut_own *own = own_of(&bounds, &box);
    PyBuffer_Release(&bounds);
    if (search_start(&search, object, queries) < 0)
        return NULL;
    struct list list = {.form = (enum form)form};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_options options = search_options(&search);
    options.own = own;
    const struct abut_index *index = search.self->index;
    status = search.queries ? abut_join_to(index, set_of(search.queries), &options, get_pairs, &list)
                            : abut_self_join_to(index, &options, get_pairs, &list);
    pool_free(search.pool);
    PyEval_RestoreThread(thread);
    search_end(search.self);
    if (status != ABUT_OK) {
        free(list.memory);
        return search_raise(&search, status);
    }
    const size_t n = search.queries ? search.queries->items.columns.n : abut_index_count(search.self->index);
    return result_of(&list, n);
}

/* counts(queries, relation, touch, workers, any, box that owns pairs) -> uint32 a query, or words of bits if any */
PyObject *index_counts(PyObject *object, PyObject *args)
{
    struct search search;
    int any;
    PyObject *queries;
    Py_buffer bounds;
    struct abut_own box;
    if (!PyArg_ParseTuple(args, "Oiiipy*", &queries, &search.relation, &search.touch, &search.workers, &any, &bounds))
        return NULL;
    const struct abut_own *own = own_of(&bounds, &box);
    PyBuffer_Release(&bounds);
    if (queries == Py_None)
        return PyErr_Format(PyExc_TypeError, "queries: shapes are needed, such as abut.Spheres(array)");
    if (search_start(&search, object, queries) < 0)
        return NULL;
    const size_t n = search.queries->items.columns.n;
    const size_t bytes = any ? abut_mask_words(n) * sizeof(uint64_t) : n * sizeof(uint32_t);
    void *result = elements(bytes, 1);
    enum abut_status status = result ? ABUT_OK : ABUT_ERROR_MEMORY;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_options options = search_options(&search);
    options.own = own;
    const struct abut_set set = set_of(search.queries);
    if (status == ABUT_OK)
        status = any ? abut_join_any(search.self->index, set, &options, result)
                     : abut_join_counts(search.self->index, set, &options, result);
    pool_free(search.pool);
    PyEval_RestoreThread(thread);
    search_end(search.self);
    if (status == ABUT_OK)
        return memory_new(result, bytes);
    free(result);
    return search_raise(&search, status);
}

/* Points are asked about some at a time, with a look at signals in between. */
static enum abut_status nearest_in_parts(struct search *search, const struct batch *batch,
                                         struct abut_neighbours question, const struct abut_options *options,
                                         uint32_t *indices, float *d2)
{
    enum { PART = 1 << 16 };
    const struct abut_points all = batch->items.points;
    for (size_t first = 0; first < all.n || first == 0; first += PART) {
        const size_t n = all.n - first < PART ? all.n - first : PART, k = question.k;
        const struct abut_points some = {n, all.x + first, all.y + first, all.z + first};
        const struct abut_neighbours_found found = {.indices = indices + first * k, .d2 = d2 + first * k};
        question.first = first;
        const enum abut_status status = abut_find_neighbours(search->self->index, &some, &question, options, &found);
        if (status != ABUT_OK)
            return status;
        search->watch.calls = 0;
        if (!search_proceed(&search->watch))
            return ABUT_ERROR_STOPPED;
    }
    return ABUT_OK;
}

/*
 * nearest(points, k, within or a negative number for no limit, touch, exclude_self, workers) -> (uint32 indices,
 * float32 d2), k a point
 */
PyObject *index_nearest(PyObject *object, PyObject *args)
{
    struct search search = {0};
    Py_ssize_t k;
    PyObject *points;
    float within;
    int exclude_self;
    if (!PyArg_ParseTuple(args, "Onfipi", &points, &k, &within, &search.touch, &exclude_self, &search.workers))
        return NULL;
    const struct batch *batch = batch_of(points, "points");
    if (batch && (batch->kind != ABUT_SET_POINTS || k < 1))
        return PyErr_Format(PyExc_ValueError, "nearest() takes points, and k of at least 1");
    if (!batch || search_start(&search, object, points) < 0)
        return NULL;
    const size_t n = batch->items.columns.n;
    const bool fits = n == 0 || (size_t)k <= PY_SSIZE_T_MAX / sizeof(float) / n;
    uint32_t *indices = fits ? elements(n * (size_t)k, sizeof *indices) : NULL;
    float *d2 = fits ? elements(n * (size_t)k, sizeof *d2) : NULL;
    enum abut_status status = indices && d2 ? ABUT_OK : ABUT_ERROR_MEMORY;
    const struct abut_neighbours question = {
        .k = (size_t)k, .limited = within >= 0, .within = within >= 0 ? within : 0, .exclude_self = exclude_self};
    PyThreadState *const thread = PyEval_SaveThread();
    const struct abut_options options = search_options(&search);
    if (status == ABUT_OK)
        status = nearest_in_parts(&search, batch, question, &options, indices, d2);
    pool_free(search.pool);
    PyEval_RestoreThread(thread);
    search_end(search.self);
    if (status != ABUT_OK) {
        free(indices);
        free(d2);
        return search_raise(&search, status);
    }
    return both_of(indices, n * (size_t)k * sizeof *indices, d2, n * (size_t)k * sizeof *d2);
}
