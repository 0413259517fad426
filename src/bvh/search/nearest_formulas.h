/* SPDX-License-Identifier: MIT */
/*
 * The distances of items from a point, compared in each arithmetic: bounded float64, and two sizes of exact integers.
 */
#ifndef ABUT_BVH_NEAREST_FORMULAS_H
#define ABUT_BVH_NEAREST_FORMULAS_H

#include "exact/sign.h"

#include <stdbool.h>
#include <stddef.h>

/* An item: its enum shape (any that an index holds), and its members. */
struct measured {
    size_t shape;
    const float *at;
};

/* Whether vertex a comes before b in a fixed order, which for vertices on one line is that along the line. */
static inline bool comes_first(const float *a, const float *b)
{
    for (unsigned k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k];
    return false;
}

/*
 * Two boxes, min and then max of each; those of points and of the centres of spheres have no size. An axis has a period
 * above 0, or 0 if it does not repeat; first is then where the images of b begin (separation_arithmetic.h).
 */
enum { WINDOW = 4 };
struct separated {
    const float *a, *b, *period;
    int first[3];
};

struct nearest_formulas {
    /* The sign of the distance of a from the point less that of b, or SIGN_UNKNOWN. */
    int (*compare)(const float point[3], struct measured a, struct measured b);
    /* The sign of the distance of the item from the point less the sum of two radii that are finite and >= 0. */
    int (*beyond)(const float point[3], struct measured item, const float radii[2]);
    /* The sign of the distance of two boxes less the sum of three radii that are finite and >= 0. */
    int (*separation)(const struct separated *pair, const float radii[3]);
    /* -1 if the interiors of two boxes overlap, or one of them is flat and cuts through the other; 0 if they touch. */
    int (*overlap)(const struct separated *pair);
    /* The sign of the area of a b p as seen along x, and of the volume of a b c p: both above 0 for left turns. */
    int (*turn)(const float a[3], const float b[3], const float point[3]);
    int (*side)(const float triangle[9], const float point[3]);
    /* The sign of the distance of a pair less a radius >= 0, or 0 inside, less that of another pair. */
    int (*compare_pairs)(const struct separated *a, float ra, const struct separated *b, float rb);
};

extern const struct nearest_formulas abut_nearest_filter64; /* SIGN_UNKNOWN where its error bound does not decide */
extern const struct nearest_formulas abut_nearest_compact;  /* SIGN_UNKNOWN where its few limbs do not suffice */
extern const struct nearest_formulas abut_nearest_full;     /* always decides */

#endif
