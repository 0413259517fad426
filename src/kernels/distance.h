/* SPDX-License-Identifier: MIT */
/*
 * Squared distance from a point to a shape, which is solid if it has an interior, and the closest point.
 *
 * Each is a fixed sequence of IEEE operations, so all instruction sets give the same bits: no v_fma, which may round
 * once or twice, and v_select after a compare instead of v_min and v_max, which differ on NaN and zeros.
 *
 * Errors, u = 2^-24. Let e be the bound that each function states for the distance D. Then |sqrt(d2) - D| <= e, unless
 * d2 overflows. The closest point, before it is rounded to coordinates, is within e of the shape, and its distance from
 * p is within e of D. Factors are rounded up to cover second-order terms. Differences of inputs carry u of themselves,
 * a dot product 3u of the product of the lengths, a sum of squares 3u of itself, half of that in its root. Underflow:
 * squares of less than 2^-63 lose bits, but then the lengths that they decide on are no longer than that: 2^-60 in e.
 * Overflow: coordinates beyond 2^60 are taken in units of 2^70, and 2^-60 in e stands for 2^-50 of the greatest of
 * them.
 */
#ifndef ABUT_KERNELS_DISTANCE_H
#define ABUT_KERNELS_DISTANCE_H

struct vector {
    v x, y, z;
};

/* d2 and at are meaningless where the shapes are not valid. */
struct distance {
    v d2;
    struct vector at;
    m valid;
};

INLINE struct vector minus(struct vector a, struct vector b)
{
    return (struct vector){v_sub(a.x, b.x), v_sub(a.y, b.y), v_sub(a.z, b.z)};
}

INLINE struct vector plus(struct vector a, struct vector b)
{
    return (struct vector){v_add(a.x, b.x), v_add(a.y, b.y), v_add(a.z, b.z)};
}

INLINE struct vector times(v factor, struct vector a)
{
    return (struct vector){v_mul(factor, a.x), v_mul(factor, a.y), v_mul(factor, a.z)};
}

INLINE struct vector choose(m mask, struct vector a, struct vector b)
{
    return (struct vector){v_select(mask, a.x, b.x), v_select(mask, a.y, b.y), v_select(mask, a.z, b.z)};
}

INLINE v inner(struct vector a, struct vector b)
{
    return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z));
}

INLINE v greater_of(v a, v b)
{
    return v_select(m_lt(a, b), b, a);
}

INLINE v positive_part(v a)
{
    return v_select(m_lt(v_set1(0), a), a, v_set1(0));
}

INLINE v greatest_member(struct vector a)
{
    return greater_of(greater_of(v_abs(a.x), v_abs(a.y)), v_abs(a.z));
}

/* Powers of two that scale coordinates to a range without overflow, and back. */
struct unit {
    v down, up;
};

INLINE struct unit unit_of(v greatest)
{
    m huge = m_lt(v_set1(0x1p60f), greatest);
    return (struct unit){v_select(huge, v_set1(0x1p-70f), v_set1(1)), v_select(huge, v_set1(0x1p70f), v_set1(1))};
}

INLINE v squared_up(struct unit unit, v d2)
{
    return v_mul(v_mul(d2, unit.up), unit.up);
}

INLINE struct vector of_point(struct v_point p)
{
    return (struct vector){p.x, p.y, p.z};
}

INLINE struct filter_state pass_of_point(struct v_point p)
{
    struct filter_state pass = start(RECHECK, v_set1(0), sticky_start());
    point_valid(&pass, p);
    return pass;
}

/* The nearest c in an interval is an input. */
INLINE v clamp(v c, v min, v max)
{
    v at_least = greater_of(c, min);
    return v_select(m_lt(max, at_least), max, at_least);
}

/*
 * The closest point is exact, and d2 is off by at most 5.1u of itself (five roundings) and 2^-148: it needs no scale.
 */
INLINE struct distance point_aabb_distance(struct v_point p, struct v_aabb b)
{
    struct filter_state pass = pass_of_point(p);
    aabb_valid(&pass, b);
    struct vector at = {clamp(p.x, b.minx, b.maxx), clamp(p.y, b.miny, b.maxy), clamp(p.z, b.minz, b.maxz)};
    struct vector apart = minus(of_point(p), at);
    return (struct distance){inner(apart, apart), at, pass.valid};
}

struct foot {
    struct vector at, w; /* the nearest point of a core, and the vector from it to p; both in the unit */
};

/*
 * All points within r of a core. The length has 2.5u of its own, the gap one more; the closest point has 5u r. An
 * infinite radius holds all of space, and outside r / length is below 1.
 */
INLINE struct distance around(struct vector p, struct foot core, v r, struct unit unit, m valid)
{
    v low_r = v_mul(r, unit.down), length = v_sqrt(inner(core.w, core.w)), gap = v_sub(length, low_r);
    m outside = m_lt(v_set1(0), gap);
    struct vector at = plus(core.at, times(v_div(low_r, length), core.w));
    v wide_gap = v_mul(gap, unit.up), d2 = v_select(outside, v_mul(wide_gap, wide_gap), v_set1(0));
    return (struct distance){d2, choose(outside, times(unit.up, at), p), valid};
}

/* e = 6u |p - c| + 2^-60: w has u, the length 2.5u, the gap u, its square half of that. */
INLINE struct distance point_sphere_distance(struct v_point p, struct v_sphere b)
{
    struct filter_state pass = pass_of_point(p);
    sphere_valid(&pass, b);
    struct vector at = of_point(p), c = {b.x, b.y, b.z};
    struct unit unit = unit_of(greater_of(greatest_member(at), greatest_member(c)));
    c = times(unit.down, c);
    return around(at, (struct foot){c, minus(times(unit.down, at), c)}, b.r, unit, pass.valid);
}

/*
 * e = 8u (|ap| + |ab|). The inputs carry u of both. The error of the clamped fraction moves the point along the segment
 * by 3u |ap| + 4u |ab|, which changes the distance by no more; product and difference have u |ab| + u |ap|, and the sum
 * of squares 1.5u |w| <= 1.5u |ap|. Where e.e is 0 or the fraction infinite, the segment is shorter than 2^-63.
 */
INLINE struct foot foot_on(struct vector p, struct vector a, struct vector b)
{
    struct vector e = minus(b, a), ap = minus(p, a);
    v part = inner(ap, e), t = v_select(m_lt(v_set1(0), part), v_div(part, inner(e, e)), v_set1(0));
    m before_b = m_lt(t, v_set1(1));
    return (struct foot){choose(before_b, plus(a, times(t, e)), b),
                         choose(before_b, minus(ap, times(t, e)), minus(p, b))};
}

INLINE v greatest_of_segment(struct v_segment s)
{
    return greater_of(greatest_member((struct vector){s.ax, s.ay, s.az}),
                      greatest_member((struct vector){s.bx, s.by, s.bz}));
}

INLINE struct foot foot_in_unit(struct vector p, struct v_segment s, struct unit unit)
{
    struct vector a = {s.ax, s.ay, s.az}, b = {s.bx, s.by, s.bz};
    return foot_on(times(unit.down, p), times(unit.down, a), times(unit.down, b));
}

INLINE struct distance point_segment_distance(struct v_point p, struct v_segment b)
{
    struct filter_state pass = pass_of_point(p);
    segment_valid(&pass, b);
    struct vector at = of_point(p);
    struct unit unit = unit_of(greater_of(greatest_member(at), greatest_of_segment(b)));
    struct foot foot = foot_in_unit(at, b, unit);
    return (struct distance){squared_up(unit, inner(foot.w, foot.w)), times(unit.up, foot.at), pass.valid};
}

/* e = 12u (|ap| + |ab|) + 2^-60: the error of the segment and that of around(). */
INLINE struct distance point_capsule_distance(struct v_point p, struct v_capsule b)
{
    struct filter_state pass = pass_of_point(p);
    capsule_valid(&pass, b);
    struct vector at = of_point(p);
    struct v_segment core = {b.ax, b.ay, b.az, b.bx, b.by, b.bz};
    struct unit unit = unit_of(greater_of(greatest_member(at), greatest_of_segment(core)));
    return around(at, foot_in_unit(at, core, unit), b.r, unit, pass.valid);
}

/*
 * The half space. The normal is divided by its greatest member first, so that it cannot overflow. For a zero normal or
 * an infinitely far plane, s is NaN or -inf: p is inside. e = 8u (|p| + |d| / |n|) + 2^-60: the members of n have u,
 * the products and sums 4u, d 2u; s / |n| gets another 2.5u from n.n. Where d over that member overflows, d is 2^-21 or
 * more, and may be scaled down first.
 */
INLINE struct distance point_plane_distance(struct v_point p, struct v_plane b)
{
    const v zero = v_set1(0);
    struct filter_state pass = pass_of_point(p);
    plane_valid(&pass, b);
    struct vector at = of_point(p), n = {b.nx, b.ny, b.nz};
    v size = greatest_member(n), d = v_div(b.d, size);
    m occupied = m_and(m_or(m_lt(zero, size), m_le(b.d, zero)), m_lt(b.d, v_set1(INFINITY)));
    n = (struct vector){v_div(n.x, size), v_div(n.y, size), v_div(n.z, size)};
    struct unit unit = unit_of(greater_of(greatest_member(at), v_abs(d)));
    struct vector low = times(unit.down, at);
    v low_d = v_select(m_lt(v_abs(d), v_set1(INFINITY)), v_mul(d, unit.down), v_div(v_mul(b.d, unit.down), size));
    v s = v_add(inner(n, low), low_d), t = v_div(s, inner(n, n));
    /* Where the plane is beyond all floats, t is infinite. */
    struct vector move = {v_select(m_lt(zero, v_abs(n.x)), v_mul(t, n.x), zero),
                          v_select(m_lt(zero, v_abs(n.y)), v_mul(t, n.y), zero),
                          v_select(m_lt(zero, v_abs(n.z)), v_mul(t, n.z), zero)};
    m outside = m_lt(zero, s);
    v d2 = v_select(outside, v_mul(v_mul(s, unit.up), v_mul(t, unit.up)), zero);
    return (struct distance){d2, choose(outside, times(unit.up, minus(low, move)), at), m_and(pass.valid, occupied)};
}

/* The signed excess of a point along an axis beyond the half extent h. */
INLINE v beyond(struct vector apart, struct vector axis, v h)
{
    v along = inner(apart, axis), excess = positive_part(v_sub(v_abs(along), h));
    return v_select(m_lt(along, v_set1(0)), v_sub(v_set1(0), excess), excess);
}

/*
 * As in the predicate, the axes are not normalised: the excesses x along the axes make d2 = x.x, and the closest point
 * is p minus the excesses times their axes. With orthonormal axes these are the distance and the closest point.
 * e = 12u A |p - o| + 2^-60, where A is the length of the longest axis: each excess has u of p - o, 3u of the dot
 * product and u of itself, three of them sqrt(3) times that, and the squares 1.5u of sqrt(3). The closest point has
 * 30u A^2 |p - o|. A box with axes so long that an excess times an axis may overflow is invalid.
 */
INLINE struct distance point_obb_distance(struct v_point p, struct v_obb b)
{
    struct filter_state pass = pass_of_point(p);
    obb_valid(&pass, b);
    struct vector at = of_point(p), o = {b.cx, b.cy, b.cz};
    struct vector first = {b.ux, b.uy, b.uz}, second = {b.vx, b.vy, b.vz}, third = {b.wx, b.wy, b.wz};
    v longest = greater_of(greatest_member(first), greater_of(greatest_member(second), greatest_member(third)));
    struct unit unit = unit_of(greater_of(greatest_member(at), greatest_member(o)));
    struct vector low = times(unit.down, at), apart = minus(low, times(unit.down, o));
    struct vector x = {beyond(apart, first, v_mul(b.hx, unit.down)), beyond(apart, second, v_mul(b.hy, unit.down)),
                       beyond(apart, third, v_mul(b.hz, unit.down))};
    struct vector move = plus(plus(times(x.x, first), times(x.y, second)), times(x.z, third));
    return (struct distance){squared_up(unit, inner(x, x)),
                             choose(m_lt(v_set1(0), greatest_member(x)), times(unit.up, minus(low, move)), at),
                             m_and(pass.valid, m_le(longest, v_set1(0x1p20f)))};
}

struct candidate {
    v d2;
    struct vector at;
};

INLINE struct candidate closer(struct candidate a, struct candidate b)
{
    m second = m_lt(b.d2, a.d2);
    return (struct candidate){v_select(second, b.d2, a.d2), choose(second, b.at, a.at)};
}

INLINE struct candidate on_edge(struct vector p, struct vector a, struct vector b)
{
    struct foot foot = foot_on(p, a, b);
    return (struct candidate){inner(foot.w, foot.w), foot.at};
}

/* The part of a along e, in units of e; 0 where e has no length. */
INLINE v share(struct vector a, struct vector e, v length2)
{
    return v_select(m_lt(v_set1(0), length2), v_div(inner(a, e), length2), v_set1(0));
}

/*
 * The projection onto the plane if it is inside of the triangle, else an infinite distance. Let e = ab, and let g be
 * the part of ac at a right angle to e. In coordinates t along e and h along g, the vertices are (0, 0), (1, 0) and (s,
 * 1). p is projected onto e first, and the remainder onto g.
 *
 * Let N = |ap| + |ab| + |ac|. The inputs carry u N. c is a + s e + g up to 2.2u |ac|, and the region that the compares
 * accept is at most 2u |ab| + 2u |ac| wider: a candidate is within 6.2u N of the triangle. Its w has 5u N and 1.5u |w|
 * by roundings: the distance is never too small by more than 16u N.
 *
 * If the true projection is inside: t e is wrong by 9u |ap| and g by 9u |ac|. So, with the true height k, the point
 * a + t e + k g is within 18u N of the true projection, and farther from p by at most that. The errors of a needle's g
 * are large beside its length, so g may be turned towards p, and h be far from k. But up to 7u |ap|, a + t e + h g is
 * nearest to p on the line through both points, and the distance falls from k to h. Either the compares accept h, and
 * the candidate is as near; or the region ends before h or begins after k, where an edge is within 6.2u N. In all that
 * is 32u N, and edges have 16u N of their own.
 */
INLINE struct candidate on_face(struct vector p, struct vector a, struct vector b, struct vector c)
{
    const v zero = v_set1(0), one = v_set1(1);
    struct vector e = minus(b, a), f = minus(c, a), ap = minus(p, a);
    v ee = inner(e, e), s = share(f, e, ee), t = share(ap, e, ee);
    struct vector g = minus(f, times(s, e)), above = minus(ap, times(t, e));
    v h = share(above, g, inner(g, g)), low = v_mul(s, h), high = v_add(low, v_sub(one, h));
    struct vector w = minus(above, times(h, g));
    m inside = m_and(m_lt(zero, h), m_and(m_lt(low, t), m_lt(t, high)));
    return (struct candidate){v_select(inside, inner(w, w), v_set1(INFINITY)), plus(a, plus(times(t, e), times(h, g)))};
}

/* e = 64u (|ap| + |ab| + |ac|) + 2^-60: the nearest of the three edges (bc has 16u N) and the face. */
INLINE struct distance point_triangle_distance(struct v_point p, struct v_triangle b)
{
    struct filter_state pass = pass_of_point(p);
    triangle_valid(&pass, b);
    struct vector at = of_point(p), third = {b.cx, b.cy, b.cz};
    v corners =
        greater_of(greatest_of_segment((struct v_segment){b.ax, b.ay, b.az, b.bx, b.by, b.bz}), greatest_member(third));
    struct unit unit = unit_of(greater_of(greatest_member(at), corners));
    struct vector q = times(unit.down, at), a = times(unit.down, (struct vector){b.ax, b.ay, b.az});
    struct vector second = times(unit.down, (struct vector){b.bx, b.by, b.bz});
    third = times(unit.down, third);
    struct candidate edges = closer(closer(on_edge(q, a, second), on_edge(q, a, third)), on_edge(q, second, third));
    struct candidate all = closer(edges, on_face(q, a, second, third));
    return (struct distance){squared_up(unit, all.d2), times(unit.up, all.at), pass.valid};
}

/* Turns -0 into +0, and any NaN into one NaN. */
INLINE v canonical(m valid, v x)
{
    return v_select(m_and(valid, m_le(x, x)), v_add(x, v_set1(0)), v_set1(NAN));
}

#endif
