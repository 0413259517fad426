/* SPDX-License-Identifier: MIT */
/* Sphere (or point) and OBB: touches, inside. The axes are used as they stand. Degree 4; inside degree 2. */

#ifdef ROOM_FILTERS

/* The centre along the three axes of the box. */
struct in_box {
    struct dot u, v, w;
};

INLINE struct in_box to_box(v x, v y, v z, struct v_obb b)
{
    v dx = v_sub(x, b.cx), dy = v_sub(y, b.cy), dz = v_sub(z, b.cz);
    return (struct in_box){dot_product(b.ux, b.uy, b.uz, dx, dy, dz), dot_product(b.vx, b.vy, b.vz, dx, dy, dz),
                           dot_product(b.wx, b.wy, b.wz, dx, dy, dz)};
}

/* Constants first: then a NaN in t or h stays one. */
INLINE v outside(struct dot t, v h)
{
    return v_max(v_set1(0), v_sub(v_abs(t.sum), h));
}

INLINE v dot_squares(struct dot t, v sum)
{
    return v_fma(t.first, t.first, v_fma(t.second, t.second, v_fma(t.sum, t.sum, sum)));
}

/*
 * D^2 = sum of g_k^2, g_k = max(|t_k| - h_k, 0), t_k = a_k.(c - o), against R^2.
 *
 * Errors, u = 2^-24, fused or not: t goes through partial sums p1, p2, t, so its products are at most |p1|, |p1| + |p2| and
 * |p2| + |t|. The differences c - o and the products cost u of each, the sums u|p2| and u|t|, |t| - h at most u|t|:
 * together u (4|p1| + 5|p2| + 4|t|) <= 7.6u N_k with N_k^2 = p1^2 + p2^2 + t^2. Then D^2 is wrong by less than 2 * 7.6u sum
 * g_k N_k <= 7.6u (N^2 / 4 + 4 D^2) with N^2 = sum of N_k^2, and by 3u D^2; R^2 by u R^2, which is u D^2 and a negligible
 * part of the result. 2u N^2 + 48u D^2 leaves room for the second order and for the roundings of the bound. Underflow:
 * 2^-150 a product, 2^-146 sqrt(D^2) in all, is less than the spare 13u D^2 or below 2^-268; and below 2^-140 at the end.
 * Overflow: where the bound is finite, N^2 < 2^123 and D^2 < 2^119, so an infinite R^2 is a sure hit. Infinite or NaN
 * centres and axes make N^2 infinite or NaN, a NaN radius or half extent D^2 - R^2: undecided.
 */
INLINE void sphere_obb_filter(struct pass *p, struct v_sphere s, struct v_obb b)
{
    struct in_box c = to_box(s.x, s.y, s.z, b);
    v d2 = sum_of_squares(outside(c.u, b.hx), outside(c.v, b.hy), outside(c.w, b.hz));
    v n2 = dot_squares(c.u, dot_squares(c.v, dot_squares(c.w, v_set1(0))));
    need(p, b.hx);
    need(p, b.hy);
    need(p, b.hz);
    need(p, s.r);
    scaled_negative(p, v_fnma(s.r, s.r, d2),
                    v_fma(n2, v_set1(-0x2p-24f * BOUND_SCALE),
                          v_fma(d2, v_set1(-0x30p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE))));
}

/*
 * The greatest of |t_k| + R - h_k, each wrong by u (4|p1| + 5|p2| + 4|t| + R) and 2^-148; the bound has a 6 there.
 * Sums hand a NaN on, which a maximum may not; |t| and R are in the bound, h is asked for.
 */
INLINE void in_obb(struct pass *p, struct in_box c, v r, struct v_obb b)
{
    v u = v_sub(v_add(v_abs(c.u.sum), r), b.hx), v_ = v_sub(v_add(v_abs(c.v.sum), r), b.hy);
    v w = v_sub(v_add(v_abs(c.w.sum), r), b.hz);
    v magnitudes = v_add(v_add(dot_magnitudes(c.u), dot_magnitudes(c.v)), v_add(dot_magnitudes(c.w), r));
    need(p, b.hx);
    need(p, b.hy);
    need(p, b.hz);
    scaled_negative(p, v_max(u, v_max(v_, w)),
                    v_fma(magnitudes, v_set1(-0x6p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
}

INLINE void sphere_in_obb_filter(struct pass *p, struct v_sphere s, struct v_obb b)
{
    need(p, s.r);
    in_obb(p, to_box(s.x, s.y, s.z, b), s.r, b);
}

INLINE void point_in_obb_filter(struct pass *p, struct v_point a, struct v_obb b)
{
    in_obb(p, to_box(a.x, a.y, a.z, b), v_set1(0), b);
}

#endif

#ifdef ROOM_JUDGES

/* |a.(c - o)|, or nothing if its sign is not known. */
static inline bool JUDGE(along)(struct JUDGE(vector) d, float x, float y, float z, number *distance)
{
    number t = JUDGE(dot)(JUDGE(of_point)(x, y, z), d);
    int sign = NUMBER(sign)(t);
    *distance = sign < 0 ? NUMBER(sub)(NUMBER(of)(0), t) : t;
    return sign != SIGN_UNKNOWN;
}

static inline bool JUDGE(along_axes)(float x, float y, float z, struct obb b, struct JUDGE(vector) * t)
{
    struct JUDGE(vector) d = JUDGE(minus)(JUDGE(of_point)(x, y, z), JUDGE(of_point)(b.cx, b.cy, b.cz));
    bool u = JUDGE(along)(d, b.ux, b.uy, b.uz, &t->x);
    bool v = JUDGE(along)(d, b.vx, b.vy, b.vz, &t->y);
    bool w = JUDGE(along)(d, b.wx, b.wy, b.wz, &t->z);
    return u && v && w;
}

/* max(t - h, 0), or nothing if it is not known which. */
static inline bool JUDGE(outside)(number t, float h, number *distance)
{
    *distance = NUMBER(of)(0);
    if (isinf(h))
        return true;
    number beyond = NUMBER(sub)(t, NUMBER(of)(h));
    int sign = NUMBER(sign)(beyond);
    if (sign > 0)
        *distance = beyond;
    return sign != SIGN_UNKNOWN;
}

static inline enum answer JUDGE(sphere_obb)(struct sphere s, struct obb b)
{
    if (sphere_bad(s) || obb_bad(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    struct JUDGE(vector) t, g;
    if (!JUDGE(along_axes)(s.x, s.y, s.z, b, &t) || !JUDGE(outside)(t.x, b.hx, &g.x) ||
        !JUDGE(outside)(t.y, b.hy, &g.y) || !JUDGE(outside)(t.z, b.hz, &g.z))
        return ANSWER_UNKNOWN;
    return JUDGE(at_most)(JUDGE(sum_of_squares)(g.x, g.y, g.z), JUDGE(square)(NUMBER(of)(s.r)));
}

static inline enum answer JUDGE(in_slab)(number t, float r, float h)
{
    return isinf(h) ? ANSWER_HIT : JUDGE(at_most)(NUMBER(add)(t, NUMBER(of)(r)), NUMBER(of)(h));
}

static inline enum answer JUDGE(sphere_in_obb)(struct sphere s, struct obb b)
{
    if (sphere_bad(s) || obb_bad(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return isinf(b.hx) && isinf(b.hy) && isinf(b.hz) ? ANSWER_HIT : ANSWER_MISS;
    struct JUDGE(vector) t;
    if (!JUDGE(along_axes)(s.x, s.y, s.z, b, &t))
        return ANSWER_UNKNOWN;
    return JUDGE(both)(JUDGE(in_slab)(t.x, s.r, b.hx),
                       JUDGE(both)(JUDGE(in_slab)(t.y, s.r, b.hy), JUDGE(in_slab)(t.z, s.r, b.hz)));
}

static inline enum answer JUDGE(point_in_obb)(struct point a, struct obb b)
{
    return JUDGE(sphere_in_obb)((struct sphere){a.x, a.y, a.z, 0}, b);
}

#endif
