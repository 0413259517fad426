/* SPDX-License-Identifier: MIT */
/* Times of casts in float64, with error bounds that each operation adds to. */
#include "bvh/cast/cast_formulas.h"
#include "exact/tracked.h"

/*
 * Polynomials of casts have at most 42 roundings, that of the difference of squares that shows whether a foot is in a
 * triangle. Comparisons of two roots have more, and are left to the next filter where bounds do not decide them.
 */
#define product_less_square(a, b, z) ((void)(a), (void)(b), (void)(z), SIGN_UNKNOWN)
#define real_scaled(x) scaled_within((x).value, tracked_error(x))

#define ARITHMETIC tracked
#define FORMULAS abut_cast_tracked
#include "bvh/cast/cast_arithmetic.h"
