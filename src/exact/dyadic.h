/* SPDX-License-Identifier: MIT */
/*
 * Exact numbers for the judge: n_of, n_add, n_sub, n_mul and n_sign on integers times a power of two.
 *
 * Every finite float32 is such a number, and sums, differences and products of them stay such numbers, so a
 * polynomial in the inputs is evaluated without any rounding. A product of d float32 values, and any sum of a few
 * thousand of them, is a multiple of 2^(-149 d) and below 2^(128 d + 16): 277 d + 16 bits, 70 limbs for degree 8.
 * Fixed-width integers were chosen over floating-point expansions because those leave the range of float64
 * at degree 8; zero limbs are dropped at both ends, so ordinary inputs take one to six limbs.
 */
#ifndef ABUT_EXACT_DYADIC_H
#define ABUT_EXACT_DYADIC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { DYADIC_LIMBS = 72 };

/* sign * sum of limb[i] * 2^(32 (low + i)), i < n; zero has sign 0 and n 0. */
struct dyadic {
    int sign, low, n;
    uint32_t limb[DYADIC_LIMBS];
};

static inline int dyadic_floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static inline void dyadic_trim(struct dyadic *x)
{
    int zeros = 0;
    while (x->n > 0 && x->limb[x->n - 1] == 0)
        x->n--;
    while (zeros < x->n && x->limb[zeros] == 0)
        zeros++;
    if (zeros > 0) {
        x->n -= zeros;
        x->low += zeros;
        for (int i = 0; i < x->n; i++)
            x->limb[i] = x->limb[i + zeros];
    }
    if (x->n == 0)
        x->sign = 0;
}

/* x must be finite. */
static inline struct dyadic dyadic_of(float x)
{
    int exponent;
    uint64_t mantissa = (uint64_t)ldexpf(frexpf(fabsf(x), &exponent), 24);
    exponent -= 24;
    struct dyadic r = {.sign = x < 0 ? -1 : 1, .low = dyadic_floor_div(exponent, 32), .n = 2};
    mantissa <<= exponent - 32 * r.low;
    r.limb[0] = (uint32_t)mantissa;
    r.limb[1] = (uint32_t)(mantissa >> 32);
    dyadic_trim(&r);
    return r;
}

/* The limb of weight 2^(32 i). */
static inline uint32_t dyadic_limb(const struct dyadic *x, int i)
{
    return i < x->low || i >= x->low + x->n ? 0 : x->limb[i - x->low];
}

static inline int dyadic_compare_magnitude(const struct dyadic *a, const struct dyadic *b)
{
    int top_a = a->low + a->n, top_b = b->low + b->n, low = a->low < b->low ? a->low : b->low;
    if (top_a != top_b)
        return top_a < top_b ? -1 : 1;
    for (int i = top_a - 1; i >= low; i--) {
        uint32_t x = dyadic_limb(a, i), y = dyadic_limb(b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static inline struct dyadic dyadic_negate(struct dyadic x)
{
    x.sign = -x.sign;
    return x;
}

static inline struct dyadic dyadic_add(struct dyadic a, struct dyadic b)
{
    if (a.sign == 0)
        return b;
    if (b.sign == 0)
        return a;
    if (dyadic_compare_magnitude(&a, &b) < 0) {
        struct dyadic larger = b;
        b = a;
        a = larger;
    }
    int low = a.low < b.low ? a.low : b.low;
    struct dyadic r = {.sign = a.sign, .low = low, .n = a.low + a.n - low + 1};
    bool subtract = a.sign != b.sign;
    uint64_t carry = 0;
    for (int i = 0; i < r.n; i++) {
        uint64_t x = dyadic_limb(&a, low + i), y = dyadic_limb(&b, low + i);
        uint64_t sum = subtract ? x - y - carry : x + y + carry;
        r.limb[i] = (uint32_t)sum;
        carry = (sum >> 32) & 1;
    }
    dyadic_trim(&r);
    return r;
}

static inline struct dyadic dyadic_sub(struct dyadic a, struct dyadic b)
{
    return dyadic_add(a, dyadic_negate(b));
}

static inline struct dyadic dyadic_mul(struct dyadic a, struct dyadic b)
{
    struct dyadic r = {.sign = a.sign * b.sign, .low = a.low + b.low, .n = a.n + b.n};
    for (int i = 0; i < a.n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b.n; j++) {
            uint64_t t = (uint64_t)a.limb[i] * b.limb[j] + r.limb[i + j] + carry;
            r.limb[i + j] = (uint32_t)t;
            carry = t >> 32;
        }
        r.limb[i + b.n] = (uint32_t)carry;
    }
    dyadic_trim(&r);
    return r;
}

static inline int dyadic_sign(struct dyadic x)
{
    return x.sign;
}

#endif
