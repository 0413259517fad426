/* SPDX-License-Identifier: MIT */
/*
 * When a moving sphere first touches a convex hull that it is apart from at the start, in one arithmetic. Included by
 * cast_hulls.h.
 *
 * The centre is c = p + t v, the radius r > 0. Let f(t) be the square of the distance from c to the hull. f is convex,
 * its slope is continuous, and f(0) > r^2. Let q be the point of the hull that is nearest to c. Then c - q is a sum of
 * normals of planes through q, each times a factor l >= 0, and at most three independent normals suffice (the
 * conditions of Karush, Kuhn and Tucker, and the theorem of Caratheodory for cones). Such planes are a feature: a face,
 * an edge or a corner. So a feature is nearest at time t if
 *
 *   (1) all l of the point q of its planes' common plane, line or point that is nearest to c are >= 0, and
 *   (2) q is outside of no other plane.
 *
 * q and l are linear in t, and the square of the distance from q to c is a quadratic g(t) >= 0. The touch that a
 * feature may have is the lesser root of g = r^2, if that is after the start: n, c and m > 0 and d >= 0 below.
 *
 *   - A feature with (1) and (2) at its root has f = r^2 there, and f falls as fast as g. If d > 0, f falls, so by its
 *     convexity the root is the first touch. If d = 0, r^2 is the least value of f, and the first touch is the least
 *     root of all such features: the sphere grazes the hull.
 *   - If there is a first touch, some feature is nearest at times before it that are as close to it as one likes, since
 *     there are finitely many features. By continuity it has (1) and (2) at the first touch, where g falls to r^2. So
 *     that is the lesser root of its g, and no touch is missed.
 *
 * Nothing here needs the corners of the hull, so flat, endless and empty hulls have no case of their own, nor have
 * planes that bound nothing more.
 *
 * Degrees of the polynomials in the inputs: the heights s + t w over a plane have 2. A root (n - sqrt(d)) / m has 2 for
 * n and m and 4 for d if it is of a face, 6, 6 and 12 of an edge, 5, 5 and 10 of a corner. Condition (2) at an edge is
 * the sign of x - w sqrt(d) with 12 for x and 6 for w: 24, the greatest of all signs. Roots of two edges are compared
 * by x = n m' - n' m with 12, P = m^2 d' and z with 24, and 4 P Q - z^2 with 48.
 *
 * The bounds of exact/tracked.h: a sum is short by no more than its terms and 8u, a product by no more than its factors
 * together and 8u. In units of 8u heights are short by 4 and products of two normals by 3, so x^2 and w^2 d of an edge
 * by 65 each: 2^-43.9 of the bound, for which the sign allows 2^-40.
 */
#ifndef ABUT_BVH_CAST_MOVING_HULLS_H
#define ABUT_BVH_CAST_MOVING_HULLS_H

#include "bvh/cast/cast_roots.h"

/* The height of the centre over a plane at the start, and the speed at which it grows. */
OWN_FRAME static struct height height_of(const struct cast_ray *ray, const float plane[4])
{
    const struct vector n = vertex(plane);
    return (struct height){real_add(dot(n, vertex(ray->from)), real_of(plane[3])), dot(n, vertex(ray->motion))};
}

OWN_FRAME static real dot_of_normals(const float a[4], const float b[4])
{
    return dot(vertex(a), vertex(b));
}

/* Whether the lesser root of g = r^2 exists and is after the start. */
static enum found is_after_start(const struct root *root)
{
    const int n = real_sign(root->n), m = real_sign(root->m), c = real_sign(root->c), d = real_sign(root->d);
    if (n < 1 || m < 1 || c < 1 || d < 0)
        return FOUND_NOTHING;
    return n == SIGN_UNKNOWN || m == SIGN_UNKNOWN || c == SIGN_UNKNOWN || d == SIGN_UNKNOWN ? FOUND_UNKNOWN
                                                                                            : FOUND_ROOT;
}

/* found, if a sign that has to be >= 0 is so. */
static enum found if_not_negative(enum found found, int sign)
{
    if (sign < 0)
        return FOUND_NOTHING;
    return sign == SIGN_UNKNOWN ? FOUND_UNKNOWN : found;
}

static enum found if_not_positive(enum found found, int sign)
{
    return if_not_negative(found, sign == SIGN_UNKNOWN ? sign : -sign);
}

static bool is_of(const struct active *feature, unsigned plane)
{
    for (unsigned i = 0; i < feature->count; i++)
        if (feature->plane[i] == plane)
            return true;
    return false;
}

/* ---- Faces: l is the height, which is r |n| > 0 at the root. n = s, m = -w, d = r^2 n.n. */

OWN_FRAME static void root_of_face(struct root *root, const struct cast_ray *ray, const float plane[4])
{
    const struct height height = height_of(ray, plane);
    root->kind = ROOT_LINEAR;
    root->n = height.s;
    root->m = opposite(height.w);
    root->d = real_mul(square(real_of(ray->r)), dot_of_normals(plane, plane));
    root->c = real_sub(square(root->n), root->d);
    root->part = (struct cast_part){.kind = CAST_PLANE};
    memcpy(root->part.at, plane, 4 * sizeof *plane);
}

/* The height over plane k of the centre's foot on the plane, times n.n: n.n h_k - (n.n_k) h. */
OWN_FRAME static struct height above_face(const struct cast_ray *ray, const float plane[4], const float other[4])
{
    const struct height h = height_of(ray, plane), k = height_of(ray, other);
    const real nn = dot_of_normals(plane, plane), nk = dot_of_normals(plane, other);
    return (struct height){real_sub(real_mul(nn, k.s), real_mul(nk, h.s)),
                           real_sub(real_mul(nn, k.w), real_mul(nk, h.w))};
}

static enum found touch_face(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull,
                             const struct active *feature)
{
    const float *plane = hull->plane[feature->plane[0]];
    root_of_face(root, ray, plane);
    enum found found = is_after_start(root);
    for (unsigned k = 0; k < hull->planes && found != FOUND_NOTHING; k++) {
        if (is_of(feature, k))
            continue;
        const struct height other = above_face(ray, plane, hull->plane[k]);
        found = if_not_positive(found, sign_at(root, &other));
    }
    return found;
}

/* ---- Edges */

/*
 * Of the planes a and b, with aa = n_a.n_a, ab and bb likewise, and D = aa bb - ab^2 > 0. l times D is along_a and
 * along_b: bb h_a - ab h_b and aa h_b - ab h_a. g times D is h_a along_a + h_b along_b.
 */
struct edge {
    real aa, ab, bb, D;
    struct height along_a, along_b;
};

OWN_FRAME static struct height lever(const real *x, const struct height *a, const real *y, const struct height *b)
{
    return (struct height){real_sub(real_mul(*x, a->s), real_mul(*y, b->s)),
                           real_sub(real_mul(*x, a->w), real_mul(*y, b->w))};
}

OWN_FRAME static void root_of_edge(struct root *root, struct edge *edge, const struct cast_ray *ray, const float a[4],
                                   const float b[4])
{
    const struct height h_a = height_of(ray, a), h_b = height_of(ray, b);
    edge->aa = dot_of_normals(a, a);
    edge->ab = dot_of_normals(a, b);
    edge->bb = dot_of_normals(b, b);
    edge->D = real_sub(real_mul(edge->aa, edge->bb), square(edge->ab));
    edge->along_a = lever(&edge->bb, &h_a, &edge->ab, &h_b);
    edge->along_b = lever(&edge->aa, &h_b, &edge->ab, &h_a);
    root->kind = ROOT_QUADRATIC;
    root->m = real_add(real_mul(h_a.w, edge->along_a.w), real_mul(h_b.w, edge->along_b.w));
    root->n = opposite(real_add(real_mul(h_a.s, edge->along_a.w), real_mul(h_b.s, edge->along_b.w)));
    root->c = real_add(real_mul(h_a.s, edge->along_a.s), real_mul(h_b.s, edge->along_b.s));
    root->c = real_sub(root->c, real_mul(square(real_of(ray->r)), edge->D));
    root->d = real_sub(square(root->n), real_mul(root->m, root->c));
    root->part = (struct cast_part){.kind = CAST_OTHER};
}

/* The height over plane k of the centre's foot on the line, times D: D h_k - (n_a.n_k) along_a - (n_b.n_k) along_b. */
OWN_FRAME static int sign_above_edge(const struct root *root, const struct edge *edge, const struct cast_ray *ray,
                                     const float a[4], const float b[4], const float other[4])
{
    const struct height h = height_of(ray, other);
    const real ak = dot_of_normals(a, other), bk = dot_of_normals(b, other);
    const struct height less_a = lever(&edge->D, &h, &ak, &edge->along_a);
    const struct height foot = {real_sub(less_a.s, real_mul(bk, edge->along_b.s)),
                                real_sub(less_a.w, real_mul(bk, edge->along_b.w))};
    return sign_at(root, &foot);
}

OWN_FRAME static enum found touch_edge(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull,
                                       const struct active *feature)
{
    const float *a = hull->plane[feature->plane[0]], *b = hull->plane[feature->plane[1]];
    struct edge edge;
    root_of_edge(root, &edge, ray, a, b);
    enum found found = is_after_start(root);
    if (found != FOUND_NOTHING)
        found = if_not_negative(found, sign_at(root, &edge.along_a));
    if (found != FOUND_NOTHING)
        found = if_not_negative(found, sign_at(root, &edge.along_b));
    for (unsigned k = 0; k < hull->planes && found != FOUND_NOTHING; k++)
        if (!is_of(feature, k))
            found = if_not_positive(found, sign_above_edge(root, &edge, ray, a, b, hull->plane[k]));
    return found;
}

/* ---- Corners: the point at / D of three planes in an order in which D = n_1.(n_2 x n_3) > 0 */

struct corner {
    const float *plane[3];
    struct vector at;
    real D;
};

/* n_2 x n_3, n_3 x n_1 or n_1 x n_2. */
OWN_FRAME static struct vector across(const struct corner *corner, unsigned i)
{
    return cross(vertex(corner->plane[(i + 1) % 3]), vertex(corner->plane[(i + 2) % 3]));
}

OWN_FRAME static enum found place_corner(struct corner *corner)
{
    const real zero = real_of(0);
    corner->D = dot(vertex(corner->plane[0]), across(corner, 0));
    const int sign = real_sign(corner->D);
    if (sign == 0 || sign == SIGN_UNKNOWN)
        return sign == 0 ? FOUND_NOTHING : FOUND_UNKNOWN;
    if (sign < 0) {
        const float *first = corner->plane[0];
        corner->plane[0] = corner->plane[1];
        corner->plane[1] = first;
        corner->D = opposite(corner->D);
    }
    corner->at = (struct vector){zero, zero, zero};
    for (unsigned i = 0; i < 3; i++) {
        const struct vector c = across(corner, i);
        const real d = real_of(corner->plane[i][3]);
        corner->at = minus(corner->at, (struct vector){real_mul(d, c.x), real_mul(d, c.y), real_mul(d, c.z)});
    }
    return FOUND_ROOT;
}

/* The sign of the height of the corner over a plane. */
OWN_FRAME static int sign_above_corner(const struct corner *corner, const float other[4])
{
    return real_sign(real_add(dot(vertex(other), corner->at), real_mul(real_of(other[3]), corner->D)));
}

/* The vector from the corner to the start, times D. */
OWN_FRAME static struct vector from_corner(const struct corner *corner, const struct cast_ray *ray)
{
    const struct vector p = vertex(ray->from);
    return minus((struct vector){real_mul(corner->D, p.x), real_mul(corner->D, p.y), real_mul(corner->D, p.z)},
                 corner->at);
}

/* g times D^2 is (w + t D v)^2, where w leads from the corner to the start, times D. n = -w.v, m = D v.v. */
OWN_FRAME static void root_of_corner(struct root *root, const struct corner *corner, const struct cast_ray *ray)
{
    const struct vector w = from_corner(corner, ray), v = vertex(ray->motion);
    const real vv = dot(v, v), distance = square(real_mul(real_of(ray->r), corner->D));
    root->kind = ROOT_LINEAR;
    root->n = opposite(dot(w, v));
    root->m = real_mul(vv, corner->D);
    root->c = real_mul(vv, real_sub(dot(w, w), distance));
    root->d = real_sub(square(root->n), root->c);
    root->part = (struct cast_part){.kind = CAST_OTHER};
}

/* The sign of l of one of the planes, which is that of (w + t D v).across. */
OWN_FRAME static int sign_of_factor(const struct root *root, const struct corner *corner, unsigned i,
                                    const struct cast_ray *ray)
{
    const struct vector c = across(corner, i);
    const struct height l = {dot(from_corner(corner, ray), c), real_mul(corner->D, dot(vertex(ray->motion), c))};
    return sign_at(root, &l);
}

OWN_FRAME static enum found touch_corner(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull,
                                         const struct active *feature)
{
    struct corner corner;
    for (unsigned i = 0; i < 3; i++)
        corner.plane[i] = hull->plane[feature->plane[i]];
    enum found found = place_corner(&corner);
    if (found != FOUND_ROOT)
        return found;
    for (unsigned k = 0; k < hull->planes && found != FOUND_NOTHING; k++)
        if (!is_of(feature, k))
            found = if_not_positive(found, sign_above_corner(&corner, hull->plane[k]));
    if (found == FOUND_NOTHING)
        return found;
    root_of_corner(root, &corner, ray);
    const enum found after = is_after_start(root);
    found = after == FOUND_ROOT ? found : after;
    for (unsigned i = 0; i < 3 && found != FOUND_NOTHING; i++)
        found = if_not_negative(found, sign_of_factor(root, &corner, i, ray));
    return found;
}

/* ---- All features */

/* Whether two normals are equal or opposite, which float64 does not always see in products of them. */
static bool has_parallel_planes(const struct cast_hull *hull, const struct active *feature)
{
    for (unsigned i = 1; i < feature->count; i++)
        for (unsigned j = 0; j < i; j++) {
            const float *a = hull->plane[feature->plane[i]], *b = hull->plane[feature->plane[j]];
            if ((a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) || (a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2]))
                return true;
        }
    return false;
}

static enum found touch_feature(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull,
                                const struct active *feature)
{
    if (has_parallel_planes(hull, feature))
        return FOUND_NOTHING;
    return feature->count == 1   ? touch_face(root, ray, hull, feature)
           : feature->count == 2 ? touch_edge(root, ray, hull, feature)
                                 : touch_corner(root, ray, hull, feature);
}

/* The next faces, then edges, then corners; false after the last one. */
static bool next_feature(struct active *feature, unsigned planes)
{
    const unsigned count = feature->count;
    for (unsigned i = count; i-- > 0;)
        if (feature->plane[i] + count - i < planes) {
            for (unsigned j = count; j-- > i;)
                feature->plane[j] = feature->plane[i] + 1 + j - i;
            return true;
        }
    for (unsigned i = 0; i < 3; i++)
        feature->plane[i] = i;
    feature->count = count + 1;
    return count < 3 && count < planes;
}

/*
 * The guess first: a feature that is touched, and not grazed, is the answer. Else all features that no arithmetic
 * before has ruled out.
 */
static enum found find_moving(struct root *root, const struct cast_ray *ray, const struct cast_hull *hull)
{
    struct root touched;
    struct active feature = hull->guess;
    enum found all = FOUND_NOTHING;
    if (feature.count > 0) {
        const enum found found = touch_feature(root, ray, hull, &feature);
        if (found == FOUND_UNKNOWN || (found == FOUND_ROOT && real_sign(root->d) > 0))
            return found;
    }
    feature.count = 0;
    for (unsigned number = 0; next_feature(&feature, hull->planes); number++) {
        if (!cast_feature_is_possible(hull->possible, number))
            continue;
        const enum found found = touch_feature(&touched, ray, hull, &feature);
        if (found == FOUND_NOTHING) {
            cast_feature_rule_out(hull->possible, number);
            continue;
        }
        if (found == FOUND_ROOT && real_sign(touched.d) > 0) {
            *root = touched;
            return FOUND_ROOT;
        }
        const int order = found == FOUND_UNKNOWN ? SIGN_UNKNOWN
                          : all == FOUND_ROOT    ? compare_roots(&touched, root)
                                                 : -1;
        if (order == SIGN_UNKNOWN)
            all = FOUND_UNKNOWN;
        else if (order < 0 && all != FOUND_UNKNOWN) {
            *root = touched;
            all = FOUND_ROOT;
        }
    }
    return all;
}

#endif
