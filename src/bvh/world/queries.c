/* SPDX-License-Identifier: MIT */
/* Queries of any set against the items of a world: a search of each tree that has items. */
#include "bvh/search/run.h"
#include "bvh/world/world.h"
#include "util/float_mode.h"

/* The queries and their options, in which items have the labels of the world. */
struct world_queries {
    struct abut_world *world;
    struct abut_set set;
    struct abut_options options;
    struct abut_filter filter;
};

static struct join join_with(const struct world_queries *queries, const struct world_part *part)
{
    struct join join = join_of(options_of_abut_join, &part->index, queries->set, &queries->options);
    join.workspace = &queries->world->workspace;
    return join;
}

static uint32_t all_bits(const uint32_t *labels, size_t n)
{
    uint32_t all = labels ? 0 : UINT32_MAX;
    for (size_t i = 0; labels && i < n; i++)
        all |= labels[i];
    return all;
}

/* Whether each tree can be searched for the queries, unless groups and masks keep them apart. */
static enum abut_status check_parts(const struct world_queries *queries)
{
    const struct abut_filter *filter = &queries->filter;
    const struct join none = {.queries = queries->set, .options = &queries->options};
    enum abut_status status = abut_check_set(queries->set);
    const size_t n = status == ABUT_OK ? abut_join_queries(&none) : 0;
    const uint32_t groups = all_bits(filter->query_groups, n), masks = all_bits(filter->query_masks, n);
    for (unsigned shape = 0; shape < shape_count; shape++)
        for (unsigned p = 0; p < PARTS && status == ABUT_OK; p++) {
            const struct layer *layer = &queries->world->layers[shape];
            const struct join join = join_with(queries, &layer->parts[p]);
            if (layer->parts[p].live > 0)
                status = abut_join_check(&join);
            if (status == ABUT_ERROR_PREDICATE && ((groups & layer->masks) == 0 || (layer->groups & masks) == 0))
                status = ABUT_OK;
        }
    return status;
}

/* Searches all trees. Those that cannot be searched are kept apart by labels. */
static enum abut_status search_parts(const struct world_queries *queries, struct abut_pair *pairs, size_t capacity,
                                     uint64_t *count)
{
    enum abut_status status = ABUT_OK;
    for (unsigned shape = 0; shape < shape_count; shape++)
        for (unsigned p = 0; p < PARTS && status == ABUT_OK; p++) {
            const struct world_part *part = &queries->world->layers[shape].parts[p];
            const size_t used = *count < capacity ? (size_t)*count : capacity;
            struct join join = join_with(queries, part);
            uint64_t more = 0;
            if (part->live == 0 || abut_join_check(&join) != ABUT_OK)
                continue;
            status = abut_join_buffer(&join, pairs ? pairs + used : NULL, capacity - used, &more);
            *count += more;
        }
    return status;
}

static enum abut_status join_world(struct world_queries *queries, struct abut_pair *pairs, size_t capacity,
                                   uint64_t *count)
{
    const struct abut_options mine = {.touch = queries->options.touch, .threads = queries->options.threads};
    const struct abut_options sorting = {.workspace = &queries->world->workspace};
    uint64_t found = 0;
    enum abut_status status = abut_world_renew(queries->world, &mine);
    if (status == ABUT_OK)
        status = check_parts(queries);
    if (status == ABUT_OK)
        status = search_parts(queries, pairs, capacity, &found);
    if (status == ABUT_OK && found <= capacity)
        status = abut_sort_pairs(pairs, (size_t)found, &sorting);
    if (status == ABUT_OK)
        *count = found;
    return status;
}

enum abut_status abut_world_join(struct abut_world *world, struct abut_set set, const struct abut_options *options,
                                 struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!world || !count || (capacity > 0 && !pairs))
        return ABUT_ERROR_NULL;
    struct world_queries queries = {.world = world, .set = set, .options = *options_or_none(options)};
    const struct abut_filter *filter = queries.options.filter;
    const unsigned takes = takes_of_world(options_of_abut_world_join, world->touch);
    const enum abut_status status = abut_options_check(takes, &queries.options);
    if (status != ABUT_OK)
        return status;
    queries.options.touch = world->touch;
    if (filter) {
        queries.filter = *filter;
        queries.filter.item_groups = world->groups;
        queries.filter.item_masks = world->masks;
        queries.options.filter = &queries.filter;
    }
    return join_world(&queries, pairs, capacity, count);
}
