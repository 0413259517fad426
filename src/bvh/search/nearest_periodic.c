/* SPDX-License-Identifier: MIT */
/*
 * Neighbours in a periodic box. The neighbours of a point without periods, after it was moved next to the items, bound
 * the distance of those with periods. All items within that bound are found, and the nearest of them chosen exactly.
 */
#include "bvh/search/nearest_periodic.h"

#include "bvh/search/images.h"
#include "bvh/search/places.h"
#include "bvh/search/separation.h"
#include "util/float32.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 2048 };

struct near_item {
    struct grown item;
    struct nearest_image image;
    uint32_t id;
    double low, high; /* of the distance less the radius */
};

struct periodic {
    const struct abut_index *index;
    const struct abut_neighbours *question;
    const struct abut_options *options;
    const struct abut_neighbours_found *found;
    const struct columns *points;
    struct places places;
    struct abut_allocator allocator;
    float min[3], max[3];
    struct abut_filter filter; /* of this block, whose points have numbers from 0 on */
    size_t first, n;           /* the points of this block */
    size_t kept;               /* how many are kept of a point: k, and one more where one is left out */
    float *moved[4];           /* the points, moved, and how far to look from where they were */
    uint32_t *indices;
    float *d2;
    struct near_item *nearest;
    struct abut_pair *pairs; /* points of the block, and items that may be near */
    size_t pairs_n, capacity;
    bool failed;
    struct abut_stats stats;
};

/* Moves a coordinate by whole periods next to the middle of all items. */
static float moved_near(const struct periodic *periodic, unsigned k, float x)
{
    const double period = (double)periodic->question->period[k];
    const double middle = ((double)periodic->min[k] + (double)periodic->max[k]) / 2;
    if (!(period > 0) || periodic->min[k] > periodic->max[k] || !(fabs((double)x) <= 0x1p20 * period))
        return x;
    const double turns = (middle - (double)x) / period;
    return (float)((double)x + (double)(int)(turns + (turns < 0 ? -0.5 : 0.5)) * period);
}

/* No item is farther from a moved point: half a period on an axis, or the farther end of the box of all items. */
static double farthest(const struct periodic *periodic, size_t i)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double x = (double)periodic->moved[k][i], period = (double)periodic->question->period[k];
        const double below = x - (double)periodic->min[k], above = (double)periodic->max[k] - x;
        sum += period > 0 ? period / 2 : below > above ? below : above;
    }
    return sum;
}

/*
 * An upper bound on the distance of the last neighbour that is wanted; +inf where there are fewer. Rounding moves a
 * point by less than 2^-24 of its coordinates. The root of d2 is as distance.h says, within 2^-60 where it is small.
 */
static double bound_of(const struct periodic *periodic, size_t i)
{
    const double least = 0x1p-80, d2 = (double)periodic->d2[i * periodic->kept + periodic->kept - 1];
    double size = 0;
    for (unsigned k = 0; k < 3; k++)
        size += fabs((double)periodic->moved[k][i]) + (double)periodic->question->period[k] +
                fabs((double)periodic->min[k]) + fabs((double)periodic->max[k]);
    double distance = sqrt(d2 < least ? least : d2);
    if (d2 < least && farthest(periodic, i) < distance)
        distance = farthest(periodic, i);
    return distance * (1 + 0x1p-18) + size * 0x1p-18;
}

/* The caller's function, with the number that a point of the block has among all. */
static size_t keep_of_block(void *context, uint32_t point, uint32_t *items, size_t n)
{
    const struct periodic *periodic = context;
    const struct abut_filter *filter = periodic->options->filter;
    return filter->keep(filter->context, (uint32_t)(periodic->first + point), items, n);
}

/* The options of the searches for the points of a block: closed, in memory of their own. */
static struct abut_options options_of_block(struct periodic *periodic)
{
    struct abut_options options = *periodic->options;
    const struct abut_filter *filter = options.filter;
    options.touch = ABUT_CLOSED;
    options.workspace = NULL; /* the places of items are in it */
    if (!filter)
        return options;
    periodic->filter =
        (struct abut_filter){.query_groups = filter->query_groups ? filter->query_groups + periodic->first : NULL,
                             .query_masks = filter->query_masks ? filter->query_masks + periodic->first : NULL,
                             .item_groups = filter->item_groups,
                             .item_masks = filter->item_masks,
                             .keep = filter->keep ? keep_of_block : NULL,
                             .context = periodic};
    options.filter = &periodic->filter;
    return options;
}

static enum abut_status find_bounds(struct periodic *periodic)
{
    const size_t n = periodic->n, kept = periodic->kept;
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            periodic->moved[k][i] = moved_near(periodic, k, periodic->points->at[k][periodic->first + i]);
    const struct abut_points moved = {n, periodic->moved[0], periodic->moved[1], periodic->moved[2]};
    const struct abut_options options = options_of_block(periodic);
    const enum abut_status status =
        abut_nearest(periodic->index, &moved, kept, &options, periodic->indices, periodic->d2);
    for (size_t i = 0; i < n && status == ABUT_OK; i++) {
        const double bound = bound_of(periodic, i);
        const double within = periodic->question->limited ? (double)periodic->question->within : INFINITY;
        const double most = bound < within ? bound : within;
        periodic->moved[3][i] = most < INFINITY ? float32_up(most, 1) : INFINITY;
    }
    return status;
}

static bool take_pairs(void *context, const struct abut_pair *pairs, size_t n)
{
    struct periodic *periodic = context;
    if (periodic->pairs_n + n > periodic->capacity) {
        const size_t capacity = 2 * (periodic->pairs_n + n);
        const struct abut_allocator *allocator = &periodic->allocator;
        struct abut_pair *larger = capacity < SIZE_MAX / 2 / sizeof *larger
                                       ? allocator->allocate(allocator->context, capacity * sizeof *larger)
                                       : NULL;
        periodic->failed = !larger;
        if (!larger)
            return false;
        if (periodic->pairs) {
            memcpy(larger, periodic->pairs, periodic->pairs_n * sizeof *larger);
            allocator->release(allocator->context, periodic->pairs);
        }
        periodic->pairs = larger;
        periodic->capacity = capacity;
    }
    memcpy(periodic->pairs + periodic->pairs_n, pairs, n * sizeof *pairs);
    periodic->pairs_n += n;
    return true;
}

/* All items within the bounds, sorted by point. */
static enum abut_status find_candidates(struct periodic *periodic)
{
    const float *const *at = periodic->points->at;
    const size_t first = periodic->first;
    const struct abut_spheres spheres = {periodic->n, at[0] + first, at[1] + first, at[2] + first, periodic->moved[3]};
    struct abut_reach reach = {0};
    const struct abut_options options = options_of_block(periodic), sorting = {.allocator = options.allocator};
    memcpy(reach.period, periodic->question->period, sizeof reach.period);
    periodic->pairs_n = 0;
    /* The share of this block in the images that all points may have. */
    const size_t all = periodic->points->n;
    const double most = abut_most_images(periodic->question->images, all, abut_index_count(periodic->index)) *
                        ((double)periodic->n / (double)all);
    enum abut_status status =
        abut_join_within_most(periodic->index, abut_of_spheres(&spheres), &reach, most, &options, take_pairs, periodic);
    if (periodic->failed)
        status = ABUT_ERROR_MEMORY;
    return status == ABUT_OK ? abut_sort_pairs(periodic->pairs, periodic->pairs_n, &sorting) : status;
}

static int compare(struct periodic *periodic, const struct near_item *a, const struct near_item *b)
{
    static const struct nearest_formulas *const arithmetics[] = {&abut_nearest_filter64, &abut_nearest_compact,
                                                                 &abut_nearest_full};
    if (a->high < b->low || b->high < a->low)
        return a->high < b->low ? -1 : 1;
    periodic->stats.undecided++;
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        periodic->stats.exact += i == 1;
        sign = arithmetics[i]->compare_pairs(&a->image.pair, a->item.r, &b->image.pair, b->item.r);
    }
    return sign;
}

/* Keeps the nearest so far in order. n is how many there are. */
static size_t take_item(struct periodic *periodic, const struct grown *point, uint32_t id, size_t n)
{
    struct near_item *nearest = periodic->nearest, *next = &nearest[n];
    float item[ABUT_MAX_FIELDS];
    places_item(&periodic->places, id, item);
    *next = (struct near_item){.item = abut_grown_of((enum shape)periodic->index->tree.leaves.shape, item), .id = id};
    next->image = abut_nearest_image(point, &next->item, periodic->question->period);
    if (periodic->question->limited && !abut_is_within(point, &next->item, &next->image, periodic->question->within,
                                                       periodic->options->touch == ABUT_CLOSED, &periodic->stats))
        return n;
    const double slip = (next->image.high + (double)next->item.r) * 0x1p-49, r = (double)next->item.r;
    next->low = next->image.low - r - slip > 0 ? next->image.low - r - slip : 0;
    next->high = next->image.high - r + slip > 0 ? next->image.high - r + slip : 0;
    struct near_item taken = *next;
    taken.image.pair.b = taken.item.box;
    size_t to = n;
    for (; to > 0; to--) {
        struct near_item *before = &nearest[to - 1];
        before->image.pair.b = before->item.box; /* it may have been moved */
        const int order = compare(periodic, &taken, before);
        if (order > 0 || (order == 0 && id > before->id))
            break;
        nearest[to] = *before;
    }
    nearest[to] = taken;
    return n < periodic->question->k ? n + 1 : n;
}

static void put_row(struct periodic *periodic, size_t point, size_t n)
{
    const struct abut_neighbours_found *found = periodic->found;
    const size_t row = point * periodic->question->k;
    for (size_t j = 0; j < n; j++) {
        struct near_item *item = &periodic->nearest[j];
        item->image.pair.b = item->item.box;
        const double middle = (item->image.low + item->image.high) / 2 - (double)item->item.r;
        found->indices[row + j] = item->id;
        if (found->d2)
            found->d2[row + j] = middle > 0 ? (float)(middle * middle) : 0;
        if (found->ranks)
            found->ranks[row + j] =
                j > 0 && compare(periodic, item - 1, item) == 0 ? found->ranks[row + j - 1] : (uint32_t)j;
    }
}

static void choose_nearest(struct periodic *periodic)
{
    const struct abut_neighbours *question = periodic->question;
    for (size_t i = 0; i < periodic->pairs_n;) {
        const uint32_t a = periodic->pairs[i].a;
        const size_t number = periodic->first + a;
        const float at[3] = {periodic->points->at[0][number], periodic->points->at[1][number],
                             periodic->points->at[2][number]};
        const struct grown point = abut_grown_of(shape_point, at);
        size_t n = 0;
        for (; i < periodic->pairs_n && periodic->pairs[i].a == a; i++)
            if (!question->exclude_self || periodic->pairs[i].b != question->first + number)
                n = take_item(periodic, &point, periodic->pairs[i].b, n);
        put_row(periodic, number, n);
    }
}

static enum abut_status run(struct periodic *periodic)
{
    enum abut_status status = ABUT_OK;
    const size_t all = periodic->points->n;
    for (size_t i = 0; i < all && status == ABUT_OK; i += BLOCK) {
        periodic->first = i;
        periodic->n = all - i < BLOCK ? all - i : BLOCK;
        status = find_bounds(periodic);
        if (status == ABUT_OK)
            status = find_candidates(periodic);
        if (status == ABUT_OK)
            choose_nearest(periodic);
    }
    if (periodic->options->stats) {
        periodic->options->stats->undecided += periodic->stats.undecided;
        periodic->options->stats->exact += periodic->stats.exact;
    }
    return status;
}

/* One block for all arrays but the columns. */
static enum abut_status make_arrays(struct periodic *periodic, void **memory)
{
    const size_t n = periodic->points->n < BLOCK ? periodic->points->n : BLOCK, kept = periodic->kept;
    const size_t each = sizeof *periodic->indices + sizeof *periodic->d2;
    *memory = kept < SIZE_MAX / 2 / each / n - 2 * sizeof *periodic->nearest
                  ? periodic->allocator.allocate(periodic->allocator.context,
                                                 (kept + 1) * sizeof *periodic->nearest + n * kept * each)
                  : NULL;
    if (!*memory)
        return ABUT_ERROR_MEMORY;
    periodic->nearest = *memory;
    periodic->indices = (uint32_t *)(periodic->nearest + kept + 1);
    periodic->d2 = (float *)(void *)(periodic->indices + n * kept);
    return abut_columns_new(n, 4, periodic->moved, &periodic->allocator);
}

/* As abut_join_within has it. */
static bool is_in_range(const struct periodic *periodic)
{
    for (unsigned k = 0; k < 3; k++) {
        const double most = 0x1p20 * (double)periodic->question->period[k];
        const double min = fabs((double)periodic->min[k]), max = fabs((double)periodic->max[k]);
        if (most > 0 && periodic->min[k] <= periodic->max[k] && (min > most || max > most))
            return false;
    }
    return true;
}

enum abut_status abut_nearest_periodic(const struct abut_index *index, const struct columns *points,
                                       const struct abut_neighbours *question, const struct abut_options *options,
                                       struct abut_workspace *workspace, const struct abut_neighbours_found *found)
{
    const size_t items = index->tree.leaves.n;
    struct periodic periodic = {.index = index,
                                .question = question,
                                .options = options,
                                .found = found,
                                .points = points,
                                .allocator = abut_allocator_or_malloc(options->allocator)};
    if (!is_grown((enum shape)index->tree.leaves.shape))
        return ABUT_ERROR_PREDICATE;
    periodic.kept = question->k < items ? question->k + question->exclude_self : items;
    abut_index_bounds(index, periodic.min, periodic.max);
    if (!is_in_range(&periodic))
        return ABUT_ERROR_ARGUMENT;
    void *memory = NULL;
    enum abut_status status =
        places_find(&periodic.places, index, workspace) ? make_arrays(&periodic, &memory) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK)
        status = run(&periodic);
    abut_columns_free(periodic.moved, &periodic.allocator);
    if (memory)
        periodic.allocator.release(periodic.allocator.context, memory);
    if (periodic.pairs)
        periodic.allocator.release(periodic.allocator.context, periodic.pairs);
    return status;
}
