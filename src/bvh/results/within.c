/* SPDX-License-Identifier: MIT */
/* Joins within a distance, and in periodic boxes: a search with grown images of the queries, and exact decisions. */
#include "bvh/search/convex_bounds.h"
#include "bvh/search/images.h"
#include "bvh/search/nearest.h"
#include "bvh/search/places.h"
#include "bvh/search/run.h"
#include "bvh/search/separation.h"
#include "util/float_mode.h"

#include <math.h>

enum { BLOCK = 8192 };

struct within {
    const struct abut_index *index;
    const struct columns *queries;
    const struct abut_reach *reach;
    const struct images *images; /* or NULL: the search itself decides */
    struct places places;
    bool closed;
    struct abut_stats stats;
    struct abut_pair *pairs;
    size_t n;
    abut_block_function *take;
    void *context;
};

static float radius_of(enum shape shape, const float *item)
{
    return shape == shape_sphere ? item[3] : 0;
}

/* Boxes, points and spheres: a pair counts at the image where the two are nearest, so that it comes once. */
static bool is_pair_of_grown(struct within *within, const struct image *from, const struct grown *query,
                             const struct grown *item)
{
    const struct nearest_image nearest = abut_nearest_image(query, item, within->reach->period);
    for (unsigned k = 0; k < 3 && isfinite(query->r); k++)
        if (nearest.image[k] != -from->by[k])
            return false;
    return abut_is_within(query, item, &nearest, within->reach->within, within->closed, &within->stats);
}

static bool is_pair(struct within *within, const struct image *from, uint32_t item)
{
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &within->index->tree.leaves;
    for (unsigned k = 0; k < within->queries->fields; k++)
        a[k] = within->queries->at[k][from->query];
    places_item(&within->places, item, b);
    const enum shape query = within->queries->shape, other = (enum shape)leaves->shape;
    const float distance = within->reach->within;
    if (is_grown(query) && is_grown(other)) {
        const struct grown from_a = abut_grown_of(query, a), to_b = abut_grown_of(other, b);
        return is_pair_of_grown(within, from, &from_a, &to_b);
    }
    if (is_round(query))
        return abut_nearest_within(a, (struct measured){other, b}, (const float[2]){radius_of(query, a), distance},
                                   within->closed, &within->stats);
    if (is_round(other))
        return abut_nearest_within(b, (struct measured){query, a}, (const float[2]){radius_of(other, b), distance},
                                   within->closed, &within->stats);
    return abut_convex_is_within((struct measured){query, a}, (struct measured){other, b}, distance, within->closed,
                                 &within->stats);
}

static bool emit(void *context, const struct hits *hits)
{
    struct within *within = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position];
        const struct image *from = within->images ? &within->images->from[query] : NULL;
        for (uint32_t i = 0; i < hits->parts[p].count; i++, ids++) {
            if (from && !is_pair(within, from, *ids))
                continue;
            within->pairs[within->n++] = (struct abut_pair){from ? from->query : query, *ids};
            if (within->n < BLOCK)
                continue;
            within->n = 0;
            if (!within->take(within->context, within->pairs, BLOCK))
                return false;
        }
    }
    return true;
}

/* Two points that touch have no predicate. */
static bool is_to_be_grown(const struct abut_index *index, struct abut_set queries, const struct abut_reach *reach)
{
    return reach->within > 0 || abut_is_periodic(reach) ||
           (queries.kind == ABUT_SET_POINTS && index->tree.leaves.shape == shape_point);
}

static enum abut_status check(const struct abut_index *index, struct abut_set queries, const struct abut_reach *reach,
                              const struct abut_options *options)
{
    const bool periodic = abut_is_periodic(reach), grown = is_to_be_grown(index, queries, reach);
    if (!(reach->within >= 0 && reach->within < INFINITY))
        return ABUT_ERROR_ARGUMENT;
    for (unsigned k = 0; k < 3; k++)
        if (!(reach->period[k] >= 0 && reach->period[k] < INFINITY))
            return ABUT_ERROR_ARGUMENT;
    if (!grown)
        return ABUT_OK;
    if (options->own || options->filter)
        return ABUT_ERROR_ARGUMENT;
    const enum shape query = abut_indexed_shape(queries.kind), item = (enum shape)index->tree.leaves.shape;
    const bool applies = periodic ? is_grown(query) && is_grown(item) : query < shape_count;
    return applies ? ABUT_OK : ABUT_ERROR_PREDICATE;
}

static enum abut_status run(struct within *within, struct join *join, struct abut_workspace *workspace)
{
    within->pairs = abut_workspace_take(workspace, SLOT_PAIRS, BLOCK, sizeof *within->pairs);
    join->workspace = workspace;
    join->in_order = true;
    join->emit = emit;
    join->context = within;
    enum abut_status status = within->pairs ? abut_join_run(join) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK && within->n > 0)
        within->take(within->context, within->pairs, within->n);
    return status;
}

/* With grown queries, each in all its images. */
static enum abut_status run_grown(struct within *within, const struct abut_options *options,
                                  struct abut_workspace *workspace)
{
    struct images images;
    union any_batch any;
    struct abut_options closed = *options;
    closed.touch = ABUT_CLOSED;
    enum abut_status status = abut_images_make(within->queries, within->index, within->reach, workspace, &images);
    if (status != ABUT_OK || images.columns.n == 0)
        return status;
    if (!places_find(&within->places, within->index, workspace))
        return ABUT_ERROR_MEMORY;
    within->images = &images;
    struct join join = join_of(within->index, set_of_columns(&images.columns, &any), &closed);
    status = run(within, &join, workspace);
    if (options->stats) {
        options->stats->undecided += within->stats.undecided;
        options->stats->exact += within->stats.exact;
    }
    return status;
}

enum abut_status abut_join_within_blocks(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_reach *reach, const struct abut_options *options,
                                         abut_block_function *take, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    if (!index || !reach || !take)
        return ABUT_ERROR_NULL;
    enum abut_status status = check(index, queries, reach, options);
    if (status != ABUT_OK)
        return status;
    const bool grown = is_to_be_grown(index, queries, reach);
    struct join join = join_of(index, queries, options);
    if (grown) {
        /* What else can be wrong shows in a search for spheres. */
        static const struct abut_spheres none = {0};
        status = abut_check_set(queries);
        join.queries = abut_of_spheres(&none);
    }
    if (status == ABUT_OK)
        status = abut_join_check(&join);
    if (status != ABUT_OK || (grown && (batch_length(queries.items) == 0 || index->tree.leaves.n == 0)))
        return status;
    const struct columns columns = grown ? abut_columns_of(queries) : (struct columns){0};
    struct within within = {.index = index,
                            .queries = &columns,
                            .reach = reach,
                            .closed = options->touch == ABUT_CLOSED,
                            .take = take,
                            .context = context};
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    status = grown ? run_grown(&within, options, workspace) : run(&within, &join, workspace);
    abut_workspace_end(&own);
    return status;
}

struct buffer {
    struct abut_pair *pairs;
    size_t capacity;
    uint64_t count;
};

static bool take_pairs(void *context, const struct abut_pair *pairs, size_t n)
{
    struct buffer *buffer = context;
    for (size_t i = 0; i < n && buffer->count + i < buffer->capacity; i++)
        buffer->pairs[buffer->count + i] = pairs[i];
    buffer->count += n;
    return true;
}

enum abut_status abut_join_within(const struct abut_index *index, struct abut_set queries,
                                  const struct abut_reach *reach, const struct abut_options *options,
                                  struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    struct buffer buffer = {pairs, capacity, 0};
    if (!count || (capacity > 0 && !pairs))
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_join_within_blocks(index, queries, reach, options, take_pairs, &buffer);
    if (status == ABUT_OK)
        *count = buffer.count;
    return status;
}
