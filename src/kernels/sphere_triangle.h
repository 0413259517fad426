/* SPDX-License-Identifier: MIT */
/* Sphere and triangle, degenerate ones too: the squared distance to the nearest point of abc. Degree 6. */

#ifdef ROOM_FILTERS

/* The vertices seen from the sphere's centre, and the two edges from a. */
struct corner_view {
    v px, py, pz, qx, qy, qz, rx, ry, rz; /* a, b and c to the centre */
    v ex, ey, ez, fx, fy, fz;             /* ab, ac */
};

/* The point a + beta ab + gamma ac, which is one of the triangle. */
INLINE struct nearest nearest_at(struct corner_view t, v beta, v gamma)
{
    v wx = v_fnma(gamma, t.fx, v_fnma(beta, t.ex, t.px));
    v wy = v_fnma(gamma, t.fy, v_fnma(beta, t.ey, t.py));
    v wz = v_fnma(gamma, t.fz, v_fnma(beta, t.ez, t.pz));
    v to_a = dot3(wx, wy, wz, t.px, t.py, t.pz), to_b = dot3(wx, wy, wz, t.qx, t.qy, t.qz);
    v to_c = dot3(wx, wy, wz, t.rx, t.ry, t.rz);
    return nearest_of(wx, wy, wz, v_min(to_a, v_min(to_b, to_c)));
}

INLINE struct nearest better(struct nearest a, struct nearest b)
{
    return (struct nearest){v_min(a.d2, b.d2), v_max(a.low, b.low)};
}

/*
 * Four candidates: the nearest points of the edges, and the projection onto the plane, clamped into the triangle. The least of
 * their upper bounds and the greatest of their lower ones hold by the proof in sphere_segment.h, whichever region the
 * centre is in. Projections onto needles are inaccurate, but then an edge is as near. From N^2 of about 2^64 on the determinant may
 * overflow, and any fraction will do; where it is NaN, so is d2 - low.
 */
INLINE void sphere_triangle_filter(struct pass *p, struct v_sphere s, struct v_triangle b)
{
    const v zero = v_set1(0), one = v_set1(1);
    struct corner_view t = {v_sub(s.x, b.ax),  v_sub(s.y, b.ay),  v_sub(s.z, b.az),  v_sub(s.x, b.bx),
                            v_sub(s.y, b.by),  v_sub(s.z, b.bz),  v_sub(s.x, b.cx),  v_sub(s.y, b.cy),
                            v_sub(s.z, b.cz),  v_sub(b.bx, b.ax), v_sub(b.by, b.ay), v_sub(b.bz, b.az),
                            v_sub(b.cx, b.ax), v_sub(b.cy, b.ay), v_sub(b.cz, b.az)};
    v ee = sum_of_squares(t.ex, t.ey, t.ez), ff = sum_of_squares(t.fx, t.fy, t.fz);
    v ef = dot3(t.ex, t.ey, t.ez, t.fx, t.fy, t.fz);
    v ep = dot3(t.ex, t.ey, t.ez, t.px, t.py, t.pz), fp = dot3(t.fx, t.fy, t.fz, t.px, t.py, t.pz);
    v gx = v_sub(b.cx, b.bx), gy = v_sub(b.cy, b.by), gz = v_sub(b.cz, b.bz);
    v bc = fraction(dot3(gx, gy, gz, t.qx, t.qy, t.qz), sum_of_squares(gx, gy, gz));
    v determinant = v_fnma(ef, ef, v_mul(ee, ff));
    v beta = fraction(v_fnma(fp, ef, v_mul(ep, ff)), determinant);
    v gamma = v_min(v_sub(one, beta), fraction(v_fnma(ep, ef, v_mul(fp, ee)), determinant));
    struct nearest edges = better(nearest_at(t, fraction(ep, ee), zero), nearest_at(t, zero, fraction(fp, ff)));
    struct nearest all = better(better(edges, nearest_at(t, v_sub(one, bc), bc)), nearest_at(t, beta, gamma));
    need(p, s.r);
    within_radius(p, all, s.r, v_add(v_add(ee, ff), sum_of_squares(t.px, t.py, t.pz)));
}

#endif

#ifdef ROOM_JUDGES

/* Whether p projects to the inner side of the edge from v to w: (n x e).(p - v) >= 0. */
static inline int JUDGE(inner_side)(struct JUDGE(vector) n, struct JUDGE(vector) p, struct JUDGE(vector) v,
                                    struct JUDGE(vector) w)
{
    return NUMBER(sign)(JUDGE(dot)(JUDGE(cross)(n, JUDGE(minus)(w, v)), JUDGE(minus)(p, v)));
}

/* The face, where it has an inside and the centre is above that: (n.ap)^2 <= R^2 n.n. */
static inline enum answer JUDGE(near_face)(struct JUDGE(vector) p, number r2, struct JUDGE(vector) a,
                                           struct JUDGE(vector) b, struct JUDGE(vector) c)
{
    struct JUDGE(vector) n = JUDGE(cross)(JUDGE(minus)(b, a), JUDGE(minus)(c, a));
    number nn = JUDGE(dot)(n, n);
    int size = NUMBER(sign)(nn);
    int ab = JUDGE(inner_side)(n, p, a, b), bc = JUDGE(inner_side)(n, p, b, c), ca = JUDGE(inner_side)(n, p, c, a);
    if (size == 0 || ab == -1 || bc == -1 || ca == -1)
        return ANSWER_MISS;
    enum answer answer = JUDGE(at_most)(JUDGE(square)(JUDGE(dot)(n, JUDGE(minus)(p, a))), NUMBER(mul)(r2, nn));
    bool unknown = size == SIGN_UNKNOWN || ab == SIGN_UNKNOWN || bc == SIGN_UNKNOWN || ca == SIGN_UNKNOWN;
    return unknown && answer != ANSWER_MISS ? ANSWER_UNKNOWN : answer;
}

static inline enum answer JUDGE(sphere_triangle)(struct sphere s, struct triangle t)
{
    if (sphere_bad(s) || triangle_bad(t))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    struct JUDGE(vector) p = JUDGE(of_point)(s.x, s.y, s.z), a = JUDGE(of_point)(t.ax, t.ay, t.az);
    struct JUDGE(vector) b = JUDGE(of_point)(t.bx, t.by, t.bz), c = JUDGE(of_point)(t.cx, t.cy, t.cz);
    number r2 = JUDGE(square)(NUMBER(of)(s.r));
    enum answer face = JUDGE(near_face)(p, r2, a, b, c);
    enum answer edges = JUDGE(either)(JUDGE(near_segment)(p, r2, a, b), JUDGE(near_segment)(p, r2, b, c));
    return JUDGE(either)(face, JUDGE(either)(edges, JUDGE(near_segment)(p, r2, c, a)));
}

#endif
