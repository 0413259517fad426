/* SPDX-License-Identifier: MIT */
/* Times of casts on few limbs, enough for ordinary coordinates. */
#include "bvh/cast/scaled_of_limbs.h"
#include "exact/dyadic.h"

#define DYADIC short_dyadic
#define DYADIC_LIMBS 40
#include "exact/dyadic_limbs.h"

static int product_less_square(struct short_dyadic a, struct short_dyadic b, struct short_dyadic z)
{
    const struct short_dyadic product = short_dyadic_mul(short_dyadic_mul(a, short_dyadic_of(4)), b);
    return short_dyadic_sub(product, short_dyadic_mul(z, z)).sign;
}

#define ARITHMETIC short_dyadic
#define FORMULAS abut_cast_compact
#include "bvh/cast/cast_arithmetic.h"
