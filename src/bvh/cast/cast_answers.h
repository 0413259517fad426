/* SPDX-License-Identifier: MIT */
/*
 * The answers of struct cast_formulas in one arithmetic. Included after touches_at_start() and find_apart(), which the
 * including file has for some shapes.
 */
#ifndef ABUT_BVH_CAST_ANSWERS_H
#define ABUT_BVH_CAST_ANSWERS_H

#include "bvh/cast/cast_roots.h"

static enum found find_root(struct root *root, const struct cast_ray *ray, struct measured item, bool apart)
{
    const enum answer answer = apart ? ANSWER_MISS : touches_at_start(ray, item);
    if (answer == ANSWER_UNKNOWN)
        return FOUND_UNKNOWN;
    return answer == ANSWER_MISS ? find_apart(root, ray, item) : FOUND_START;
}

static enum answer first(const struct cast_ray *ray, struct measured item, bool apart, struct cast_time *time)
{
    struct root root;
    switch (find_root(&root, ray, item, apart)) {
    case FOUND_NOTHING:
        return ANSWER_MISS;
    case FOUND_START:
        *time = (struct cast_time){.low = 0, .high = 0};
        return ANSWER_HIT;
    case FOUND_ROOT:
        bounds_of(&root, time);
        return ANSWER_HIT;
    default:
        return ANSWER_UNKNOWN;
    }
}

static int compare(const struct cast_ray *ray, struct measured a, struct measured b)
{
    struct root root_a, root_b;
    const enum found found_a = find_root(&root_a, ray, a, false), found_b = find_root(&root_b, ray, b, false);
    if (found_a == FOUND_UNKNOWN || found_b == FOUND_UNKNOWN)
        return SIGN_UNKNOWN;
    if (found_a == FOUND_START || found_b == FOUND_START)
        return (found_b == FOUND_START) - (found_a == FOUND_START);
    return compare_roots(&root_a, &root_b);
}

/* The sign of x - 2 sqrt(d) with x = 2 n - m s. */
static int twice_less(const struct cast_ray *ray, struct measured item, const float sum[3])
{
    struct root root;
    if (find_root(&root, ray, item, false) == FOUND_UNKNOWN)
        return SIGN_UNKNOWN;
    const real s = real_add(added_radii(sum[0], sum[1]), real_of(sum[2]));
    const real x = real_sub(real_add(root.n, root.n), real_mul(root.m, s));
    const int sign = real_sign(x), irrational = root.kind == ROOT_RATIONAL ? 0 : real_sign(root.d);
    if (sign == SIGN_UNKNOWN || irrational == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (sign <= 0 || irrational == 0)
        return sign != 0 ? sign : -irrational;
    return real_sign(real_sub(square(x), real_mul(real_of(4), root.d)));
}

const struct cast_formulas FORMULAS = {first, compare, twice_less};

#endif
