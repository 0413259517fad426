/* SPDX-License-Identifier: MIT */
/* Joins within a distance, and in periodic boxes: a search with grown images of the queries, and exact decisions. */
#include "bvh/search/convex_bounds.h"
#include "bvh/search/filter.h"
#include "bvh/search/images.h"
#include "bvh/search/nearest.h"
#include "bvh/search/owned.h"
#include "bvh/search/places.h"
#include "bvh/search/separation.h"
#include "util/float_mode.h"

#include <math.h>

enum { BLOCK = 8192 };

/* The images that queries and items may have, for each of them, unless the caller says otherwise. */
enum { USUAL_IMAGES = 64 };
#define MOST_COUNTED 0x1p63

struct within {
    const struct abut_index *index;
    const struct abut_options *options;
    const struct abut_reach *reach;
    const struct columns *queries;
    struct images *images; /* or NULL: the search itself decides */
    struct places places;
    struct abut_stats stats;
    struct abut_pair *pairs;
    size_t n;
    bool ended; /* by take */
    abut_block_function *take;
    void *context;
};

static bool is_closed(const struct within *within)
{
    return within->options->touch == ABUT_CLOSED;
}

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
    return abut_is_within(query, item, &nearest, within->reach->within, is_closed(within), &within->stats);
}

static bool is_pair(struct within *within, const struct image *from, struct measured a, struct measured b)
{
    const enum shape query = (enum shape)a.shape, item = (enum shape)b.shape;
    const float distance = within->reach->within;
    const bool closed = is_closed(within);
    if (is_grown(query) && is_grown(item)) {
        const struct grown from_a = abut_grown_of(query, a.at), to_b = abut_grown_of(item, b.at);
        return is_pair_of_grown(within, from, &from_a, &to_b);
    }
    if (is_round(query))
        return abut_nearest_within(a.at, b, (const float[2]){radius_of(query, a.at), distance}, closed, &within->stats);
    if (is_round(item))
        return abut_nearest_within(b.at, a, (const float[2]){radius_of(item, b.at), distance}, closed, &within->stats);
    return abut_convex_is_within(a, b, distance, closed, &within->stats);
}

/* Whether a pair that the search found is one, and counts. */
static bool counts(struct within *within, const struct image *from, uint32_t item)
{
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    const struct abut_options *options = within->options;
    for (unsigned k = 0; k < within->queries->fields; k++)
        a[k] = within->queries->at[k][from->query];
    places_item(&within->places, item, b);
    const struct measured query = {within->queries->shape, a}, other = {within->index->tree.leaves.shape, b};
    return is_pair(within, from, query, other) && (!options->own || abut_owned_pair(options->own, query, other)) &&
           abut_filter_counts(options->filter, from->query, item);
}

static void hand_over(struct within *within)
{
    const size_t n = within->n;
    within->n = 0;
    within->ended = within->ended || (n > 0 && !within->take(within->context, within->pairs, n));
}

static bool emit(void *context, const struct hits *hits)
{
    struct within *within = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position];
        const struct image *from = within->images ? &within->images->from[query] : NULL;
        for (uint32_t i = 0; i < hits->parts[p].count && !within->ended; i++, ids++) {
            if (from && !counts(within, from, *ids))
                continue;
            within->pairs[within->n++] = (struct abut_pair){from ? from->query : query, *ids};
            if (within->n == BLOCK)
                hand_over(within);
        }
    }
    return !within->ended;
}

static enum shape query_shape(struct abut_set queries)
{
    return queries.kind == ABUT_SET_INDEX ? (enum shape)((const struct abut_index *)queries.items)->tree.leaves.shape
                                          : abut_indexed_shape(queries.kind);
}

static size_t queries_n(struct abut_set queries)
{
    return queries.kind == ABUT_SET_INDEX ? abut_index_count(queries.items) : batch_length(queries.items);
}

/* Two points that touch have no predicate. */
static bool is_to_be_grown(const struct abut_index *index, struct abut_set queries, const struct abut_reach *reach)
{
    return reach->within > 0 || abut_is_periodic(reach) ||
           (query_shape(queries) == shape_point && index->tree.leaves.shape == shape_point);
}

static enum abut_status check_reach(const struct abut_reach *reach, const struct abut_options *options)
{
    bool right = reach->within >= 0 && reach->within < INFINITY && !(abut_is_periodic(reach) && options->own);
    for (unsigned k = 0; k < 3; k++)
        right = right && reach->period[k] >= 0 && reach->period[k] < INFINITY;
    return right ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

/* All that can be wrong but for the images. */
static enum abut_status check(unsigned takes, const struct abut_index *index, struct abut_set queries,
                              const struct abut_reach *reach, const struct abut_options *options)
{
    static const struct abut_spheres none = {0};
    enum abut_status status = check_reach(reach, options);
    if (status == ABUT_OK)
        status = abut_check_set(queries);
    if (status != ABUT_OK)
        return status;
    const bool grown = is_to_be_grown(index, queries, reach);
    const enum shape query = query_shape(queries), item = (enum shape)index->tree.leaves.shape;
    if (grown && !(abut_is_periodic(reach) ? is_grown(query) && is_grown(item) : query < shape_count))
        return ABUT_ERROR_PREDICATE;
    const struct join join = join_of(takes, index, grown ? abut_of_spheres(&none) : queries, options);
    return abut_join_check(&join);
}

static enum abut_status run(struct within *within, struct join *join, struct abut_workspace *workspace)
{
    within->pairs = abut_workspace_take(workspace, SLOT_PAIRS, BLOCK, sizeof *within->pairs);
    join->workspace = workspace;
    join->in_order = true;
    join->emit = emit;
    join->context = within;
    const enum abut_status status = within->pairs ? abut_join_run(join) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK)
        hand_over(within);
    return status;
}

/* The items of an index by their numbers; invalid ones are NaN. */
static enum abut_status read_index(const struct abut_index *index, const struct abut_options *options,
                                   struct abut_workspace *workspace, struct columns *columns)
{
    struct tree tree;
    const enum abut_status status = abut_tree_of(index, SIZE_MAX, options, workspace, SLOT_ITEMS, &tree);
    if (status != ABUT_OK)
        return status;
    const struct leaves *leaves = &tree.leaves;
    float *to = abut_workspace_take(workspace, SLOT_QUERIES, leaves->n, leaves->fields * sizeof *to);
    *columns = (struct columns){.shape = (enum shape)leaves->shape, .fields = leaves->fields, .n = leaves->n};
    for (unsigned k = 0; to && k < leaves->fields; k++) {
        for (size_t i = 0; i < leaves->n; i++)
            to[k * leaves->n + leaves->ids[i]] = leaves->at[(i / LEAF * leaves->fields + k) * LEAF + i % LEAF];
        columns->at[k] = to + k * leaves->n;
    }
    return to ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* With grown queries, each in all its images. most: how many they may have. */
static enum abut_status run_grown(struct within *within, double most, struct abut_workspace *workspace)
{
    const struct abut_options *options = within->options;
    struct abut_options plain = *options;
    struct images images;
    union any_batch any;
    plain.touch = ABUT_CLOSED;
    plain.own = NULL;
    plain.filter = NULL;
    if (!places_find(&within->places, within->index, workspace))
        return ABUT_ERROR_MEMORY;
    enum abut_status status =
        abut_images_begin(&images, within->queries, &within->places, within->reach, most, workspace);
    within->images = &images;
    while (status == ABUT_OK && !within->ended && abut_images_next(&images)) {
        struct join join = join_of(options_of_abut_join, within->index, set_of_columns(&images.columns, &any), &plain);
        status = run(within, &join, workspace);
    }
    if (options->stats) {
        options->stats->undecided += within->stats.undecided;
        options->stats->exact += within->stats.exact;
    }
    return status;
}

enum abut_status abut_join_within_most(const struct abut_index *index, struct abut_set queries,
                                       const struct abut_reach *reach, double most, const struct abut_options *options,
                                       abut_block_function *take, void *context)
{
    const bool grown = is_to_be_grown(index, queries, reach);
    struct within within = {.index = index, .options = options, .reach = reach, .take = take, .context = context};
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    struct join join = join_of(options_of_abut_join, index, queries, options);
    struct columns columns;
    enum abut_status status = ABUT_OK;
    if (grown && queries.kind == ABUT_SET_INDEX)
        status = read_index(queries.items, options, workspace, &columns);
    else if (grown)
        columns = abut_columns_of(queries);
    within.queries = &columns;
    if (status == ABUT_OK)
        status = grown ? run_grown(&within, most, workspace) : run(&within, &join, workspace);
    abut_workspace_end(&own);
    return status;
}

double abut_most_images(unsigned images, size_t queries, size_t items)
{
    const double most = (images > 0 ? images : USUAL_IMAGES) * ((double)queries + (double)items);
    return most < MOST_COUNTED ? most : MOST_COUNTED;
}

static enum abut_status join_within(unsigned takes, const struct abut_index *index, struct abut_set queries,
                                    const struct abut_reach *reach, const struct abut_options *options,
                                    abut_block_function *take, void *context)
{
    options = options_or_none(options);
    if (!index || !reach || !take || !queries.items)
        return ABUT_ERROR_NULL;
    const enum abut_status status = check(takes, index, queries, reach, options);
    const size_t n = status == ABUT_OK ? queries_n(queries) : 0, items = abut_index_count(index);
    if (status != ABUT_OK || n == 0 || items == 0)
        return status;
    return abut_join_within_most(index, queries, reach, abut_most_images(reach->images, n, items), options, take,
                                 context);
}

enum abut_status abut_join_within_blocks(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_reach *reach, const struct abut_options *options,
                                         abut_block_function *take, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    return join_within(options_of_abut_join_within_blocks, index, queries, reach, options, take, context);
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
    IN_DEFAULT_FLOAT_MODE;
    struct buffer buffer = {pairs, capacity, 0};
    if (!count || (capacity > 0 && !pairs))
        return ABUT_ERROR_NULL;
    const enum abut_status status =
        join_within(options_of_abut_join_within, index, queries, reach, options, take_pairs, &buffer);
    if (status == ABUT_OK)
        *count = buffer.count;
    return status;
}
