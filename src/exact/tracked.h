/* SPDX-License-Identifier: MIT */
/*
 * The reals of the first filter of casts: a float64 value, and a bound on its error that each operation adds to.
 *
 * Let u = 2^-53. A sum or product that is v is rounded by at most u |v|, and carries on the errors of its operands, as
 * below. A difference of two floats is wrong by u of itself, however far from the origin they are: exact/sized.h takes
 * u of their sizes. That matters for polynomials of high degree in differences. bounded.h is tighter where nothing
 * rounds, at three times the cost.
 *
 * The bound is rounded, too: by less than 8u of itself an operation. A value with up to 128 roundings in all has a
 * bound that is short by less than a part in 2^43, for which the sign allows 2^-40. A product that underflows loses at
 * most 2^-1075, for which its bound has 2^-1022; that also covers what underflows in the bound itself. Overflow makes
 * the bound infinite or NaN, and the sign unknown.
 */
#ifndef ABUT_EXACT_TRACKED_H
#define ABUT_EXACT_TRACKED_H

#include "exact/sign.h"

#include <float.h>
#include <math.h>

/* The true value lies in [value - error, value + error], where the error is enlarged as tracked_error() does. */
struct tracked {
    double value, error;
};

static inline struct tracked tracked_of(float x)
{
    return (struct tracked){(double)x, 0};
}

static inline struct tracked tracked_add(struct tracked a, struct tracked b)
{
    const double sum = a.value + b.value;
    return (struct tracked){sum, a.error + b.error + fabs(sum) * 0x1p-53};
}

static inline struct tracked tracked_sub(struct tracked a, struct tracked b)
{
    return tracked_add(a, (struct tracked){-b.value, b.error});
}

/* A factor that is certainly 0 makes a product that is. */
static inline struct tracked tracked_mul(struct tracked a, struct tracked b)
{
    const double product = a.value * b.value, u = fabs(product) * 0x1p-53;
    const double error = fabs(a.value) * b.error + (fabs(b.value) + b.error) * a.error + u + DBL_MIN;
    const int zero = (a.value == 0 && a.error == 0) || (b.value == 0 && b.error == 0);
    return (struct tracked){product, zero ? 0 : error};
}

/* The greater of two true values is that far from the greater of their approximations at most. */
static inline struct tracked tracked_max(struct tracked a, struct tracked b)
{
    return (struct tracked){a.value > b.value ? a.value : b.value, a.error > b.error ? a.error : b.error};
}

static inline double tracked_error(struct tracked x)
{
    return x.error * (1 + 0x1p-40);
}

static inline int tracked_sign(struct tracked x)
{
    const double error = tracked_error(x);
    if (x.value > error)
        return 1;
    if (x.value < -error)
        return -1;
    return x.value == 0 && x.error == 0 ? 0 : SIGN_UNKNOWN;
}

#endif
