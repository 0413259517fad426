/* SPDX-License-Identifier: MIT */
/* The descent of the tree along one ray, from front to back. */
#include "bvh/cast/cast.h"

#include "bvh/build/bounds.h"
#include "bvh/search/filter.h"

#include <math.h>

/*
 * A ray, prepared for boxes. A box that is wider by grow on all sides holds the centre wherever the sphere touches an
 * item in the box.
 */
struct slabs {
    double from[3], inverse[3], grow;
    bool still[3]; /* the ray does not move along the axis */
    bool turned[3];
};

/*
 * When a ray is within boxes: from at least low to at most high, before the bounds of SLAB_SLIP. Each bound of a box is
 * a float or, if the box grows, rounded outwards. Its difference from the start, the inverse and their product are each
 * wrong by at most a part in 2^53, and neither overflow nor underflow, as all floats and their inverses are between
 * 2^-149 and 2^149. So a time is wrong by less than a part in 2^50, and the greatest or least of three, too.
 */
#define SLAB_SLIP 0x1p-50
struct times {
    double low[CHILDREN], high[CHILDREN];
};

static struct slabs slabs_of(const struct cast_ray *ray, struct margin margin)
{
    struct slabs slabs = {.grow = (double)ray->r * (double)margin.scale};
    for (unsigned k = 0; k < 3; k++) {
        slabs.from[k] = (double)ray->from[k];
        slabs.still[k] = ray->motion[k] == 0;
        slabs.turned[k] = ray->motion[k] < 0;
        slabs.inverse[k] = slabs.still[k] ? 0 : 1 / (double)ray->motion[k];
    }
    return slabs;
}

/* A bound that grows downwards or upwards by so much or a little more. */
static inline double grown_down(float x, double by)
{
    const double less = (double)x - by;
    return less - fabs(less) * 0x1p-51;
}

static inline double grown_up(float x, double by)
{
    return -grown_down(-x, by);
}

/* Narrows the times to those within the slabs of one axis. All but n and grows are known where this is inlined. */
static inline void cut(struct times *times, const struct slabs *slabs, unsigned k, const float *min, const float *max,
                       unsigned n, bool grows)
{
    const double from = slabs->from[k], inverse = slabs->inverse[k];
    const float *near = slabs->turned[k] ? max : min, *far = slabs->turned[k] ? min : max;
    const double by = slabs->grow;
    for (unsigned i = 0; i < n; i++) {
        double low = (double)near[i], high = (double)far[i];
        if (grows) {
            low = slabs->turned[k] ? grown_up(near[i], by) : grown_down(near[i], by);
            high = slabs->turned[k] ? grown_down(far[i], by) : grown_up(far[i], by);
        }
        low = (low - from) * inverse;
        high = (high - from) * inverse;
        times->low[i] = low > times->low[i] ? low : times->low[i];
        times->high[i] = high < times->high[i] ? high : times->high[i];
    }
}

static inline void cut_still(struct times *times, const struct slabs *slabs, unsigned k, const float *min,
                             const float *max, unsigned n)
{
    const double from = slabs->from[k], by = slabs->grow;
    for (unsigned i = 0; i < n; i++) {
        const double low = by > 0 ? grown_down(min[i], by) : (double)min[i];
        const double high = by > 0 ? grown_up(max[i], by) : (double)max[i];
        times->high[i] = low <= from && from <= high ? times->high[i] : -INFINITY;
    }
}

/* The members of a box are n apart. Of boxes of NaN the times are of no use. */
static inline void cut_all(struct times *times, const struct slabs *slabs, const float *box, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        times->low[i] = -INFINITY;
        times->high[i] = INFINITY;
    }
    for (unsigned k = 0; k < 3; k++)
        if (slabs->still[k])
            cut_still(times, slabs, k, box + k * n, box + (k + 3) * n, n);
        else if (slabs->grow > 0)
            cut(times, slabs, k, box + k * n, box + (k + 3) * n, n, true);
        else
            cut(times, slabs, k, box + k * n, box + (k + 3) * n, n, false);
}

static inline double lower(double t)
{
    return t - fabs(t) * SLAB_SLIP;
}

static inline double upper(double t)
{
    return t + fabs(t) * SLAB_SLIP;
}

/* ---- Hits */

/* Whether none of these numbers, from least on, can come before the best hit: that one is at the start. */
static bool comes_last(const struct cast_search *search, uint32_t least)
{
    return search->mode == CAST_FIRST && search->n > 0 && search->best.time.high == 0 &&
           least >= search->tree->leaves.ids[search->best.position];
}

/* Whether a hit is the first one so far: of equal times that with the least number is. */
static bool is_first(const struct cast_search *search, const struct cast_hit *hit)
{
    const uint32_t *ids = search->tree->leaves.ids;
    if (search->n == 0 || search->mode != CAST_FIRST)
        return search->n == 0;
    const int order = abut_cast_compare(search, hit, &search->best);
    return order != 0 ? order < 0 : ids[hit->position] < ids[search->best.position];
}

static void take(struct cast_search *search, const struct cast_hit *hit)
{
    if (!abut_filter_counts(search->filter, search->number, search->tree->leaves.ids[hit->position]))
        return;
    if (is_first(search, hit))
        search->best = *hit;
    if (search->all && search->n == search->most)
        return;
    if (search->all)
        search->all[search->n] = *hit;
    search->n++;
}

/* Whether the times within an AABB show when a point hits it: 1 yes, 0 no hit, -1 unknown. */
static int hits_box(const struct cast_search *search, double low, double high, struct cast_hit *hit)
{
    const double end = (double)search->ray.end;
    hit->time.part.kind = CAST_OTHER;
    if (low <= 0) { /* the signs are exact: it starts inside, or has left already */
        hit->time.low = hit->time.high = 0;
        return high >= 0;
    }
    hit->time.low = lower(low);
    hit->time.high = upper(low);
    return hit->time.high <= lower(high) && hit->time.high <= end ? 1 : -1;
}

static void try_leaf(struct cast_search *search, const struct slabs *slabs, size_t number)
{
    static boxes_function *const boxes[] = {
        [shape_point] = point_boxes,     [shape_sphere] = sphere_boxes,     [shape_obb] = obb_boxes,
        [shape_segment] = segment_boxes, [shape_triangle] = triangle_boxes, [shape_capsule] = capsule_boxes};
    const struct leaves *leaves = &search->tree->leaves;
    const uint32_t list = (uint32_t)number;
    const bool sharp = leaves->shape == shape_aabb && search->ray.r == 0 && !search->hulls;
    float box[6][LEAF];
    struct times times;
    search->stats->leaf_tests++;
    if (leaves->view)
        abut_leaves_gather(leaves, &list, 1);
    const float *leaf = leaves->at + number * leaves->fields * LEAF;
    if (leaves->shape != shape_aabb)
        boxes[leaves->shape](leaf, search->tree->margin, box);
    cut_all(&times, slabs, leaves->shape == shape_aabb ? leaf : box[0], LEAF);
    for (unsigned i = 0; i < LEAF && !(search->mode == CAST_ANY && search->n > 0); i++) {
        const double low = lower(times.low[i]), high = upper(times.high[i]);
        struct cast_hit hit = {.position = number * LEAF + i};
        if (!(low <= high && high >= 0 && low <= cast_limit(search)) || isnan(leaf[i]) ||
            comes_last(search, leaves->ids[number * LEAF + i]))
            continue;
        search->stats->pairs++;
        const int known = sharp ? hits_box(search, times.low[i], times.high[i], &hit) : -1;
        if (known > 0 || (known < 0 && abut_cast_measure(search, hit.position, low > 0, &hit)))
            take(search, &hit);
    }
}

/* ---- The descent */

/* A node, or at level -1 a leaf, which the ray reaches at low or later. least is the least number below it. */
struct step {
    double low;
    size_t child;
    int level;
    uint32_t least;
};

enum { MOST_STEPS = MAX_LEVELS * CHILDREN };

/* Of steps that are reached at the same time the one with the least number comes first. */
static bool is_later(const struct step *a, const struct step *b)
{
    return a->low > b->low || (a->low == b->low && a->least > b->least);
}

/* Pushes the children of a node that the ray reaches in time; the top of the stack is taken first. */
static size_t push_children(const struct cast_search *search, const struct slabs *slabs, struct step at,
                            struct step *stack, size_t n)
{
    const struct node *node = &search->tree->level[at.level][at.child];
    const double most = cast_limit(search);
    const size_t first = n;
    struct times times;
    search->stats->node_tests++;
    cut_all(&times, slabs, node->box[0], CHILDREN);
    for (size_t i = 0; i < CHILDREN; i++) {
        const double low = lower(times.low[i]), high = upper(times.high[i]), reached = low > 0 ? low : 0;
        if (!(low <= high && high >= 0 && low <= most) || isnan(node->box[0][i]))
            continue;
        const struct step step = {reached, at.child * CHILDREN + i, at.level - 1, node->least[i]};
        size_t to = n++;
        for (; to > first && is_later(&step, &stack[to - 1]); to--)
            stack[to] = stack[to - 1];
        stack[to] = step;
    }
    return n;
}

/* A sphere of infinite radius hits every item at the start, but no empty hull. */
static void hit_all(struct cast_search *search)
{
    const struct leaves *leaves = &search->tree->leaves;
    const bool any = search->mode == CAST_ANY;
    for (size_t t = 0; t < leaves->count && !(any && search->n > 0); t++) {
        const uint32_t list = (uint32_t)t;
        if (leaves->view)
            abut_leaves_gather(leaves, &list, 1);
        for (size_t i = 0; i < LEAF; i++) {
            struct cast_hit hit = {.position = t * LEAF + i};
            if (!isnan(leaves->at[t * leaves->fields * LEAF + i]) &&
                (!search->hulls || abut_cast_measure(search, hit.position, false, &hit)))
                take(search, &hit);
        }
    }
}

void abut_cast_find(struct cast_search *search)
{
    struct step stack[MOST_STEPS];
    const struct slabs slabs = slabs_of(&search->ray, search->tree->margin);
    size_t n = 0;
    search->n = 0;
    if (isinf(search->ray.r)) {
        hit_all(search);
        return;
    }
    if (search->tree->levels > 0)
        n = push_children(search, &slabs, (struct step){0, 0, (int)search->tree->levels - 1, 0}, stack, 0);
    while (n > 0 && !(search->mode == CAST_ANY && search->n > 0)) {
        const struct step at = stack[--n];
        if (at.low > cast_limit(search) || comes_last(search, at.least))
            continue;
        if (at.level >= 0)
            n = push_children(search, &slabs, at, stack, n);
        else
            try_leaf(search, &slabs, at.child);
    }
}
