/* SPDX-License-Identifier: MIT */
/* When a moving sphere first touches a box between slabs, in one arithmetic. Included by cast_arithmetic.h. */
#ifndef ABUT_BVH_CAST_BOXES_H
#define ABUT_BVH_CAST_BOXES_H

#include "bvh/cast/cast_pieces.h"

/*
 * Along one axis the centre is at u + t v, with v >= 0, and the box reaches from low to high. moves: v > 0. beyond: -1
 * below the box, 1 above it.
 */
struct axis {
    real u, v, low, high;
    bool has_low, has_high, moves;
    int beyond;
};

static bool set_axis(struct axis *axis, real u, real v, float low, float high)
{
    const int sign = real_sign(v);
    if (sign == SIGN_UNKNOWN)
        return false;
    if (sign < 0) {
        u = opposite(u);
        v = opposite(v);
        const float turned = -low;
        low = -high;
        high = turned;
    }
    *axis = (struct axis){.u = u,
                          .v = v,
                          .has_low = !isinf(low),
                          .has_high = !isinf(high),
                          .low = real_of(isinf(low) ? 0 : low),
                          .high = real_of(isinf(high) ? 0 : high),
                          .moves = sign != 0};
    return true;
}

static struct moment enters(const struct axis *axis)
{
    return (struct moment){real_sub(axis->low, axis->u), axis->v};
}

static struct moment leaves(const struct axis *axis)
{
    return (struct moment){real_sub(axis->high, axis->u), axis->v};
}

/* A point enters the last slab before it leaves the first. */
static enum found find_slabs(struct root *root, const struct axis axes[3])
{
    struct moment in = start();
    for (unsigned k = 0; k < 3; k++) {
        const struct moment at = enters(&axes[k]);
        const int later = !axes[k].has_low ? -1 : axes[k].moves ? compare_moments(&at, &in) : real_sign(at.n);
        if (later == SIGN_UNKNOWN)
            return FOUND_UNKNOWN;
        if (later > 0 && !axes[k].moves)
            return FOUND_NOTHING;
        if (later > 0)
            in = at;
    }
    for (unsigned k = 0; k < 3; k++) {
        const struct moment at = leaves(&axes[k]);
        const int left = !axes[k].has_high ? 1 : axes[k].moves ? compare_moments(&at, &in) : real_sign(at.n);
        if (left == SIGN_UNKNOWN)
            return FOUND_UNKNOWN;
        if (left < 0)
            return FOUND_NOTHING;
    }
    *root = (struct root){.kind = ROOT_RATIONAL, .n = in.n, .m = in.m, .d = real_of(0), .c = real_of(0)};
    return FOUND_ROOT;
}

/* Where the centre is at the start. */
static bool find_beyond(struct axis *axis)
{
    const int above = axis->has_high ? real_sign(real_sub(axis->u, axis->high)) : -1;
    const int below = axis->has_low ? real_sign(real_sub(axis->low, axis->u)) : -1;
    if (above == SIGN_UNKNOWN || below == SIGN_UNKNOWN)
        return false;
    axis->beyond = above > 0 ? 1 : below > 0 ? -1 : 0;
    return true;
}

/* The sum of the squares of the distances from the slabs that the centre is beyond. */
static struct piece around_slabs(const struct axis axes[3], real r)
{
    struct piece q = {real_of(0), real_of(0), opposite(square(r))};
    for (unsigned k = 0; k < 3; k++) {
        if (axes[k].beyond == 0)
            continue;
        const real u = real_sub(axes[k].u, axes[k].beyond > 0 ? axes[k].high : axes[k].low);
        q.a = real_add(q.a, square(axes[k].v));
        q.b = real_add(q.b, real_mul(u, axes[k].v));
        q.c = real_add(q.c, square(u));
    }
    return q;
}

/* The axis along which the centre enters or leaves a slab next, and when; -1 if there is none, -2 if unknown. */
static int next_axis(const struct axis axes[3], struct moment *next)
{
    int which = -1;
    for (int k = 0; k < 3; k++) {
        const struct axis *axis = &axes[k];
        if (!axis->moves || axis->beyond > 0 || (axis->beyond == 0 && !axis->has_high))
            continue;
        const struct moment at = axis->beyond < 0 ? enters(axis) : leaves(axis);
        const int order = which < 0 ? -1 : compare_moments(&at, next);
        if (order == SIGN_UNKNOWN)
            return -2;
        if (order < 0) {
            *next = at;
            which = k;
        }
    }
    return which;
}

static enum found find_box(struct root *root, struct axis axes[3], float radius)
{
    const real r = real_of(radius);
    struct moment from = start(), to;
    if (radius == 0)
        return find_slabs(root, axes);
    for (unsigned k = 0; k < 3; k++)
        if (!find_beyond(&axes[k]))
            return FOUND_UNKNOWN;
    root->part = (struct cast_part){.kind = CAST_OTHER};
    for (;;) {
        const int next = next_axis(axes, &to);
        if (next == -2)
            return FOUND_UNKNOWN;
        const struct piece q = around_slabs(axes, r);
        const enum found found = walk(root, &q, &from, next < 0 ? NULL : &to);
        if (found != FOUND_LATER)
            return found;
        axes[next].beyond++;
        from = to;
    }
}

#endif
