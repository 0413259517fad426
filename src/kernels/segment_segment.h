/* SPDX-License-Identifier: MIT */
/*
 * Segments and capsules among themselves, in lanes: two points that are near each other prove a hit, and a direction
 * proves a miss. The formulas are in convex_pairs.h.
 */

#ifdef KERNEL_FILTERS

INLINE v w_dot_of(struct v_vector a, struct v_vector b)
{
    return dot3(a.x, a.y, a.z, b.x, b.y, b.z);
}

/* a + t b */
INLINE struct v_vector w_along(struct v_vector a, v t, struct v_vector b)
{
    return (struct v_vector){v_fma(t, b.x, a.x), v_fma(t, b.y, a.y), v_fma(t, b.z, a.z)};
}

/* a - t b */
INLINE struct v_vector w_back(struct v_vector a, v t, struct v_vector b)
{
    return (struct v_vector){v_fnma(t, b.x, a.x), v_fnma(t, b.y, a.y), v_fnma(t, b.z, a.z)};
}

INLINE v w_norm_of(struct v_vector a)
{
    return magnitude_of(a.x, a.y, a.z);
}

INLINE struct v_vector w_vector(v x, v y, v z)
{
    return (struct v_vector){x, y, z};
}

/* Clamped to [0, 1]; the constants are the first operands, so that a NaN stays. */
INLINE v w_clamped(v t)
{
    return v_min(v_set1(1), v_max(v_set1(0), t));
}

/*
 * Two shapes, whose radii add up to r, and a vector w. The distance D of their cores (a capsule's segment, or the shape
 * itself) is at most |w| + E, if w leads from a point of the one core to one of the other but for errors of at most E:
 * a hit where that is below r. For any w at all, D |w| >= low - E |w| where w.(x - y) >= low - E |w| for all points x
 * and y of the cores: a miss where D is beyond r. So it does not matter how w was found.
 *
 * Errors, u = 2^-24, fused or not: delta is beyond E by 2^-60. d2 is off by 3u of |w|^2, and by 2^-148. The roundings
 * of r, r - delta, its square and 1 + 16u cost 6u of r and delta, less than the 8u that the factor is worth. The same
 * holds for a miss, where the products and low^2 add 3u. There d2 is beyond 2^-100 and delta^2 beyond 2^-120, so
 * roundings of d2 are relative, and a product or square that underflows is still on its side of the other. The products
 * of low cost 2^-146, and low is beyond 2^-110.
 * Below 2^30 nothing overflows. NaN and infinity fail that limit.
 */
INLINE void within_distance(struct filter_state *p, struct v_vector w, v low, v r, v delta, v size)
{
    const v d2 = sum_of_squares(w.x, w.y, w.z), more = v_mul(d2, v_set1(1 + 0x10p-24f));
    const v inner = v_sub(r, delta), outer = v_add(r, delta);
    const m in_range = m_lt(v_add(size, r), v_set1(0x1p30f));
    const m near = m_and(m_lt(v_set1(0), inner), m_lt(more, v_mul(inner, inner)));
    const m clear = m_and(m_lt(v_set1(0), low), m_lt(v_set1(0x1p-100f), d2));
    const m far = m_and(clear, m_lt(v_mul(more, v_mul(outer, outer)), v_mul(low, low)));
    hit_if_proved(p, m_and(in_range, near), m_and(in_range, far));
}

/* delta for errors of at most factor times size */
INLINE v error_of(v size, float factor)
{
    return v_fma(size, v_set1(factor), v_set1(0x1p-60f));
}

/* Where two segments e and f come nearest each other. */
struct places {
    v s, t;
};

/*
 * A guess: w + s e - t f is as short as possible with both in [0, 1]. s of the lines, clamped, gives t, and that gives
 * s (Ericson 2005, 5.1.9); once more for the roundings of s. Where the segments are nearly parallel, s may be anything,
 * but then the distance hardly depends on it.
 */
INLINE struct places nearest_places(struct v_vector e, v ee, struct v_vector f, v ff, struct v_vector w)
{
    const v ef = w_dot_of(e, f), ew = w_dot_of(e, w), fw = w_dot_of(f, w), both = v_mul(ee, ff);
    const v by_ee = v_div(v_set1(1), v_max(v_set1(0x1p-126f), ee));
    const v by_ff = v_div(v_set1(1), v_max(v_set1(0x1p-126f), ff));
    const v least = v_fma(both, v_set1(0x1p-20f), v_set1(0x1p-126f));
    const v det = v_max(least, v_fnma(ef, ef, both));
    v s = w_clamped(v_div(v_fnma(ff, ew, v_mul(ef, fw)), det)), t = w_clamped(v_mul(v_fma(ef, s, fw), by_ff));
    s = w_clamped(v_mul(v_fma(ef, t, v_sub(v_set1(0), ew)), by_ee));
    t = w_clamped(v_mul(v_fma(ef, s, fw), by_ff));
    return (struct places){s, t};
}

/* The difference between the coordinates of two intervals that are nearest each other, which are inputs. */
INLINE v interval_gap(struct filter_state *p, v low_a, v high_a, v low_b, v high_b)
{
    const v of_a = v_min(v_max(low_a, low_b), high_a);
    return difference(p, of_a, v_min(v_max(of_a, low_b), high_b));
}

/* Two AABBs, the ends of segments along coordinate axes among them, against r where no difference has rounded. */
INLINE void decide_aabbs_if_exact(struct filter_state *p, struct v_aabb a, struct v_aabb b, v r)
{
    if (p->mode != RECHECK)
        return;
    const v x = interval_gap(p, a.minx, a.maxx, b.minx, b.maxx);
    const v y = interval_gap(p, a.miny, a.maxy, b.miny, b.maxy);
    const v z = interval_gap(p, a.minz, a.maxz, b.minz, b.maxz);
    decide_distance2_if_exact(p, x, y, z, r);
}

INLINE struct v_aabb box_of_segment(struct v_segment s)
{
    return (struct v_aabb){v_min(s.ax, s.bx), v_min(s.ay, s.by), v_min(s.az, s.bz),
                           v_max(s.ax, s.bx), v_max(s.ay, s.by), v_max(s.az, s.bz)};
}

/* A segment along a coordinate axis is an AABB. */
INLINE m segment_is_box(struct v_segment s)
{
    return straight(v_sub(s.bx, s.ax), v_sub(s.by, s.ay), v_sub(s.bz, s.az));
}

/*
 * Errors, u = 2^-24, fused or not, with N the sum of the members of e, f and o, the vector between the first ends. A
 * member of w has u of each of the three, u of s e and t f, and u of each of the two sums: 4u N in all. A scalar
 * product has 3u and u of its difference, and the sums of low 2u more: 6u |w| N. delta has 8u.
 */
INLINE void segments_within(struct filter_state *p, struct v_segment a, struct v_segment b, v r)
{
    const struct v_vector a0 = w_vector(a.ax, a.ay, a.az), b0 = w_vector(b.ax, b.ay, b.az);
    const struct v_vector e = w_minus(w_vector(a.bx, a.by, a.bz), a0), o = w_minus(a0, b0);
    const struct v_vector f = w_minus(w_vector(b.bx, b.by, b.bz), b0);
    const struct places at = nearest_places(e, w_dot_of(e, e), f, w_dot_of(f, f), o);
    const struct v_vector w = w_back(w_along(o, at.s, e), at.t, f);
    const v zero = v_set1(0);
    const v low = v_sub(v_add(w_dot_of(w, o), v_min(zero, w_dot_of(w, e))), v_max(zero, w_dot_of(w, f)));
    const v size = v_add(v_add(w_norm_of(e), w_norm_of(f)), w_norm_of(o));
    within_distance(p, w, low, r, error_of(size, 0x8p-24f), size);
    track_exact(p, m_and(segment_is_box(a), segment_is_box(b)));
    decide_aabbs_if_exact(p, box_of_segment(a), box_of_segment(b), r);
}

INLINE struct v_segment w_core(struct v_capsule c)
{
    return (struct v_segment){c.ax, c.ay, c.az, c.bx, c.by, c.bz};
}

INLINE m same_point(struct v_point a, struct v_point b)
{
    return m_and(m_eq(a.x, b.x), m_and(m_eq(a.y, b.y), m_eq(a.z, b.z)));
}

INLINE m share_end(struct v_segment a, struct v_segment b)
{
    return m_or(m_or(same_point(v_end_a(a), v_end_a(b)), same_point(v_end_a(a), v_end_b(b))),
                m_or(same_point(v_end_b(a), v_end_a(b)), same_point(v_end_b(a), v_end_b(b))));
}

/* Lanes in which the points (ax, ay) and (bx, by) are certainly on opposite sides of the line through two others. */
INLINE m line_parts(v ax, v ay, v bx, v by, v cx, v cy, v dx, v dy)
{
    struct sides of_a = {m_all(), m_all()}, of_b = {m_all(), m_all()};
    note_side(&of_a, v_sub(cx, ax), v_sub(cy, ay), v_sub(dx, ax), v_sub(dy, ay));
    note_side(&of_b, v_sub(cx, bx), v_sub(cy, by), v_sub(dx, bx), v_sub(dy, by));
    return m_or(m_and(of_a.left, of_b.right), m_and(of_a.right, of_b.left));
}

/* Lanes in which the segments certainly cross, in a plane normal to a coordinate axis, as in the data of maps. */
INLINE m cross_in_plane(struct v_segment a, struct v_segment b)
{
    const m in_x = m_and(m_eq(a.ax, a.bx), m_and(m_eq(a.ax, b.ax), m_eq(a.ax, b.bx)));
    const m in_y = m_and(m_eq(a.ay, a.by), m_and(m_eq(a.ay, b.ay), m_eq(a.ay, b.by)));
    const m in_z = m_and(m_eq(a.az, a.bz), m_and(m_eq(a.az, b.az), m_eq(a.az, b.bz)));
    const v ax = v_select(in_x, a.ay, a.ax), ay = v_select(in_z, a.ay, a.az);
    const v bx = v_select(in_x, a.by, a.bx), by = v_select(in_z, a.by, a.bz);
    const v cx = v_select(in_x, b.ay, b.ax), cy = v_select(in_z, b.ay, b.az);
    const v dx = v_select(in_x, b.by, b.bx), dy = v_select(in_z, b.by, b.bz);
    const m crossing = m_and(line_parts(ax, ay, bx, by, cx, cy, dx, dy), line_parts(cx, cy, dx, dy, ax, ay, bx, by));
    return m_and(m_or(in_x, m_or(in_y, in_z)), crossing);
}

/* Only a miss can be proved by distances. Segments that share a point touch, and have no interior. */
INLINE void segment_segment_filter(struct filter_state *p, struct v_segment a, struct v_segment b)
{
    segments_within(p, a, b, v_set1(0));
    if (p->mode != RECHECK)
        return;
    p->exact = m_or(share_end(a, b), cross_in_plane(a, b));
    decide_if_exact(p, v_set1(0), v_set1(0));
}

INLINE void segment_capsule_filter(struct filter_state *p, struct v_segment a, struct v_capsule b)
{
    require_nonneg(p, b.r);
    segments_within(p, a, w_core(b), b.r);
}

INLINE void capsule_capsule_filter(struct filter_state *p, struct v_capsule a, struct v_capsule b)
{
    require_nonneg(p, a.r);
    require_nonneg(p, b.r);
    segments_within(p, w_core(a), w_core(b), sum(p, a.r, b.r));
}

#endif
