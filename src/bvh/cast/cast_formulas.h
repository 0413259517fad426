/* SPDX-License-Identifier: MIT */
/* When a moving sphere first touches an item, in each arithmetic: two of float64, and two sizes of exact integers. */
#ifndef ABUT_BVH_CAST_FORMULAS_H
#define ABUT_BVH_CAST_FORMULAS_H

#include "bvh/search/nearest_formulas.h"
#include "hull/hull.h"

#include <math.h>
#include <stdbool.h>

/* A valid ray: its centre is from + t motion, for t from 0 to end, which may be +inf. */
struct cast_ray {
    float from[3], motion[3], r, end;
};

/*
 * A valid hull. The rest is for a sphere that moves (cast_guess.c). A feature is a face, an edge or a corner: one, two
 * or three of the planes.
 */
struct cast_hull {
    unsigned planes;                 /* without those that bound nothing */
    float plane[ABUT_MAX_PLANES][4]; /* nx ny nz d */
    bool touched_at_start;
    struct active guess; /* the feature that is probably touched first; no planes: not known */
    uint64_t *possible;  /* which features no arithmetic has ruled out yet: a bit each */
};

/* 32 faces, 496 edges and 4960 corners. */
enum { CAST_FEATURE_WORDS = (32 + 496 + 4960 + 63) / 64 };
_Static_assert(ABUT_MAX_PLANES == 32, "a bit for each feature");

static inline bool cast_feature_is_possible(const uint64_t *possible, unsigned feature)
{
    return possible[feature / 64] >> feature % 64 & 1;
}

static inline void cast_feature_rule_out(uint64_t *possible, unsigned feature)
{
    possible[feature / 64] &= ~(UINT64_C(1) << feature % 64);
}

/* A hull goes where the members of other items go. */
static inline struct measured measured_hull(const struct cast_hull *hull)
{
    return (struct measured){shape_hull, (const float *)(const void *)hull};
}

static inline const struct cast_hull *cast_hull_of(struct measured item)
{
    return (const struct cast_hull *)(const void *)item.at;
}

/*
 * The part that is touched: a vertex, the line through two vertices in a fixed order, the plane of a hull, or anything
 * else (CAST_OTHER).
 */
enum cast_part_kind { CAST_OTHER, CAST_VERTEX, CAST_LINE, CAST_PLANE };
struct cast_part {
    enum cast_part_kind kind;
    float at[6];
};

/* Bounds on the t of a hit, 0 and 0 at the start, and the touched part. Equal parts are touched at equal times. */
struct cast_time {
    double low, high;
    struct cast_part part;
};

struct cast_formulas {
    /*
     * ANSWER_HIT with the time at which a ray without end first touches a valid item, ANSWER_MISS, or ANSWER_UNKNOWN.
     * apart: the two do not touch at t = 0. The radius of the ray is finite.
     */
    enum answer (*first)(const struct cast_ray *ray, struct measured item, bool apart, struct cast_time *time);
    /* The sign of the time of a less that of b, of two items that are hit after the start; or SIGN_UNKNOWN. */
    int (*compare)(const struct cast_ray *ray, struct measured a, struct measured b);
    /* The sign of twice the time of an item that is hit after the start, less the sum of three floats. */
    int (*twice_less)(const struct cast_ray *ray, struct measured item, const float sum[3]);
};

/* In the order in which they are tried. */
extern const struct cast_formulas abut_cast_tracked;  /* unknown where its error bound does not decide */
extern const struct cast_formulas abut_cast_filter64; /* the same; its bound is 0 where nothing rounds */
extern const struct cast_formulas abut_cast_compact;  /* unknown where its few limbs do not suffice */
/* These always decide: one for hulls, which take longer integers, and one for all other items. */
extern const struct cast_formulas abut_cast_full_hulls, abut_cast_full;

/* A value >= 0 of any size: it lies in [low, high] * 2^(32 exponent). */
struct scaled {
    double low, high;
    int exponent;
};

/* Of a float64 and a bound on its error. */
static inline struct scaled scaled_within(double value, double error)
{
    const double low = value - error, high = value + error;
    return (struct scaled){low > 0 ? low : 0, high >= 0 ? high : INFINITY, 0};
}

#endif
