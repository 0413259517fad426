/* SPDX-License-Identifier: MIT */
/* The search for the neighbours of one point, and the bounds and comparisons that it is made of. */
#ifndef ABUT_BVH_NEAREST_H
#define ABUT_BVH_NEAREST_H

#include "bvh/search/filter.h"
#include "bvh/search/nearest_formulas.h"
#include "bvh/tree.h"
#include "bvh/workspace.h"

/* SLIP exceeds the errors of at most six roundings in float64 and of a square root, each less than a part in 2^52. */
#define SLIP 0x1p-48

/*
 * low and high bound the distance of a point from an item. It is squared unless items have radii (is_rounded()).
 * Squared distances are sums of squares and products of differences of floats. In float64 these neither overflow nor
 * underflow.
 */
struct candidate {
    double low, high;
    size_t position; /* of the item in the leaves */
};

/*
 * The search for the neighbours of one point. heap[0] is the farthest. reach bounds the distances that are wanted,
 * squared unless items have radii: +inf, or as much as within, which is finite then. known is a distance, squared
 * likewise, that at least k items do not exceed, or +inf.
 */
struct neighbours {
    const struct tree *tree;
    float point[3];
    struct candidate *heap;
    size_t n, k;
    double reach, known;
    float within;
    bool closed;
    uint32_t except;                  /* the number of an item that is not wanted, or UINT32_MAX */
    const struct abut_filter *filter; /* which items count for this query, or NULL */
    uint32_t query;
    struct abut_stats *stats;
};

/* Whether an item counts: it is not the excepted one, and the filter admits it. */
static inline bool is_wanted(const struct neighbours *search, uint32_t id)
{
    return id != search->except && (!search->filter || abut_filter_counts(search->filter, search->query, id));
}

static inline void item_at(const struct leaves *leaves, size_t position, float *item)
{
    const float *at = leaves->at + position / LEAF * leaves->fields * LEAF + position % LEAF;
    for (unsigned k = 0; k < leaves->fields; k++)
        item[k] = at[k * LEAF];
}

/* Whether distances are from the surface of a ball or of a tube: these are bounded, and not their squares. */
static inline bool is_rounded(const struct leaves *leaves)
{
    return leaves->shape == shape_sphere || leaves->shape == shape_capsule;
}

/* The square of the distance from a box, whose members are stride apart, wrong by less than SLIP / 2 of it. */
static inline double box_squared(const float point[3], const float *min, const float *max, size_t stride)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const float x = point[k], least = min[k * stride], most = max[k * stride];
        const double d = x < least ? (double)least - (double)x : x > most ? (double)x - (double)most : 0;
        sum += d * d;
    }
    return sum;
}

/* What must hold of the arguments of a call. */
enum abut_status abut_nearest_check(const struct abut_points *points, const struct abut_neighbours *question,
                                    const struct abut_neighbours_found *found);

/* Sets n places of the outputs to those of no neighbour. */
void abut_nearest_clear(const struct abut_neighbours_found *found, size_t n);

/* Finds the neighbours of all points, in places of no neighbour. The index has items. filter stands for the options'. */
enum abut_status abut_nearest_rows(const struct abut_index *index, const struct columns *points,
                                   const struct abut_neighbours *question, const struct abut_filter *filter,
                                   const struct abut_options *options, struct abut_workspace *workspace,
                                   const struct abut_neighbours_found *found);

/* Bounds on the distance from the item at a position. */
struct candidate abut_nearest_measure(const struct leaves *leaves, const float point[3], size_t position);

/*
 * The exact sign of the distance of a less that of b, of any shapes; counts one exact decision where float64 did not
 * suffice. The second form looks at bounds first.
 */
int abut_nearest_order(const float point[3], struct measured a, struct measured b, struct abut_stats *stats);
int abut_nearest_compare(const float point[3], struct measured a, struct measured b, struct abut_stats *stats);

/*
 * Whether an item is at most so far from a ball of that radius around the point: the sum of radii is exact. radii are
 * >= 0; an infinite one reaches everything.
 */
bool abut_nearest_within(const float point[3], struct measured item, const float radii[2], bool closed,
                         struct abut_stats *stats);

/* Finds the neighbours of search->point: its heap holds them, the farthest first. */
void abut_nearest_find(struct neighbours *search);

/* Takes the farthest neighbour out of the heap. */
struct candidate abut_nearest_take(struct neighbours *search);

/* Whether two neighbours are equally near. */
bool abut_nearest_equal(const struct neighbours *search, const struct candidate *a, const struct candidate *b);

#endif
