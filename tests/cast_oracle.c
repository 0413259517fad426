/* SPDX-License-Identifier: MIT */
/*
 * The definition of a cast in rational arithmetic. The square of the distance from a convex item to the centre is a
 * convex function of time with a continuous slope. So its least value is at the start, at the end, or where the square
 * of the distance from some feature of the item has no slope: a vertex, a line, a plane, or some faces of a box. The
 * distance from the item itself is taken at all of these times, whichever feature is nearest there.
 */
#include "cast_oracle.h"

#include "rational.h"

struct cast {
    mpq_ptr from[3], motion[3], reach2;
    enum shape shape;
    const float *item;
    mpq_srcptr end;
};

static mpq_ptr dot(mpq_ptr const a[3], mpq_ptr const b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static void vector(mpq_ptr const p[3], const float *from, mpq_ptr difference[3])
{
    for (int k = 0; k < 3; k++)
        difference[k] = minus(p[k], of(from[k]));
}

static void edge(const float *a, const float *b, mpq_ptr difference[3])
{
    for (int k = 0; k < 3; k++)
        difference[k] = minus(of(b[k]), of(a[k]));
}

static void cross(mpq_ptr const a[3], mpq_ptr const b[3], mpq_ptr product[3])
{
    for (int k = 0; k < 3; k++)
        product[k] = minus(times(a[(k + 1) % 3], b[(k + 2) % 3]), times(a[(k + 2) % 3], b[(k + 1) % 3]));
}

/* ---- The square of the distance of a point from an item without its radius */

static mpq_ptr from_segment(mpq_ptr const p[3], const float *a, const float *b)
{
    mpq_ptr ap[3], ab[3];
    vector(p, a, ap);
    edge(a, b, ab);
    mpq_ptr along = dot(ap, ab), length2 = dot(ab, ab), t = of(0);
    if (mpq_sgn(along) > 0)
        t = mpq_cmp(along, length2) < 0 ? over(along, length2) : of(1);
    for (int k = 0; k < 3; k++)
        ap[k] = minus(ap[k], times(t, ab[k]));
    return dot(ap, ap);
}

static mpq_ptr from_triangle(mpq_ptr const p[3], const float *t)
{
    mpq_ptr ab[3], ac[3], n[3], ap[3], least2 = NULL;
    edge(t, t + 3, ab);
    edge(t, t + 6, ac);
    cross(ab, ac, n);
    vector(p, t, ap);
    bool inside = mpq_sgn(dot(n, n)) > 0;
    for (int k = 0; k < 3; k++) {
        const float *v = t + 3 * k, *w = t + 3 * ((k + 1) % 3);
        mpq_ptr vw[3], vp[3], inwards[3], d2 = from_segment(p, v, w);
        edge(v, w, vw);
        vector(p, v, vp);
        cross(n, vw, inwards);
        inside &= mpq_sgn(dot(inwards, vp)) >= 0;
        least2 = least2 && mpq_cmp(least2, d2) < 0 ? least2 : d2;
    }
    return inside ? over(square(dot(n, ap)), dot(n, n)) : least2;
}

/* How far a coordinate is from an interval. */
static mpq_ptr excess(mpq_ptr x, float low, float high)
{
    if (!isinf(low) && mpq_cmp(x, of(low)) < 0)
        return minus(of(low), x);
    return !isinf(high) && mpq_cmp(x, of(high)) > 0 ? minus(x, of(high)) : of(0);
}

/* The coordinates of a point or vector along the axes of a box. */
static void along_axes(const struct cast *cast, mpq_ptr const p[3], bool is_vector, mpq_ptr along[3])
{
    for (int k = 0; k < 3; k++) {
        along[k] = p[k];
        if (cast->shape != shape_obb)
            continue;
        along[k] = of(0);
        for (int i = 0; i < 3; i++) {
            mpq_ptr x = is_vector ? p[i] : minus(p[i], of(cast->item[i]));
            along[k] = plus(along[k], times(of(cast->item[6 + 3 * k + i]), x));
        }
    }
}

static float bound(const struct cast *cast, int k, bool high)
{
    if (cast->shape == shape_obb)
        return high ? cast->item[3 + k] : -cast->item[3 + k];
    return cast->item[high ? k + 3 : k];
}

static mpq_ptr distance2(const struct cast *cast, mpq_srcptr t)
{
    mpq_ptr p[3], along[3], sum = of(0);
    for (int k = 0; k < 3; k++)
        p[k] = plus(cast->from[k], times(t, cast->motion[k]));
    switch (cast->shape) {
    case shape_point:
    case shape_sphere:
        return from_segment(p, cast->item, cast->item);
    case shape_segment:
    case shape_capsule:
        return from_segment(p, cast->item, cast->item + 3);
    case shape_triangle:
        return from_triangle(p, cast->item);
    default:
        along_axes(cast, p, false, along);
        for (int k = 0; k < 3; k++)
            sum = plus(sum, square(excess(along[k], bound(cast, k, false), bound(cast, k, true))));
        return sum;
    }
}

/* ---- Times at which it may be least */

static bool touches_at(const struct cast *cast, mpq_srcptr t)
{
    return mpq_sgn(t) >= 0 && (!cast->end || mpq_cmp(t, cast->end) <= 0) &&
           mpq_cmp(distance2(cast, t), cast->reach2) <= 0;
}

/* Where a t^2 + 2 b t + c has no slope. */
static bool touches_at_rest(const struct cast *cast, mpq_srcptr a, mpq_ptr b)
{
    mpq_neg(b, b);
    return mpq_sgn(a) != 0 && touches_at(cast, over(b, a));
}

static bool touches_by_vertex(const struct cast *cast, const float *v)
{
    mpq_ptr w[3];
    vector(cast->from, v, w);
    return touches_at_rest(cast, dot(cast->motion, cast->motion), dot(w, cast->motion));
}

static bool touches_by_line(const struct cast *cast, const float *a, const float *b)
{
    mpq_ptr w[3], e[3], across_w[3], across_d[3];
    vector(cast->from, a, w);
    edge(a, b, e);
    cross(w, e, across_w);
    cross(cast->motion, e, across_d);
    return touches_at_rest(cast, dot(across_d, across_d), dot(across_w, across_d));
}

static bool touches_by_plane(const struct cast *cast, const float *t)
{
    mpq_ptr ab[3], ac[3], n[3], w[3];
    edge(t, t + 3, ab);
    edge(t, t + 6, ac);
    cross(ab, ac, n);
    vector(cast->from, t, w);
    return touches_at_rest(cast, dot(n, cast->motion), dot(n, w));
}

/* Each axis has no part, or its lower or its upper face has. */
static bool touches_by_faces(const struct cast *cast)
{
    mpq_ptr from[3], motion[3];
    along_axes(cast, cast->from, false, from);
    along_axes(cast, cast->motion, true, motion);
    for (int which = 1; which < 27; which++) {
        const int part[3] = {which % 3, which / 3 % 3, which / 9};
        mpq_ptr a = of(0), b = of(0);
        bool exists = true;
        for (int k = 0; k < 3; k++) {
            const float face = part[k] ? bound(cast, k, part[k] == 2) : 0;
            exists &= !isinf(face);
            if (part[k] == 0 || isinf(face))
                continue;
            a = plus(a, square(motion[k]));
            b = plus(b, times(minus(from[k], of(face)), motion[k]));
        }
        if (exists && touches_at_rest(cast, a, b))
            return true;
    }
    return false;
}

static bool touches_by_feature(const struct cast *cast)
{
    const float *item = cast->item;
    switch (cast->shape) {
    case shape_point:
    case shape_sphere:
        return touches_by_vertex(cast, item);
    case shape_segment:
    case shape_capsule:
        return touches_by_vertex(cast, item) || touches_by_vertex(cast, item + 3) ||
               touches_by_line(cast, item, item + 3);
    case shape_triangle:
        for (int k = 0; k < 3; k++)
            if (touches_by_vertex(cast, item + 3 * k) || touches_by_line(cast, item + 3 * k, item + 3 * ((k + 1) % 3)))
                return true;
        return touches_by_plane(cast, item);
    default:
        return touches_by_faces(cast);
    }
}

bool oracle_cast(const float from[3], const float motion[3], float r, enum shape shape, const float *item,
                 mpq_srcptr end)
{
    const float own = shape == shape_sphere ? item[3] : shape == shape_capsule ? item[6] : 0;
    if (isinf(r) || isinf(own))
        return true;
    used = 0;
    struct cast cast = {.shape = shape, .item = item, .end = end};
    for (int k = 0; k < 3; k++) {
        cast.from[k] = of(from[k]);
        cast.motion[k] = of(motion[k]);
    }
    cast.reach2 = square(plus(of(r), of(own)));
    return touches_at(&cast, of(0)) || (end && touches_at(&cast, end)) || touches_by_feature(&cast);
}
