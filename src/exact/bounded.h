/* SPDX-License-Identifier: MIT */
/*
 * The reals of the float64 filter: a float64 value and a proved bound on its error.
 *
 * The bound of a sum or product consists of the bounds of its operands and the rounding error of the operation, which
 * two-sum and Dekker's product give exactly. Where no operation rounds, as with integers or data on a grid, the bound
 * stays 0, and even a tie is decided. The residuals are never computed by a fused multiply-add, as an emulation may
 * round that twice. Overflow makes the bound infinite or NaN, and the sign unknown.
 */
#ifndef ABUT_EXACT_BOUNDED_H
#define ABUT_EXACT_BOUNDED_H

#include "exact/sign.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The true value lies in [value - error, value + error]. */
struct bounded {
    double value, error;
};

static inline struct bounded bounded_of(float x)
{
    return (struct bounded){x, 0};
}

/* Rounds a sum of at most five non-negative doubles up by more than its roundings can have lost. */
static inline double bounded_up(double sum)
{
    return sum * (1 + 0x1p-48);
}

static inline struct bounded bounded_add(struct bounded a, struct bounded b)
{
    double sum = a.value + b.value, part = sum - a.value;
    double residual = (a.value - (sum - part)) + (b.value - part);
    return (struct bounded){sum, bounded_up(a.error + b.error + fabs(residual))};
}

static inline struct bounded bounded_sub(struct bounded a, struct bounded b)
{
    return bounded_add(a, (struct bounded){-b.value, b.error});
}

/* The upper 26 bits of x (Veltkamp); overflows to NaN above 2^996. */
static inline double bounded_high(double x)
{
    double t = x * 0x1.0000002p27;
    return t - (t - x);
}

/*
 * Whether the product is exact because both factors are exact, have at most the 24 bits of a float, and the product
 * neither overflows nor underflows.
 */
static inline bool bounded_short(struct bounded a, struct bounded b, double product)
{
    uint64_t a_bits, b_bits;
    memcpy(&a_bits, &a.value, sizeof a_bits);
    memcpy(&b_bits, &b.value, sizeof b_bits);
    const bool in_range = fabs(product) >= 0x1p-960 && fabs(product) <= DBL_MAX;
    return a.error + b.error == 0 && (a_bits | b_bits) << 35 == 0 && (in_range || a.value == 0 || b.value == 0);
}

/* Not inlined, so that bounded_mul() can inline the short products, which decide ties. */
static __attribute__((noinline)) struct bounded bounded_long_mul(struct bounded a, struct bounded b)
{
    double product = a.value * b.value;
    double ah = bounded_high(a.value), al = a.value - ah, bh = bounded_high(b.value), bl = b.value - bh;
    double residual = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
    double error = fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error + fabs(residual);
    /* Underflow of a product of errors, or below 2^-960 of the residual, loses far less than 2^-1020. */
    if (a.error > 0 || b.error > 0 || (fabs(product) < 0x1p-960 && a.value != 0 && b.value != 0))
        error += 0x1p-1020;
    return (struct bounded){product, bounded_up(error)};
}

/* Always inlined: a call would spill the registers of the formula around it, and these products decide ties. */
static inline __attribute__((always_inline)) struct bounded bounded_mul(struct bounded a, struct bounded b)
{
    const double product = a.value * b.value;
    if (bounded_short(a, b, product))
        return (struct bounded){product, 0};
    return bounded_long_mul(a, b);
}

/* The greater of two true values is that far from the greater of their approximations at most. */
static inline struct bounded bounded_max(struct bounded a, struct bounded b)
{
    return (struct bounded){a.value > b.value ? a.value : b.value, a.error > b.error ? a.error : b.error};
}

/* Unknown if the interval contains zero and other values. */
static inline int bounded_sign(struct bounded x)
{
    if (x.value > x.error)
        return 1;
    if (x.value < -x.error)
        return -1;
    return x.value == 0 && x.error == 0 ? 0 : SIGN_UNKNOWN;
}

#endif
