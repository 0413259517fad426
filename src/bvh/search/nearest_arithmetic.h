/* SPDX-License-Identifier: MIT */
/*
 * Distances from a point, compared in one arithmetic, for nearest_filter64.c, nearest_compact.c and nearest_full.c. As
 * for exact/arithmetic.h, each of them defines ARITHMETIC and FORMULAS.
 *
 * The signs of polynomials show which part of an item is nearest: a vertex, a line, a plane, or an OBB as a whole.
 * Items that share this part, as triangles of a mesh share edges and vertices, are equally near without more
 * arithmetic. Otherwise the square of the distance from the part is a fraction, and fractions are compared by
 * cross-multiplication.
 */
#ifndef ABUT_BVH_NEAREST_ARITHMETIC_H
#define ABUT_BVH_NEAREST_ARITHMETIC_H

#include "bvh/search/nearest_formulas.h"
#include "exact/reals.h"
#include "exact/resolve.h"

/* The nearest part of an item: a vertex, a line through two points, a plane through three, or an OBB. */
enum part_kind { PART_VERTEX, PART_LINE, PART_PLANE, PART_OBB };

/* r is the radius around the part, 0 for shapes without. */
struct part {
    enum part_kind kind;
    const float *obb;
    float at[9], r;
};

/* The square of a distance: above / below, with below > 0; below is 1 where one is true. */
struct fraction {
    real above, below;
    bool one;
};

static struct vector vertex(const float *at)
{
    return of_point(at[0], at[1], at[2]);
}

static void set_vertex(struct part *part, const float *at)
{
    part->kind = PART_VERTEX;
    memcpy(part->at, at, 3 * sizeof *at);
}

/* The ends in their order, so that an edge is the same line from both of its triangles. */
static void set_line(struct part *part, const float *a, const float *b)
{
    const bool in_order = comes_first(a, b);
    part->kind = PART_LINE;
    memcpy(part->at, in_order ? a : b, 3 * sizeof *a);
    memcpy(part->at + 3, in_order ? b : a, 3 * sizeof *a);
}

/* The nearest point of a box has coordinates of the box or of the point, so that it is a vertex. -0 becomes 0. */
static void set_box(struct part *part, const float point[3], const float *min, const float *max)
{
    part->kind = PART_VERTEX;
    for (unsigned k = 0; k < 3; k++)
        part->at[k] = (point[k] < min[k] ? min[k] : point[k] > max[k] ? max[k] : point[k]) + 0.0f;
}

/* The sign of (b - a).(p - v). */
static int along_edge(const float *a, const float *b, struct vector p, const float *v)
{
    return real_sign(dot(minus(vertex(b), vertex(a)), minus(p, vertex(v))));
}

/* False, here and below: the arithmetic does not decide. */
static bool find_on_segment(struct part *part, struct vector p, const float *a, const float *b)
{
    const int from_a = along_edge(a, b, p, a), from_b = along_edge(a, b, p, b);
    if (from_a == SIGN_UNKNOWN || from_b == SIGN_UNKNOWN)
        return false;
    if (from_a <= 0)
        set_vertex(part, a);
    else if (from_b >= 0)
        set_vertex(part, b);
    else
        set_line(part, a, b);
    return true;
}

/* Vertices on one line: the first and the last of them are the ends of the segment that they make. */
static bool find_on_needle(struct part *part, struct vector p, const float *a, const float *b, const float *c)
{
    const float *first = comes_first(b, a) ? b : a, *last = comes_first(b, a) ? a : b;
    if (comes_first(c, first))
        first = c;
    if (comes_first(last, c))
        last = c;
    return find_on_segment(part, p, first, last);
}

/* The signs for the vertices and edges of a triangle: corner k, and the edge from corner k to the next one. */
struct triangle_signs {
    int ahead[3]; /* (next - corner).(p - corner) */
    int past[3];  /* (next - corner).(p - next) */
};

/*
 * Let n be the normal, and p' the projection of p. A vertex is nearest if p is behind it along both of its edges; an
 * edge, if p' is between its ends, and not on its inner side; otherwise p' is inside. The test of vertices also holds
 * where n is 0.
 */
static bool find_on_triangle(struct part *part, struct vector p, const float *t)
{
    const float *corner[3] = {t, t + 3, t + 6};
    struct triangle_signs signs;
    bool known = true;
    for (unsigned k = 0; k < 3; k++) {
        signs.ahead[k] = along_edge(corner[k], corner[(k + 1) % 3], p, corner[k]);
        signs.past[k] = along_edge(corner[k], corner[(k + 1) % 3], p, corner[(k + 1) % 3]);
        known &= signs.ahead[k] != SIGN_UNKNOWN && signs.past[k] != SIGN_UNKNOWN;
    }
    if (!known)
        return false;
    for (unsigned k = 0; k < 3; k++)
        if (signs.ahead[k] <= 0 && signs.past[(k + 2) % 3] >= 0) {
            set_vertex(part, corner[k]);
            return true;
        }
    const struct vector a = vertex(t), b = vertex(t + 3), c = vertex(t + 6), n = cross(minus(b, a), minus(c, a));
    const int size = real_sign(dot(n, n));
    if (size == SIGN_UNKNOWN)
        return false;
    if (size == 0)
        return find_on_needle(part, p, t, t + 3, t + 6);
    for (unsigned k = 0; k < 3; k++) {
        if (signs.ahead[k] <= 0 || signs.past[k] >= 0)
            continue;
        const int side = inner_side(n, p, vertex(corner[k]), vertex(corner[(k + 1) % 3]));
        if (side == SIGN_UNKNOWN)
            return false;
        if (side <= 0) {
            set_line(part, corner[k], corner[(k + 1) % 3]);
            return true;
        }
    }
    part->kind = PART_PLANE;
    memcpy(part->at, t, 9 * sizeof *t);
    return true;
}

static bool find_part(struct part *part, const float point[3], struct measured item)
{
    const struct vector p = vertex(point);
    *part = (struct part){.obb = item.at};
    switch (item.shape) {
    case shape_obb:
        part->kind = PART_OBB;
        return true;
    case shape_segment:
    case shape_capsule:
        part->r = item.shape == shape_capsule ? item.at[6] : 0;
        return find_on_segment(part, p, item.at, item.at + 3);
    case shape_triangle:
        return find_on_triangle(part, p, item.at);
    default:
        part->r = item.shape == shape_sphere ? item.at[3] : 0;
        set_box(part, point, item.at, item.shape == shape_aabb ? item.at + 3 : item.at);
        return true;
    }
}

/* Whether two parts are the same. Where 0 and -0 make them differ, they are compared as others are. */
static bool same_part(const struct part *a, const struct part *b)
{
    static const size_t floats[] = {[PART_VERTEX] = 3, [PART_LINE] = 6, [PART_PLANE] = 9, [PART_OBB] = obb_fields};
    if (a->kind != b->kind || a->r != b->r)
        return false;
    const bool obb = a->kind == PART_OBB;
    return memcmp(obb ? a->obb : a->at, obb ? b->obb : b->at, floats[a->kind] * sizeof(float)) == 0;
}

static bool obb_squared(struct fraction *distance, const float point[3], struct obb b)
{
    struct vector t, g;
    if (!along_axes(point[0], point[1], point[2], b, &t) || !outside(t.x, b.hx, &g.x) || !outside(t.y, b.hy, &g.y) ||
        !outside(t.z, b.hz, &g.z))
        return false;
    distance->above = sum_of_squares(g.x, g.y, g.z);
    return true;
}

/* Degrees of above and below: 2 and 0 for a vertex, 4 and 2 for a line, 6 and 4 for a plane, 4 and 0 for an OBB. */
static bool squared_distance(struct fraction *distance, const float point[3], const struct part *part)
{
    const struct vector ap = minus(vertex(point), vertex(part->at));
    distance->one = part->kind == PART_VERTEX || part->kind == PART_OBB;
    distance->below = real_of(1);
    if (part->kind == PART_OBB)
        return obb_squared(distance, point, obb_of(part->obb));
    if (part->kind == PART_VERTEX) {
        distance->above = dot(ap, ap);
        return true;
    }
    const struct vector ab = minus(vertex(part->at + 3), vertex(part->at));
    if (part->kind == PART_LINE) {
        distance->below = dot(ab, ab);
        distance->above = real_sub(real_mul(dot(ap, ap), distance->below), square(dot(ap, ab)));
        return true;
    }
    const struct vector n = cross(ab, minus(vertex(part->at + 6), vertex(part->at)));
    distance->below = dot(n, n);
    distance->above = square(dot(n, ap));
    return true;
}

static real times_below(real x, const struct fraction *distance)
{
    return distance->one ? x : real_mul(x, distance->below);
}

/* The sign of the distance less the radius, or -1 for an infinite one: above 0 outside. */
static int beyond_radius(const struct fraction *distance, real r, bool infinite)
{
    return infinite ? -1 : real_sign(real_sub(distance->above, times_below(square(r), distance)));
}

/*
 * The sign of max(sqrt(a) - ra, 0) - max(sqrt(b) - rb, 0); a part is 0 if the point is inside. If it is outside both,
 * the sign is that of sqrt(a) - (sqrt(b) + c) with c = ra - rb. As sqrt(b) > rb, sqrt(b) + c > ra >= 0, so both terms
 * may be squared. The sign is that of t - 2 c sqrt(b) with t = a - b - c^2. If t and c have the same sign, the terms t
 * and 2 c sqrt(b) are squared once more. All is multiplied by the denominators of a and b, t^2 by their squares: degree
 * 12 for two capsules, and 16 for a capsule and a triangle.
 */
static int compare_rounded(const struct fraction *a, float ra, const struct fraction *b, float rb)
{
    const int out_a = beyond_radius(a, real_of(isinf(ra) ? 0 : ra), isinf(ra));
    const int out_b = beyond_radius(b, real_of(isinf(rb) ? 0 : rb), isinf(rb));
    if (out_a == SIGN_UNKNOWN || out_b == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (out_a <= 0 || out_b <= 0)
        return (out_b <= 0) - (out_a <= 0);
    const real c = real_sub(real_of(ra), real_of(rb)), c2 = square(c);
    const real both_c2 = times_below(times_below(c2, a), b);
    const real t = real_sub(real_sub(times_below(a->above, b), times_below(b->above, a)), both_c2);
    const int sign_c = real_sign(c), sign_t = real_sign(t);
    if (sign_c == SIGN_UNKNOWN || sign_t == SIGN_UNKNOWN)
        return SIGN_UNKNOWN;
    if (sign_c == 0 || sign_t != sign_c)
        return sign_c == 0 ? sign_t : sign_t > sign_c ? 1 : -1;
    const real root = real_mul(times_below(times_below(real_mul(c2, times_below(b->above, b)), a), a), real_of(4));
    const int sign = real_sign(real_sub(square(t), root));
    return sign == SIGN_UNKNOWN ? sign : sign_c * sign;
}

static int compare_distances(const float point[3], struct measured a, struct measured b)
{
    struct part part_a, part_b;
    struct fraction square_a, square_b;
    if (!find_part(&part_a, point, a) || !find_part(&part_b, point, b))
        return SIGN_UNKNOWN;
    if (same_part(&part_a, &part_b))
        return 0;
    if (!squared_distance(&square_a, point, &part_a) || !squared_distance(&square_b, point, &part_b))
        return SIGN_UNKNOWN;
    if (part_a.r > 0 || part_b.r > 0)
        return compare_rounded(&square_a, part_a.r, &square_b, part_b.r);
    return real_sign(real_sub(times_below(square_a.above, &square_b), times_below(square_b.above, &square_a)));
}

/* A distance of 0, inside of the item, is that of its middle less its radius, or less, and so is the answer. */
static int compare_with_radii(const float point[3], struct measured item, const float radii[2])
{
    struct part part;
    struct fraction distance;
    if (!find_part(&part, point, item) || !squared_distance(&distance, point, &part))
        return SIGN_UNKNOWN;
    if (isinf(part.r))
        return radii[0] > 0 || radii[1] > 0 ? -1 : 0;
    const real sum = real_add(real_of(radii[0]), real_of(radii[1]));
    const int sign = beyond_radius(&distance, real_add(real_of(part.r), sum), false);
    return sign == -1 && real_sign(sum) == 0 ? 0 : sign;
}

static int turn(const float a[3], const float b[3], const float point[3])
{
    const struct vector ab = minus(vertex(b), vertex(a)), ap = minus(vertex(point), vertex(a));
    return real_sign(real_sub(real_mul(ab.y, ap.z), real_mul(ab.z, ap.y)));
}

static int side_of_triangle(const float triangle[9], const float point[3])
{
    const struct vector a = vertex(triangle);
    const struct vector n = cross(minus(vertex(triangle + 3), a), minus(vertex(triangle + 6), a));
    return real_sign(dot(n, minus(vertex(point), a)));
}

#include "bvh/search/separation_arithmetic.h"

const struct nearest_formulas FORMULAS = {
    compare_distances, compare_with_radii, compare_separation, compare_overlap, turn,
    side_of_triangle,  compare_separations};

#endif
