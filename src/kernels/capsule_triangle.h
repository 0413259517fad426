/* SPDX-License-Identifier: MIT */
/*
 * Capsule and triangle, which may be degenerate, in lanes: near points are guessed, and the vector between them proves
 * the answer (segment_segment.h). The formulas are in convex_pairs.h.
 */

#ifdef KERNEL_FILTERS

/* A vector between two points, and its squared length. */
struct near_points {
    struct v_vector w;
    v d2;
};

INLINE struct near_points near_points(struct v_vector w)
{
    return (struct near_points){w, sum_of_squares(w.x, w.y, w.z)};
}

/* A vector that is not a number is never the nearer one. */
INLINE struct near_points nearer(struct near_points a, struct near_points b)
{
    const m of_b = m_lt(b.d2, a.d2);
    return (struct near_points){
        {v_select(of_b, b.w.x, a.w.x), v_select(of_b, b.w.y, a.w.y), v_select(of_b, b.w.z, a.w.z)},
        v_select(of_b, b.d2, a.d2)};
}

/* A segment, from its first end along e, and an edge of the triangle, from o behind that end along f. */
INLINE struct near_points near_edge(struct v_vector e, v ee, struct v_vector o, struct v_vector f)
{
    const struct places at = nearest_places(e, ee, f, w_dot_of(f, f), o);
    return near_points(w_back(w_along(o, at.s, e), at.t, f));
}

INLINE struct v_vector w_cross_of(struct v_vector a, struct v_vector b)
{
    return (struct v_vector){v_fnma(a.z, b.y, v_mul(a.y, b.z)), v_fnma(a.x, b.z, v_mul(a.z, b.x)),
                             v_fnma(a.y, b.x, v_mul(a.x, b.y))};
}

/*
 * Where the segment crosses the plane of the triangle, or the end that is nearer to it, projected onto the plane and
 * clamped into the triangle.
 */
INLINE struct near_points near_area(struct v_vector e, struct v_vector o, struct v_vector f, struct v_vector g)
{
    const v zero = v_set1(0);
    const struct v_vector n = w_cross_of(f, g);
    const v s = w_clamped(v_div(v_sub(zero, w_dot_of(n, o)), w_dot_of(n, e)));
    const struct v_vector at = w_along(o, s, e);
    const v ff = w_dot_of(f, f), gg = w_dot_of(g, g), fg = w_dot_of(f, g), fp = w_dot_of(f, at), gp = w_dot_of(g, at);
    const v determinant = v_fnma(fg, fg, v_mul(ff, gg));
    const v beta = fraction(v_fnma(gp, fg, v_mul(fp, gg)), determinant);
    const v gamma = v_min(v_sub(v_set1(1), beta), fraction(v_fnma(fp, fg, v_mul(gp, ff)), determinant));
    return near_points(w_back(w_back(at, beta, f), gamma, g));
}

/* The vectors from the corners to a point; the rest is not looked at. */
INLINE struct corner_view corners_seen_from(v x, v y, v z, struct v_triangle b)
{
    const v none = v_set1(0);
    return (struct corner_view){v_sub(x, b.ax), v_sub(y, b.ay), v_sub(z, b.az), v_sub(x, b.bx), v_sub(y, b.by),
                                v_sub(z, b.bz), v_sub(x, b.cx), v_sub(y, b.cy), v_sub(z, b.cz), none,
                                none,           none,           none,           none,           none};
}

/*
 * Ties of capsules that stand on level ground or at a wall: the end that is nearer to the plane of the triangle
 * decides, if the other one is not on the other side, and the end is certainly above the interior (sphere_triangle.h).
 */
INLINE void decide_standing_if_exact(struct filter_state *p, struct v_capsule a, struct v_triangle b)
{
    if (p->mode != RECHECK)
        return;
    const m in_x = m_and(m_eq(b.ax, b.bx), m_eq(b.ax, b.cx)), in_z = m_and(m_eq(b.az, b.bz), m_eq(b.az, b.cz));
    const v at_a = v_select(in_x, a.ax, v_select(in_z, a.az, a.ay));
    const v at_b = v_select(in_x, a.bx, v_select(in_z, a.bz, a.by));
    const v level = v_select(in_x, b.ax, v_select(in_z, b.az, b.ay));
    p->exact = m_or(m_and(m_le(level, at_a), m_le(at_a, at_b)), m_and(m_le(at_b, at_a), m_le(at_a, level)));
    above_axis_aligned(p, v_ball_a(a), b, corners_seen_from(a.ax, a.ay, a.az, b));
    p->exact = m_or(m_and(m_le(level, at_b), m_le(at_b, at_a)), m_and(m_le(at_a, at_b), m_le(at_b, level)));
    above_axis_aligned(p, v_ball_b(a), b, corners_seen_from(a.bx, a.by, a.bz, b));
}

/*
 * Four candidates, of three edges and the area: if no edge is nearest, an end of the segment is, or it crosses the
 * area.
 *
 * Errors, u = 2^-24, fused or not, with N the sum of the members of e, f, g, h (the third edge) and o: each has u of
 * its difference. A member of w has u of each of at most three products and of each of the sums, and gamma may be u too
 * great: 5u N in all; seen from another corner, o is at most o + f. A scalar product has 3u and u of its differences,
 * and the sums of low 2u more: 6u |w| N. delta has 8u.
 */
INLINE void capsule_triangle_filter(struct filter_state *p, struct v_capsule a, struct v_triangle b)
{
    const struct v_vector from = {a.ax, a.ay, a.az}, b0 = {b.ax, b.ay, b.az}, b1 = {b.bx, b.by, b.bz};
    const struct v_vector b2 = {b.cx, b.cy, b.cz};
    const struct v_vector e = w_minus(w_vector(a.bx, a.by, a.bz), from), o = w_minus(from, b0);
    const struct v_vector f = w_minus(b1, b0), g = w_minus(b2, b0), h = w_minus(b2, b1);
    const v ee = w_dot_of(e, e), zero = v_set1(0);
    const struct near_points edges = nearer(near_edge(e, ee, o, f), near_edge(e, ee, o, g));
    const struct near_points others = nearer(near_edge(e, ee, w_minus(from, b1), h), near_area(e, o, f, g));
    const struct v_vector w = nearer(edges, others).w;
    const v most = v_max(zero, v_max(w_dot_of(w, f), w_dot_of(w, g)));
    const v low = v_sub(v_add(w_dot_of(w, o), v_min(zero, w_dot_of(w, e))), most);
    const v size = v_add(v_add(w_norm_of(e), w_norm_of(o)), v_add(w_norm_of(h), v_add(w_norm_of(f), w_norm_of(g))));
    require_nonneg(p, a.r);
    within_distance(p, w, low, a.r, error_of(size, 0x8p-24f), size);
    decide_standing_if_exact(p, a, b);
}

#endif
