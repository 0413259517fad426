/* SPDX-License-Identifier: MIT */
/*
 * The reals of the first scalar filter: a float64 value, and the size of the terms that it was made of.
 *
 * The size of a sum or difference is the sum of the sizes, and that of a product their product: what the value would
 * be if nothing cancelled. Let u = 2^-53. If a is off by i u of its size, and b by j u of its own, a sum is off by at
 * most max(i, j) + 1 of its size, and a product by i + j + 1. In the formulas, a coordinate has at most 7 roundings, a
 * normal 4, their dot product 14, its square 29, and a difference of such 30. The bound has 128, which covers second-
 * order terms and the roundings of the size.
 *
 * Overflow makes the size infinite or NaN, and the sign unknown. Underflow loses at most 2^-1074 an operation. What is
 * lost is multiplied by at most six more factors below 2^132, and stays below 2^-280.
 */
#ifndef ABUT_EXACT_SIZED_H
#define ABUT_EXACT_SIZED_H

#include "exact/sign.h"

#include <float.h>
#include <math.h>

struct sized {
    double value, size;
};

static inline struct sized sized_of(float x)
{
    return (struct sized){(double)x, fabs((double)x)};
}

static inline struct sized sized_add(struct sized a, struct sized b)
{
    return (struct sized){a.value + b.value, a.size + b.size};
}

static inline struct sized sized_sub(struct sized a, struct sized b)
{
    return (struct sized){a.value - b.value, a.size + b.size};
}

/* A size of 0 means that the value is 0 for certain: underflow does not make one. */
static inline struct sized sized_mul(struct sized a, struct sized b)
{
    struct sized product = {a.value * b.value, a.size * b.size};
    if (product.size == 0 && a.size != 0 && b.size != 0)
        product.size = DBL_MIN;
    return product;
}

/* The greater of two true values is that far from the greater of their approximations at most. */
static inline struct sized sized_max(struct sized a, struct sized b)
{
    return (struct sized){a.value > b.value ? a.value : b.value, a.size > b.size ? a.size : b.size};
}

static inline int sized_sign(struct sized x)
{
    const double error = x.size * 0x1p-46 + 0x1p-280;
    if (x.value > error)
        return 1;
    if (x.value < -error)
        return -1;
    return x.size == 0 ? 0 : SIGN_UNKNOWN;
}

#endif
