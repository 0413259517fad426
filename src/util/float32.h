/* SPDX-License-Identifier: MIT */
/* The bits of a float32; and doubles rounded to float32, to the nearest or upwards. */
#ifndef ABUT_UTIL_FLOAT32_H
#define ABUT_UTIL_FLOAT32_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t float32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float32_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/*
 * To the nearest, as a double. It goes through memory: where gcc 12 vectorizes straight-line code, it may drop a
 * conversion to float and back, and with it the rounding.
 */
static inline double float32_of(double x)
{
    volatile float rounded = (float)x;
    return (double)rounded;
}

/* The next float up, of what is not NaN and not +inf. */
static inline float float32_above(float x)
{
    const uint32_t bits = float32_bits(x + 0.0f); /* -0 is 0 */
    return float32_of_bits(bits + 1 - 2 * (bits >> 31));
}

/*
 * The least float that is no less than x + rest, where rest is at most half a unit in the last place of x. Rounding
 * goes up half of the time: no branch would be guessed.
 */
static inline float float32_up(double x, double rest)
{
    const double rounded = float32_of(x);
    const bool up = (rounded < x) | ((rounded == x) & (rest > 0));
    const float candidates[2] = {(float)rounded, float32_above((float)rounded)};
    return candidates[up];
}

/* The least float that is no less than a + b: Knuth's two-sum has what the sum of two doubles leaves, exactly. */
static inline float float32_up_sum(double a, double b)
{
    const double sum = a + b, of_b = sum - a, rest = (a - (sum - of_b)) + (b - of_b);
    return float32_up(sum, rest);
}

#endif
