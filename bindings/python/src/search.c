/* SPDX-License-Identifier: MIT */
/* Searches of an index: pairs, compressed rows, counts, any, nearest. */
#include "index.h"

#include "pool.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Python's signals, looked at during a long search: Ctrl-C ends it. Signals are the main thread's. */
struct watch {
    double last;
    bool raised;
};

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* False if a signal handler raised an exception. Called without Python's lock, on the thread that called. */
static bool proceed(void *context)
{
    const double often = 0.05;
    struct watch *watch = context;
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

/* Pairs as they are found. */
struct list {
    struct abut_pair *pairs;
    size_t n, capacity;
    bool failed;
};

static bool take(void *context, const struct abut_pair *pairs, size_t n)
{
    struct list *list = context;
    if (n > list->capacity - list->n) {
        const size_t capacity = list->capacity + list->capacity / 2 + n + 4096;
        void *grown = capacity > SIZE_MAX / sizeof *pairs ? NULL : realloc(list->pairs, capacity * sizeof *pairs);
        if (!grown) {
            list->failed = true;
            return false;
        }
        list->pairs = grown;
        list->capacity = capacity;
    }
    memcpy(list->pairs + list->n, pairs, n * sizeof *pairs);
    list->n += n;
    return true;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the items of one row; most rows have few. */
static void sort_row(int64_t *items, size_t n)
{
    enum { SHORT = 32 };
    if (n > SHORT) {
        qsort(items, n, sizeof *items, compare);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const int64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Rows in order: offsets[n + 1], and the items of each row, ascending. A counting sort by query. */
static void sort_by_query(const struct list *list, size_t n, int64_t *offsets, int64_t *items)
{
    memset(offsets, 0, (n + 1) * sizeof *offsets);
    for (size_t i = 0; i < list->n; i++)
        offsets[list->pairs[i].a + 1]++;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] += offsets[i];
    /* Each row's offset walks to its end, which is the next row's begin. */
    for (size_t i = 0; i < list->n; i++)
        items[offsets[list->pairs[i].a]++] = list->pairs[i].b;
    for (size_t i = n; i > 0; i--)
        offsets[i] = offsets[i - 1];
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        sort_row(items + offsets[i], (size_t)(offsets[i + 1] - offsets[i]));
}

static void write_queries(const int64_t *offsets, size_t n, int64_t *queries)
{
    for (size_t i = 0; i < n; i++)
        for (int64_t at = offsets[i]; at < offsets[i + 1]; at++)
            queries[at] = (int64_t)i;
}

/* Two results as a tuple. Takes their memory. */
static PyObject *both_of(void *first, size_t first_bytes, void *second, size_t second_bytes)
{
    PyObject *one = memory_new(first, first_bytes), *other = memory_new(second, second_bytes);
    PyObject *both = one && other ? PyTuple_Pack(2, one, other) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(other);
    return both;
}

enum form { UNSORTED, SORTED, ROWS };

/* The results of a join: pairs of uint32, or two rows of int64, or offsets and items. Takes the list's memory. */
static PyObject *result_of(struct list *list, size_t n, enum form form)
{
    if (form == UNSORTED) {
        void *fitting = list->n > 0 ? realloc(list->pairs, list->n * sizeof *list->pairs) : NULL;
        return memory_new(fitting       ? fitting
                          : list->pairs ? list->pairs
                                        : elements(0, 1),
                          list->n * sizeof *list->pairs);
    }
    const size_t columns = form == SORTED ? 2 : 1;
    int64_t *offsets = elements(n + 1, sizeof *offsets), *items = elements(list->n, columns * sizeof *items);
    PyThreadState *const thread = PyEval_SaveThread();
    if (offsets && items) {
        sort_by_query(list, n, offsets, items + (columns - 1) * list->n);
        if (form == SORTED)
            write_queries(offsets, n, items);
    }
    free(list->pairs);
    PyEval_RestoreThread(thread);
    if (!offsets || !items) {
        free(offsets);
        free(items);
        return PyErr_NoMemory();
    }
    if (form == SORTED) {
        free(offsets);
        return memory_new(items, list->n * 2 * sizeof *items);
    }
    return both_of(offsets, (n + 1) * sizeof *offsets, items, list->n * sizeof *items);
}

/* What all searches are asked with. */
struct search {
    struct index *self;
    const struct batch *queries; /* NULL: the index itself */
    int relation, touch, workers;
    struct watch watch;
    struct abut_threads threads;
    struct pool *pool;
};

/* The options of a search, and its threads. */
static struct abut_options options_of(struct search *search)
{
    search->pool = pool_of(search->workers, &search->threads);
    search->watch = (struct watch){0};
    return (struct abut_options){.touch = (enum abut_touch)search->touch,
                                 .relation = (enum abut_relation)search->relation,
                                 .threads = search->pool ? &search->threads : NULL,
                                 .proceed = proceed,
                                 .proceed_context = &search->watch};
}

/* Marks the search as begun, or raises. */
static int begin(struct search *search, PyObject *object, PyObject *queries)
{
    search->self = (struct index *)object;
    search->queries = queries == Py_None ? NULL : batch_of(queries, "queries");
    if (queries != Py_None && !search->queries)
        return -1;
    return search_begin(search->self);
}

static PyObject *raise_search(const struct search *search, enum abut_status status)
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
    if (begin(&search, object, queries) < 0)
        return NULL;
    struct list list = {0};
    enum abut_status status;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_options options = options_of(&search);
    options.own = own;
    const struct abut_index *index = search.self->index;
    status = search.queries ? abut_join_blocks(index, set_of(search.queries), &options, take, &list)
                            : abut_self_join_blocks(index, &options, take, &list);
    pool_free(search.pool);
    PyEval_RestoreThread(thread);
    search_end(search.self);
    if (list.failed)
        status = ABUT_ERROR_MEMORY;
    if (status != ABUT_OK) {
        free(list.pairs);
        return raise_search(&search, status);
    }
    const size_t n = search.queries ? search.queries->items.columns.n : abut_index_count(search.self->index);
    return result_of(&list, n, (enum form)form);
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
    if (begin(&search, object, queries) < 0)
        return NULL;
    const size_t n = search.queries->items.columns.n;
    const size_t bytes = any ? abut_mask_words(n) * sizeof(uint64_t) : n * sizeof(uint32_t);
    void *result = elements(bytes, 1);
    enum abut_status status = result ? ABUT_OK : ABUT_ERROR_MEMORY;
    PyThreadState *const thread = PyEval_SaveThread();
    struct abut_options options = options_of(&search);
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
    return raise_search(&search, status);
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
        if (!proceed(&search->watch))
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
    if (!batch || begin(&search, object, points) < 0)
        return NULL;
    const size_t n = batch->items.columns.n;
    const bool fits = n == 0 || (size_t)k <= PY_SSIZE_T_MAX / sizeof(float) / n;
    uint32_t *indices = fits ? elements(n * (size_t)k, sizeof *indices) : NULL;
    float *d2 = fits ? elements(n * (size_t)k, sizeof *d2) : NULL;
    enum abut_status status = indices && d2 ? ABUT_OK : ABUT_ERROR_MEMORY;
    const struct abut_neighbours question = {
        .k = (size_t)k, .limited = within >= 0, .within = within >= 0 ? within : 0, .exclude_self = exclude_self};
    PyThreadState *const thread = PyEval_SaveThread();
    const struct abut_options options = options_of(&search);
    if (status == ABUT_OK)
        status = nearest_in_parts(&search, batch, question, &options, indices, d2);
    pool_free(search.pool);
    PyEval_RestoreThread(thread);
    search_end(search.self);
    if (status != ABUT_OK) {
        free(indices);
        free(d2);
        return raise_search(&search, status);
    }
    return both_of(indices, n * (size_t)k * sizeof *indices, d2, n * (size_t)k * sizeof *d2);
}
