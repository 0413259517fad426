/* SPDX-License-Identifier: MIT */
/*
 * Whether a convex body, or all points within a radius of it, is inside a box: in every direction that is normal to a
 * face of the box, it ends before the box does. Degree 8 for rounded bodies in OBBs, else 4.
 */

#ifdef KERNEL_FILTERS

/*
 * |u^i.q| + r |u^i| <= h_i for the three axes of the box (box_pairs.h), and all points q of the body from its centre.
 * reach has |u_i.q| + r in place of the left sides. u^i is off by 1.78 m of |q|, and |u^i| by 2.3 m; |q| is less than
 * 1.03 times the sum of the |u_i.q|. For points, u_i.q is off by 4.1 |q|; sums, here and for boxes, by 2 of all. The
 * true m exceeds the computed skew by at most 3.1. So the bound is (16 u + 3 m) S, S being the sum of reach, or of
 * more.
 */
INLINE v inside_obb(struct filter_state *p, struct v_vector reach, v size, v skew, struct v_vector h)
{
    const v x = v_sub(reach.x, h.x), y = v_sub(reach.y, h.y), z = v_sub(reach.z, h.z);
    const v share = v_fma(skew, v_set1(-3 * BOUND_SCALE), v_set1(-0x10p-24f * BOUND_SCALE));
    const v minus_e = v_fma(size, share, v_set1(-0x1p-140f * BOUND_SCALE));
    require_nonneg(p, h.x);
    require_nonneg(p, h.y);
    require_nonneg(p, h.z);
    hit_if_scaled_negative(p, v_max(v_max(x, y), z), BOUND_SCALE, minus_e);
    v_leave_skewed(p, skew);
    return minus_e;
}

/* Of the parts of a body: the greatest |u_i.q| + r that is exact, and whether it is, for each axis of the box. */
struct v_inside {
    struct filter_state x, y, z;
    struct v_vector most;
};

INLINE struct v_inside v_inside_start(const struct filter_state *p)
{
    const v least = v_set1(-INFINITY);
    return (struct v_inside){part_of(p), part_of(p), part_of(p), {least, least, least}};
}

/* |t| + r - h */
INLINE void v_inside_join(struct filter_state *f, v *most, v t, v low, v r, v h)
{
    *most = v_max(*most, sum(f, sum(f, difference(f, v_abs(t), h), r), v_low_of_size(t, low)));
}

/* Adds a point, with how far the body reaches from it along each axis. */
INLINE void v_inside_add(struct v_inside *in, struct v_obb b, v x, v y, v z, struct v_vector r)
{
    const struct v_axes u = v_axes_of(b);
    const struct v_vector d = {v_sub(x, b.cx), v_sub(y, b.cy), v_sub(z, b.cz)}, t = v_along(u, d);
    const struct v_vector low =
        v_along(u, (struct v_vector){lost(x, b.cx, d.x), lost(y, b.cy, d.y), lost(z, b.cz, d.z)});
    v_inside_join(&in->x, &in->most.x, t.x, low.x, r.x, b.hx);
    v_inside_join(&in->y, &in->most.y, t.y, low.y, r.y, b.hy);
    v_inside_join(&in->z, &in->most.z, t.z, low.z, r.z, b.hz);
}

INLINE void decide_inside_if_exact(struct filter_state *p, const struct v_inside *in, struct v_vector reach, v skew,
                                   struct v_axes u, struct v_vector h, v minus_e)
{
    const struct v_plain plain = v_plain_of(u);
    v most = v_set1(-INFINITY);
    v_track_face(p, in->x, plain.u, in->most.x, v_sub(reach.x, h.x), minus_e, &most);
    v_track_face(p, in->y, plain.v, in->most.y, v_sub(reach.y, h.y), minus_e, &most);
    v_track_face(p, in->z, plain.w, in->most.z, v_sub(reach.z, h.z), minus_e, &most);
    track_exact(p, m_lt(skew, v_set1(V_SKEWED)));
    decide_if_exact(p, most, v_set1(0));
}

INLINE struct v_vector v_half_extents(struct v_obb b)
{
    return (struct v_vector){b.hx, b.hy, b.hz};
}

/* A point from the centre of the box, along the axes. */
INLINE struct v_vector v_reach_of_point(struct v_axes u, struct v_obb b, v x, v y, v z)
{
    return v_sizes(v_along(u, (struct v_vector){v_sub(x, b.cx), v_sub(y, b.cy), v_sub(z, b.cz)}));
}

INLINE struct v_vector v_farther(struct v_vector a, struct v_vector b)
{
    return (struct v_vector){v_max(a.x, b.x), v_max(a.y, b.y), v_max(a.z, b.z)};
}

/* Of a segment with a radius. A radius of 0 changes no bit of a sum. */
INLINE void capsule_in_obb_filter(struct filter_state *p, struct v_capsule a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(b);
    const struct v_vector at_a = v_reach_of_point(u, b, a.ax, a.ay, a.az),
                          at_b = v_reach_of_point(u, b, a.bx, a.by, a.bz), far = v_farther(at_a, at_b),
                          reach = {v_add(far.x, a.r), v_add(far.y, a.r), v_add(far.z, a.r)}, h = v_half_extents(b);
    const v skew = v_skew(u);
    require_nonneg(p, a.r);
    const v minus_e = inside_obb(p, reach, v_add(v_add(v_total(at_a), v_total(at_b)), a.r), skew, h);
    if (p->mode != RECHECK)
        return;
    const struct v_vector r = {a.r, a.r, a.r};
    struct v_inside in = v_inside_start(p);
    v_inside_add(&in, b, a.ax, a.ay, a.az, r);
    v_inside_add(&in, b, a.bx, a.by, a.bz, r);
    decide_inside_if_exact(p, &in, reach, skew, u, h, minus_e);
}

INLINE void segment_in_obb_filter(struct filter_state *p, struct v_segment a, struct v_obb b)
{
    capsule_in_obb_filter(p, (struct v_capsule){a.ax, a.ay, a.az, a.bx, a.by, a.bz, v_set1(0)}, b);
}

INLINE void triangle_in_obb_filter(struct filter_state *p, struct v_triangle a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(b);
    const struct v_vector at_a = v_reach_of_point(u, b, a.ax, a.ay, a.az),
                          at_b = v_reach_of_point(u, b, a.bx, a.by, a.bz),
                          at_c = v_reach_of_point(u, b, a.cx, a.cy, a.cz),
                          reach = v_farther(v_farther(at_a, at_b), at_c), h = v_half_extents(b);
    const v skew = v_skew(u), size = v_add(v_add(v_total(at_a), v_total(at_b)), v_total(at_c));
    const v minus_e = inside_obb(p, reach, size, skew, h);
    if (p->mode != RECHECK)
        return;
    const struct v_vector none = {v_set1(0), v_set1(0), v_set1(0)};
    struct v_inside in = v_inside_start(p);
    v_inside_add(&in, b, a.ax, a.ay, a.az, none);
    v_inside_add(&in, b, a.bx, a.by, a.bz, none);
    v_inside_add(&in, b, a.cx, a.cy, a.cz, none);
    decide_inside_if_exact(p, &in, reach, skew, u, h, minus_e);
}

/*
 * Half of the boxes would round the centre, so these are twice them, as in aabb_obb_filter(). The offset is off by 2 of
 * itself and 1 of the extent: 12.4 in all. Along a plain axis, two opposite corners reach as far as the box.
 */
INLINE void aabb_in_obb_filter(struct filter_state *p, struct v_aabb a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(b);
    const struct v_vector d = v_along(u, (struct v_vector){v_add(v_sub(a.minx, b.cx), v_sub(a.maxx, b.cx)),
                                                           v_add(v_sub(a.miny, b.cy), v_sub(a.maxy, b.cy)),
                                                           v_add(v_sub(a.minz, b.cz), v_sub(a.maxz, b.cz))});
    const struct v_vector g = {v_sub(a.maxx, a.minx), v_sub(a.maxy, a.miny), v_sub(a.maxz, a.minz)};
    const struct v_vector reach = {v_add(v_abs(d.x), v_dot(v_sizes(u.u), g)), v_add(v_abs(d.y), v_dot(v_sizes(u.v), g)),
                                   v_add(v_abs(d.z), v_dot(v_sizes(u.w), g))};
    const struct v_vector h = {v_add(b.hx, b.hx), v_add(b.hy, b.hy), v_add(b.hz, b.hz)};
    const v skew = v_skew(u);
    aabb_valid(p, a);
    const v minus_e = inside_obb(p, reach, v_total(reach), skew, h);
    if (p->mode != RECHECK)
        return;
    const struct v_vector none = {v_set1(0), v_set1(0), v_set1(0)};
    struct v_inside in = v_inside_start(p);
    v_inside_add(&in, b, a.minx, a.miny, a.minz, none);
    v_inside_add(&in, b, a.maxx, a.maxy, a.maxz, none);
    decide_inside_if_exact(p, &in, reach, skew, u, h, minus_e);
}

/* The axes of the box inside may have any length: the sum of the |u_i.v_j| is at least 0.97 |v_j|. 13 in all. */
INLINE void obb_in_obb_filter(struct filter_state *p, struct v_obb a, struct v_obb b)
{
    const struct v_axes u = v_axes_of(b), v_ = v_axes_of(a);
    const struct v_axes q = {v_sizes(v_along(v_, u.u)), v_sizes(v_along(v_, u.v)), v_sizes(v_along(v_, u.w))};
    const struct v_vector g = v_half_extents(a), h = v_half_extents(b), at = v_reach_of_point(u, b, a.cx, a.cy, a.cz);
    const struct v_vector reach = {v_add(at.x, v_dot(q.u, g)), v_add(at.y, v_dot(q.v, g)), v_add(at.z, v_dot(q.w, g))};
    const v skew = v_skew(u);
    require_extents(p, g);
    const v minus_e = inside_obb(p, reach, v_total(reach), skew, h);
    if (p->mode != RECHECK)
        return;
    struct v_inside in = v_inside_start(p);
    const v x = v_whole_reach(&in.x, g, q.u), y = v_whole_reach(&in.y, g, q.v), z = v_whole_reach(&in.z, g, q.w);
    v_inside_add(&in, b, a.cx, a.cy, a.cz, (struct v_vector){x, y, z});
    decide_inside_if_exact(p, &in, reach, skew, u, h, minus_e);
}

#endif

#ifdef KERNEL_FORMULAS

/* gap >= R |n|, from the signs and the squares. */
static inline enum answer wide_enough(const struct by_direction *question, struct vector n, real gap)
{
    if (!question->rounded)
        return not_negative(gap);
    const int sign = real_sign(gap);
    if (sign == SIGN_UNKNOWN)
        return ANSWER_UNKNOWN;
    return sign <= 0 ? ANSWER_MISS : at_most(real_mul(question->r2, dot(n, n)), square(gap));
}

/* A direction that may be zero decides nothing. */
static inline enum answer ends_before(const struct by_direction *question, const struct direction *direction,
                                      int *leaves)
{
    const struct vector n = direction->n;
    const struct direction of_others = any_direction(n);
    const struct span box = span_of(question->container, direction), body = span_of(question->body, &of_others);
    *leaves = box.leaves;
    if (box.unknown || body.unknown || nonzero(n) != 1)
        return ANSWER_UNKNOWN;
    if ((body.endless_low && !box.endless_low) || (body.endless_high && !box.endless_high))
        return ANSWER_MISS;
    enum answer low = ANSWER_HIT, high = ANSWER_HIT;
    if (!box.endless_low)
        low = wide_enough(question, n, real_sub(body.low, box.low));
    if (!box.endless_high)
        high = wide_enough(question, n, real_sub(box.high, body.high));
    return both(low, high);
}

/* Of a body relative to the centre of the box; without a radius if rounded is false. */
static inline enum answer body_in_obb(struct body *body, struct obb b, bool rounded, float r)
{
    struct body box = body_empty();
    b.cx = b.cy = b.cz = 0;
    body_add_obb(&box, b, false);
    const struct by_direction question = {.edges = &box,
                                          .ask = ends_before,
                                          .body = body,
                                          .container = &box,
                                          .rounded = rounded,
                                          .r2 = square(real_of(r))};
    return by_directions(&question);
}

/* Of a body relative to the least corner of the box, or to its only one. */
static inline enum answer body_in_aabb(struct body *body, struct aabb b)
{
    struct body box = body_empty();
    body_add_aabb(&box, b, false);
    box.base = of_point(0, 0, 0);
    const struct by_direction question = {.ask = ends_before, .body = body, .container = &box, .r2 = real_of(0)};
    enum answer all = ANSWER_HIT;
    for (unsigned k = 0; k < 3 && all != ANSWER_MISS; k++) {
        int leaves;
        all = both(all, in_direction(&question, any_direction(unit(k)), &leaves));
    }
    return all;
}

/* The base of an AABB as a body. */
static inline struct vector aabb_base(struct aabb b)
{
    struct body unused = body_empty();
    body_add_aabb(&unused, b, false);
    return unused.base;
}

#endif
