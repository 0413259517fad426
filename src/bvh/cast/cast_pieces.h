/* SPDX-License-Identifier: MIT */
/* Quadratic pieces of a convex function, and the walk along them, in one arithmetic. Included by cast_arithmetic.h. */
#ifndef ABUT_BVH_CAST_PIECES_H
#define ABUT_BVH_CAST_PIECES_H

#include "bvh/cast/cast_roots.h"

/* a t^2 + 2 b t + c, above 0 where the sphere is apart. */
struct piece {
    real a, b, c;
};

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

#endif
