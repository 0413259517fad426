/* SPDX-License-Identifier: MIT */
/* Times of casts in float64, with error bounds by size. */
#include "bvh/cast/cast_formulas.h"
#include "exact/sized.h"

/*
 * exact/sized.h proves its bound for polynomials with up to 128 roundings. Those of casts have at most 42: the
 * difference of squares that shows whether a foot is in a triangle. The comparison of two roots has more, and is left
 * to exact arithmetic where the bounds on the roots do not decide it. Of the polynomials above degree 8, that
 * difference has the greatest: 14. What underflows there is a product of degree 8 or more, so it is multiplied by at
 * most six factors, as exact/sized.h assumes; or it is a term of a number that is squared, and less than 2^-1072 of it.
 */
#define product_less_square(a, b, z) ((void)(a), (void)(b), (void)(z), SIGN_UNKNOWN)
#define real_scaled sized_scaled

static inline struct scaled sized_scaled(struct sized x)
{
    const double error = x.size * 0x1p-46 + 0x1p-280, low = x.value - error, high = x.value + error;
    if (x.size == 0)
        return (struct scaled){0, 0, 0};
    return (struct scaled){low > 0 ? low : 0, high >= 0 ? high : INFINITY, 0};
}

#define ARITHMETIC sized
#define FORMULAS abut_cast_sized
#include "bvh/cast/cast_arithmetic.h"
