/* SPDX-License-Identifier: MIT */
/*
 * Capsule and AABB or OBB, in lanes: the point of the capsule's segment that is nearest the box is guessed, and the
 * vector from the box to it proves the answer (segment_segment.h). The formulas are in convex_pairs.h.
 */

#ifdef KERNEL_FILTERS

/* A segment, from p along d, and a box in the frame of the box. */
struct in_frame {
    struct v_vector p, d, low, high;
};

/* q is the point of the box nearest to the point at t, and w leads from it to that point. */
struct from_box {
    struct v_vector q, w;
};

INLINE v w_between(v x, v low, v high)
{
    return v_min(v_max(x, low), high);
}

INLINE struct from_box from_box(struct in_frame f, v t)
{
    const struct v_vector x = w_along(f.p, t, f.d);
    const struct v_vector q = {w_between(x.x, f.low.x, f.high.x), w_between(x.y, f.low.y, f.high.y),
                               w_between(x.z, f.low.z, f.high.z)};
    return (struct from_box){q, w_minus(x, q)};
}

/* The half of the derivative of the squared distance from the box to the point at t. */
INLINE v away_from_box(struct in_frame f, v t)
{
    return w_dot_of(from_box(f, t).w, f.d);
}

/* Where a function that grows with t is 0: between these two. */
struct zero_between {
    v from, to, at_from, at_to;
};

INLINE struct zero_between nearer_zero(struct zero_between z, v t, v at_t)
{
    const m below = m_le(at_t, v_set1(0)), above = m_lt(v_set1(0), at_t);
    return (struct zero_between){v_select(below, v_max(z.from, t), z.from), v_select(above, v_min(z.to, t), z.to),
                                 v_select(below, v_max(z.at_from, at_t), z.at_from),
                                 v_select(above, v_min(z.at_to, at_t), z.at_to)};
}

/* Of the places where the segment crosses the planes of two faces. */
INLINE struct zero_between at_faces(struct zero_between z, struct in_frame f, v p, v d, v low, v high)
{
    const v by_d = v_div(v_set1(1), d);
    const v from = w_clamped(v_mul(v_sub(low, p), by_d)), to = w_clamped(v_mul(v_sub(high, p), by_d));
    z = nearer_zero(z, from, away_from_box(f, from));
    return nearer_zero(z, to, away_from_box(f, to));
}

/*
 * A guess: the derivative of the squared distance grows with t, and it is linear between the six places where the
 * segment crosses planes of faces. A place that is not a number, of a segment along that plane, is left out.
 */
INLINE v nearest_to_box(struct in_frame f)
{
    const v zero = v_set1(0), one = v_set1(1);
    struct zero_between z = {zero, one, away_from_box(f, zero), away_from_box(f, one)};
    z = at_faces(z, f, f.p.x, f.d.x, f.low.x, f.high.x);
    z = at_faces(z, f, f.p.y, f.d.y, f.low.y, f.high.y);
    z = at_faces(z, f, f.p.z, f.d.z, f.low.z, f.high.z);
    const v part = fraction(v_sub(zero, z.at_from), v_sub(z.at_to, z.at_from));
    return w_clamped(v_fma(v_sub(z.to, z.from), part, z.from));
}

/* low of within_distance(): where w is not 0, q is at the face on that side, so it is the box's farthest along w. */
INLINE v clearance(struct in_frame f, struct from_box at)
{
    return v_add(w_dot_of(at.w, w_minus(f.p, at.q)), v_min(v_set1(0), w_dot_of(at.w, f.d)));
}

/* Whether a coordinate of an end is in an interval, or else the nearest to it of the segment's, from low to high. */
INLINE m end_is_nearest(v end, v low, v high, v min, v max)
{
    return m_or(m_and(m_le(min, end), m_le(end, max)), m_eq(end, v_min(v_max(low, min), high)));
}

INLINE m point_is_nearest(struct v_point end, struct v_aabb core, struct v_aabb b)
{
    return m_and(end_is_nearest(end.x, core.minx, core.maxx, b.minx, b.maxx),
                 m_and(end_is_nearest(end.y, core.miny, core.maxy, b.miny, b.maxy),
                       end_is_nearest(end.z, core.minz, core.maxz, b.minz, b.maxz)));
}

/*
 * Ties of capsules that stand or lie on boxes. The AABB around the capsule's segment is at most as far from the box. It
 * is as far if the segment is along a coordinate axis, or one of its ends is as near along each axis.
 */
INLINE void decide_aabb_if_exact(struct filter_state *p, struct v_capsule a, struct v_aabb b)
{
    const struct v_segment core = w_core(a);
    const struct v_aabb around = box_of_segment(core);
    const m at_end = m_or(point_is_nearest(v_end_a(core), around, b), point_is_nearest(v_end_b(core), around, b));
    track_exact(p, m_or(segment_is_box(core), at_end));
    decide_aabbs_if_exact(p, around, b, a.r);
}

/*
 * Errors, u = 2^-24, fused or not, relative to the first end. A bound of the box is off by u of itself, as is d. The
 * point at t has 2u of d, and w u of itself, at most |d| + |q|: 4u (|d| + |q|) in all, for |q| is the bound or at most
 * |d|. Only the bounds that q is at count for low, and low has 5u |w| (|d| + |q|). delta has 8u.
 * Without bounds, w is 0 along that axis, or NaN.
 */
INLINE void capsule_aabb_filter(struct filter_state *p, struct v_capsule a, struct v_aabb b)
{
    const struct v_vector from = {a.ax, a.ay, a.az}, none = {v_set1(0), v_set1(0), v_set1(0)};
    const struct in_frame f = {none, w_minus(w_vector(a.bx, a.by, a.bz), from),
                               w_minus(w_vector(b.minx, b.miny, b.minz), from),
                               w_minus(w_vector(b.maxx, b.maxy, b.maxz), from)};
    const struct from_box at = from_box(f, nearest_to_box(f));
    const v size = v_add(w_norm_of(f.d), w_norm_of(at.q));
    require_nonneg(p, a.r);
    aabb_valid(p, b);
    within_distance(p, at.w, clearance(f, at), a.r, error_of(size, 0x8p-24f), size);
    decide_aabb_if_exact(p, a, b);
}

/* The coordinates of a vector along the axes of a box. */
INLINE struct v_vector w_in_frame(struct v_obb b, struct v_vector a)
{
    return (struct v_vector){dot3(b.ux, b.uy, b.uz, a.x, a.y, a.z), dot3(b.vx, b.vy, b.vz, a.x, a.y, a.z),
                             dot3(b.wx, b.wy, b.wz, a.x, a.y, a.z)};
}

/* The sum of the six different members of |U U^T - I|, where U are the axes of a box. */
INLINE v w_skew_of(struct v_obb b)
{
    const struct v_vector u = {b.ux, b.uy, b.uz}, v_ = {b.vx, b.vy, b.vz}, w = {b.wx, b.wy, b.wz};
    const v one = v_set1(1);
    const v lengths =
        magnitude_of(v_sub(w_dot_of(u, u), one), v_sub(w_dot_of(v_, v_), one), v_sub(w_dot_of(w, w), one));
    return v_add(lengths, magnitude_of(w_dot_of(u, v_), w_dot_of(u, w), w_dot_of(v_, w)));
}

/* One axis of a box, and how far the box reaches along it. */
struct box_axis {
    struct v_vector u;
    v h;
};

/* Lanes in which a point of the box's frame is certainly between the faces at both ends of two axes. */
INLINE m between_faces(v x, v hx, v y, v hy, v delta)
{
    return m_and(m_lt(v_add(v_abs(x), delta), hx), m_lt(v_add(v_abs(y), delta), hy));
}

/*
 * Ties of capsules that stand on a box turned around the axis along which they stand. If that is a coordinate axis, and
 * exactly normal to the others, the box ends at its centre and h along it. The capsule's segment is at least as far
 * from the box as from that plane. It is as far if the end that is nearer to the plane is between the other faces,
 * where coordinates have an error below delta.
 */
INLINE void decide_axis_if_exact(struct filter_state *p, struct v_capsule a, struct v_obb b, struct box_axis axis,
                                 m normal, m a_between, m b_between)
{
    const v zero = v_set1(0), at_a = dot3(axis.u.x, axis.u.y, axis.u.z, a.ax, a.ay, a.az);
    const v at_b = dot3(axis.u.x, axis.u.y, axis.u.z, a.bx, a.by, a.bz);
    const v centre = dot3(axis.u.x, axis.u.y, axis.u.z, b.cx, b.cy, b.cz);
    const m above = m_lt(centre, v_min(at_a, at_b));
    const v nearest = v_select(above, v_min(at_a, at_b), v_max(at_a, at_b));
    const m stands = m_or(m_and(m_eq(at_a, nearest), a_between), m_and(m_eq(at_b, nearest), b_between));
    p->exact = m_and(m_and(unit_axis(axis.u.x, axis.u.y, axis.u.z), normal), stands);
    const v along = difference(p, nearest, centre);
    const v gap = difference(p, v_select(above, along, v_sub(zero, along)), axis.h);
    track_exact(p, m_le(zero, gap));
    decide_if_exact(p, gap, a.r);
}

INLINE void decide_obb_if_exact(struct filter_state *p, struct v_capsule a, struct v_obb b, struct in_frame f, v delta)
{
    if (p->mode != RECHECK)
        return;
    const struct v_vector u = {b.ux, b.uy, b.uz}, v_ = {b.vx, b.vy, b.vz}, w = {b.wx, b.wy, b.wz};
    const struct v_vector p0 = f.p, p1 = w_along(f.p, v_set1(1), f.d);
    const m uv = m_eq(w_dot_of(u, v_), v_set1(0)), uw = m_eq(w_dot_of(u, w), v_set1(0)),
            vw = m_eq(w_dot_of(v_, w), v_set1(0));
    decide_axis_if_exact(p, a, b, (struct box_axis){u, b.hx}, m_and(uv, uw),
                         between_faces(p0.y, b.hy, p0.z, b.hz, delta), between_faces(p1.y, b.hy, p1.z, b.hz, delta));
    decide_axis_if_exact(p, a, b, (struct box_axis){v_, b.hy}, m_and(uv, vw),
                         between_faces(p0.x, b.hx, p0.z, b.hz, delta), between_faces(p1.x, b.hx, p1.z, b.hz, delta));
    decide_axis_if_exact(p, a, b, (struct box_axis){w, b.hz}, m_and(uw, vw),
                         between_faces(p0.x, b.hx, p0.y, b.hy, delta), between_faces(p1.x, b.hx, p1.y, b.hy, delta));
}

/*
 * The box is what its edges span: the points U^T y with |y| <= h, and x = U p are the coordinates of a point p. Let e
 * be the skew, a bound on the norm of M = U U^T - I, below 1/8.
 * A hit: U (p - U^T q) = (x - q) - M q, and |U v| >= sqrt(1 - e) |v| >= (1 - e) |v|. So p is within (|w| + e |q|) / (1
 * - e) of a point of the box, at most |w| + 1.15 e (|w| + |q|).
 * A miss: along U^T w, a point p of the segment has w.x, and one of the box w.y + w.M y, at most w.q + |w| e |h| where
 * q is farthest along w. |U^T w| <= (1 + e) |w|. So D >= low / |w| - e |h| - e D, and D may be taken for r. With S =
 * |p| + |d|, whose coordinates have at most 1.07 S: |w| and |q| are at most that, so 2.5 e (S + r + |h|) is enough for
 * either.
 * Errors, u = 2^-24, fused or not: p and d have u of their differences, and each of three coordinates 3u |axis| |p|: 8u
 * S in all; the point at t 2u of d, w u of itself: 12u S. Low has 8u |w| S of these, 4u |w| of p - q, at most 2.2 S,
 * and 4u of d, and its sum 4u |w| S: 25u |w| S. The members of M have 27u together. delta has 24u S + 3 (e + 24u) (S +
 * r + |h|).
 */
INLINE void capsule_obb_filter(struct filter_state *p, struct v_capsule a, struct v_obb b)
{
    const struct v_vector from = {a.ax, a.ay, a.az};
    const struct v_vector offset = w_minus(from, w_vector(b.cx, b.cy, b.cz));
    const struct v_vector edge = w_minus(w_vector(a.bx, a.by, a.bz), from);
    const v zero = v_set1(0);
    const struct v_vector h = {b.hx, b.hy, b.hz}, low = {v_sub(zero, b.hx), v_sub(zero, b.hy), v_sub(zero, b.hz)};
    const struct in_frame f = {w_in_frame(b, offset), w_in_frame(b, edge), low, h};
    const struct from_box at = from_box(f, nearest_to_box(f));
    const v length = v_add(w_norm_of(offset), w_norm_of(edge)), skew = w_skew_of(b);
    const v size = v_add(length, w_norm_of(h));
    const v delta = v_fma(v_fma(skew, v_set1(3), v_set1(0x48p-24f)), v_add(size, a.r), error_of(length, 0x18p-24f));
    require_nonneg(p, a.r);
    require_nonneg(p, b.hx);
    require_nonneg(p, b.hy);
    require_nonneg(p, b.hz);
    const m in_range = m_lt(skew, v_set1(0.1f));
    within_distance(p, at.w, clearance(f, at), a.r, delta, size);
    leave_undecided(p, m_andnot(m_all(), in_range));
    decide_obb_if_exact(p, a, b, f, v_select(in_range, delta, v_set1(INFINITY)));
}

#endif
