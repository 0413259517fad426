/* SPDX-License-Identifier: MIT */
/* Times of casts in float64, with error bounds that are 0 where nothing rounds. */
#include "bvh/cast/cast_formulas.h"
#include "exact/bounded.h"

#define real_scaled(x) scaled_within((x).value, (x).error)

static int product_less_square(struct bounded a, struct bounded b, struct bounded z)
{
    const struct bounded product = bounded_mul(bounded_mul(a, bounded_of(4)), b);
    return bounded_sign(bounded_sub(product, bounded_mul(z, z)));
}

#define ARITHMETIC bounded
#define FORMULAS abut_cast_filter64
#include "bvh/cast/cast_arithmetic.h"
