/* SPDX-License-Identifier: MIT */
/*
 * When a point that moves enters a convex hull, in one arithmetic; of spheres see cast_moving_hulls.h. Included by
 * cast_arithmetic.h and cast_full_hulls.c.
 *
 * The hull is the set of points that are outside of no plane n.q + d > 0. At time t the point is at p + t v, where
 * n.q + d = s + t w with s = n.p + d and w = n.v. So it is not outside of a plane
 *
 *   from the moment s / -w on    if w < 0: it enters,
 *   up to the moment s / -w      if w > 0: it leaves,
 *   at all times or never        if w = 0, as s <= 0 or not.
 *
 * It is in the hull at the times in all of these sets. Where the latest moment of entering, or the start if that is
 * later, is in all of them, it is the first such time; else there is none. This takes no vertex and no edge. So flat,
 * endless and empty hulls, hulls with planes that bound nothing more, and rays along faces need no case of their own.
 *
 * Degrees: 2 for s and w, 4 where two moments are compared.
 */
#ifndef ABUT_BVH_CAST_HULLS_H
#define ABUT_BVH_CAST_HULLS_H

#include "bvh/cast/cast_moving_hulls.h"

/* Whether the start is outside of no plane; of spheres it is known (cast_guess.c). */
static enum answer touches_hull_at_start(const struct cast_ray *ray, const struct cast_hull *hull)
{
    enum answer all = ANSWER_HIT;
    if (ray->r > 0)
        return hull->touched_at_start ? ANSWER_HIT : ANSWER_MISS;
    for (unsigned k = 0; k < hull->planes && all != ANSWER_MISS; k++)
        all = both(all, not_negative(opposite(height_of(ray, hull->plane[k]).s)));
    return all;
}

/* Sets the latest moment of entering and its plane. A plane that is never entered in time: FOUND_NOTHING. */
static enum found enter_hull(struct root *root, struct moment *in, const struct cast_ray *ray,
                             const struct cast_hull *hull)
{
    enum found found = FOUND_ROOT;
    *in = start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct height height = height_of(ray, hull->plane[k]);
        const struct moment at = {height.s, opposite(height.w)};
        const int rises = real_sign(height.w), outside = real_sign(height.s);
        if (outside == 1 && (rises == 0 || rises == 1))
            return FOUND_NOTHING;
        if (rises == SIGN_UNKNOWN || (outside == SIGN_UNKNOWN && rises <= 0))
            found = FOUND_UNKNOWN;
        if (found == FOUND_UNKNOWN || outside != 1)
            continue;
        const int later = compare_moments(&at, in);
        found = later == SIGN_UNKNOWN ? FOUND_UNKNOWN : found;
        if (later > 0) {
            *in = at;
            root->part = (struct cast_part){.kind = CAST_PLANE};
            memcpy(root->part.at, hull->plane[k], sizeof hull->plane[k]);
        }
    }
    return found;
}

static enum found find_hull(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull)
{
    if (ray->r > 0)
        return find_moving(root, ray, hull);
    struct moment in;
    const enum found found = enter_hull(root, &in, ray, hull);
    if (found != FOUND_ROOT)
        return found;
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct height height = height_of(ray, hull->plane[k]);
        const struct moment at = {opposite(height.s), height.w};
        if (real_sign(height.w) <= 0)
            continue;
        const int left = compare_moments(&at, &in);
        if (left == SIGN_UNKNOWN)
            return FOUND_UNKNOWN;
        if (left < 0)
            return FOUND_NOTHING;
    }
    root->kind = ROOT_RATIONAL;
    root->n = in.n;
    root->m = in.m;
    root->d = root->c = real_of(0);
    return FOUND_ROOT;
}

#endif
