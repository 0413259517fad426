/* SPDX-License-Identifier: MIT */
/* Searches of an index: pairs, compressed rows, counts, any, nearest. */
#include "index.h"

#include "pool.h"

#include <stdlib.h>
#include <string.h>

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
    Py_BEGIN_ALLOW_THREADS if (offsets && items)
    {
        sort_by_query(list, n, offsets, items + (columns - 1) * list->n);
        if (form == SORTED)
            write_queries(offsets, n, items);
    }
    free(list->pairs);
    Py_END_ALLOW_THREADS if (!offsets || !items)
    {
        free(offsets);
        free(items);
        return PyErr_NoMemory();
    }
    if (form == SORTED) {
        free(offsets);
        return memory_new(items, list->n * 2 * sizeof *items);
    }
    PyObject *first = memory_new(offsets, (n + 1) * sizeof *offsets),
             *second = memory_new(items, list->n * sizeof *items);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* What all searches are asked with. */
struct search {
    struct index *self;
    const struct batch *queries; /* NULL: the index itself */
    int relation, touch, workers;
};

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
    if (status != ABUT_ERROR_PREDICATE)
        return raise_status(status, NULL, NULL);
    return PyErr_Format(
        PyExc_TypeError, "an index of %s cannot be searched for %s in this way; abut.predicates() lists what can",
        shapes[search->self->kind].plural, search->queries ? shapes[search->queries->kind].plural : "pairs of its own");
}

/* join(queries or None, relation, touch, workers, form) */
PyObject *index_join(PyObject *object, PyObject *args)
{
    struct search search;
    int form;
    PyObject *queries;
    if (!PyArg_ParseTuple(args, "Oiiii", &queries, &search.relation, &search.touch, &search.workers, &form) ||
        begin(&search, object, queries) < 0)
        return NULL;
    struct list list = {0};
    enum abut_status status;
    Py_BEGIN_ALLOW_THREADS struct abut_threads threads;
    struct pool *pool = pool_of(search.workers, &threads);
    const struct abut_options options = {.touch = (enum abut_touch)search.touch,
                                         .relation = (enum abut_relation)search.relation,
                                         .threads = pool ? &threads : NULL};
    const struct abut_index *index = search.self->index;
    status = search.queries ? abut_join_blocks(index, set_of(search.queries), &options, take, &list)
                            : abut_self_join_blocks(index, &options, take, &list);
    pool_free(pool);
    Py_END_ALLOW_THREADS search_end(search.self);
    if (list.failed)
        status = ABUT_ERROR_MEMORY;
    if (status != ABUT_OK) {
        free(list.pairs);
        return raise_search(&search, status);
    }
    const size_t n = search.queries ? search.queries->items.columns.n : abut_index_count(search.self->index);
    return result_of(&list, n, (enum form)form);
}

/* counts(queries, relation, touch, workers, any) -> uint32 a query, or words of bits if any */
PyObject *index_counts(PyObject *object, PyObject *args)
{
    struct search search;
    int any;
    PyObject *queries;
    if (!PyArg_ParseTuple(args, "Oiiip", &queries, &search.relation, &search.touch, &search.workers, &any))
        return NULL;
    if (queries == Py_None)
        return PyErr_Format(PyExc_TypeError, "queries: shapes are needed, such as abut.Spheres(array)");
    if (begin(&search, object, queries) < 0)
        return NULL;
    const size_t n = search.queries->items.columns.n;
    const size_t bytes = any ? abut_mask_words(n) * sizeof(uint64_t) : n * sizeof(uint32_t);
    void *result = elements(bytes, 1);
    enum abut_status status = result ? ABUT_OK : ABUT_ERROR_MEMORY;
    Py_BEGIN_ALLOW_THREADS struct abut_threads threads;
    struct pool *pool = pool_of(search.workers, &threads);
    const struct abut_options options = {.touch = (enum abut_touch)search.touch,
                                         .relation = (enum abut_relation)search.relation,
                                         .threads = pool ? &threads : NULL};
    const struct abut_set set = set_of(search.queries);
    if (status == ABUT_OK)
        status = any ? abut_join_any(search.self->index, set, &options, result)
                     : abut_join_counts(search.self->index, set, &options, result);
    pool_free(pool);
    Py_END_ALLOW_THREADS search_end(search.self);
    if (status == ABUT_OK)
        return memory_new(result, bytes);
    free(result);
    return raise_search(&search, status);
}

/* nearest(points, k, workers) -> (uint32 indices, float32 d2), k a point */
PyObject *index_nearest(PyObject *object, PyObject *args)
{
    struct search search;
    Py_ssize_t k;
    PyObject *points;
    if (!PyArg_ParseTuple(args, "Oni", &points, &k, &search.workers))
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
    Py_BEGIN_ALLOW_THREADS struct abut_threads threads;
    struct pool *pool = pool_of(search.workers, &threads);
    const struct abut_options options = {.threads = pool ? &threads : NULL};
    if (status == ABUT_OK)
        status = abut_nearest(search.self->index, &batch->items.points, (size_t)k, &options, indices, d2);
    pool_free(pool);
    Py_END_ALLOW_THREADS search_end(search.self);
    if (status != ABUT_OK) {
        free(indices);
        free(d2);
        return raise_search(&search, status);
    }
    PyObject *first = memory_new(indices, n * (size_t)k * sizeof *indices);
    PyObject *second = memory_new(d2, n * (size_t)k * sizeof *d2);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}
