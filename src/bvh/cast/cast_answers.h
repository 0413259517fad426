/* SPDX-License-Identifier: MIT */
/*
 * The answers of struct cast_formulas in one arithmetic. Included after touches_at_start() and find_apart(), which the
 * including file has for some shapes.
 */
#ifndef ABUT_BVH_CAST_ANSWERS_H
#define ABUT_BVH_CAST_ANSWERS_H

#include "bvh/cast/cast_roots.h"

static enum answer first(const struct cast_ray *ray, struct measured item, bool apart, struct cast_time *time)
{
    struct root root;
    const enum answer at_start = apart ? ANSWER_MISS : touches_at_start(ray, item);
    if (at_start == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    if (at_start != ANSWER_MISS) {
        *time = (struct cast_time){.low = 0, .high = 0};
        return ANSWER_HIT;
    }
    const enum found found = find_apart(&root, ray, item);
    if (found != FOUND_ROOT)
        return found == FOUND_UNKNOWN ? ANSWER_UNKNOWN : ANSWER_MISS;
    bounds_of(&root, time);
    return ANSWER_HIT;
}

static int compare(const struct cast_ray *ray, struct measured a, struct measured b)
{
    struct root root_a, root_b;
    const bool known = find_apart(&root_a, ray, a) == FOUND_ROOT && find_apart(&root_b, ray, b) == FOUND_ROOT;
    return known ? compare_roots(&root_a, &root_b) : SIGN_UNKNOWN;
}

/* The sign of x - 2 sqrt(d) with x = 2 n - m s. */
OWN_FRAME static int twice_root_less(const struct root *root, const float sum[3])
{
    const real s = real_add(added_radii(sum[0], sum[1]), real_of(sum[2]));
    const real x = real_sub(real_add(root->n, root->n), real_mul(root->m, s));
    const int sign = real_sign(x), irrational = root->kind == ROOT_RATIONAL ? 0 : real_sign(root->d);
    if (sign == SIGN_UNKNOWN || irrational == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (sign <= 0 || irrational == 0)
        return sign != 0 ? sign : -irrational;
    return real_sign(real_sub(square(x), real_mul(real_of(4), root->d)));
}

static int twice_less(const struct cast_ray *ray, struct measured item, const float sum[3])
{
    struct root root;
    return find_apart(&root, ray, item) == FOUND_ROOT ? twice_root_less(&root, sum) : SIGN_UNKNOWN;
}

const struct cast_formulas FORMULAS = {first, compare, twice_less};

#endif
