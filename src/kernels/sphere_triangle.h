/* SPDX-License-Identifier: MIT */
/* Sphere and triangle, which may be degenerate: the squared distance to the nearest point of abc. Degree 6. */

#ifdef KERNEL_FILTERS

/* The vectors from the vertices to the sphere's centre, and the two edges from a. */
struct corner_view {
    v px, py, pz, qx, qy, qz, rx, ry, rz; /* from a, b and c to the centre */
    v ex, ey, ez, fx, fy, fz;             /* ab, ac */
};

/* q = a + beta ab + gamma ac, a point of the triangle. */
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

/* Lanes in which the centre is certainly left, or right, of all edges of a triangle in an axis-aligned plane. */
struct sides {
    m left, right;
};

/*
 * The signed area is twice that of the triangle (centre, v, w), with v and w relative to the centre. Differences and
 * products cost 3u of each product, the last difference u of itself (Shewchuk 1997), and underflow 2^-148. The bound
 * has 2^-126 for the latter, as in hit_if_distance2_below().
 */
INLINE void note_side(struct sides *sides, v vx, v vy, v wx, v wy)
{
    const v left = v_mul(vx, wy), right = v_mul(vy, wx), area = v_sub(left, right);
    const v bound = v_fma(v_add(v_abs(left), v_abs(right)), v_set1(0x8p-24f), v_set1(0x1p-126f));
    sides->left = m_and(sides->left, m_lt(bound, area));
    sides->right = m_and(sides->right, m_lt(bound, v_sub(v_set1(0), area)));
}

/*
 * Decides balls at rest on level ground or at a wall. If all vertices share one coordinate, and the centre is certainly
 * on the same side of all edges in the other two, the nearest point is in the interior, and the distance is the
 * difference in the shared coordinate. A coordinate that is not finite makes an area infinite or NaN, which is on
 * neither side, or makes that difference inexact.
 */
INLINE void above_axis_aligned(struct filter_state *p, struct v_sphere s, struct v_triangle b, struct corner_view t)
{
    const m in_x = m_and(m_eq(b.ax, b.bx), m_eq(b.ax, b.cx)), in_y = m_and(m_eq(b.ay, b.by), m_eq(b.ay, b.cy));
    const m in_z = m_and(m_eq(b.az, b.bz), m_eq(b.az, b.cz));
    struct sides sides = {m_all(), m_all()};
    const v px = v_select(in_x, t.py, t.px), py = v_select(in_z, t.py, t.pz);
    const v qx = v_select(in_x, t.qy, t.qx), qy = v_select(in_z, t.qy, t.qz);
    const v rx = v_select(in_x, t.ry, t.rx), ry = v_select(in_z, t.ry, t.rz);
    note_side(&sides, px, py, qx, qy);
    note_side(&sides, qx, qy, rx, ry);
    note_side(&sides, rx, ry, px, py);
    track_exact(p, m_and(m_or(in_x, m_or(in_y, in_z)), m_or(sides.left, sides.right)));
    const v at = v_select(in_x, s.x, v_select(in_z, s.z, s.y));
    const v level = v_select(in_x, b.ax, v_select(in_z, b.az, b.ay));
    decide_if_exact(p, v_abs(difference(p, at, level)), s.r);
}

/*
 * Four candidates: the nearest points of the edges, and the projection onto the plane, clamped into the triangle. By
 * the proof in sphere_segment.h, the least of their upper bounds and the greatest of their lower bounds hold, whichever
 * region the centre is in. Projections onto needles are inaccurate, but then an edge is as near. From N^2 of about 2^64
 * on the determinant may overflow, and any fraction is valid; where the fraction is NaN, d2 - low is NaN.
 */
INLINE void sphere_triangle_filter(struct filter_state *p, struct v_sphere s, struct v_triangle b)
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
    require_nonneg(p, s.r);
    within_radius(p, all, s.r, v_add(v_add(ee, ff), sum_of_squares(t.px, t.py, t.pz)));
    above_axis_aligned(p, s, b, t);
}

#endif

#ifdef KERNEL_FORMULAS

/* The sign of (n x e).(p - v) with e from v to w: >= 0 if p projects to the inner side of that edge. */
static inline int inner_side(struct vector n, struct vector p, struct vector v, struct vector w)
{
    return real_sign(dot(cross(n, minus(w, v)), minus(p, v)));
}

/* A hit if the triangle has an interior and p projects into it, else a miss. */
static inline enum answer above(struct vector n, struct vector p, struct vector a, struct vector b, struct vector c)
{
    int size = real_sign(dot(n, n));
    int ab = inner_side(n, p, a, b), bc = inner_side(n, p, b, c), ca = inner_side(n, p, c, a);
    if (size == 0 || ab == -1 || bc == -1 || ca == -1)
        return ANSWER_MISS;
    bool unknown = size == SIGN_UNKNOWN || ab == SIGN_UNKNOWN || bc == SIGN_UNKNOWN || ca == SIGN_UNKNOWN;
    return unknown ? ANSWER_UNKNOWN : ANSWER_HIT;
}

/* The plane through a: (n.ap)^2 <= R^2 n.n; for n along a coordinate axis ap_k^2 <= R^2, which is exact more often. */
static inline enum answer near_plane(struct vector n, struct vector ap, real r2)
{
    const real *along = along_axis(&ap, &n);
    if (along != NULL)
        return at_most(square(*along), r2);
    return at_most(square(dot(n, ap)), real_mul(r2, dot(n, n)));
}

/*
 * If p projects into the triangle, the face holds its nearest point; otherwise an edge does. The plane is never farther
 * than the triangle. If the projection is undecided, face and edges may still agree.
 */
static inline enum answer sphere_triangle(struct sphere s, struct triangle t)
{
    if (sphere_invalid(s) || triangle_invalid(t))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    struct vector p = of_point(s.x, s.y, s.z), a = of_point(t.ax, t.ay, t.az);
    struct vector b = of_point(t.bx, t.by, t.bz), c = of_point(t.cx, t.cy, t.cz);
    struct vector n = cross(minus(b, a), minus(c, a));
    real r2 = square(real_of(s.r));
    const enum answer over = above(n, p, a, b, c);
    enum answer face = ANSWER_UNKNOWN;
    if (over != ANSWER_MISS) {
        face = near_plane(n, minus(p, a), r2);
        if (over == ANSWER_HIT || face == ANSWER_MISS)
            return face;
    }
    enum answer edges = either(near_segment(p, r2, a, b), near_segment(p, r2, b, c));
    edges = either(edges, near_segment(p, r2, c, a));
    return over == ANSWER_MISS || edges == ANSWER_HIT || edges == face ? edges : ANSWER_UNKNOWN;
}

#endif
