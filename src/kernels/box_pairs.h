/* SPDX-License-Identifier: MIT */
/*
 * Boxes among each other and with segments: touches. Filters alone; the formula is that of convex_body.h.
 *
 * The difference K of two boxes is the set of all sums of h_i u_i and g_j v_j times numbers from -1 to 1, and d the
 * offset of their centres. For a direction n, f(n) = |n.d| - sum of h_i |n.u_i| - sum of g_j |n.v_j|. Any n with f(n) >
 * 0 proves a miss. If f(n) < 0 for all cross products n of two axes, d is in the interior of K: a hit. That holds for
 * flat boxes, too, whose half extents of 0 count here: if the sides that are not 0 lie in a plane or on a line, one of
 * these n is normal to all of them, and f(n) = |n.d|. A segment is a box with one side.
 *
 * Axes are orthonormal but for rounding. G is the matrix of the products of a box's axes, and m the greatest entry of
 * |G - I|, of both boxes. Lanes with m >= 2^-6 are not looked into. The cross products of two axes of one box are
 * multiples of u^i, with u^i.u_i = 1 and u^i.u_k = 0. Then |u_i| < 1.008, |u^i| < 1.025 and |u^i - u_i| < 1.78 m, since
 * the square of the latter is e (I - G) G^-1 (I - G) e. With D = |det U|, |D - 1| < 1.58 m and |D u^i - u_i| < 3.39 m.
 */

#ifdef KERNEL_FILTERS

struct v_vector {
    v x, y, z;
};

INLINE v v_dot(struct v_vector a, struct v_vector b)
{
    return v_fma(a.z, b.z, v_fma(a.y, b.y, v_mul(a.x, b.x)));
}

INLINE struct v_vector v_cross(struct v_vector a, struct v_vector b)
{
    return (struct v_vector){v_fnma(a.z, b.y, v_mul(a.y, b.z)), v_fnma(a.x, b.z, v_mul(a.z, b.x)),
                             v_fnma(a.y, b.x, v_mul(a.x, b.y))};
}

INLINE struct v_vector v_sizes(struct v_vector a)
{
    return (struct v_vector){v_abs(a.x), v_abs(a.y), v_abs(a.z)};
}

INLINE v v_total(struct v_vector a)
{
    return v_add(v_add(a.x, a.y), a.z);
}

INLINE v v_greatest(struct v_vector a)
{
    return v_max(v_max(a.x, a.y), a.z);
}

struct v_axes {
    struct v_vector u, v, w;
};

INLINE struct v_axes v_axes_of(struct v_obb b)
{
    return (struct v_axes){{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}};
}

INLINE struct v_vector v_along(struct v_axes axes, struct v_vector d)
{
    return (struct v_vector){v_dot(axes.u, d), v_dot(axes.v, d), v_dot(axes.w, d)};
}

INLINE v v_length2_off_one(struct v_vector a)
{
    return v_fma(a.z, a.z, v_fma(a.y, a.y, v_fma(a.x, a.x, v_set1(-1))));
}

/* Off by less than 3.1u, and may lose a NaN. */
INLINE v v_skew(struct v_axes a)
{
    return v_max(v_max_abs(v_length2_off_one(a.u), v_length2_off_one(a.v), v_length2_off_one(a.w)),
                 v_max_abs(v_dot(a.u, a.v), v_dot(a.u, a.w), v_dot(a.v, a.w)));
}

#define V_SKEWED 0x1p-6f

INLINE void v_leave_skewed(struct filter_state *p, v skew)
{
    leave_undecided(p, m_andnot(m_all(), m_lt(skew, v_set1(V_SKEWED))));
}

INLINE void require_extents(struct filter_state *p, struct v_vector h)
{
    require_nonneg(p, v_min(v_min(h.x, h.y), h.z));
}

/*
 * Ties are decided in RECHECK mode, where all that matters is exact: crates on a grid, boxes turned about the axis
 * along which they rest. An axis is plain if it is a coordinate axis, to which the other two are normal without any
 * rounding. Then products with it, and the face normal to it, are exact.
 */
struct v_plain {
    m u, v, w;
};

INLINE struct v_plain v_plain_of(struct v_axes a)
{
    const v none = v_set1(0);
    const m uv = m_eq(v_dot(a.u, a.v), none), uw = m_eq(v_dot(a.u, a.w), none), vw = m_eq(v_dot(a.v, a.w), none);
    return (struct v_plain){m_and(unit_axis(a.u.x, a.u.y, a.u.z), m_and(uv, uw)),
                            m_and(unit_axis(a.v.x, a.v.y, a.v.z), m_and(uv, vw)),
                            m_and(unit_axis(a.w.x, a.w.y, a.w.z), m_and(uw, vw))};
}

/* Lanes certainly below 0; minus_e has the scale BOUND_SCALE. */
INLINE m v_below(v x, v minus_e)
{
    return m_lt(v_mul(x, v_set1(BOUND_SCALE)), minus_e);
}

/* The sum of g q without rounding, or f tracks that it rounds. */
INLINE v v_whole_reach(struct filter_state *f, struct v_vector g, struct v_vector q)
{
    track_exact_factor(f, q.x);
    track_exact_factor(f, q.y);
    track_exact_factor(f, q.z);
    return sum(f, sum(f, v_mul(g.x, q.x), v_mul(g.y, q.y)), v_mul(g.z, q.z));
}

/* Takes a face: whole where it is plain and f is exact; else it must certainly be below 0, and is not the greatest. */
INLINE void v_track_face(struct filter_state *p, struct filter_state f, m plain, v whole, v rounded, v minus_e, v *most)
{
    const m exact = m_and(plain, f.exact);
    track_exact(p, m_or(exact, v_below(rounded, minus_e)));
    *most = v_max(*most, v_select(exact, whole, rounded));
}

/* Two boxes, or twice them: offset of the centres along the axes of each, half extents, v_j along the axes of u. */
struct v_boxes {
    struct v_vector t, s, h, g;
    struct v_axes r;
    v skew;
};

/* |t| - h - g.q */
INLINE v v_beyond_face(v t, v h, struct v_vector g, v qx, v qy, v qz)
{
    return v_fnma(g.z, qz, v_fnma(g.y, qy, v_fnma(g.x, qx, v_sub(v_abs(t), h))));
}

INLINE struct v_vector v_beyond_faces_of_a(const struct v_boxes *b, struct v_axes q)
{
    return (struct v_vector){v_beyond_face(b->t.x, b->h.x, b->g, q.u.x, q.v.x, q.w.x),
                             v_beyond_face(b->t.y, b->h.y, b->g, q.u.y, q.v.y, q.w.y),
                             v_beyond_face(b->t.z, b->h.z, b->g, q.u.z, q.v.z, q.w.z)};
}

INLINE struct v_vector v_beyond_faces_of_b(const struct v_boxes *b, struct v_axes q)
{
    return (struct v_vector){v_beyond_face(b->s.x, b->g.x, b->h, q.u.x, q.u.y, q.u.z),
                             v_beyond_face(b->s.y, b->g.y, b->h, q.v.x, q.v.y, q.v.z),
                             v_beyond_face(b->s.z, b->g.z, b->h, q.w.x, q.w.y, q.w.z)};
}

/* f(u_i x v_j) for one j; r and q are of v_j, with the next axis v_m, then v_n. */
INLINE struct v_vector v_beyond_edges(const struct v_boxes *b, struct v_vector r, struct v_vector q, v g_m,
                                      struct v_vector q_m, v g_n, struct v_vector q_n)
{
    const struct v_vector n = v_cross(r, b->t), h = b->h;
    return (struct v_vector){v_fnma(g_n, q_m.x, v_fnma(g_m, q_n.x, v_fnma(h.z, q.y, v_fnma(h.y, q.z, v_abs(n.x))))),
                             v_fnma(g_n, q_m.y, v_fnma(g_m, q_n.y, v_fnma(h.x, q.z, v_fnma(h.z, q.x, v_abs(n.y))))),
                             v_fnma(g_n, q_m.z, v_fnma(g_m, q_n.z, v_fnma(h.y, q.x, v_fnma(h.x, q.y, v_abs(n.z)))))};
}

/* The sum of the two lesser members: how far v_j is from the axis of the other box next to it. */
INLINE v v_off_axis(struct v_vector q)
{
    return v_min(v_min(v_add(q.x, q.y), v_add(q.y, q.z)), v_add(q.x, q.z));
}

/* Edges that are more nearly parallel than that do not count. */
#define V_PARALLEL 0x1p-13f

/* Takes the greatest of the edges of v_j, or leaves them out and moves v_j by w |g|. */
INLINE void v_join_edges(v *most, v *moved, struct v_vector edges, v w, v g)
{
    const m parallel = m_le(w, v_set1(V_PARALLEL));
    *most = v_select(parallel, *most, v_max(*most, v_greatest(edges)));
    *moved = v_fma(g, v_select(parallel, w, v_set1(0)), *moved);
}

/*
 * The greatest f of 15 directions against E. Errors, in units of u = 2^-24 (fused or not) and of m:
 *
 * Faces: |T_i| - h_i - sum of g_j Q_ij with T_i = u_i.d, R_ij = u_i.v_j, Q = |R| is f(u^i), but for |u^i - u_i| times
 * |d| and 1.01 g: 1.8 m. Edges: with (i, k, l) cyclic, |T_l R_kj - T_k R_lj| is |d.((u_k x u_l) x v_j)| (Binet,
 * Cauchy), or D |d.(u^i x v_j)|, without error. u_i x v_j has products D u^l.v_j with u_k, and those of v^n.u_i with
 * v_m, of which Q has the same with u_l and v_n. So computed values differ from f(u_i x v_j) by 3.42 m of |d|, h and g.
 * Rounding: T_i 4.1 |d|; R_ij 3.1; T_l R_kj - T_k R_lj 12.4 |d|; a term with h or g 4.1 of it; the sums 4.2 of all. |d|
 * < 0.52 S, where S is the sum of all |T_i|, |v_j.d|, h and g, so that these need 10.6 of |T|, and 8.3 of h and g.
 *
 * Nearly parallel edges: where w, the sum of the two lesser Q_ij of v_j, is at most 2^-13, put R_ij u_i in place of
 * v_j, i being the third. That moves v_j by at most 1.025 w + 1.81 m. The directions of the new body are edges of the
 * other axes of b, faces of b without v_j, and faces of a again: all edges of v_j are left out. If f < -2.05 M for
 * those that are left, M being the sum of g_j times these distances, d is in the new body by more than M, and so in K.
 * Hits need that 2.05 M: 2.11 w g, in which w is off by 6.2, and 3.72 m g.
 *
 * The true m is above the computed one by at most 3.1. g needs the most: 8.3 + 13.1 + 3.1 (3.42 + 3.72) = 43.6, and
 * 7.14 m. E = (48 u + 8 m) S + 2.125 w g + 2^-140 has the rest for its own roundings. Underflow makes 2^-146 in all; a
 * bound that is finite has sizes below 2^118, so nothing overflows. S has a part of each member, hence each NaN.
 */
INLINE v boxes_filter(struct filter_state *p, const struct v_boxes *b)
{
    const struct v_axes q = {v_sizes(b->r.u), v_sizes(b->r.v), v_sizes(b->r.w)};
    const v size = v_add(v_add(v_total(v_sizes(b->t)), v_total(v_sizes(b->s))), v_add(v_total(b->h), v_total(b->g)));
    v most = v_max(v_greatest(v_beyond_faces_of_a(b, q)), v_greatest(v_beyond_faces_of_b(b, q)));
    v moved = v_set1(0);
    v_join_edges(&most, &moved, v_beyond_edges(b, b->r.u, q.u, b->g.y, q.v, b->g.z, q.w), v_off_axis(q.u), b->g.x);
    v_join_edges(&most, &moved, v_beyond_edges(b, b->r.v, q.v, b->g.z, q.w, b->g.x, q.u), v_off_axis(q.v), b->g.y);
    v_join_edges(&most, &moved, v_beyond_edges(b, b->r.w, q.w, b->g.x, q.u, b->g.y, q.v), v_off_axis(q.w), b->g.z);
    const v share = v_fma(b->skew, v_set1(-8 * BOUND_SCALE), v_set1(-0x30p-24f * BOUND_SCALE));
    const v minus_e = v_fma(size, share, v_set1(-0x1p-140f * BOUND_SCALE));
    require_extents(p, b->h);
    require_extents(p, b->g);
    hit_if_scaled_negative(p, most, BOUND_SCALE, v_fma(moved, v_set1(-2.125f * BOUND_SCALE), minus_e));
    v_leave_skewed(p, b->skew);
    return minus_e;
}

/* What ties need beside the rounded values: |t| - h of the faces of a, with the low part of t, and which are plain. */
struct v_ties {
    struct v_vector t, low, h;
    struct v_plain a, b;
};

/* Lanes where an axis of the other box, with products q, is along a plain axis of a: its face is that of a. */
INLINE m v_same_face(struct v_plain a, struct v_vector q)
{
    const v one = v_set1(1);
    return m_or(m_and(a.u, m_eq(q.x, one)), m_or(m_and(a.v, m_eq(q.y, one)), m_and(a.w, m_eq(q.z, one))));
}

/*
 * u_i x v_j is a multiple of a plain axis u_l, with another l, if v_j is normal to it, too: a direction that is that of
 * a face already. It is 0 if both are plain and parallel. The other edges must certainly be below 0.
 */
INLINE void v_track_edges(struct filter_state *p, struct v_plain a, m b, struct v_vector q, struct v_vector edges,
                          v minus_e)
{
    const v none = v_set1(0), one = v_set1(1);
    const m u = m_and(a.u, m_eq(q.x, none)), v_ = m_and(a.v, m_eq(q.y, none)), w = m_and(a.w, m_eq(q.z, none));
    const m no_x = m_and(m_and(a.u, b), m_eq(q.x, one)), no_y = m_and(m_and(a.v, b), m_eq(q.y, one)),
            no_z = m_and(m_and(a.w, b), m_eq(q.z, one));
    track_exact(p, m_or(m_or(m_or(v_, w), no_x), v_below(edges.x, minus_e)));
    track_exact(p, m_or(m_or(m_or(u, w), no_y), v_below(edges.y, minus_e)));
    track_exact(p, m_or(m_or(m_or(u, v_), no_z), v_below(edges.z, minus_e)));
}

/* t + low - h - g q: low is small, and the greater of the others is nearer to t. */
INLINE v v_whole_gap(struct filter_state *f, v t, v low, v h, struct v_vector g, struct v_vector q)
{
    const v reach = v_whole_reach(f, g, q);
    return sum(f, difference(f, difference(f, t, v_max(h, reach)), v_min(h, reach)), low);
}

INLINE void decide_boxes_if_exact(struct filter_state *p, const struct v_boxes *b, const struct v_ties *ties, v minus_e)
{
    const struct v_axes q = {v_sizes(b->r.u), v_sizes(b->r.v), v_sizes(b->r.w)};
    const struct v_vector faces_a = v_beyond_faces_of_a(b, q), faces_b = v_beyond_faces_of_b(b, q);
    struct filter_state x = part_of(p), y = part_of(p), z = part_of(p);
    v most = v_set1(-INFINITY);
    const v whole_x = v_whole_gap(&x, ties->t.x, ties->low.x, ties->h.x, b->g, (struct v_vector){q.u.x, q.v.x, q.w.x});
    const v whole_y = v_whole_gap(&y, ties->t.y, ties->low.y, ties->h.y, b->g, (struct v_vector){q.u.y, q.v.y, q.w.y});
    const v whole_z = v_whole_gap(&z, ties->t.z, ties->low.z, ties->h.z, b->g, (struct v_vector){q.u.z, q.v.z, q.w.z});
    v_track_face(p, x, ties->a.u, whole_x, faces_a.x, minus_e, &most);
    v_track_face(p, y, ties->a.v, whole_y, faces_a.y, minus_e, &most);
    v_track_face(p, z, ties->a.w, whole_z, faces_a.z, minus_e, &most);
    track_exact(p, m_or(m_and(ties->b.u, v_same_face(ties->a, q.u)), v_below(faces_b.x, minus_e)));
    track_exact(p, m_or(m_and(ties->b.v, v_same_face(ties->a, q.v)), v_below(faces_b.y, minus_e)));
    track_exact(p, m_or(m_and(ties->b.w, v_same_face(ties->a, q.w)), v_below(faces_b.z, minus_e)));
    v_track_edges(p, ties->a, ties->b.u, q.u, v_beyond_edges(b, b->r.u, q.u, b->g.y, q.v, b->g.z, q.w), minus_e);
    v_track_edges(p, ties->a, ties->b.v, q.v, v_beyond_edges(b, b->r.v, q.v, b->g.z, q.w, b->g.x, q.u), minus_e);
    v_track_edges(p, ties->a, ties->b.w, q.w, v_beyond_edges(b, b->r.w, q.w, b->g.x, q.u, b->g.y, q.v), minus_e);
    track_exact(p, m_lt(b->skew, v_set1(V_SKEWED)));
    decide_if_exact(p, most, v_set1(0));
}

/* The low part of a difference along an axis, if its value there is made positive. */
INLINE v v_low_of_size(v t, v low)
{
    return v_select(m_lt(t, v_set1(0)), v_sub(v_set1(0), low), low);
}

INLINE struct v_ties v_ties_of_obbs(struct v_axes u, struct v_axes v_, struct v_vector t, struct v_vector low,
                                    struct v_vector h)
{
    const struct v_vector along = v_along(u, low);
    return (struct v_ties){v_sizes(t),
                           {v_low_of_size(t.x, along.x), v_low_of_size(t.y, along.y), v_low_of_size(t.z, along.z)},
                           h,
                           v_plain_of(u),
                           v_plain_of(v_)};
}

/* The greater of min - c and c - max, twice. */
INLINE void v_beyond_bounds_of(v min, v max, v c, v *beyond, v *low)
{
    const v from_min = v_sub(min, c), from_max = v_sub(c, max);
    const m at_min = m_le(from_max, from_min);
    *beyond = v_mul(v_set1(2), v_select(at_min, from_min, from_max));
    *low = v_mul(v_set1(2), v_select(at_min, lost(min, c, from_min), lost(c, max, from_max)));
}

INLINE struct v_ties v_ties_of_aabb(struct v_aabb a, struct v_obb b)
{
    struct v_ties ties = {.a = {m_all(), m_all(), m_all()}, .b = v_plain_of(v_axes_of(b))};
    v_beyond_bounds_of(a.minx, a.maxx, b.cx, &ties.t.x, &ties.low.x);
    v_beyond_bounds_of(a.miny, a.maxy, b.cy, &ties.t.y, &ties.low.y);
    v_beyond_bounds_of(a.minz, a.maxz, b.cz, &ties.t.z, &ties.low.z);
    ties.h.x = ties.h.y = ties.h.z = v_set1(0);
    return ties;
}

INLINE void obb_obb_filter(struct filter_state *p, struct v_obb a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(a), v_ = v_axes_of(b);
    const struct v_vector d = {v_sub(b.cx, a.cx), v_sub(b.cy, a.cy), v_sub(b.cz, a.cz)};
    const struct v_boxes boxes = {v_along(u, d),
                                  v_along(v_, d),
                                  {a.hx, a.hy, a.hz},
                                  {b.hx, b.hy, b.hz},
                                  {v_along(u, v_.u), v_along(u, v_.v), v_along(u, v_.w)},
                                  v_max(v_skew(u), v_skew(v_))};
    const v minus_e = boxes_filter(p, &boxes);
    if (p->mode != RECHECK)
        return;
    const struct v_vector low = {lost(b.cx, a.cx, d.x), lost(b.cy, a.cy, d.y), lost(b.cz, a.cz, d.z)};
    const struct v_ties ties = v_ties_of_obbs(u, v_, boxes.t, low, boxes.h);
    decide_boxes_if_exact(p, &boxes, &ties, minus_e);
}

/*
 * Twice the boxes: the centre of an AABB is not rounded itself, but its bounds relative to the other centre. Their sum
 * is off by 2u of the offset and u of the extent, R is exact, and the axes of the AABB have no skew: less than above.
 */
INLINE void aabb_obb_filter(struct filter_state *p, struct v_aabb a, struct v_obb b)
{
    const struct v_axes v_ = v_axes_of(b);
    const struct v_vector d = {v_add(v_sub(a.minx, b.cx), v_sub(a.maxx, b.cx)),
                               v_add(v_sub(a.miny, b.cy), v_sub(a.maxy, b.cy)),
                               v_add(v_sub(a.minz, b.cz), v_sub(a.maxz, b.cz))};
    const struct v_boxes boxes = {d,
                                  v_along(v_, d),
                                  {v_sub(a.maxx, a.minx), v_sub(a.maxy, a.miny), v_sub(a.maxz, a.minz)},
                                  {v_add(b.hx, b.hx), v_add(b.hy, b.hy), v_add(b.hz, b.hz)},
                                  v_,
                                  v_skew(v_)};
    const v minus_e = boxes_filter(p, &boxes);
    if (p->mode != RECHECK)
        return;
    const struct v_ties ties = v_ties_of_aabb(a, b);
    decide_boxes_if_exact(p, &boxes, &ties, minus_e);
}

/* How far a segment lies beyond two bounds; the sign is exact. */
INLINE v v_beyond_bounds(v a, v b, v min, v max)
{
    return v_max(v_sub(min, v_max(a, b)), v_sub(v_min(a, b), max));
}

/* f(e x u_i) */
INLINE struct v_vector v_beyond_edges_of_segment(struct v_vector d, struct v_vector e, struct v_vector e_size,
                                                 struct v_vector h)
{
    const struct v_vector n = v_cross(e, d);
    return (struct v_vector){v_fnma(h.z, e_size.y, v_fnma(h.y, e_size.z, v_abs(n.x))),
                             v_fnma(h.x, e_size.z, v_fnma(h.z, e_size.x, v_abs(n.y))),
                             v_fnma(h.y, e_size.x, v_fnma(h.x, e_size.y, v_abs(n.z)))};
}

/* The value that is the greatest of those along edges, but for edges that count as parallel. */
INLINE v v_unless(m parallel, v most)
{
    return v_select(parallel, v_set1(-0x1.fffffep127f), most);
}

/*
 * Twice the segment and the box, from the end a: e = b - a is a half of the first. The faces are compared exactly. The
 * edges are e and the axes: with d = e - (min - a) - (max - a), S the sum of the members of |e|, |min - a| and |max -
 * a|, and L = |e_x| + |e_y| + |e_z|, d is off by 3u of these, d_k e_l - d_l e_k by 6u, H_k |e_l| by 3u, and the sums by
 * 4u: 13u S L. Nearly parallel: as for boxes, e moves by w to the axis.
 */
INLINE void segment_aabb_filter(struct filter_state *p, struct v_segment a, struct v_aabb b)
{
    const struct v_vector e = {v_sub(a.bx, a.ax), v_sub(a.by, a.ay), v_sub(a.bz, a.az)}, e_size = v_sizes(e);
    const struct v_vector low = {v_sub(b.minx, a.ax), v_sub(b.miny, a.ay), v_sub(b.minz, a.az)};
    const struct v_vector high = {v_sub(b.maxx, a.ax), v_sub(b.maxy, a.ay), v_sub(b.maxz, a.az)};
    const struct v_vector d = {v_sub(e.x, v_add(low.x, high.x)), v_sub(e.y, v_add(low.y, high.y)),
                               v_sub(e.z, v_add(low.z, high.z))};
    const struct v_vector h = {v_sub(b.maxx, b.minx), v_sub(b.maxy, b.miny), v_sub(b.maxz, b.minz)};
    const struct v_vector faces = {v_beyond_bounds(a.ax, a.bx, b.minx, b.maxx),
                                   v_beyond_bounds(a.ay, a.by, b.miny, b.maxy),
                                   v_beyond_bounds(a.az, a.bz, b.minz, b.maxz)};
    const v length = v_total(e_size), w = v_off_axis(e_size), face = v_greatest(faces);
    const v size = v_add(length, v_add(v_total(v_sizes(low)), v_total(v_sizes(high))));
    const m parallel = m_le(w, v_mul(length, v_set1(V_PARALLEL)));
    const v edge = v_unless(parallel, v_greatest(v_beyond_edges_of_segment(d, e, e_size, h)));
    const v minus_e = v_fma(v_mul(size, length), v_set1(-0x10p-24f), v_set1(-0x1p-120f));
    const v moved = v_select(parallel, w, v_set1(0));
    aabb_valid(p, b);
    hit_if_proved(p, m_and(m_lt(v_fma(moved, v_set1(1.0625f), face), v_set1(0)), m_lt(edge, minus_e)),
                  m_or(m_lt(v_set1(0), face), m_lt(v_set1(0), v_add(edge, minus_e))));
    if (p->mode != RECHECK)
        return;
    /* An edge that is normal to an axis of the box, as e is, has the direction of a face. */
    const v none = v_set1(0);
    const struct v_vector edges = v_beyond_edges_of_segment(d, e, e_size, h);
    const m x = m_eq(e.x, none), y = m_eq(e.y, none), z = m_eq(e.z, none);
    track_exact(p, m_or(m_or(y, z), m_lt(edges.x, minus_e)));
    track_exact(p, m_or(m_or(x, z), m_lt(edges.y, minus_e)));
    track_exact(p, m_or(m_or(x, y), m_lt(edges.z, minus_e)));
    decide_if_exact(p, face, none);
}

/*
 * Twice the segment and the box, along its axes: W = u.e, T = 2 u.(a - c) + W. The same as for boxes, with e in place
 * of v_j, which has any length. T is off by 5.1 |d| + 8.2 |e|, and W by 4.1 |e|: faces need 7.2 |d|, 14.3 |e| and 2.1
 * h, and 1.78 m of |d| and |e|; edges 17.5 |d|, 11.9 |e| and 7.2 h, times |e|, and 3.39 m. Nearly parallel edges need
 * 2.11 w, which is off by 8.2, and 3.68 m |e|. |d| < 1.03 |T| and |e| < 1.03 L, so E = (56 u + 6 m) S + 2.125 w +
 * 2^-120 suffices for the faces, with S the sum of |T|, |W| and 2 h, and (56 u + 6 m) S L + 2^-120 for the edges.
 */
INLINE void segment_obb_filter(struct filter_state *p, struct v_segment a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(b);
    const struct v_vector from = v_along(u, (struct v_vector){v_sub(a.ax, b.cx), v_sub(a.ay, b.cy), v_sub(a.az, b.cz)});
    const struct v_vector e = v_along(u, (struct v_vector){v_sub(a.bx, a.ax), v_sub(a.by, a.ay), v_sub(a.bz, a.az)});
    const v two = v_set1(2), skew = v_skew(u);
    const struct v_vector d = {v_fma(from.x, two, e.x), v_fma(from.y, two, e.y), v_fma(from.z, two, e.z)};
    const struct v_vector h = {v_add(b.hx, b.hx), v_add(b.hy, b.hy), v_add(b.hz, b.hz)}, e_size = v_sizes(e);
    const struct v_vector faces = {v_sub(v_sub(v_abs(d.x), h.x), e_size.x), v_sub(v_sub(v_abs(d.y), h.y), e_size.y),
                                   v_sub(v_sub(v_abs(d.z), h.z), e_size.z)};
    const v length = v_total(e_size), w = v_off_axis(e_size), face = v_greatest(faces);
    const v size = v_add(length, v_add(v_total(v_sizes(d)), v_total(h)));
    const m parallel = m_le(w, v_mul(length, v_set1(V_PARALLEL)));
    const v edge = v_unless(parallel, v_greatest(v_beyond_edges_of_segment(d, e, e_size, h)));
    const v share = v_fma(skew, v_set1(-6), v_set1(-0x38p-24f)), none = v_set1(0), least = v_set1(-0x1p-120f);
    const v minus_e_face = v_fma(size, share, least), minus_e_edge = v_fma(v_mul(size, length), share, least);
    const v moved = v_select(parallel, w, none);
    require_extents(p, h);
    hit_if_proved(p, m_and(m_lt(v_fma(moved, v_set1(2.125f), face), minus_e_face), m_lt(edge, minus_e_edge)),
                  m_or(m_lt(none, v_add(face, minus_e_face)), m_lt(none, v_add(edge, minus_e_edge))));
    v_leave_skewed(p, skew);
}

#endif
