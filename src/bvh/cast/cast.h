/* SPDX-License-Identifier: MIT */
/* Casts of one ray: the search, and the measures and comparisons that it is made of. */
#ifndef ABUT_BVH_CAST_H
#define ABUT_BVH_CAST_H

#include "bvh/cast/cast_formulas.h"
#include "bvh/tree.h"

/* No hit of a row. */
#define CAST_NONE UINT32_MAX

/* The hit of an item, by its position in the leaves. The rest is for sorting a row, of which it has numbers. */
struct cast_hit {
    struct cast_time time;
    size_t position;
    uint32_t later;       /* the first hit at the next time */
    uint32_t equal, last; /* of those at the same time: the next one, and of the first one the last */
};

/* The search of one ray: for the first hit, for any, or for all of them. */
enum cast_mode { CAST_FIRST, CAST_ANY, CAST_ALL };
struct cast_search {
    const struct tree *tree;
    enum cast_mode mode;
    uint32_t number;                  /* of the ray */
    const struct abut_filter *filter; /* or NULL */
    const struct abut_hulls *hulls;   /* whose AABBs the items are, and which the ray is cast among; or NULL */
    struct cast_ray ray;
    struct abut_stats *stats;
    size_t n;             /* how many hits there are; if not CAST_ALL, one is enough */
    struct cast_hit best; /* the first one of n > 0 */
    struct cast_hit *all; /* of CAST_ALL, or NULL: only count them */
    size_t most;          /* room in all; another thread may write to the caller's arrays after hits were counted */
};

/* Items that are hit later than this are not wanted. */
static inline double cast_limit(const struct cast_search *search)
{
    return search->mode == CAST_FIRST && search->n > 0 ? search->best.time.high : (double)search->ray.end;
}

/* Finds the hits of a valid ray. */
void abut_cast_find(struct cast_search *search);

/*
 * Prepares hull i for a moving sphere. False if the sphere certainly does not touch it by cast_limit(). apart: the two
 * are certainly apart at the start.
 */
bool abut_cast_prepare_hull(struct cast_hull *cast, const struct cast_search *search, size_t i, bool apart);

/* Whether an item is hit, and when. apart: the two are certainly apart at the start. */
bool abut_cast_measure(struct cast_search *search, size_t position, bool apart, struct cast_hit *hit);

/* The sign of the time of a less that of b. */
int abut_cast_compare(const struct cast_search *search, const struct cast_hit *a, const struct cast_hit *b);

/* The time of a hit, rounded to the nearest float32, ties to even. */
float abut_cast_round(const struct cast_search *search, const struct cast_hit *hit);

/*
 * Links the hits of CAST_ALL in the order of their times, equal ones by number. Returns the first one, or CAST_NONE.
 * Equal times are compared once a hit, not once a comparison of a sort.
 */
uint32_t abut_cast_sort(struct cast_search *search);

#endif
