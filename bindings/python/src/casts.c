/* SPDX-License-Identifier: MIT */
/* Casts of rays and moving spheres among the items of an index, or hulls whose boxes it has: the first, any, or all. */
#include "search.h"

#include <abut/cast.h>

#include <stdlib.h>
#include <string.h>

/* The results of a cast, of which each kind fills its own. of all: n hits of a capacity, and where rays begin. */
struct casts {
    struct search search;
    const struct batch *batch, *hulls; /* hulls: NULL, or those that the boxes of the index hold */
    float *ends;
    uint32_t *items;
    float *t;
    uint64_t *mask;
    uint64_t *offsets;
    size_t n, capacity;
};

typedef enum abut_status cast_some(struct casts *casts, const struct abut_rays *rays, size_t first,
                                   const struct abut_options *options);

/* As many rays as are cast between two looks at signals; whole words of a mask. */
enum { PART = 1 << 14 };

static enum abut_status cast_in_parts(struct casts *casts, const struct abut_options *options, cast_some *cast)
{
    const struct abut_capsules all = casts->batch->items.capsules;
    for (size_t first = 0; first < all.n; first += PART) {
        const struct abut_rays some = {.n = all.n - first < PART ? all.n - first : PART,
                                       .x = all.ax + first,
                                       .y = all.ay + first,
                                       .z = all.az + first,
                                       .dx = all.bx + first,
                                       .dy = all.by + first,
                                       .dz = all.bz + first,
                                       .r = all.r + first,
                                       .end = casts->ends};
        const enum abut_status status = cast(casts, &some, first, options);
        if (status != ABUT_OK)
            return status;
        casts->search.watch.calls = 0;
        if (!search_proceed(&casts->search.watch))
            return ABUT_ERROR_STOPPED;
    }
    return ABUT_OK;
}

static enum abut_status cast_first(struct casts *casts, const struct abut_rays *rays, size_t first,
                                   const struct abut_options *options)
{
    const struct abut_index *index = casts->search.self->index;
    uint32_t *items = casts->items + first;
    float *t = casts->t + first;
    return casts->hulls ? abut_cast_hulls_first(index, &casts->hulls->items.hulls, rays, options, items, t)
                        : abut_cast_first(index, rays, options, items, t);
}

static enum abut_status cast_any(struct casts *casts, const struct abut_rays *rays, size_t first,
                                 const struct abut_options *options)
{
    const struct abut_index *index = casts->search.self->index;
    uint64_t *mask = casts->mask + first / 64;
    return casts->hulls ? abut_cast_hulls_any(index, &casts->hulls->items.hulls, rays, options, mask)
                        : abut_cast_any(index, rays, options, mask);
}

/* Makes the lists as large as some more hits need, and half as large again for those of the next rays. */
static bool enlarge(struct casts *casts, uint64_t more)
{
    if (more > PY_SSIZE_T_MAX / 8 - casts->n)
        return false;
    const size_t capacity = casts->n + (size_t)more + (casts->n + (size_t)more) / 2;
    uint32_t *items = realloc(casts->items, capacity * sizeof *items);
    casts->items = items ? items : casts->items;
    float *t = items ? realloc(casts->t, capacity * sizeof *t) : NULL;
    casts->t = t ? t : casts->t;
    casts->capacity = t ? capacity : casts->capacity;
    return t;
}

/* Lists the hits of some rays behind those of the rays before, if the capacity is enough for them. */
static enum abut_status list_all(const struct casts *casts, const struct abut_rays *rays, uint64_t *offsets,
                                 const struct abut_options *options)
{
    const struct abut_index *index = casts->search.self->index;
    uint32_t *items = casts->items + casts->n;
    float *t = casts->t + casts->n;
    const size_t capacity = casts->capacity - casts->n;
    return casts->hulls
               ? abut_cast_hulls_all(index, &casts->hulls->items.hulls, rays, options, offsets, items, t, capacity)
               : abut_cast_all(index, rays, options, offsets, items, t, capacity);
}

/* The offsets of a part begin at 0, and are moved behind the hits before them. */
static enum abut_status cast_all(struct casts *casts, const struct abut_rays *rays, size_t first,
                                 const struct abut_options *options)
{
    uint64_t *offsets = casts->offsets + first;
    const size_t before = casts->n;
    enum abut_status status = list_all(casts, rays, offsets, options);
    if (status == ABUT_OK && offsets[rays->n] > casts->capacity - before)
        status = enlarge(casts, offsets[rays->n]) ? list_all(casts, rays, offsets, options) : ABUT_ERROR_MEMORY;
    if (status != ABUT_OK)
        return status;
    casts->n += (size_t)offsets[rays->n];
    for (size_t i = 0; i <= rays->n; i++)
        offsets[i] += before;
    return ABUT_OK;
}

static void free_casts(struct casts *casts)
{
    free(casts->ends);
    free(casts->items);
    free(casts->t);
    free(casts->mask);
    free(casts->offsets);
}

/* The hulls of a cast, or None: an index of their boxes is needed. False with an exception if they are neither. */
static bool take_hulls(struct casts *casts, PyObject *hulls, const struct index *boxes)
{
    if (hulls == Py_None)
        return true;
    casts->hulls = batch_of(hulls, "hulls");
    if (!casts->hulls)
        return false;
    const size_t n = abut_index_count(boxes->index);
    if (casts->hulls->kind != ABUT_SET_HULLS)
        PyErr_Format(PyExc_TypeError, "hulls: hulls are needed, not %s", shapes[casts->hulls->kind].plural);
    else if (boxes->kind != ABUT_SET_AABBS)
        PyErr_Format(PyExc_TypeError,
                     "hulls: the index has %s; casts among hulls need one of their AABBs, "
                     "abut.Index(abut.AABBs(hulls.bounds), skip_invalid=True)",
                     shapes[boxes->kind].plural);
    else if (casts->hulls->items.hulls.n != n)
        PyErr_Format(PyExc_ValueError, "hulls: there are %zu hulls and an index of %zu boxes: it needs one for each",
                     casts->hulls->items.hulls.n, n);
    return !PyErr_Occurred();
}

/* Parses (rays, end, workers, hulls or None). Rays are a batch of capsules: start, motion and radius. */
static int start(struct casts *casts, PyObject *object, PyObject *args)
{
    PyObject *rays, *hulls;
    float end;
    *casts = (struct casts){.n = 0};
    if (!PyArg_ParseTuple(args, "OfiO", &rays, &end, &casts->search.workers, &hulls))
        return -1;
    casts->batch = batch_of(rays, "rays");
    if (casts->batch && casts->batch->kind != ABUT_SET_CAPSULES)
        PyErr_Format(PyExc_ValueError, "casts take rays as capsules");
    if (!casts->batch || casts->batch->kind != ABUT_SET_CAPSULES ||
        !take_hulls(casts, hulls, (const struct index *)object) || search_start(&casts->search, object, rays) < 0)
        return -1;
    casts->ends = elements(PART, sizeof *casts->ends);
    for (size_t i = 0; casts->ends && i < PART; i++)
        casts->ends[i] = end;
    return 0;
}

/* Runs it where its outputs are there, and raises where it fails. */
static int run(struct casts *casts, bool there, cast_some *cast)
{
    enum abut_status status = there && casts->ends ? ABUT_OK : ABUT_ERROR_MEMORY;
    PyThreadState *const thread = PyEval_SaveThread();
    const struct abut_options options = search_options(&casts->search);
    if (status == ABUT_OK)
        status = cast_in_parts(casts, &options, cast);
    pool_free(casts->search.pool);
    PyEval_RestoreThread(thread);
    search_end(casts->search.self);
    if (status == ABUT_OK) {
        free(casts->ends);
        return 0;
    }
    free_casts(casts);
    search_raise(&casts->search, status);
    return -1;
}

/* cast(rays, end, workers, hulls) -> (uint32 items, float32 t) */
PyObject *index_cast(PyObject *object, PyObject *args)
{
    struct casts casts;
    if (start(&casts, object, args) < 0)
        return NULL;
    const size_t n = casts.batch->items.columns.n;
    casts.items = elements(n, sizeof *casts.items);
    casts.t = elements(n, sizeof *casts.t);
    return run(&casts, casts.items && casts.t, cast_first) < 0
               ? NULL
               : both_of(casts.items, n * sizeof *casts.items, casts.t, n * sizeof *casts.t);
}

/* cast_any(rays, end, workers, hulls) -> words of bits */
PyObject *index_cast_any(PyObject *object, PyObject *args)
{
    struct casts casts;
    if (start(&casts, object, args) < 0)
        return NULL;
    const size_t words = abut_mask_words(casts.batch->items.columns.n);
    casts.mask = elements(words, sizeof *casts.mask);
    return run(&casts, casts.mask, cast_any) < 0 ? NULL : memory_new(casts.mask, words * sizeof *casts.mask);
}

/* cast_all(rays, end, workers, hulls) -> (uint64 offsets, (uint32 items, float32 t)) */
PyObject *index_cast_all(PyObject *object, PyObject *args)
{
    struct casts casts;
    if (start(&casts, object, args) < 0)
        return NULL;
    const size_t n = casts.batch->items.columns.n;
    casts.capacity = n;
    casts.offsets = elements(n + 1, sizeof *casts.offsets);
    casts.items = elements(n, sizeof *casts.items);
    casts.t = elements(n, sizeof *casts.t);
    if (casts.offsets)
        casts.offsets[0] = 0;
    if (run(&casts, casts.offsets && casts.items && casts.t, cast_all) < 0)
        return NULL;
    PyObject *offsets = memory_new(casts.offsets, (n + 1) * sizeof *casts.offsets);
    PyObject *hits = both_of(casts.items, casts.n * sizeof *casts.items, casts.t, casts.n * sizeof *casts.t);
    PyObject *all = offsets && hits ? PyTuple_Pack(2, offsets, hits) : NULL;
    Py_XDECREF(offsets);
    Py_XDECREF(hits);
    return all;
}
