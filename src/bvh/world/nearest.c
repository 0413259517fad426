/* SPDX-License-Identifier: MIT */
/*
 * The items of a world nearest to points: the nearest ones of each tree, and rows that are merged by exact distance,
 * whatever the shapes.
 */
#include "bvh/search/nearest.h"
#include "bvh/world/world.h"
#include "util/float_mode.h"

#include <string.h>

/* Rows of neighbours, and those of one more tree to merge into them. */
struct merge {
    const struct abut_world *world;
    const struct abut_points *points;
    const struct parallel *parallel;
    struct abut_neighbours_found all, more;
    size_t k, more_k;
    uint32_t *ids; /* a row for each worker */
    float *d2;
    struct abut_stats stats[MOST_WORKERS];
};

/* Whether item a comes before item b: it is nearer, or equally near with the lesser id. */
static bool comes_before(const struct merge *merge, size_t point, uint32_t a, uint32_t b, struct abut_stats *stats)
{
    const struct abut_world *world = merge->world;
    const float at[3] = {merge->points->x[point], merge->points->y[point], merge->points->z[point]};
    const struct measured item_a = {world->shapes[a], world->records + (size_t)a * world->stride},
                          item_b = {world->shapes[b], world->records + (size_t)b * world->stride};
    const int order = abut_nearest_order(at, item_a, item_b, stats);
    return order != 0 ? order < 0 : a < b;
}

static void merge_row(const struct merge *merge, size_t point, uint32_t *ids, float *d2, struct abut_stats *stats)
{
    uint32_t *all = merge->all.indices + point * merge->k;
    const uint32_t *more = merge->more.indices + point * merge->more_k;
    float *all_d2 = merge->all.d2 ? merge->all.d2 + point * merge->k : NULL;
    const float *more_d2 = merge->more.d2 ? merge->more.d2 + point * merge->more_k : NULL;
    size_t i = 0, j = 0, n = 0;
    while (n < merge->k && j < merge->more_k && more[j] != UINT32_MAX) {
        const bool keep = all[i] != UINT32_MAX && comes_before(merge, point, all[i], more[j], stats);
        ids[n] = keep ? all[i] : more[j];
        if (all_d2)
            d2[n] = keep ? all_d2[i] : more_d2[j];
        n++;
        i += keep;
        j += !keep;
    }
    /* What is left of the row moves up by j places, as far as there are places. */
    memmove(all + n, all + i, (merge->k - n) * sizeof *all);
    memcpy(all, ids, n * sizeof *all);
    if (!all_d2)
        return;
    memmove(all_d2 + n, all_d2 + i, (merge->k - n) * sizeof *all_d2);
    memcpy(all_d2, d2, n * sizeof *all_d2);
}

static void merge_share(void *work, unsigned w)
{
    struct merge *merge = work;
    struct abut_stats stats = {0};
    const size_t n = merge->points->n, end = parallel_first(merge->parallel, n, w + 1);
    for (size_t p = parallel_first(merge->parallel, n, w); p < end; p++)
        merge_row(merge, p, merge->ids + w * merge->k, merge->d2 ? merge->d2 + w * merge->k : NULL, &stats);
    merge->stats[w] = stats;
}

/* The call. */
struct question {
    struct abut_world *world;
    const struct abut_points *points;
    struct columns columns;
    struct abut_neighbours wanted;
    const struct abut_filter *filter;
    struct abut_options options;
    struct abut_neighbours_found found;
};

/* Takes memory for the rows of one tree and of each worker. */
static bool take_memory(const struct question *question, struct merge *merge)
{
    struct abut_workspace *workspace = &question->world->workspace;
    const size_t more = question->points->n * merge->more_k, rows = merge->parallel->workers * merge->k;
    const bool d2 = question->found.d2 != NULL;
    merge->more.indices = abut_workspace_take(workspace, SLOT_FOUND, more, sizeof *merge->more.indices);
    merge->more.d2 = d2 ? abut_workspace_take(workspace, SLOT_PARTS, more, sizeof *merge->more.d2) : NULL;
    merge->ids = abut_workspace_take(workspace, SLOT_NUMBERS, rows, sizeof *merge->ids);
    merge->d2 = d2 ? abut_workspace_take(workspace, SLOT_MEMBERS, rows, sizeof *merge->d2) : NULL;
    return merge->more.indices && merge->ids && (!d2 || (merge->more.d2 && merge->d2));
}

/* Merges the neighbours in one tree into the rows. */
static enum abut_status search_part(const struct question *question, const struct world_part *part)
{
    const struct parallel parallel = parallel_of(&question->options, question->points->n);
    struct merge merge = {.world = question->world,
                          .points = question->points,
                          .parallel = &parallel,
                          .all = question->found,
                          .k = question->wanted.k,
                          .more_k = question->wanted.k < part->live ? question->wanted.k : part->live};
    struct abut_neighbours wanted = question->wanted;
    wanted.k = merge.more_k;
    if (!take_memory(question, &merge))
        return ABUT_ERROR_MEMORY;
    abut_nearest_clear(&merge.more, question->points->n * merge.more_k);
    const enum abut_status status = abut_nearest_rows(&part->index, &question->columns, &wanted, question->filter,
                                                      &question->options, &question->world->workspace, &merge.more);
    if (status != ABUT_OK)
        return status;
    parallel_run(&parallel, merge_share, &merge);
    for (unsigned w = 0; question->options.stats && w < parallel.workers; w++)
        stats_add(question->options.stats, &merge.stats[w]);
    return ABUT_OK;
}

static enum abut_status search_world(const struct question *question)
{
    enum abut_status status = abut_world_renew(question->world, &question->options);
    if (status != ABUT_OK)
        return status;
    abut_nearest_clear(&question->found, question->points->n * question->wanted.k);
    for (unsigned shape = 0; shape < shape_count; shape++)
        for (unsigned p = 0; p < PARTS && status == ABUT_OK; p++)
            if (question->world->layers[shape].parts[p].live > 0)
                status = search_part(question, &question->world->layers[shape].parts[p]);
    return status;
}

/* Rows are of the items of the world: a point has no place among them, and space does not repeat. */
static bool can_be_asked(const struct abut_neighbours *wanted)
{
    return !wanted->exclude_self && wanted->first == 0 && wanted->period[0] == 0 && wanted->period[1] == 0 &&
           wanted->period[2] == 0 && wanted->images == 0;
}

enum abut_status abut_world_nearest(struct abut_world *world, const struct abut_points *points,
                                    const struct abut_neighbours *wanted, const struct abut_options *options,
                                    uint32_t *ids, float *d2)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    if (!world || !points || !wanted)
        return ABUT_ERROR_NULL;
    struct abut_filter filter = options->filter ? *options->filter : (struct abut_filter){0};
    struct question question = {.world = world,
                                .points = points,
                                .wanted = *wanted,
                                .options = {.touch = world->touch,
                                            .threads = options->threads,
                                            .stats = options->stats,
                                            .proceed = options->proceed,
                                            .proceed_context = options->proceed_context},
                                .found = {.indices = ids, .d2 = d2}};
    const unsigned takes = takes_of_world(options_of_abut_world_nearest, world->touch);
    enum abut_status status = abut_options_check(takes, options);
    if (status == ABUT_OK)
        status = abut_nearest_check(points, wanted, &question.found);
    if (status != ABUT_OK)
        return status;
    if (!can_be_asked(wanted))
        return ABUT_ERROR_ARGUMENT;
    if (points->n == 0)
        return ABUT_OK;
    filter.item_groups = world->groups;
    filter.item_masks = world->masks;
    question.filter = options->filter ? &filter : NULL;
    question.columns = abut_columns_of(abut_of_points(points));
    return search_world(&question);
}
