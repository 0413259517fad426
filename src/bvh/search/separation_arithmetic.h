/* SPDX-License-Identifier: MIT */
/*
 * How far apart two boxes are, or a box and its nearest image in a periodic box, in one arithmetic. A point or the
 * centre of a sphere is a box. Included by nearest_arithmetic.h.
 *
 * On an axis with the intervals [a, A] and [b, B], image n of b is n periods further. Its excess is the greater of
 * b + nL - A and a - B - nL: the distance of the centres less half the length of both. It is less than 0 where the
 * intervals overlap. So the least excess is that of an n next to (a + A - b - B) / 2L. Both of these, and one more on
 * either side for roundings, are the WINDOW images from struct separated's first on.
 */
#ifndef ABUT_BVH_SEPARATION_ARITHMETIC_H
#define ABUT_BVH_SEPARATION_ARITHMETIC_H

/* Of two intervals without a period. An infinite end is beyond all others. */
static inline real excess_between(float a, float A, float b, float B)
{
    if (isinf(b) || isinf(A))
        return isinf(a) || isinf(B) ? real_of(-1) : real_sub(real_of(a), real_of(B));
    const real above = real_sub(real_of(b), real_of(A));
    return isinf(a) || isinf(B) ? above : real_max(above, real_sub(real_of(a), real_of(B)));
}

static inline real excess_of_image(float a, float A, float b, float B, real shift)
{
    return real_max(real_sub(real_add(real_of(b), shift), real_of(A)),
                    real_sub(real_sub(real_of(a), real_of(B)), shift));
}

static inline real excess_on_axis(const struct separated *pair, unsigned k)
{
    const float a = pair->a[k], A = pair->a[k + 3], b = pair->b[k], B = pair->b[k + 3];
    if (pair->period[k] == 0)
        return excess_between(a, A, b, B);
    if (isinf(a) || isinf(A) || isinf(b) || isinf(B))
        return real_of(-1);
    const real period = real_of(pair->period[k]);
    real least = excess_of_image(a, A, b, B, real_mul(real_of((float)pair->first[k]), period));
    for (int i = 1; i < WINDOW; i++)
        least = lesser(least, excess_of_image(a, A, b, B, real_mul(real_of((float)(pair->first[k] + i)), period)));
    return least;
}

/* The sum of the squares of the terms above 0. */
static inline real separation_squared(const struct separated *pair)
{
    real sum = real_of(0);
    for (unsigned k = 0; k < 3; k++)
        sum = real_add(sum, square(real_max(excess_on_axis(pair, k), real_of(0))));
    return sum;
}

static int compare_separation(const struct separated *pair, const float radii[3])
{
    const real reach = real_add(real_add(real_of(radii[0]), real_of(radii[1])), real_of(radii[2]));
    return real_sign(real_sub(separation_squared(pair), square(reach)));
}

/* Those of two boxes: the greatest sign of an excess. */
static int compare_overlap(const struct separated *pair)
{
    int greatest = -1;
    for (unsigned k = 0; k < 3; k++) {
        const int sign = real_sign(excess_on_axis(pair, k));
        if (sign == SIGN_UNKNOWN)
            return sign;
        greatest = sign > greatest ? sign : greatest;
    }
    return greatest;
}

static int compare_separations(const struct separated *a, float ra, const struct separated *b, float rb)
{
    const struct fraction square_a = {separation_squared(a), real_of(1), true};
    const struct fraction square_b = {separation_squared(b), real_of(1), true};
    if (ra > 0 || rb > 0)
        return compare_rounded(&square_a, ra, &square_b, rb);
    return real_sign(real_sub(square_a.above, square_b.above));
}

#endif
