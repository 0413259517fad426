/* SPDX-License-Identifier: MIT */
/*
 * When a moving sphere first touches an item, in one arithmetic, for cast_tracked.c, cast_filter64.c, cast_compact.c
 * and cast_full.c. As for exact/arithmetic.h, each of them defines ARITHMETIC and FORMULAS; also real_scaled(), a value
 * >= 0 as a scaled one, and product_less_square(), the sign of 4 a b - z^2.
 *
 * Let g(t) be the square of the distance of the centre from the core of an item, less R^2, where R is the sum of the
 * radii. g is convex and has a continuous slope. It is made of quadratic pieces, which change where the nearest part of
 * the core does (a vertex or a line; a corner, an edge or a face of a box). Where the sphere is apart from the item,
 * g > 0. From there a walk from piece to piece finds the first root. All signs are of polynomials, and the root is that
 * of a quadratic, (n - sqrt(d)) / m with n, m > 0. Degrees: 4 for n and m, 8 for d, 16 for two roots with the same
 * denominator, and 32 where both squares are squared once more.
 */
#ifndef ABUT_BVH_CAST_ARITHMETIC_H
#define ABUT_BVH_CAST_ARITHMETIC_H

#include "bvh/cast/cast_boxes.h"
#ifndef NO_HULLS
#include "bvh/cast/cast_hulls.h"
#endif

/* ---- Spheres, segments and capsules */

/* The square of the distance from a point, of which w leads to the start of the ray. */
static struct piece around_point(struct vector w, struct vector d, real r)
{
    return (struct piece){dot(d, d), dot(w, d), real_sub(dot(w, w), square(r))};
}

/* That from the line along e, times e.e. */
static struct piece around_line(struct vector w, struct vector d, struct vector e, real r)
{
    const real ee = dot(e, e), we = dot(w, e), de = dot(d, e);
    return (struct piece){real_sub(real_mul(dot(d, d), ee), square(de)),
                          real_sub(real_mul(dot(w, d), ee), real_mul(we, de)),
                          real_sub(real_mul(real_sub(dot(w, w), square(r)), ee), square(we))};
}

static void touch_vertex(struct root *root, const float *at)
{
    root->part = (struct cast_part){.kind = CAST_VERTEX};
    memcpy(root->part.at, at, 3 * sizeof *at);
}

/* In a fixed order, so that an edge is the same line from both of its triangles. */
static void touch_line(struct root *root, const float *a, const float *b)
{
    const bool in_order = comes_first(a, b);
    root->part = (struct cast_part){.kind = CAST_LINE};
    memcpy(root->part.at, in_order ? a : b, 3 * sizeof *a);
    memcpy(root->part.at + 3, in_order ? b : a, 3 * sizeof *a);
}

/* Walks along the ball around a vertex from one moment to another, or without end where to is NULL. */
OWN_FRAME static enum found walk_ball(struct root *root, const struct cast_ray *ray, const float *centre, real r,
                                      const struct moment *from, const struct moment *to)
{
    const struct piece q = around_point(minus(vertex(ray->from), vertex(centre)), vertex(ray->motion), r);
    touch_vertex(root, centre);
    return walk(root, &q, from, to);
}

/* The same along the tube around the line through a and b. */
OWN_FRAME static enum found walk_tube(struct root *root, const struct cast_ray *ray, const float *a, const float *b,
                                      real r, const struct moment *from, const struct moment *to)
{
    const struct vector w = minus(vertex(ray->from), vertex(a)), e = minus(vertex(b), vertex(a));
    const struct piece q = around_line(w, vertex(ray->motion), e, r);
    touch_line(root, a, b);
    return walk(root, &q, from, to);
}

static enum found find_ball(struct root *root, const struct cast_ray *ray, const float *centre, real r)
{
    const struct moment from = start();
    return walk_ball(root, ray, centre, r, &from, NULL);
}

/* The moments at which the centre is beside either end of a segment, if it moves along. */
OWN_FRAME static void pass_ends(struct moment *enter, struct moment *leave, const struct cast_ray *ray, const float *a,
                                const float *b)
{
    const struct vector e = minus(vertex(b), vertex(a));
    const real ahead = dot(minus(vertex(ray->from), vertex(a)), e);
    enter->n = opposite(ahead);
    leave->n = real_sub(dot(e, e), ahead);
    enter->m = leave->m = dot(vertex(ray->motion), e);
}

/*
 * From end a of a segment to end b, towards which the ray moves (or across, if along is 0): the ball around a, the tube
 * from the moment at which the centre is beside a, and the ball around b.
 */
static enum found find_along(struct root *root, const struct cast_ray *ray, const float *a, const float *b, real r,
                             int along)
{
    struct moment from = start(), enter, leave;
    pass_ends(&enter, &leave, ray, a, b);
    const int before_a = real_sign(enter.n), before_b = real_sign(leave.n);
    if (before_a == SIGN_UNKNOWN || before_b == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    enum found found = FOUND_LATER;
    if (before_a > 0) {
        found = walk_ball(root, ray, a, r, &from, along ? &enter : NULL);
        from = enter;
    }
    if (before_b > 0 && found == FOUND_LATER) {
        found = walk_tube(root, ray, a, b, r, &from, along ? &leave : NULL);
        from = leave;
    }
    return found == FOUND_LATER ? walk_ball(root, ray, b, r, &from, NULL) : found;
}

/* Whether the ray moves from a towards b: 1, across: 0, or back: -1. */
OWN_FRAME static int way_along(const struct cast_ray *ray, const float *a, const float *b)
{
    return real_sign(dot(vertex(ray->motion), minus(vertex(b), vertex(a))));
}

static enum found find_segment(struct root *root, const struct cast_ray *ray, const float *a, const float *b, real r)
{
    if (memcmp(a, b, 3 * sizeof *a) == 0)
        return find_ball(root, ray, a, r);
    const int along = way_along(ray, a, b);
    if (along == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    return along < 0 ? find_along(root, ray, b, a, r, 1) : find_along(root, ray, a, b, r, along);
}

/* ---- Boxes */

OWN_FRAME static enum found find_aabb(struct root *root, const struct cast_ray *ray, const float *box)
{
    struct axis axes[3];
    for (unsigned k = 0; k < 3; k++)
        if (!set_axis(&axes[k], real_of(ray->from[k]), real_of(ray->motion[k]), box[k], box[k + 3]))
            return FOUND_UNKNOWN;
    return find_box(root, axes, ray->r);
}

OWN_FRAME static enum found find_obb(struct root *root, const struct cast_ray *ray, const float *obb)
{
    const struct vector w = minus(vertex(ray->from), vertex(obb)), d = vertex(ray->motion);
    struct axis axes[3];
    for (unsigned k = 0; k < 3; k++) {
        const struct vector a = vertex(obb + 6 + 3 * k);
        if (!set_axis(&axes[k], dot(a, w), dot(a, d), -obb[k + 3], obb[k + 3]))
            return FOUND_UNKNOWN;
    }
    return find_box(root, axes, ray->r);
}

/* ---- Triangles */

/* Whether the centre projects into the triangle at the time of a root of its plane. 1: yes, 0: no. */
static int foot_inside(const struct root *root, const struct cast_ray *ray, struct vector n, const float *t)
{
    bool unknown = false;
    for (unsigned k = 0; k < 3; k++) {
        const struct vector v = vertex(t + 3 * k), w = vertex(t + 3 * ((k + 1) % 3));
        const struct vector inwards = cross(n, minus(w, v));
        const struct height height = {dot(inwards, minus(vertex(ray->from), v)), dot(inwards, vertex(ray->motion))};
        const int sign = sign_at(root, &height);
        if (sign < 0)
            return 0;
        unknown |= sign == SIGN_UNKNOWN;
    }
    return unknown ? SIGN_UNKNOWN : 1;
}

static enum found find_edges(struct root *root, const struct cast_ray *ray, const float *t)
{
    enum found all = FOUND_NOTHING;
    for (unsigned k = 0; k < 3; k++) {
        struct root edge;
        const enum found found = find_segment(&edge, ray, t + 3 * k, t + 3 * ((k + 1) % 3), real_of(ray->r));
        if (found == FOUND_UNKNOWN)
            return found;
        if (found == FOUND_NOTHING)
            continue;
        const int order = all == FOUND_NOTHING ? -1 : compare_roots(&edge, root);
        if (order == SIGN_UNKNOWN)
            return FOUND_UNKNOWN;
        if (order < 0)
            *root = edge;
        all = FOUND_ROOT;
    }
    return all;
}

/*
 * Beyond a face, the sphere reaches its plane before it reaches the triangle. If the centre projects into the triangle
 * then, it touches the face, else an edge later. A sphere that cuts the plane touches an edge first: FOUND_LATER.
 */
OWN_FRAME static enum found find_face(struct root *root, const struct cast_ray *ray, const float *t)
{
    const struct vector a = vertex(t), n = cross(minus(vertex(t + 3), a), minus(vertex(t + 6), a));
    const real height = dot(n, minus(vertex(ray->from), a)), speed = dot(n, vertex(ray->motion));
    const real d = real_mul(square(real_of(ray->r)), dot(n, n)), c = real_sub(square(height), d);
    const int side = real_sign(height), beyond = ray->r == 0 ? side * side : real_sign(c), way = real_sign(speed);
    if (side == SIGN_UNKNOWN || beyond == SIGN_UNKNOWN || way == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    if (beyond <= 0)
        return FOUND_LATER;
    if (side * way >= 0)
        return FOUND_NOTHING;
    *root = (struct root){.kind = ray->r == 0 ? ROOT_RATIONAL : ROOT_LINEAR,
                          .n = side > 0 ? height : opposite(height),
                          .m = way > 0 ? speed : opposite(speed),
                          .d = d,
                          .c = c};
    const int inside = foot_inside(root, ray, n, t);
    if (inside == SIGN_UNKNOWN)
        return FOUND_UNKNOWN;
    if (inside)
        return FOUND_ROOT;
    return ray->r == 0 ? FOUND_NOTHING : FOUND_LATER;
}

static enum found find_triangle(struct root *root, const struct cast_ray *ray, const float *t)
{
    const enum found found = find_face(root, ray, t);
    return found == FOUND_LATER ? find_edges(root, ray, t) : found;
}

/* ---- Any item */

OWN_FRAME static enum answer touches_at_start(const struct cast_ray *ray, struct measured item)
{
    const struct sphere s = {ray->from[0], ray->from[1], ray->from[2], ray->r};
    switch (item.shape) {
    case shape_point:
        return sphere_sphere(s, ball_of(point_of(item.at)));
    case shape_sphere:
        return sphere_sphere(s, sphere_of(item.at));
    case shape_obb:
        return sphere_obb(s, obb_of(item.at));
    case shape_segment:
        return sphere_segment(s, segment_of(item.at));
    case shape_capsule:
        return sphere_capsule(s, capsule_of(item.at));
    case shape_triangle:
        return sphere_triangle(s, triangle_of(item.at));
#ifndef NO_HULLS
    case shape_hull:
        return touches_hull_at_start(ray, cast_hull_of(item));
#endif
    default:
        return sphere_aabb(s, aabb_of(item.at));
    }
}

static enum found find_apart(struct root *root, const struct cast_ray *ray, struct measured item)
{
    enum found found;
    root->part = (struct cast_part){.kind = CAST_OTHER};
    switch (item.shape) {
    case shape_point:
        return find_ball(root, ray, item.at, real_of(ray->r));
    case shape_sphere:
        found = find_ball(root, ray, item.at, added_radii(ray->r, item.at[3]));
        break;
    case shape_obb:
        return find_obb(root, ray, item.at);
    case shape_segment:
        return find_segment(root, ray, item.at, item.at + 3, real_of(ray->r));
    case shape_capsule:
        found = find_segment(root, ray, item.at, item.at + 3, added_radii(ray->r, item.at[6]));
        break;
    case shape_triangle:
        return find_triangle(root, ray, item.at);
#ifndef NO_HULLS
    case shape_hull:
        return find_hull(root, ray, cast_hull_of(item));
#endif
    default:
        return find_aabb(root, ray, item.at);
    }
    root->part.kind = CAST_OTHER; /* radii differ */
    return found;
}

#include "bvh/cast/cast_answers.h"

#endif
