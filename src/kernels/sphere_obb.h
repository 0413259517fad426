/* SPDX-License-Identifier: MIT */
/* Sphere (or point) and OBB: touches, inside. The axes are not normalised. Degree 4; inside degree 2. */

#ifdef KERNEL_FILTERS

/*
 * The centre's coordinate along an axis of the box. If the axis is a coordinate axis (exact), it is dot.sum + low
 * without any rounding: products with the axis do not round, and low is the rounding error of the difference.
 */
struct along {
    struct dot dot;
    v low;
    m exact;
};

struct in_box {
    struct along u, v, w;
};

/* The difference of two points and its rounding error (two-sum, Knuth 1969). */
struct offset {
    v x, y, z, low_x, low_y, low_z;
};

INLINE v lost(v a, v b, v d)
{
    const v minus_b = v_sub(d, a);
    return v_sub(v_sub(a, v_sub(d, minus_b)), v_add(b, minus_b));
}

INLINE struct along centre_along(v x, v y, v z, struct offset d)
{
    return (struct along){dot_product(x, y, z, d.x, d.y, d.z), dot_product(x, y, z, d.low_x, d.low_y, d.low_z).sum,
                          unit_axis(x, y, z)};
}

INLINE struct in_box to_box(v x, v y, v z, struct v_obb b)
{
    struct offset d = {.x = v_sub(x, b.cx), .y = v_sub(y, b.cy), .z = v_sub(z, b.cz)};
    d.low_x = lost(x, b.cx, d.x);
    d.low_y = lost(y, b.cy, d.y);
    d.low_z = lost(z, b.cz, d.z);
    return (struct in_box){centre_along(b.ux, b.uy, b.uz, d), centre_along(b.vx, b.vy, b.vz, d),
                           centre_along(b.wx, b.wy, b.wz, d)};
}

/*
 * |t| + R - h, from its rounded value beyond. RECHECK mode computes it without rounding where it can, and tracks where
 * it cannot, except where the value is certainly below 0 and its size does not matter. beyond is wrong by less than 13u
 * times (magnitudes + R), see below, for which the bound has 16u to cover its own roundings, and by 2^-148; the last
 * rounding of a difference or sum keeps its sign. This decides ties of a box turned around the axis along which a ball
 * rests on it.
 */
INLINE v track_exact_slab(struct filter_state *p, struct along t, v r, v h, v beyond)
{
    if (p->mode != RECHECK)
        return beyond;
    const m before = p->exact;
    const v bound = v_mul(v_add(dot_magnitudes(t.dot), r), v_set1(0x10p-24f));
    const m within = m_lt(v_add(beyond, bound), v_set1(-0x1p-140f));
    p->exact = t.exact;
    const v low = v_select(m_lt(t.dot.sum, v_set1(0)), v_sub(v_set1(0), t.low), t.low);
    const v whole = sum(p, sum(p, difference(p, v_abs(t.dot.sum), h), r), low);
    const v best = v_select(p->exact, whole, beyond);
    p->exact = m_and(before, m_or(within, p->exact));
    return best;
}

/* The constant is the first operand, so that a NaN in t or h stays. */
INLINE v outside(struct filter_state *p, struct along t, v h)
{
    return v_max(v_set1(0), track_exact_slab(p, t, v_set1(0), h, v_sub(v_abs(t.dot.sum), h)));
}

INLINE v out_of_slab(struct filter_state *p, struct along t, v r, v h)
{
    return track_exact_slab(p, t, r, h, v_sub(v_add(v_abs(t.dot.sum), r), h));
}

/*
 * D^2 = sum of g_k^2, g_k = max(|t_k| - h_k, 0), t_k = a_k.(c - o), against R^2.
 *
 * Errors, u = 2^-24, fused or not: t goes through partial sums p1, p2, t, so its products are at most |p1|, |p1| + |p2|
 * and |p2| + |t|. The differences c - o and the products cost u of each, the sums u|p2| and u|t|, |t| - h at most u|t|:
 * together u (4|p1| + 5|p2| + 4|t|) <= 13u m_k, where m_k is the greatest of the three. Then D^2 is wrong by less than
 * 26u sum of g_k m_k <= 13u (M^2 / 4 + 4 D^2) with M^2 = sum of m_k^2, and by u D^2 of its squares. R^2 is wrong by
 * u R^2, and the sums, which begin at -R^2, by 3u Q with Q = max(D^2, R^2): all in all 3.25u M^2 + 57u Q. The bound is
 * 4u M^2 + 64u R^2. If Q = D^2 = R^2 + (D^2 - R^2), an error of 57u (D^2 - R^2) cannot change the sign of D^2 - R^2.
 * The spare part of the bound covers the second order and its own roundings. It also covers underflow: 2^-150 a product
 * makes 2^-146 D in all, which is less than the spare 7u Q or below 2^-268; and 2^-148 at the end, where the bound has
 * 2^-140.
 *
 * Overflow: where the bound is finite, p1, p2 and t are below 2^64 and R^2 is below 2^124, so a D^2 that overflows is a
 * certain miss. Where it is infinite, as for an infinite R, nothing is decided. A NaN in p1 or p2 may be lost from m_k,
 * but stays in t. A NaN in t, the radius or a half extent makes D^2 - R^2 NaN: undecided.
 *
 * The shortest dependency chains are the fastest here: latency is the limit, not ports.
 */
INLINE void sphere_obb_filter(struct filter_state *p, struct v_sphere s, struct v_obb b)
{
    struct in_box c = to_box(s.x, s.y, s.z, b);
    v mu = dot_greatest(c.u.dot), mv = dot_greatest(c.v.dot), mw = dot_greatest(c.w.dot);
    v u = outside(p, c.u, b.hx), v_ = outside(p, c.v, b.hy), w = outside(p, c.w, b.hz);
    v minus_rr = v_fnma(s.r, s.r, v_set1(0));
    require_both_nonneg(p, b.hx, b.hy);
    require_both_nonneg(p, b.hz, s.r);
    v minus_e = v_fma(minus_rr, v_set1(16), v_set1(-0x1p-118f));
    hit_if_scaled_negative(p, v_fma(w, w, v_fma(v_, v_, v_fma(u, u, minus_rr))), 0x1p22f,
                           v_fnma(mw, mw, v_fnma(mv, mv, v_fnma(mu, mu, minus_e))));
    decide_distance2_if_exact(p, u, v_, w, s.r);
}

/*
 * The greatest of |t_k| + R - h_k against 0. Each is off by u (4|p1| + 5|p2| + 4|t| + R) and 2^-148; the bound has 6u.
 * A maximum may lose a NaN, a sum keeps it: the bound contains |t| and R, and require_nonneg() checks h.
 */
INLINE void in_obb(struct filter_state *p, struct in_box c, v r, struct v_obb b)
{
    v u = out_of_slab(p, c.u, r, b.hx), v_ = out_of_slab(p, c.v, r, b.hy), w = out_of_slab(p, c.w, r, b.hz);
    v greatest = v_max(u, v_max(v_, w));
    v size = v_add(v_add(dot_magnitudes(c.u.dot), dot_magnitudes(c.v.dot)), v_add(dot_magnitudes(c.w.dot), r));
    require_nonneg(p, b.hx);
    require_nonneg(p, b.hy);
    require_nonneg(p, b.hz);
    hit_if_scaled_negative(p, greatest, BOUND_SCALE,
                           v_fma(size, v_set1(-0x6p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
    decide_if_exact(p, greatest, v_set1(0));
}

INLINE void sphere_in_obb_filter(struct filter_state *p, struct v_sphere s, struct v_obb b)
{
    require_nonneg(p, s.r);
    in_obb(p, to_box(s.x, s.y, s.z, b), s.r, b);
}

INLINE void point_in_obb_filter(struct filter_state *p, struct v_point a, struct v_obb b)
{
    in_obb(p, to_box(a.x, a.y, a.z, b), v_set1(0), b);
}

#endif

#ifdef KERNEL_FORMULAS

/* Sets the distance to |a.(c - o)|; false if the sign is unknown. */
static inline bool along(struct vector d, float x, float y, float z, real *distance)
{
    real t = dot(of_point(x, y, z), d);
    int sign = real_sign(t);
    *distance = sign < 0 ? real_sub(real_of(0), t) : t;
    return sign != SIGN_UNKNOWN;
}

static inline bool along_axes(float x, float y, float z, struct obb b, struct vector *t)
{
    struct vector d = minus(of_point(x, y, z), of_point(b.cx, b.cy, b.cz));
    bool u = along(d, b.ux, b.uy, b.uz, &t->x);
    bool v = along(d, b.vx, b.vy, b.vz, &t->y);
    bool w = along(d, b.wx, b.wy, b.wz, &t->z);
    return u && v && w;
}

/* Sets the distance to max(t - h, 0); false if the sign of t - h is unknown. */
static inline bool outside(real t, float h, real *distance)
{
    *distance = real_of(0);
    if (isinf(h))
        return true;
    real beyond = real_sub(t, real_of(h));
    int sign = real_sign(beyond);
    if (sign > 0)
        *distance = beyond;
    return sign != SIGN_UNKNOWN;
}

static inline enum answer sphere_obb(struct sphere s, struct obb b)
{
    if (sphere_invalid(s) || obb_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    struct vector t, g;
    if (!along_axes(s.x, s.y, s.z, b, &t) || !outside(t.x, b.hx, &g.x) || !outside(t.y, b.hy, &g.y) ||
        !outside(t.z, b.hz, &g.z))
        return ANSWER_UNKNOWN;
    return at_most(sum_of_squares(g.x, g.y, g.z), square(real_of(s.r)));
}

static inline enum answer in_slab(real t, float r, float h)
{
    return isinf(h) ? ANSWER_HIT : at_most(real_add(t, real_of(r)), real_of(h));
}

static inline enum answer sphere_in_obb(struct sphere s, struct obb b)
{
    if (sphere_invalid(s) || obb_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return isinf(b.hx) && isinf(b.hy) && isinf(b.hz) ? ANSWER_HIT : ANSWER_MISS;
    struct vector t;
    if (!along_axes(s.x, s.y, s.z, b, &t))
        return ANSWER_UNKNOWN;
    return both(in_slab(t.x, s.r, b.hx), both(in_slab(t.y, s.r, b.hy), in_slab(t.z, s.r, b.hz)));
}

static inline enum answer point_in_obb(struct point a, struct obb b)
{
    return sphere_in_obb((struct sphere){a.x, a.y, a.z, 0}, b);
}

#endif
