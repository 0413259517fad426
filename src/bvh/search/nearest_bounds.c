/* SPDX-License-Identifier: MIT */
/* Bounds in float64 on the distance of a point from an item, and the exact comparison where bounds overlap. */
#include "bvh/search/nearest.h"

#include "kernels/items.h"

/* Turns NaN, which infinite radii produce, into 0, too. */
static double not_below_0(double x)
{
    return x > 0 ? x : 0;
}

/* Bounds on the square of a distance. */
struct bounds {
    double low, high;
};

static struct bounds around(double square)
{
    return (struct bounds){square * (1 - SLIP), square * (1 + SLIP)};
}

/* From bounds on the square of the distance from a centre or axis to those on the distance from the surface. */
static struct bounds beyond_radius(struct bounds square, double r)
{
    const double low = sqrt(square.low) * (1 - SLIP), high = sqrt(square.high) * (1 + SLIP), slip = (high + r) * SLIP;
    if (high + slip < r)
        return (struct bounds){0, 0};
    return (struct bounds){not_below_0(low - r - slip), not_below_0(high - r + slip)};
}

/* ---- Segments and triangles */

struct vector {
    double x, y, z;
};

static inline struct vector from_to(const float *a, const float *b)
{
    return (struct vector){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]};
}

static inline double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* p - t e */
static inline struct vector less(struct vector p, double t, struct vector e)
{
    return (struct vector){p.x - t * e.x, p.y - t * e.y, p.z - t * e.z};
}

/* part / whole within [0, 1]; 0 where there is no whole, and for NaN. */
static inline double fraction(double part, double whole)
{
    const double t = whole > 0 ? part / whole : 0;
    return t > 0 ? t < 1 ? t : 1 : 0;
}

static inline double least_of(double a, double b)
{
    return b < a ? b : a;
}

/*
 * Let q be any point of the shape, and w the vector from q to the point p. Let m be the least w.(p - x) over the
 * vertices x of the shape, and N^2 the sum of the squares of ap and of the edges from a. The proof in
 * kernels/sphere_segment.h holds for float64 with u = 2^-53. The square of the distance is at most
 *     w.w (1 + 64u) + 4u N^2
 * and at least
 *     2m - w.w (1 + 64u) - 4u N^2.
 * The choice of q does not matter: the best of several may be taken for each bound.
 */
static inline void tighten(struct bounds *bounds, struct vector w, double m)
{
    const double d2 = dot(w, w) * (1 + 0x40p-53), low = 2 * m - d2;
    bounds->high = least_of(bounds->high, d2);
    bounds->low = low > bounds->low ? low : bounds->low;
}

static inline struct bounds widened(struct bounds bounds, double n2)
{
    return (struct bounds){not_below_0(bounds.low - 0x4p-53 * n2), bounds.high + 0x4p-53 * n2};
}

static struct bounds segment_squared(const float point[3], const float *a, const float *b)
{
    struct bounds bounds = {-INFINITY, INFINITY};
    const struct vector p = from_to(a, point), q = from_to(b, point), e = from_to(a, b);
    const double length2 = dot(e, e);
    const struct vector w = less(p, fraction(dot(p, e), length2), e);
    tighten(&bounds, w, least_of(dot(w, p), dot(w, q)));
    return widened(bounds, length2 + dot(p, p));
}

/* The vectors from the vertices of a triangle to the point, and its edges ab and ac. */
struct corner_view {
    struct vector p, q, r, e, f;
};

/* The bounds for q = a + beta ab + gamma ac. */
static inline void tighten_at(struct bounds *bounds, const struct corner_view *t, double beta, double gamma)
{
    const struct vector w = less(less(t->p, beta, t->e), gamma, t->f);
    tighten(bounds, w, least_of(dot(w, t->p), least_of(dot(w, t->q), dot(w, t->r))));
}

/* The nearest points of the edges, and the projection onto the plane, clamped into the triangle. */
static struct bounds triangle_squared(const float point[3], const float *a)
{
    struct bounds bounds = {-INFINITY, INFINITY};
    const struct corner_view t = {from_to(a, point), from_to(a + 3, point), from_to(a + 6, point), from_to(a, a + 3),
                                  from_to(a, a + 6)};
    const double ee = dot(t.e, t.e), ff = dot(t.f, t.f), ef = dot(t.e, t.f), ep = dot(t.e, t.p), fp = dot(t.f, t.p);
    const struct vector g = from_to(a + 3, a + 6);
    const double bc = fraction(dot(g, t.q), dot(g, g)), determinant = ee * ff - ef * ef;
    const double beta = fraction(ep * ff - fp * ef, determinant);
    const double gamma = least_of(1 - beta, fraction(fp * ee - ep * ef, determinant));
    tighten_at(&bounds, &t, fraction(ep, ee), 0);
    tighten_at(&bounds, &t, 0, fraction(fp, ff));
    tighten_at(&bounds, &t, 1 - bc, bc);
    tighten_at(&bounds, &t, beta, gamma);
    return widened(bounds, ee + ff + dot(t.p, t.p));
}

/* ---- OBBs */

/*
 * The bounds on |a.(p - o)| - h, not below 0. The differences, products and sums of the dot product lose at most 4u of
 * the sum of the magnitudes of its products, for u = 2^-53; the rest of 16u makes up for the roundings of the bound.
 */
static struct bounds beyond_slab(struct vector p, const float *axis, float h)
{
    const struct vector a = {axis[0], axis[1], axis[2]};
    if (isinf(h))
        return (struct bounds){0, 0};
    const double t = fabs(dot(a, p)), slip = 0x10p-53 * (fabs(a.x * p.x) + fabs(a.y * p.y) + fabs(a.z * p.z));
    return (struct bounds){not_below_0(t - slip - (double)h), not_below_0(t + slip - (double)h)};
}

static struct bounds obb_squared(const float point[3], const float *obb)
{
    const struct vector p = from_to(obb, point);
    struct bounds sum = {0, 0};
    for (unsigned k = 0; k < 3; k++) {
        const struct bounds beyond = beyond_slab(p, obb + 6 + 3 * k, obb[3 + k]);
        sum.low += beyond.low * beyond.low;
        sum.high += beyond.high * beyond.high;
    }
    return (struct bounds){sum.low * (1 - SLIP), sum.high * (1 + SLIP)};
}

/* ---- Any item */

static struct bounds distance_of(size_t shape, const float point[3], const float *item)
{
    switch (shape) {
    case shape_sphere:
        return beyond_radius(around(box_squared(point, item, item, 1)), item[3]);
    case shape_capsule:
        return beyond_radius(segment_squared(point, item, item + 3), item[6]);
    case shape_segment:
        return segment_squared(point, item, item + 3);
    case shape_triangle:
        return triangle_squared(point, item);
    case shape_obb:
        return obb_squared(point, item);
    default:
        return around(box_squared(point, item, shape == shape_aabb ? item + 3 : item, 1));
    }
}

struct candidate abut_nearest_measure(const struct leaves *leaves, const float point[3], size_t position)
{
    float item[ABUT_MAX_FIELDS];
    item_at(leaves, position, item);
    const struct bounds bounds = distance_of(leaves->shape, point, item);
    return (struct candidate){bounds.low, bounds.high, position};
}

int abut_nearest_compare(const float point[3], struct measured a, struct measured b, struct abut_stats *stats)
{
    int sign = abut_nearest_filter64.compare(point, a, b);
    if (sign != SIGN_UNKNOWN)
        return sign;
    stats->exact++;
    sign = abut_nearest_compact.compare(point, a, b);
    return sign != SIGN_UNKNOWN ? sign : abut_nearest_full.compare(point, a, b);
}

/* Bounds on the distance itself. */
static struct bounds root_bounds(const float point[3], struct measured item)
{
    const struct bounds bounds = distance_of(item.shape, point, item.at);
    if (item.shape == shape_sphere || item.shape == shape_capsule)
        return bounds;
    return (struct bounds){sqrt(bounds.low) * (1 - SLIP), sqrt(bounds.high) * (1 + SLIP)};
}

int abut_nearest_order(const float point[3], struct measured a, struct measured b, struct abut_stats *stats)
{
    const struct bounds near_a = root_bounds(point, a), near_b = root_bounds(point, b);
    stats->pairs++;
    if (near_a.low > near_b.high || near_b.low > near_a.high)
        return near_a.low > near_b.high ? 1 : -1;
    stats->undecided++;
    return near_a.high == 0 && near_b.high == 0 ? 0 : abut_nearest_compare(point, a, b, stats);
}

/* The bounds show most answers. */
static int sign_by_bounds(const float point[3], struct measured item, double radius)
{
    const struct bounds bounds = root_bounds(point, item);
    return bounds.high < radius * (1 - SLIP) ? -1 : bounds.low > radius * (1 + SLIP) ? 1 : SIGN_UNKNOWN;
}

bool abut_nearest_within(const float point[3], struct measured item, const float radii[2], bool closed,
                         struct abut_stats *stats)
{
    stats->pairs++;
    if (isinf(radii[0]) || isinf(radii[1]))
        return true;
    int sign = sign_by_bounds(point, item, (double)radii[0] + (double)radii[1]);
    if (sign == SIGN_UNKNOWN) {
        stats->undecided++;
        sign = abut_nearest_filter64.beyond(point, item, radii);
    }
    if (sign == SIGN_UNKNOWN) {
        stats->exact++;
        sign = abut_nearest_compact.beyond(point, item, radii);
    }
    if (sign == SIGN_UNKNOWN)
        sign = abut_nearest_full.beyond(point, item, radii);
    return closed ? sign <= 0 : sign < 0;
}
