/* SPDX-License-Identifier: MIT */
/*
 * The distances of items from a point, compared in each arithmetic: bounded float64, and two sizes of exact integers.
 */
#ifndef ABUT_BVH_NEAREST_FORMULAS_H
#define ABUT_BVH_NEAREST_FORMULAS_H

#include "exact/sign.h"

#include <stddef.h>

/* An item: its enum shape (any that an index holds), and its members. */
struct measured {
    size_t shape;
    const float *at;
};

struct nearest_formulas {
    /* The sign of the distance of a from the point less that of b, or SIGN_UNKNOWN. */
    int (*compare)(const float point[3], struct measured a, struct measured b);
    /* The sign of the distance of the item from the point less the sum of two radii that are finite and >= 0. */
    int (*beyond)(const float point[3], struct measured item, const float radii[2]);
};

extern const struct nearest_formulas abut_nearest_filter64; /* SIGN_UNKNOWN where its error bound does not decide */
extern const struct nearest_formulas abut_nearest_compact;  /* SIGN_UNKNOWN where its few limbs do not suffice */
extern const struct nearest_formulas abut_nearest_full;     /* always decides */

#endif
