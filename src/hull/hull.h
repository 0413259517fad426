/* SPDX-License-Identifier: MIT */
/* One hull prepared for many queries: its planes as given, and with unit normals for the filters. */
#ifndef ABUT_HULL_HULL_H
#define ABUT_HULL_HULL_H

#include "exact/resolve.h"

/* The planes that hold the nearest point of a hull. */
struct active {
    unsigned count, plane[3];
};

/* The results that one stage hands to the next. */
struct findings {
    struct active active; /* a guess */
    /* The planes that the item, or the point of the active planes, may be outside of; it is within the others. */
    uint32_t boundary;
};
#define NOTHING_FOUND ((struct findings){{0, {0}}, UINT32_MAX})

struct hull {
    unsigned planes; /* without those that bound nothing; 0: all of space */
    unsigned sides;  /* the number of planes in slabs, which come first: each two have opposite normals */
    bool invalid;    /* invalid input, or empty by a plane without a normal: all answers are misses */
    bool no_points;  /* known to be empty: nothing touches it */

    float given[ABUT_MAX_PLANES][4]; /* nx ny nz d */
    double unit[ABUT_MAX_PLANES][4]; /* the same over |n|; relative error below 4 * 2^-53 */
    double reach;                    /* the greatest |d| of these */
    /* The same in float32, and the part of the planes in the error bound of a depth (batch/hull.h). */
    float nx[ABUT_MAX_PLANES], ny[ABUT_MAX_PLANES], nz[ABUT_MAX_PLANES], d[ABUT_MAX_PLANES], error;
    float across[ABUT_MAX_PLANES / 2];     /* of each slab: the sum of the heights over its planes, the same anywhere */
    unsigned char octant[ABUT_MAX_PLANES]; /* signs of each normal: 1 if x > 0, 2 if y > 0, 4 if z > 0 */
};

/* Of two hulls the first is the item: it is made ready as well, and goes where the members of other items go. */
static inline const float *hull_item(const struct hull *hull)
{
    return (const float *)(const void *)hull;
}

static inline const struct hull *hull_of(const float *item)
{
    return (const struct hull *)(const void *)item;
}

static inline bool hull_invalid(const struct hull *hull)
{
    return hull->invalid;
}

/* The least number of items for which looking for slabs pays. */
enum { SLABS_PAY = 256 };

/* Prepares hull i of the batch, which must be readable. many: looks for slabs, which pays for many items. */
void abut_hull_prepare(struct hull *hull, const struct abut_hulls *hulls, size_t i, bool many);

/*
 * The scalar stages; each returns a certain answer or ANSWER_UNKNOWN. filter64 is plain float64, and also finds the
 * planes for the next stages; bounded64 is float64 with error bounds; in exact_from only a wrong guess is unknown.
 * Hulls must be valid. filter64 makes an invalid item a miss; the other stages require valid items.
 */
enum answer abut_hull_filter64(enum predicate predicate, struct hull *hull, const float *item, struct findings *found);
enum answer abut_hull_bounded64(enum predicate predicate, const struct hull *hull, const float *item,
                                const struct findings *found);
enum answer abut_hull_exact_from(enum predicate predicate, const struct hull *hull, const float *item,
                                 const struct findings *found);

/*
 * Exact: a sphere against the planes in among (bit k is plane k), if the point of the active planes is the nearest
 * within them. Otherwise ANSWER_ELSEWHERE; beyond is set if the only obstacle is a plane that the point is outside of.
 */
enum answer abut_hull_at(const struct hull *hull, const float *sphere, const struct active *active, uint32_t among,
                         unsigned *beyond);

/*
 * Exact: a valid sphere against a valid hull, from any guess at the active planes; never ANSWER_UNKNOWN. It takes no
 * predicate, so it answers also in a build that leaves out predicates of hulls.
 */
enum answer abut_hull_sphere(struct hull *hull, const float *sphere, struct active active);

/* Exact; never ANSWER_UNKNOWN. */
enum answer abut_hull_exact(enum predicate predicate, struct hull *hull, const float *item);

/* The stages after filter64, which left the pair undecided; counts as abut_hull_resolve() does. */
bool abut_hull_resolve_from(enum predicate predicate, struct hull *hull, const float *item,
                            const struct findings *found, bool closed, struct abut_stats *stats);

/* All stages in turn; counts one undecided pair, and one exact if that stage was needed. */
bool abut_hull_resolve(enum predicate predicate, struct hull *hull, const float *item, bool closed,
                       struct abut_stats *stats);

#endif
