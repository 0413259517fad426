/* SPDX-License-Identifier: MIT */
/*
 * Roots of the pieces of a convex function, their bounds and their order, in one arithmetic. Included by
 * cast_arithmetic.h, which says what the function is.
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

/* How a walk goes on. */
enum found { FOUND_NOTHING, FOUND_START, FOUND_ROOT, FOUND_LATER, FOUND_UNKNOWN };

/* a t^2 + 2 b t + c, above 0 where the sphere is apart. */
struct piece {
    real a, b, c;
};

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

/* ---- Pieces */

static int slope(const struct piece *q, const struct moment *at)
{
    return real_sign(real_add(real_mul(q->a, at->n), real_mul(q->b, at->m)));
}

static int value(const struct piece *q, const struct moment *at)
{
    const real twice = real_add(q->b, q->b), c = real_mul(q->c, square(at->m));
    return real_sign(real_add(real_add(real_mul(q->a, square(at->n)), real_mul(twice, real_mul(at->n, at->m))), c));
}

/*
 * g is q from one moment to another, or without end where to is NULL, and above 0 at the first. A convex function that
 * does not fall there has no root later. If it is not above 0 at the end, or has fallen and rises again there, the
 * lesser root of q is in between, if there is any.
 */
static enum found walk(struct root *root, const struct piece *q, const struct moment *from, const struct moment *to)
{
    const int falls = slope(q, from), ends = to ? value(q, to) : 0;
    if (falls == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    if (falls >= 0)
        return FOUND_NOTHING;
    if (ends > 0) {
        const int rises = ends == SIGN_UNKNOWN ? ends : slope(q, to);
        if (rises == SIGN_UNKNOWN)
            return FOUND_UNKNOWN;
        if (rises <= 0)
            return FOUND_LATER;
    }
    const real d = real_sub(square(q->b), real_mul(q->a, q->c));
    const int sign = real_sign(d);
    if (sign == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    if (sign < 0)
        return FOUND_NOTHING;
    root->kind = ROOT_QUADRATIC;
    root->n = opposite(q->b);
    root->d = d;
    root->m = q->a;
    root->c = q->c;
    return FOUND_ROOT;
}

/* The sign of a less b. */
static int compare_moments(const struct moment *a, const struct moment *b)
{
    return real_sign(real_sub(real_mul(a->n, b->m), real_mul(b->n, a->m)));
}

#endif
