/* SPDX-License-Identifier: MIT */
/* Casts of all rays, by threads: the first hit of each, whether there is any, or all of them. */
#include "bvh/cast/cast.h"

#include "bvh/index.h"
#include "util/float_mode.h"

#include <abut/cast.h>

#include <math.h>
#include <string.h>

/* A word of a mask is written by one thread. A caller who may end the call is asked after so many rays a thread. */
enum { TOGETHER = 64, ROUND = 4 * TOGETHER };

/* The outputs of one of the three; pointers of the others are NULL. */
struct casts {
    const struct tree *tree;
    const struct abut_rays *rays;
    const struct abut_filter *filter;
    const struct abut_hulls *hulls; /* or NULL */
    const struct parallel *parallel;
    size_t first, end; /* the rays of this round */
    enum cast_mode mode;
    uint32_t *items;
    float *t;
    uint64_t *mask;
    uint64_t *offsets;        /* of CAST_ALL: first the count of ray i in offsets[i + 1], then the rows */
    struct cast_hit *hits;    /* of CAST_ALL, or NULL in the first search, which counts */
    struct abut_stats *stats; /* of each worker, or NULL */
};

static bool is_finite(float x, float y, float z)
{
    return isfinite(x) && isfinite(y) && isfinite(z);
}

/* False for an invalid ray. */
static bool read_ray(struct cast_ray *ray, const struct abut_rays *rays, size_t i)
{
    *ray = (struct cast_ray){{rays->x[i], rays->y[i], rays->z[i]},
                             {rays->dx[i], rays->dy[i], rays->dz[i]},
                             rays->r ? rays->r[i] : 0,
                             rays->end ? rays->end[i] : 1};
    return is_finite(ray->from[0], ray->from[1], ray->from[2]) &&
           is_finite(ray->motion[0], ray->motion[1], ray->motion[2]) && ray->r >= 0 && ray->end >= 0;
}

static void put_row(const struct casts *casts, struct cast_search *search)
{
    const struct cast_hit *hits = search->all;
    size_t to = (size_t)casts->offsets[search->number];
    for (uint32_t i = abut_cast_sort(search); i != CAST_NONE; i = hits[i].later) {
        const float t = casts->t ? abut_cast_round(search, &hits[i]) : 0;
        for (uint32_t k = i; k != CAST_NONE; k = hits[k].equal, to++) {
            casts->items[to] = casts->tree->leaves.ids[hits[k].position];
            if (casts->t)
                casts->t[to] = t;
        }
    }
}

static void put(const struct casts *casts, struct cast_search *search)
{
    const uint32_t i = search->number;
    const bool hit = search->n > 0;
    if (casts->mode == CAST_ANY)
        casts->mask[i / 64] |= (uint64_t)hit << i % 64;
    else if (casts->mode == CAST_FIRST) {
        casts->items[i] = hit ? casts->tree->leaves.ids[search->best.position] : UINT32_MAX;
        if (casts->t)
            casts->t[i] = hit ? abut_cast_round(search, &search->best) : INFINITY;
    } else if (!casts->hits)
        casts->offsets[i + 1] = search->n;
    else
        put_row(casts, search);
}

static size_t share_first(const struct casts *casts, unsigned w)
{
    const size_t n = casts->end - casts->first;
    const size_t first = parallel_first(casts->parallel, (n + TOGETHER - 1) / TOGETHER, w) * TOGETHER;
    return casts->first + (first < n ? first : n);
}

/* How many hits of a ray were counted. */
static size_t room_of(const struct casts *casts, size_t i)
{
    return (size_t)(casts->offsets[i + 1] - casts->offsets[i]);
}

static void cast_share(void *work, unsigned w)
{
    struct casts *casts = work;
    struct abut_stats stats = {0}; /* local, so that workers do not share a cache line */
    const size_t end = share_first(casts, w + 1);
    for (size_t i = share_first(casts, w); i < end; i++) {
        struct cast_search search = {.tree = casts->tree,
                                     .mode = casts->mode,
                                     .number = (uint32_t)i,
                                     .filter = casts->filter,
                                     .hulls = casts->hulls,
                                     .stats = &stats,
                                     .all = casts->hits ? casts->hits + casts->offsets[i] : NULL,
                                     .most = casts->hits ? room_of(casts, i) : 0};
        if (read_ray(&search.ray, casts->rays, i))
            abut_cast_find(&search);
        put(casts, &search);
    }
    if (casts->stats)
        casts->stats[w] = stats;
}

/* ---- Arguments */

static enum abut_status check(unsigned takes, const struct abut_index *index, const struct abut_rays *rays,
                              const struct abut_options *options)
{
    if (!index || !rays)
        return ABUT_ERROR_NULL;
    const float *const columns[] = {rays->x, rays->y, rays->z, rays->dx, rays->dy, rays->dz};
    const enum abut_status status = abut_options_check(takes, options);
    return status != ABUT_OK ? status : abut_check_arrays(rays->n, columns, sizeof columns / sizeof *columns);
}

/* Casts all rays once: in one round, or in as many as a caller needs who may end the call. */
static enum abut_status run(struct casts *casts, const struct abut_options *options)
{
    const size_t n = casts->rays->n, round = options->proceed ? (size_t)ROUND * casts->parallel->workers : n;
    for (casts->first = 0; casts->first < n; casts->first = casts->end) {
        if (!options_proceed(options))
            return ABUT_ERROR_STOPPED;
        casts->end = n - casts->first < round ? n : casts->first + round;
        parallel_run(casts->parallel, cast_share, casts);
        for (unsigned w = 0; options->stats && w < casts->parallel->workers; w++)
            stats_add(options->stats, &casts->stats[w]);
    }
    return ABUT_OK;
}

/* The counts become offsets. */
static void add_up(uint64_t *offsets, size_t n)
{
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] += offsets[i];
}

/* Runs in a workspace, for outputs that exist; where hits are listed, once more for up to capacity of them. */
static enum abut_status cast_all(const struct abut_index *index, const struct abut_options *options,
                                 struct casts *casts, size_t capacity)
{
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    const struct parallel parallel = parallel_of(options, casts->rays->n);
    struct tree tree;
    enum abut_status status = abut_tree_of(index, casts->rays->n, options, workspace, SLOT_ITEMS, &tree);
    if (status == ABUT_OK && options->stats) {
        casts->stats = abut_workspace_take(workspace, SLOT_SHARES, parallel.workers, sizeof *casts->stats);
        status = casts->stats ? ABUT_OK : ABUT_ERROR_MEMORY;
    }
    casts->tree = &tree;
    casts->parallel = &parallel;
    casts->filter = options->filter;
    if (status == ABUT_OK)
        status = run(casts, options);
    if (status == ABUT_OK && casts->mode == CAST_ALL) {
        const size_t n = casts->rays->n;
        add_up(casts->offsets, n);
        if (casts->offsets[n] > 0 && casts->offsets[n] <= capacity) {
            casts->hits = abut_workspace_take(workspace, SLOT_SCRATCH, (size_t)casts->offsets[n], sizeof *casts->hits);
            status = casts->hits ? run(casts, options) : ABUT_ERROR_MEMORY;
        }
    }
    abut_workspace_end(&own);
    return status;
}

/* The same, and whether the index has a box for each hull. */
static enum abut_status check_hulls(unsigned takes, const struct abut_index *index, const struct abut_hulls *hulls,
                                    const struct abut_rays *rays, const struct abut_options *options)
{
    enum abut_status status = check(takes, index, rays, options);
    if (status == ABUT_OK)
        status = hulls ? abut_hulls_readable(hulls) : ABUT_ERROR_NULL;
    if (status != ABUT_OK)
        return status;
    if (index->tree.leaves.shape != shape_aabb)
        return ABUT_ERROR_PREDICATE;
    return index->tree.leaves.n == hulls->n ? ABUT_OK : ABUT_ERROR_LENGTHS;
}

static enum abut_status find_first(const struct abut_index *index, const struct abut_hulls *hulls,
                                   const struct abut_rays *rays, const struct abut_options *options, uint32_t *items,
                                   float *t)
{
    if (rays->n == 0)
        return ABUT_OK;
    if (!items)
        return ABUT_ERROR_NULL;
    struct casts casts = {.rays = rays, .hulls = hulls, .mode = CAST_FIRST, .items = items, .t = t};
    return cast_all(index, options, &casts, 0);
}

static enum abut_status find_any(const struct abut_index *index, const struct abut_hulls *hulls,
                                 const struct abut_rays *rays, const struct abut_options *options, uint64_t *mask)
{
    if (rays->n == 0)
        return ABUT_OK;
    if (!mask)
        return ABUT_ERROR_NULL;
    memset(mask, 0, abut_mask_words(rays->n) * sizeof *mask);
    struct casts casts = {.rays = rays, .hulls = hulls, .mode = CAST_ANY, .mask = mask};
    return cast_all(index, options, &casts, 0);
}

static enum abut_status find_all(const struct abut_index *index, const struct abut_hulls *hulls,
                                 const struct abut_rays *rays, const struct abut_options *options, uint64_t *offsets,
                                 uint32_t *items, float *t, size_t capacity)
{
    if (!offsets || (!items && capacity > 0))
        return ABUT_ERROR_NULL;
    struct casts casts = {.rays = rays, .hulls = hulls, .mode = CAST_ALL, .items = items, .t = t, .offsets = offsets};
    offsets[0] = 0;
    return rays->n == 0 ? ABUT_OK : cast_all(index, options, &casts, capacity);
}

enum abut_status abut_cast_first(const struct abut_index *index, const struct abut_rays *rays,
                                 const struct abut_options *options, uint32_t *items, float *t)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check(options_of_abut_cast_first, index, rays, options);
    return status != ABUT_OK ? status : find_first(index, NULL, rays, options, items, t);
}

enum abut_status abut_cast_any(const struct abut_index *index, const struct abut_rays *rays,
                               const struct abut_options *options, uint64_t *mask)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check(options_of_abut_cast_any, index, rays, options);
    return status != ABUT_OK ? status : find_any(index, NULL, rays, options, mask);
}

enum abut_status abut_cast_all(const struct abut_index *index, const struct abut_rays *rays,
                               const struct abut_options *options, uint64_t *offsets, uint32_t *items, float *t,
                               size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check(options_of_abut_cast_all, index, rays, options);
    return status != ABUT_OK ? status : find_all(index, NULL, rays, options, offsets, items, t, capacity);
}

/* ---- Among hulls */

enum abut_status abut_cast_hulls_first(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                       const struct abut_rays *rays, const struct abut_options *options,
                                       uint32_t *items, float *t)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check_hulls(options_of_abut_cast_hulls_first, boxes, hulls, rays, options);
    return status != ABUT_OK ? status : find_first(boxes, hulls, rays, options, items, t);
}

enum abut_status abut_cast_hulls_any(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                     const struct abut_rays *rays, const struct abut_options *options, uint64_t *mask)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check_hulls(options_of_abut_cast_hulls_any, boxes, hulls, rays, options);
    return status != ABUT_OK ? status : find_any(boxes, hulls, rays, options, mask);
}

enum abut_status abut_cast_hulls_all(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                     const struct abut_rays *rays, const struct abut_options *options,
                                     uint64_t *offsets, uint32_t *items, float *t, size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    const enum abut_status status = check_hulls(options_of_abut_cast_hulls_all, boxes, hulls, rays, options);
    return status != ABUT_OK ? status : find_all(boxes, hulls, rays, options, offsets, items, t, capacity);
}
