/* SPDX-License-Identifier: MIT */
/*
 * The times at which items are touched, as roots of quadratics: their bounds and their order, and signs at them, in one
 * arithmetic. cast_arithmetic.h and cast_moving_hulls.h say where they come from.
 */
#ifndef ABUT_BVH_CAST_ROOTS_H
#define ABUT_BVH_CAST_ROOTS_H

#include "bvh/cast/cast_formulas.h"
#include "exact/reals.h"

#include <string.h>

/*
 * The time t = (n - sqrt(d)) / m. To bound it without cancellation, c = n^2 - d for a root that is LINEAR, as of a
 * plane: t = c / (m (n + sqrt(d))). For a QUADRATIC c is (n^2 - d) / m: t = c / (n + sqrt(d)). RATIONAL: d is 0.
 */
enum root_kind { ROOT_RATIONAL, ROOT_LINEAR, ROOT_QUADRATIC };
struct root {
    enum root_kind kind;
    real n, d, m, c;
    struct cast_part part;
};

/* What is known of the first touch. */
enum found { FOUND_NOTHING, FOUND_ROOT, FOUND_LATER, FOUND_UNKNOWN };

/* Keeps numbers of many limbs out of the frames of callers: the stack of a call is limited (abut.h). */
#define OWN_FRAME __attribute__((noinline))

/* The time n / m, with m > 0. */
struct moment {
    real n, m;
};

static real opposite(real x)
{
    return real_sub(real_of(0), x);
}

static struct moment start(void)
{
    return (struct moment){real_of(0), real_of(1)};
}

static struct vector vertex(const float *at)
{
    return of_point(at[0], at[1], at[2]);
}

static real added_radii(float a, float b)
{
    return real_add(real_of(a), real_of(b));
}

/* ---- Bounds on a root */

static double times_power(double x, int limbs)
{
    for (; limbs > 0; limbs--)
        x *= 0x1p32;
    for (; limbs < 0; limbs++)
        x *= 0x1p-32;
    return x;
}

/* The bounds of n + sqrt(d). */
static struct scaled above_of(struct scaled n, struct scaled d)
{
    const int odd = d.exponent & 1, half = (d.exponent - odd) / 2, exponent = n.exponent > half ? n.exponent : half;
    const double low = sqrt(odd ? d.low * 0x1p32 : d.low), high = sqrt(odd ? d.high * 0x1p32 : d.high);
    return (struct scaled){times_power(n.low, n.exponent - exponent) + times_power(low, half - exponent),
                           times_power(n.high, n.exponent - exponent) + times_power(high, half - exponent), exponent};
}

/*
 * At most nine roundings and a loss by underflow, which the last lines make up for: TIME_SLIP is 2^-46, and the high
 * bound is at least 2^-1000.
 */
#define TIME_SLIP 0x1p-46
static void bounds_of(const struct root *root, struct cast_time *time)
{
    struct scaled n = real_scaled(root->n), m = real_scaled(root->m), above, below = m;
    if (root->kind == ROOT_RATIONAL) {
        above = n;
    } else {
        above = real_scaled(root->c);
        below = above_of(n, real_scaled(root->d));
    }
    time->low = above.low / below.high;
    time->high = above.high / below.low;
    if (root->kind == ROOT_LINEAR) {
        time->low /= m.high;
        time->high /= m.low;
        below.exponent += m.exponent;
    }
    time->low = times_power(time->low, above.exponent - below.exponent) * (1 - TIME_SLIP) - 0x1p-1000;
    time->high = times_power(time->high, above.exponent - below.exponent) * (1 + TIME_SLIP) + 0x1p-1000;
    if (!(time->low > 0))
        time->low = 0;
    if (!(time->high >= 0))
        time->high = INFINITY;
    time->part = root->part;
}

/*
 * The sign of x + y with x = n_a m_b - n_b m_a and y = sqrt(P) - sqrt(Q), P = m_a^2 d_b and Q = m_b^2 d_a. Where their
 * signs differ, it is that of x times that of x^2 - y^2 = 2 sqrt(P Q) - z with z = P + Q - x^2.
 */
static int compare_by_signs(const struct root *a, const struct root *b)
{
    const real x = real_sub(real_mul(a->n, b->m), real_mul(b->n, a->m));
    const real p = real_mul(square(a->m), b->d), q = real_mul(square(b->m), a->d);
    const int sign_x = real_sign(x), sign_y = real_sign(real_sub(p, q));
    if (sign_x == SIGN_UNKNOWN || sign_y == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (sign_x == 0 || sign_y == 0 || sign_x == sign_y)
        return sign_x == 0 ? sign_y : sign_x;
    const real z = real_sub(real_add(p, q), square(x));
    const int sign_z = real_sign(z);
    if (sign_z == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    const int sign = sign_z < 0 ? 1 : product_less_square(p, q, z);
    return sign == SIGN_UNKNOWN ? sign : sign_x * sign;
}

static int compare_roots(const struct root *a, const struct root *b)
{
    struct cast_time time_a, time_b;
    bounds_of(a, &time_a);
    bounds_of(b, &time_b);
    if (time_a.high < time_b.low || time_b.high < time_a.low)
        return time_a.low < time_b.low ? -1 : 1;
    if (a->part.kind != CAST_OTHER && a->part.kind == b->part.kind &&
        memcmp(a->part.at, b->part.at, sizeof a->part.at) == 0)
        return 0;
    return compare_by_signs(a, b);
}

/* ---- Signs at a root */

/* The height s + t w over a plane at time t, or a multiple of it. */
struct height {
    real s, w;
};

/*
 * The sign of a height at a root: that of x - w sqrt(d) with x = s m + w n. Where neither x nor w decides it, the sign
 * of x^2 - w^2 d tells which of the two does; float64 may know it without one of theirs.
 */
OWN_FRAME static int sign_at(const struct root *root, const struct height *height)
{
    const real x = real_add(real_mul(height->s, root->m), real_mul(height->w, root->n));
    const int sign_x = real_sign(x), sign_w = real_sign(height->w);
    const int sign_d = root->kind == ROOT_RATIONAL ? 0 : real_sign(root->d);
    if (sign_d == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (sign_d == 0 || sign_w == 0)
        return sign_x;
    const bool known = sign_x != SIGN_UNKNOWN && sign_w != SIGN_UNKNOWN;
    if (known && sign_x != sign_w)
        return -sign_w;
    const int which = real_sign(real_sub(square(x), real_mul(square(height->w), root->d)));
    if (which == SIGN_UNKNOWN || (which == 0 && !known))
        return SIGN_UNKNOWN;
    if (which < 0)
        return sign_w == SIGN_UNKNOWN ? SIGN_UNKNOWN : -sign_w;
    return which == 0 ? 0 : sign_x;
}

/* The sign of a less b. */
static int compare_moments(const struct moment *a, const struct moment *b)
{
    return real_sign(real_sub(real_mul(a->n, b->m), real_mul(b->n, a->m)));
}

#endif
