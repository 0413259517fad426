/* SPDX-License-Identifier: MIT */
/* Finding the items of an index nearest to points: all points, by threads, and the squared distances. */
#include "bvh/search/nearest.h"

#include "bvh/index.h"
#include "dispatch/dispatch.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

/* ---- Squared distances, by the kernels of distance.h */

enum { TOGETHER = 64 };

/* A batch of points and items, and the destinations of their squared distances. */
struct pairs {
    distance_function *zip;
    bool of_points; /* the items are points, which the kernel takes as boxes */
    size_t n;
    float point[3][TOGETHER], item[ABUT_MAX_FIELDS][TOGETHER], *to[TOGETHER];
};

static struct pairs pairs_of(const struct isa *isa, const struct leaves *leaves)
{
    static const enum distance_kind kinds[] = {
        [shape_point] = distance_point_aabb,       [shape_sphere] = distance_point_sphere,
        [shape_aabb] = distance_point_aabb,        [shape_obb] = distance_point_obb,
        [shape_segment] = distance_point_segment,  [shape_capsule] = distance_point_capsule,
        [shape_triangle] = distance_point_triangle};
    return (struct pairs){.zip = isa->distances[kinds[leaves->shape]].zip, .of_points = leaves->shape == shape_point};
}

static void compute_pairs(struct pairs *pairs)
{
    const float *a[3], *b[ABUT_MAX_FIELDS];
    float d2[TOGETHER];
    for (unsigned k = 0; k < 3; k++)
        a[k] = pairs->point[k];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        b[k] = pairs->item[pairs->of_points ? k % 3 : k];
    pairs->zip(&(struct distance_args){a, b, pairs->n, {d2}});
    for (size_t i = 0; i < pairs->n; i++)
        *pairs->to[i] = d2[i];
    pairs->n = 0;
}

static void add_pair(struct pairs *pairs, const struct neighbours *search, size_t position, float *to)
{
    float item[ABUT_MAX_FIELDS];
    item_at(&search->tree->leaves, position, item);
    for (unsigned k = 0; k < 3; k++)
        pairs->point[k][pairs->n] = search->point[k];
    for (unsigned k = 0; k < search->tree->leaves.fields; k++)
        pairs->item[k][pairs->n] = item[k];
    pairs->to[pairs->n++] = to;
    if (pairs->n == TOGETHER)
        compute_pairs(pairs);
}

/* ---- All points */

struct nearest {
    const struct tree *tree;
    const struct leaves *points;
    const struct parallel *parallel;
    const struct isa *isa;
    struct candidate *heaps;
    size_t k, kept; /* k as given; kept: k, or the number of items if that is less */
    uint32_t *indices;
    float *d2;
    struct abut_stats stats[MOST_WORKERS];
};

static void find_share(void *work, unsigned w)
{
    struct nearest *nearest = work;
    struct abut_stats stats = {0}; /* local, so that workers do not share a cache line */
    struct pairs pairs = pairs_of(nearest->isa, &nearest->tree->leaves);
    const struct leaves *points = nearest->points;
    const size_t end = parallel_first(nearest->parallel, points->n, w + 1);
    for (size_t q = parallel_first(nearest->parallel, points->n, w); q < end; q++) {
        struct neighbours search = {
            .tree = nearest->tree, .heap = nearest->heaps + w * nearest->kept, .k = nearest->kept, .stats = &stats};
        item_at(points, q, search.point);
        abut_nearest_find(&search);
        const size_t row = (size_t)points->ids[q] * nearest->k;
        while (search.n > 0) {
            const size_t at = row + search.n - 1, position = abut_nearest_take(&search);
            nearest->indices[at] = nearest->tree->leaves.ids[position];
            if (nearest->d2)
                add_pair(&pairs, &search, position, nearest->d2 + at);
        }
    }
    compute_pairs(&pairs);
    nearest->stats[w] = stats;
}

static enum abut_status find_all(const struct abut_index *index, const struct columns *points, size_t k,
                                 const struct abut_options *options, struct abut_workspace *workspace,
                                 uint32_t *indices, float *d2)
{
    const struct parallel parallel = parallel_of(options, points->n);
    struct leaves leaves;
    enum abut_status status = abut_sort_to_workspace(points, workspace, &parallel, &leaves);
    if (status != ABUT_OK)
        return status;
    struct tree tree;
    status = abut_tree_of(index, points->n, options, workspace, SLOT_ITEMS, &tree);
    if (status != ABUT_OK)
        return status;
    const size_t items = tree.leaves.n, kept = k < items ? k : items;
    if (kept > SIZE_MAX / 2 / sizeof(struct candidate) / parallel.workers)
        return ABUT_ERROR_MEMORY;
    struct candidate *heaps =
        abut_workspace_take(workspace, SLOT_SCRATCH, kept * parallel.workers, sizeof(struct candidate));
    if (!heaps)
        return ABUT_ERROR_MEMORY;
    struct nearest nearest = {&tree, &leaves, &parallel, abut_active_isa(), heaps, k, kept, indices, d2, {{0}}};
    parallel_run(&parallel, find_share, &nearest);
    for (unsigned w = 0; options->stats && w < parallel.workers; w++)
        stats_add(options->stats, &nearest.stats[w]);
    return ABUT_OK;
}

enum abut_status abut_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                              const struct abut_options *options, uint32_t *indices, float *d2)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    if (!index || !points || abut_options_check(options) != ABUT_OK)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_check_set(abut_of_points(points));
    if (status != ABUT_OK)
        return status;
    if (k == 0)
        return ABUT_ERROR_ARGUMENT;
    if (points->n > 0 && !indices)
        return ABUT_ERROR_NULL;
    if (points->n > SIZE_MAX / sizeof *indices / k)
        return ABUT_ERROR_TOO_MANY;
    const struct columns columns = abut_columns_of(abut_of_points(points));
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    if (points->n > 0)
        memset(indices, 0xff, points->n * k * sizeof *indices);
    for (size_t i = 0; d2 && i < points->n * k; i++)
        d2[i] = INFINITY;
    if (points->n > 0 && index->tree.leaves.n > 0)
        status = find_all(index, &columns, k, options, workspace, indices, d2);
    abut_workspace_end(&own);
    return status;
}
