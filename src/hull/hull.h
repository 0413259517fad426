/* SPDX-License-Identifier: MIT */
/* One hull made ready for many questions: its planes as given, and again with unit normals for the filters. */
#ifndef ABUT_HULL_HULL_H
#define ABUT_HULL_HULL_H

#include "exact/resolve.h"

/* The planes that the nearest point of a hull lies on. */
struct active {
    unsigned count, plane[3];
};

/* What one stage leaves to the next. */
struct findings {
    struct active active; /* a guess */
    /* Planes that the item may be outside of, or the point of the active ones; it is surely within the others. */
    uint32_t boundary;
};
#define NOTHING_FOUND ((struct findings){{0, {0}}, UINT32_MAX})

struct hull {
    unsigned planes; /* that bound something; 0: all of space */
    unsigned sides;  /* so many of them, which come first, bound slabs: each two have opposite normals */
    bool invalid;    /* bad input, or empty by a plane without a normal: every answer is a miss */
    bool no_points;  /* known to be contradictory: nothing touches it */

    float given[ABUT_MAX_PLANES][4]; /* nx ny nz d */
    double unit[ABUT_MAX_PLANES][4]; /* the same over |n|: each number off by less than 4 * 2^-53 of itself */
    double reach;                    /* the greatest |d| of these */
    /* The same in float32, and what the planes add to the bound on the error of a depth (batch/hull.h). */
    float nx[ABUT_MAX_PLANES], ny[ABUT_MAX_PLANES], nz[ABUT_MAX_PLANES], d[ABUT_MAX_PLANES], error;
    /*
     * What decides of spheres and points of a radius of at most r has the sign that it seems to have, wherever they
     * are, where it is more than anywhere + r * by_radius. Infinite if that is not known.
     */
    float unbounded, by_radius;
    float across[ABUT_MAX_PLANES / 2];     /* of each slab: what the heights over its planes add up to, anywhere */
    unsigned char octant[ABUT_MAX_PLANES]; /* where each normal points: 1 if x > 0, 2 if y > 0, 4 if z > 0 */
};

/* Items from which on it pays to look for slabs. */
enum { SLABS_PAY = 256 };

/*
 * Hull i of the batch, which must be readable. Slabs are looked for where many items are to be asked about, or it costs
 * more.
 */
void abut_hull_prepare(struct hull *hull, const struct abut_hulls *hulls, size_t i, bool many);

/*
 * The only hull of a batch, about which n items are to be asked in vectors of width lanes: what makes the predicate
 * faster is found out where that pays.
 */
void abut_hull_prepare_for(struct hull *hull, const struct abut_hulls *hulls, enum hull_predicate predicate,
                           unsigned width, size_t n);

/*
 * The scalar stages, each a sure answer or ANSWER_UNKNOWN: plain float64, which also finds out what there is to ask;
 * float64 with error bounds; and exact arithmetic, where only a wrong guess is not known. Hulls are not bad; a bad item
 * is a miss to the first stage, and does not come to the others.
 */
enum answer abut_hull_filter64(enum hull_predicate predicate, struct hull *hull, const float *item,
                               struct findings *found);
enum answer abut_hull_bounded64(enum hull_predicate predicate, const struct hull *hull, const float *item,
                                const struct findings *found);
enum answer abut_hull_exact_from(enum hull_predicate predicate, const struct hull *hull, const float *item,
                                 const struct findings *found);

/*
 * Exact: a sphere against those planes of a hull that bits of among say, if the point of the active ones is the nearest
 * within them; else ANSWER_ELSEWHERE, and beyond is a plane that it is outside of, if that alone speaks against it.
 */
enum answer abut_hull_at(const struct hull *hull, const float *sphere, const struct active *active, uint32_t among,
                         unsigned *beyond);

/* Exact; never ANSWER_UNKNOWN. */
enum answer abut_hull_exact(enum hull_predicate predicate, struct hull *hull, const float *item);

/* All stages in turn; counts one undecided pair, and one judged if it came to that. */
bool abut_hull_resolve(enum hull_predicate predicate, struct hull *hull, const float *item, bool closed,
                       struct abut_stats *stats);

#endif
