/* SPDX-License-Identifier: MIT */
/* Finding the items of an index nearest to points: all points, by threads, and the squared distances. */
#include "bvh/search/nearest.h"
#include "bvh/search/nearest_periodic.h"

#include "bvh/index.h"
#include "dispatch/dispatch.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

/* ---- Squared distances, by the kernels of distance.h */

enum { TOGETHER = 64 };

/* A batch of points and items, and the places of their distances and closest points in the outputs, NULL or not. */
struct pairs {
    distance_function *zip;
    bool of_points; /* the items are points, which the kernel takes as boxes */
    float *out[4];
    size_t n, at[TOGETHER];
    float point[3][TOGETHER], item[ABUT_MAX_FIELDS][TOGETHER];
};

static struct pairs pairs_of(const struct isa *isa, const struct leaves *leaves,
                             const struct abut_neighbours_found *found)
{
    static const enum distance_kind kinds[] = {
        [shape_point] = distance_point_aabb,       [shape_sphere] = distance_point_sphere,
        [shape_aabb] = distance_point_aabb,        [shape_obb] = distance_point_obb,
        [shape_segment] = distance_point_segment,  [shape_capsule] = distance_point_capsule,
        [shape_triangle] = distance_point_triangle};
    return (struct pairs){.zip = isa->distances[kinds[leaves->shape]].zip,
                          .of_points = leaves->shape == shape_point,
                          .out = {found->d2, found->closest.x, found->closest.y, found->closest.z}};
}

static void compute_pairs(struct pairs *pairs)
{
    const float *a[3], *b[ABUT_MAX_FIELDS];
    float results[4][TOGETHER];
    struct distance_args args = {a, b, pairs->n, {NULL}};
    for (unsigned k = 0; k < 4; k++)
        args.out[k] = pairs->out[k] ? results[k] : NULL;
    for (unsigned k = 0; k < 3; k++)
        a[k] = pairs->point[k];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        b[k] = pairs->item[pairs->of_points ? k % 3 : k];
    pairs->zip(&args);
    for (unsigned k = 0; k < 4; k++)
        for (size_t i = 0; pairs->out[k] && i < pairs->n; i++)
            pairs->out[k][pairs->at[i]] = results[k][i];
    pairs->n = 0;
}

static void add_pair(struct pairs *pairs, const struct neighbours *search, size_t position, size_t at)
{
    float item[ABUT_MAX_FIELDS];
    item_at(&search->tree->leaves, position, item);
    for (unsigned k = 0; k < 3; k++)
        pairs->point[k][pairs->n] = search->point[k];
    for (unsigned k = 0; k < search->tree->leaves.fields; k++)
        pairs->item[k][pairs->n] = item[k];
    pairs->at[pairs->n++] = at;
    if (pairs->n == TOGETHER)
        compute_pairs(pairs);
}

/* ---- All points */

struct nearest {
    const struct tree *tree;
    const struct leaves *points;
    const struct parallel *parallel;
    size_t first, end; /* the points of this round, in their order */
    const struct isa *isa;
    const struct abut_neighbours *question;
    const struct abut_filter *filter;
    const struct abut_neighbours_found *found;
    bool closed;
    struct candidate *heaps;
    size_t *last; /* for each worker, the positions of the neighbours of the point before */
    size_t kept;  /* k, or the number of items if that is less */
    struct abut_stats stats[MOST_WORKERS];
};

/* Above the greatest distance that is wanted, as struct neighbours has it. */
static double reach_of(const struct abut_neighbours *question, const struct leaves *leaves)
{
    const double within = (double)question->within;
    if (!question->limited)
        return INFINITY;
    return (is_rounded(leaves) ? within : within * within) * (1 + 2 * SLIP);
}

static uint32_t except_of(const struct abut_neighbours *question, uint32_t point)
{
    return question->exclude_self && question->first < UINT32_MAX - point ? (uint32_t)question->first + point
                                                                          : UINT32_MAX;
}

/*
 * How far the neighbours of the point before are from this one, at most. Points come along a curve, so most searches
 * skip far boxes from the start: a million searches for one of a million points take a third less time.
 */
static double known_from(const struct neighbours *search, const size_t *last)
{
    const struct leaves *leaves = &search->tree->leaves;
    double known = 0;
    for (size_t i = 0; i < search->k; i++) {
        if (!is_wanted(search, leaves->ids[last[i]]))
            return INFINITY;
        const double high = abut_nearest_measure(leaves, search->point, last[i]).high;
        known = high > known ? high : known;
    }
    return known;
}

/*
 * Takes the neighbours of one point out of the heap, the farthest first, to the row of outputs that begins at row, and
 * their positions to last. The rank of a neighbour that is as near as the one before it is left as UINT32_MAX, and then
 * becomes that one's.
 */
static void put_row(const struct nearest *nearest, struct neighbours *search, size_t row, struct pairs *pairs,
                    size_t *last)
{
    const struct abut_neighbours_found *found = nearest->found;
    const size_t n = search->n;
    struct candidate next = {0};
    for (size_t j = n; j-- > 0;) {
        const struct candidate candidate = abut_nearest_take(search);
        last[j] = candidate.position;
        found->indices[row + j] = nearest->tree->leaves.ids[candidate.position];
        if (pairs->out[0] || pairs->out[1])
            add_pair(pairs, search, candidate.position, row + j);
        if (!found->ranks)
            continue;
        found->ranks[row + j] = (uint32_t)j;
        if (j + 1 < n && abut_nearest_equal(search, &candidate, &next))
            found->ranks[row + j + 1] = UINT32_MAX;
        next = candidate;
    }
    for (size_t j = 1; found->ranks && j < n; j++)
        if (found->ranks[row + j] == UINT32_MAX)
            found->ranks[row + j] = found->ranks[row + j - 1];
}

/*
 * Points that bound each other's searches. Shares begin with such a run: statistics do not depend on threads. A caller
 * who may end the call is asked after so many points a thread.
 */
enum { RUN = 64, ROUND = 16 * RUN };

static size_t first_of_share(const struct nearest *nearest, unsigned w)
{
    const size_t n = nearest->end - nearest->first, first = parallel_first(nearest->parallel, n / RUN + 1, w) * RUN;
    return nearest->first + (first < n ? first : n);
}

static void find_share(void *work, unsigned w)
{
    struct nearest *nearest = work;
    struct abut_stats stats = {0}; /* local, so that workers do not share a cache line */
    struct pairs pairs = pairs_of(nearest->isa, &nearest->tree->leaves, nearest->found);
    const struct leaves *points = nearest->points;
    const size_t end = first_of_share(nearest, w + 1);
    size_t *last = nearest->last + w * nearest->kept, known = 0; /* how many positions are known */
    for (size_t q = first_of_share(nearest, w); q < end; q++) {
        struct neighbours search = {.tree = nearest->tree,
                                    .heap = nearest->heaps + w * nearest->kept,
                                    .k = nearest->kept,
                                    .reach = reach_of(nearest->question, &nearest->tree->leaves),
                                    .known = INFINITY,
                                    .within = nearest->question->within,
                                    .closed = nearest->closed,
                                    .except = except_of(nearest->question, points->ids[q]),
                                    .filter = nearest->filter,
                                    .query = points->ids[q],
                                    .stats = &stats};
        item_at(points, q, search.point);
        if (q % RUN != 0 && known == nearest->kept)
            search.known = known_from(&search, last);
        abut_nearest_find(&search);
        known = search.n;
        put_row(nearest, &search, (size_t)points->ids[q] * nearest->question->k, &pairs, last);
    }
    compute_pairs(&pairs);
    nearest->stats[w] = stats;
}

/* Finds the neighbours of all points: in one round, or in as many as a caller needs who may end the call. */
static enum abut_status run(struct nearest *nearest, const struct abut_options *options)
{
    const unsigned workers = nearest->parallel->workers;
    const size_t n = nearest->points->n, round = options->proceed ? (size_t)ROUND * workers : n;
    for (nearest->first = 0; nearest->first < n; nearest->first = nearest->end) {
        if (!options_proceed(options))
            return ABUT_ERROR_STOPPED;
        nearest->end = n - nearest->first < round ? n : nearest->first + round;
        parallel_run(nearest->parallel, find_share, nearest);
        for (unsigned w = 0; options->stats && w < workers; w++)
            stats_add(options->stats, &nearest->stats[w]);
    }
    return ABUT_OK;
}

enum abut_status abut_nearest_rows(const struct abut_index *index, const struct columns *points,
                                   const struct abut_neighbours *question, const struct abut_filter *filter,
                                   const struct abut_options *options, struct abut_workspace *workspace,
                                   const struct abut_neighbours_found *found)
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
    const size_t items = tree.leaves.n, kept = question->k < items ? question->k : items;
    const size_t each = sizeof(struct candidate) + sizeof(size_t);
    if (kept > SIZE_MAX / 2 / each / parallel.workers)
        return ABUT_ERROR_MEMORY;
    struct candidate *heaps = abut_workspace_take(workspace, SLOT_SCRATCH, kept * parallel.workers, each);
    if (!heaps)
        return ABUT_ERROR_MEMORY;
    struct nearest nearest = {.tree = &tree,
                              .points = &leaves,
                              .parallel = &parallel,
                              .isa = abut_active_isa(),
                              .question = question,
                              .filter = filter,
                              .found = found,
                              .closed = options->touch == ABUT_CLOSED,
                              .heaps = heaps,
                              .last = (size_t *)(void *)(heaps + kept * parallel.workers),
                              .kept = kept};
    return run(&nearest, options);
}

void abut_nearest_clear(const struct abut_neighbours_found *found, size_t n)
{
    memset(found->indices, 0xff, n * sizeof *found->indices);
    if (found->ranks)
        memset(found->ranks, 0xff, n * sizeof *found->ranks);
    for (size_t i = 0; found->d2 && i < n; i++)
        found->d2[i] = INFINITY;
    for (size_t i = 0; found->closest.x && i < n; i++)
        found->closest.x[i] = found->closest.y[i] = found->closest.z[i] = NAN;
}

static bool is_periodic(const struct abut_neighbours *question)
{
    return question->period[0] > 0 || question->period[1] > 0 || question->period[2] > 0;
}

enum abut_status abut_nearest_check(const struct abut_points *points, const struct abut_neighbours *question,
                                    const struct abut_neighbours_found *found)
{
    enum abut_status status = abut_check_set(abut_of_points(points));
    if (status != ABUT_OK)
        return status;
    if (question->k == 0 || !(question->within >= 0 && question->within < INFINITY) ||
        (question->within > 0 && !question->limited))
        return ABUT_ERROR_ARGUMENT;
    for (unsigned k = 0; k < 3; k++)
        if (!(question->period[k] >= 0 && question->period[k] < INFINITY))
            return ABUT_ERROR_ARGUMENT;
    if (is_periodic(question) && found->closest.x)
        return ABUT_ERROR_ARGUMENT;
    const struct abut_closest *closest = &found->closest;
    if (points->n > 0 && (!found->indices || !closest->x != !closest->y || !closest->x != !closest->z))
        return ABUT_ERROR_NULL;
    return points->n > SIZE_MAX / sizeof *found->indices / question->k ? ABUT_ERROR_TOO_MANY : ABUT_OK;
}

static enum abut_status find_neighbours(unsigned takes, const struct abut_index *index,
                                        const struct abut_points *points, const struct abut_neighbours *question,
                                        const struct abut_options *options, const struct abut_neighbours_found *found)
{
    options = options_or_none(options);
    if (!index || !points || !question || !found)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(takes | (question->limited ? TAKES_TOUCH : 0), options);
    if (status == ABUT_OK)
        status = abut_nearest_check(points, question, found);
    if (status != ABUT_OK || points->n == 0)
        return status;
    const struct columns columns = abut_columns_of(abut_of_points(points));
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    abut_nearest_clear(found, points->n * question->k);
    if (index->tree.leaves.n > 0 && is_periodic(question))
        status = abut_nearest_periodic(index, &columns, question, options, workspace, found);
    else if (index->tree.leaves.n > 0)
        status = abut_nearest_rows(index, &columns, question, options->filter, options, workspace, found);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_find_neighbours(const struct abut_index *index, const struct abut_points *points,
                                      const struct abut_neighbours *question, const struct abut_options *options,
                                      const struct abut_neighbours_found *found)
{
    IN_DEFAULT_FLOAT_MODE;
    return find_neighbours(options_of_abut_find_neighbours, index, points, question, options, found);
}

enum abut_status abut_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                              const struct abut_options *options, uint32_t *indices, float *d2)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct abut_neighbours question = {.k = k};
    const struct abut_neighbours_found found = {.indices = indices, .d2 = d2};
    return find_neighbours(options_of_abut_nearest, index, points, &question, options, &found);
}
