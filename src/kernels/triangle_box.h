/* SPDX-License-Identifier: MIT */
/*
 * Triangle and AABB or OBB, in lanes: a direction that separates them proves a miss, and a hit is proved where no
 * direction of kernels/convex_body.h does (Akenine-Moeller 2001). The formulas are in convex_pairs.h.
 */

#ifdef KERNEL_FILTERS

/*
 * A box whose centre is the origin and whose edges are along the axes, and a triangle. Lengths are taken times 2^30,
 * and normals times 2^-60 more.
 *
 * The triangle here has the rounded vertices p, q, r. Let every point of the true difference of triangle and box be
 * within eps, in each coordinate, of one of the difference of these, and the other way round. If no direction n that is
 * tested leaves a gap for half extents h - eps, then 0 is in the latter with all points up to eps away in each
 * coordinate, so it is inside of the former: that holds for negative h - eps, too. If some n leaves a gap for h + eps,
 * 0 is in neither.
 *
 * Errors, u = 2^-24, fused or not, with all members of p, q, r and h below S. The direction across the axis k and the
 * edge e has the members (e_i, e_j): products of points and edges are off by 3u S (|e_i| + |e_j|), those with h by 2u,
 * sums by 2u of both: 7u S. Half extents that have rounded twice: 2u S. The bound has 16u S, which is taken from h
 * before, so that a direction that is exactly parallel to an edge leaves no gap and proves nothing. It has 2^-27, too,
 * for underflow: an edge is 0 or at least 2^-119, and products lose 2^-149. The normal n is off by 4u |e||f|, n.p and
 * the reach by 9u S |e||f|, beside eps.
 */
#define BOX_SCALE 0x1p30f

struct w_framed {
    struct v_vector p, q, r;
};

struct w_gaps {
    v inner, outer; /* for h - eps and for h + eps, with all errors */
};

INLINE struct w_gaps w_both(struct w_gaps a, struct w_gaps b)
{
    return (struct w_gaps){v_max(a.inner, b.inner), v_max(a.outer, b.outer)};
}

/* Along a coordinate axis. */
INLINE struct w_gaps w_face(v p, v q, v r, v inner, v outer)
{
    const struct w_three at = {p, q, r};
    const v gap = w_gap(w_least(at), w_greatest(at));
    return (struct w_gaps){v_sub(gap, inner), v_sub(gap, outer)};
}

/* Across an axis and the edge from p, whose members along the other two axes these are; r is another vertex. */
INLINE struct w_gaps w_across(v p1, v p2, v r1, v r2, v e1, v e2, v inner1, v inner2, v outer1, v outer2)
{
    const v at_p = v_fnma(p1, e2, v_mul(p2, e1)), at_r = v_fnma(r1, e2, v_mul(r2, e1));
    const v gap = w_gap(v_min(at_p, at_r), v_max(at_p, at_r)), size1 = v_abs(e1), size2 = v_abs(e2);
    return (struct w_gaps){v_fnma(inner1, size2, v_fnma(inner2, size1, gap)),
                           v_fnma(outer1, size2, v_fnma(outer2, size1, gap))};
}

INLINE struct w_gaps w_across_edge(struct v_vector p, struct v_vector r, struct v_vector e, struct v_vector inner,
                                   struct v_vector outer)
{
    const struct w_gaps x = w_across(p.y, p.z, r.y, r.z, e.y, e.z, inner.y, inner.z, outer.y, outer.z);
    const struct w_gaps y = w_across(p.z, p.x, r.z, r.x, e.z, e.x, inner.z, inner.x, outer.z, outer.x);
    const struct w_gaps z = w_across(p.x, p.y, r.x, r.y, e.x, e.y, inner.x, inner.y, outer.x, outer.y);
    return w_both(x, w_both(y, z));
}

INLINE v w_reach(struct v_vector h, struct v_vector n, v from)
{
    return v_fnma(h.x, v_abs(n.x), v_fnma(h.y, v_abs(n.y), v_fnma(h.z, v_abs(n.z), from)));
}

/* h - eps, in lanes where that has a meaning. */
struct w_inner {
    struct v_vector h;
    m in_range;
};

INLINE struct w_inner triangle_box(struct filter_state *p, struct w_framed t, struct v_vector least,
                                   struct v_vector greatest, v own_error, m able)
{
    const struct v_vector e = w_minus(t.q, t.p), f = w_minus(t.r, t.q), g = w_minus(t.p, t.r);
    const v norm_e = w_norm1(e), norm_f = w_norm1(f);
    const v size = v_add(v_add(w_norm1(t.p), v_add(norm_e, norm_f)), w_norm1(greatest));
    const v eps = v_fma(size, v_set1(0x10p-24f), own_error);
    const struct v_vector inner = {v_sub(least.x, eps), v_sub(least.y, eps), v_sub(least.z, eps)};
    const struct v_vector outer = {v_add(greatest.x, eps), v_add(greatest.y, eps), v_add(greatest.z, eps)};
    struct w_gaps all =
        w_both(w_face(t.p.x, t.q.x, t.r.x, inner.x, outer.x),
               w_both(w_face(t.p.y, t.q.y, t.r.y, inner.y, outer.y), w_face(t.p.z, t.q.z, t.r.z, inner.z, outer.z)));
    all = w_both(all, w_across_edge(t.p, t.r, e, inner, outer));
    all = w_both(all, w_across_edge(t.q, t.p, f, inner, outer));
    all = w_both(all, w_across_edge(t.r, t.q, g, inner, outer));
    const struct v_vector small = w_scaled(e, 0x1p-60f), n = v_cross(small, f);
    const v at = v_abs(dot3(n.x, n.y, n.z, t.p.x, t.p.y, t.p.z));
    const v error = v_mul(eps, v_fma(v_mul(norm_e, v_set1(0x1p-60f)), norm_f, v_set1(0x1p-90f)));
    all = w_both(all, (struct w_gaps){v_add(w_reach(inner, n, at), error), v_sub(w_reach(outer, n, at), error)});
    const m in_range = m_and(able, m_lt(size, v_set1(0x1p60f)));
    hit_if_proved(p, m_and(in_range, m_le(all.inner, v_set1(0))), m_and(in_range, m_lt(v_set1(0), all.outer)));
    return (struct w_inner){inner, in_range};
}

/*
 * Ties of triangles that lie on a face of a box, as floors do below crates, and walls beside them. Let all vertices be
 * at one height along an axis of the box, to which its other axes are normal. Then the difference of both is a prism
 * along that axis. 0 is in it, or inside, if the heights say so, which are compared without rounding, and if it is
 * inside of the base. That is proved as above, with the directions in the plane of the base.
 */
INLINE m w_meet_in_plane(v p1, v p2, v q1, v q2, v r1, v r2, v h1, v h2)
{
    const struct w_gaps e = w_across(p1, p2, r1, r2, v_sub(q1, p1), v_sub(q2, p2), h1, h2, h1, h2),
                        f = w_across(q1, q2, p1, p2, v_sub(r1, q1), v_sub(r2, q2), h1, h2, h1, h2),
                        g = w_across(r1, r2, q1, q2, v_sub(p1, r1), v_sub(p2, r2), h1, h2, h1, h2);
    const struct w_gaps faces = w_both(w_face(p1, q1, r1, h1, h1), w_face(p2, q2, r2, h2, h2));
    return m_le(w_both(w_both(e, f), w_both(g, faces)).inner, v_set1(0));
}

INLINE m w_across_x(struct w_framed t, struct w_inner inner)
{
    return m_and(inner.in_range, w_meet_in_plane(t.p.y, t.p.z, t.q.y, t.q.z, t.r.y, t.r.z, inner.h.y, inner.h.z));
}

INLINE m w_across_y(struct w_framed t, struct w_inner inner)
{
    return m_and(inner.in_range, w_meet_in_plane(t.p.z, t.p.x, t.q.z, t.q.x, t.r.z, t.r.x, inner.h.z, inner.h.x));
}

INLINE m w_across_z(struct w_framed t, struct w_inner inner)
{
    return m_and(inner.in_range, w_meet_in_plane(t.p.x, t.p.y, t.q.x, t.q.y, t.r.x, t.r.y, inner.h.x, inner.h.y));
}

INLINE m w_level(v a, v b, v c)
{
    return m_and(m_eq(a, b), m_eq(a, c));
}

/* The sign of a difference is exact. */
INLINE void decide_bounds(struct filter_state *p, m meet, v a, v b, v c, v min, v max)
{
    p->exact = m_and(meet, w_level(a, b, c));
    decide_if_exact(p, v_max(v_sub(min, a), v_sub(a, max)), v_set1(0));
}

INLINE void decide_extent(struct filter_state *p, m meet, struct v_triangle a, struct v_vector u, struct v_vector c,
                          v h)
{
    const v at = v_dot(u, w_first(a));
    p->exact = m_and(meet, w_level(at, v_dot(u, w_second(a)), v_dot(u, w_third(a))));
    decide_if_exact(p, difference(p, v_abs(difference(p, at, v_dot(u, c))), h), v_set1(0));
}

/* a - from, times the scale; the products do not round. */
INLINE v w_offset(v a, v from)
{
    return v_fma(a, v_set1(BOX_SCALE), v_mul(from, v_set1(-BOX_SCALE)));
}

INLINE v w_middle(v min, v max)
{
    return v_mul(v_add(min, max), v_set1(0.5f));
}

INLINE struct v_vector w_from(struct v_vector a, struct v_vector centre)
{
    return (struct v_vector){w_offset(a.x, centre.x), w_offset(a.y, centre.y), w_offset(a.z, centre.z)};
}

/*
 * The centre is any point near the middle of the box: the half extents to both sides differ by its error, and the
 * lesser and the greater of them stand for the box. Vertices round once, 1u.
 */
INLINE void triangle_aabb_filter(struct filter_state *p, struct v_triangle a, struct v_aabb b)
{
    const struct v_vector c = {w_middle(b.minx, b.maxx), w_middle(b.miny, b.maxy), w_middle(b.minz, b.maxz)};
    const struct v_vector low = w_from(c, (struct v_vector){b.minx, b.miny, b.minz});
    const struct v_vector high = w_from((struct v_vector){b.maxx, b.maxy, b.maxz}, c);
    const m able = m_and(m_le(b.minx, b.maxx), m_and(m_le(b.miny, b.maxy), m_le(b.minz, b.maxz)));
    const struct w_framed t = {w_from(w_first(a), c), w_from(w_second(a), c), w_from(w_third(a), c)};
    const struct w_inner inner = triangle_box(
        p, t, (struct v_vector){v_min(low.x, high.x), v_min(low.y, high.y), v_min(low.z, high.z)},
        (struct v_vector){v_max(low.x, high.x), v_max(low.y, high.y), v_max(low.z, high.z)}, v_set1(0x1p-27f), able);
    if (p->mode != RECHECK)
        return;
    decide_bounds(p, w_across_x(t, inner), a.ax, a.bx, a.cx, b.minx, b.maxx);
    decide_bounds(p, w_across_y(t, inner), a.ay, a.by, a.cy, b.miny, b.maxy);
    decide_bounds(p, w_across_z(t, inner), a.az, a.bz, a.cz, b.minz, b.maxz);
}

/* The products of a vector with the axes of a box. */
INLINE struct v_vector w_in_axes(struct v_vector a, struct v_obb b)
{
    return (struct v_vector){dot3(b.ux, b.uy, b.uz, a.x, a.y, a.z), dot3(b.vx, b.vy, b.vz, a.x, a.y, a.z),
                             dot3(b.wx, b.wy, b.wz, a.x, a.y, a.z)};
}

/*
 * Let U have the axes as columns, and U^T U = I + X with members of X below delta. U^T takes the box to the points (I +
 * X) x with |x_k| <= h_k, which are within delta (h_x + h_y + h_z) of x. For delta < 2^-6 it can be inverted, so it
 * keeps whether two sets meet. Rounding makes members of X 4u greater. A vertex is off by 4u |u_k||d| <= 4.2u |p|, u
 * for the difference and 3u for the dot product. With 9u as above, that is less than 16u.
 */
INLINE v w_skew(struct v_obb b)
{
    const v minus_one = v_set1(-1);
    const v u = v_fma(b.ux, b.ux, v_fma(b.uy, b.uy, v_fma(b.uz, b.uz, minus_one)));
    const v v_ = v_fma(b.vx, b.vx, v_fma(b.vy, b.vy, v_fma(b.vz, b.vz, minus_one)));
    const v w = v_fma(b.wx, b.wx, v_fma(b.wy, b.wy, v_fma(b.wz, b.wz, minus_one)));
    const v uv = dot3(b.ux, b.uy, b.uz, b.vx, b.vy, b.vz), vw = dot3(b.vx, b.vy, b.vz, b.wx, b.wy, b.wz);
    const v wu = dot3(b.wx, b.wy, b.wz, b.ux, b.uy, b.uz);
    return v_max(v_max_abs(u, v_, w), v_max_abs(uv, vw, wu));
}

INLINE void triangle_obb_filter(struct filter_state *p, struct v_triangle a, struct v_obb b)
{
    const struct v_vector centre = {b.cx, b.cy, b.cz}, h = v_times(v_set1(BOX_SCALE), b.hx, b.hy, b.hz);
    const v skew = w_skew(b), reach = v_add(h.x, v_add(h.y, h.z));
    const v own_error = v_fma(v_add(skew, v_set1(0x4p-24f)), reach, v_set1(0x1p-27f));
    const m able = m_and(m_lt(skew, v_set1(0x1p-6f)), m_le(v_set1(0), v_min(b.hx, v_min(b.hy, b.hz))));
    const struct w_framed t = {w_in_axes(w_from(w_first(a), centre), b), w_in_axes(w_from(w_second(a), centre), b),
                               w_in_axes(w_from(w_third(a), centre), b)};
    const struct w_inner inner = triangle_box(p, t, h, h, own_error, able);
    if (p->mode != RECHECK)
        return;
    const struct v_axes axes = v_axes_of(b);
    const struct v_plain plain = v_plain_of(axes);
    decide_extent(p, m_and(plain.u, w_across_x(t, inner)), a, axes.u, centre, b.hx);
    decide_extent(p, m_and(plain.v, w_across_y(t, inner)), a, axes.v, centre, b.hy);
    decide_extent(p, m_and(plain.w, w_across_z(t, inner)), a, axes.w, centre, b.hz);
}

#endif
