/* SPDX-License-Identifier: MIT */
/* Times of casts among hulls on as many limbs as any input needs. */
#include "bvh/cast/scaled_of_limbs.h"
#include "exact/dyadic.h"

/* Degree 24, with one limb for the carry (bvh/cast/cast_moving_hulls.h). */
#define DYADIC long_dyadic
#define DYADIC_LIMBS 212
_Static_assert(LIMBS_OF_DEGREE(24) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(12, 12) <= DYADIC_LIMBS,
               "no polynomial of degree 24 fails to fit");
#include "exact/dyadic_limbs.h"

/* Degree 48, for one comparison. */
#define DYADIC wide_dyadic
#define DYADIC_LIMBS 422
_Static_assert(LIMBS_OF_DEGREE(48) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(24, 24) + 1 <= DYADIC_LIMBS,
               "no polynomial of degree 48 fails to fit");
#include "exact/dyadic_limbs.h"

#include "bvh/cast/product_less_square.h"

#define ARITHMETIC long_dyadic
#define FORMULAS abut_cast_full_hulls
#include "bvh/cast/cast_hulls.h"

static enum answer touches_at_start(const struct cast_ray *ray, struct measured item)
{
    return touches_hull_at_start(ray, cast_hull_of(item));
}

static enum found find_apart(struct root *root, const struct cast_ray *ray, struct measured item)
{
    return find_hull(root, ray, cast_hull_of(item));
}

#include "bvh/cast/cast_answers.h"
