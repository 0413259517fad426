/* SPDX-License-Identifier: MIT */
/* Distances from points, compared on as many limbs as any input needs. */
#include "exact/dyadic.h"

/*
 * Two capsules need degree 12, and a capsule and a triangle 16 (nearest_arithmetic.h). With all coordinates below
 * 2^128, their greatest polynomial is below 2^(128 * 16 + 31), which ends in the limb that LIMBS_OF_DEGREE(16) counts
 * last. One more is for the carry.
 */
#define DYADIC long_dyadic
#define DYADIC_LIMBS 144
_Static_assert(LIMBS_OF_DEGREE(16) < DYADIC_LIMBS && LIMBS_OF_PRODUCT(8, 8) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(14, 2) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(12, 2) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(2, 10) <= DYADIC_LIMBS,
               "no polynomial of degree 16 fails to fit");
#include "exact/dyadic_limbs.h"

#define ARITHMETIC long_dyadic
#define FORMULAS abut_nearest_full
#include "bvh/search/nearest_arithmetic.h"
