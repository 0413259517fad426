/* SPDX-License-Identifier: MIT */
/*
 * When a point that moves enters a convex hull, in one arithmetic. Included by cast_arithmetic.h.
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

#include "bvh/cast/cast_roots.h"

/* The height of the start over a plane, and the speed at which it grows. */
struct climb {
    real s, w;
};

static struct climb climb_of(const struct cast_ray *ray, const float plane[4])
{
    const struct vector n = vertex(plane);
    return (struct climb){real_add(dot(n, vertex(ray->from)), real_of(plane[3])), dot(n, vertex(ray->motion))};
}

/* Whether the start is outside of no plane. */
static enum answer starts_in_hull(const struct cast_ray *ray, const struct cast_hull *hull)
{
    enum answer all = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && all != ANSWER_MISS; k++)
        all = both(all, not_negative(opposite(climb_of(ray, hull->plane[k]).s)));
    return all;
}

/* Sets the latest moment of entering and its plane. A plane that is never entered in time: FOUND_NOTHING. */
static enum found enter_hull(struct root *root, struct moment *in, const struct cast_ray *ray,
                             const struct cast_hull *hull)
{
    enum found found = FOUND_ROOT;
    *in = start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct climb climb = climb_of(ray, hull->plane[k]);
        const struct moment at = {climb.s, opposite(climb.w)};
        const int rises = real_sign(climb.w), outside = real_sign(climb.s);
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
    struct moment in;
    const enum found found = enter_hull(root, &in, ray, hull);
    if (found != FOUND_ROOT)
        return found;
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct climb climb = climb_of(ray, hull->plane[k]);
        const struct moment at = {opposite(climb.s), climb.w};
        if (real_sign(climb.w) <= 0)
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
