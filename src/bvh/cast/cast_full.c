/* SPDX-License-Identifier: MIT */
/* Times of casts on as many limbs as any input needs. Hulls need more: cast_full_hulls.c. */
#include "bvh/cast/scaled_of_limbs.h"
#include "exact/dyadic.h"

/* Degree 16, with one limb for the carry (bvh/cast/cast_arithmetic.h). */
#define DYADIC long_dyadic
#define DYADIC_LIMBS 146
_Static_assert(LIMBS_OF_DEGREE(16) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(8, 8) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(4, 4) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(4, 8) <= DYADIC_LIMBS,
               "no polynomial of degree 16 fails to fit");
#include "exact/dyadic_limbs.h"

/* Degree 32, for one comparison: on the stack such numbers would take too much in all formulas. */
#define DYADIC wide_dyadic
#define DYADIC_LIMBS 300
_Static_assert(LIMBS_OF_DEGREE(32) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(16, 16) + 1 <= DYADIC_LIMBS,
               "no polynomial of degree 32 fails to fit");
#include "exact/dyadic_limbs.h"

#include "bvh/cast/product_less_square.h"

#define NO_HULLS
#define ARITHMETIC long_dyadic
#define FORMULAS abut_cast_full
#include "bvh/cast/cast_arithmetic.h"
