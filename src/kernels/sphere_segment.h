/* SPDX-License-Identifier: MIT */
/* Sphere and segment or capsule, whose radii add: the squared distance to the nearest point of ab. Degree 4. */

#ifdef KERNEL_FILTERS

/* Bounds on the squared distance D^2 from a shape to the sphere's centre: low <= D^2 <= d2, up to rounding. */
struct nearest {
    v d2, low;
};

/* Clamped to [0, 1]; the constant is the first operand, so that a NaN stays. */
INLINE v fraction(v part, v whole)
{
    v t = v_div(part, v_max(v_set1(0x1p-126f), whole));
    return v_min(v_set1(1), v_max(v_set1(0), t));
}

/*
 * Let p be the sphere's centre, q any point of the shape, and w the vector from q to p. Then D^2 <= w.w. Any direction
 * w gives the support bound D |w| >= m = min w.(p - x) over the vertices x, so D^2 >= m^2 / w.w >= 2m - w.w. The two
 * bounds are equal where q is the nearest point. How q was found does not matter: a poor choice, for a needle or by
 * cancellation, makes the two differ and the lane undecided.
 *
 * Errors, u = 2^-24, fused or not. Let N^2 be the sum of the squared lengths of ap and of the edges from a; p - x
 * <= sqrt(2) N. Each member of w = ap - beta ab - gamma ac has at most 3u of ap's, 4u of beta ab's and 3u of gamma
 * ac's; beta + gamma may be 1 + u: w is within 5.9u N of a vector from the shape to p, so d2 is wrong by 2 * 5.9u N|w|
 * <= 5.9u (N^2 / 4 + 4 d2), and 3u d2 by its sums. 2m - d2: differences, products and sums 4u each, 8u |w| sqrt(2) N
 * <= 5.7u (N^2 / 4 + 4 d2), 3u d2, and in the last step below 0.4u N^2 + 8u d2. So the lower bound, which is reduced by
 * 64u d2, needs 1.8u N^2 more; the upper one needs 1.5u N^2 and, with 4u R^2 for the radii, 31u d2.
 */
INLINE struct nearest nearest_of(v wx, v wy, v wz, v support)
{
    v d2 = sum_of_squares(wx, wy, wz);
    return (struct nearest){d2, v_fma(d2, v_set1(-1 - 0x40p-24f), v_add(support, support))};
}

INLINE v dot3(v ax, v ay, v az, v bx, v by, v bz)
{
    return v_fma(az, bz, v_fma(ay, by, v_mul(ax, bx)));
}

/*
 * Decides D^2 <= R^2 with an error bound of 4u N^2 + 64u d2 + 2^-140 and the gap d2 - low, which is large for a poor q.
 * The gap may be below 0 by as much as rounding adds to low and takes from d2. Let |w| = zN and |w| = yN for the two,
 * whose q may differ: low is above D^2 by (11.3z + 0.4 - 53z^2) u N^2 <= 1.01u N^2, and d2 below it by (11.8y + 3y^2)
 * u N^2. A hit needs the latter once more, with 4y^2 for the radii. The bound has (2.99 - 23.6y + 54y^2) u N^2 > 0 to
 * spare.
 * Underflow: 2^-150 a product is less than the spare part of 64u d2, or than 2^-140. Where the bound is finite, N^2
 * < 2^122: nothing else overflows but R^2, and then the lane is a certain hit. Infinite and NaN points make the bound
 * infinite or NaN; a NaN radius makes d2 - R^2 NaN.
 * N^2 is a sum of squares, so it is NaN only for invalid input. An index has such items in its last leaf and in place
 * of invalid items that it skips. The one check of N^2 in RECHECK mode suffices to discard them.
 */
INLINE void within_radius(struct filter_state *p, struct nearest to, v r, v n2)
{
    if (p->mode == RECHECK)
        require_nonneg(p, n2);
    v e = v_fma(n2, v_set1(-0x4p-24f * BOUND_SCALE),
                v_fma(to.d2, v_set1(-0x40p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
    hit_if_scaled_negative(p, v_fnma(r, r, to.d2), BOUND_SCALE, v_fma(v_sub(to.d2, to.low), v_set1(-BOUND_SCALE), e));
}

/*
 * A segment along a coordinate axis is an AABB, and its ties are decided as in sphere_aabb.h. A point that is not
 * finite makes N^2 infinite or NaN.
 */
INLINE void near_axis_aligned(struct filter_state *p, v x, v y, v z, v r, struct v_segment s, v n2)
{
    const v ex = v_sub(s.bx, s.ax), ey = v_sub(s.by, s.ay), ez = v_sub(s.bz, s.az);
    track_exact(p, m_and(straight(ex, ey, ez), m_lt(n2, v_set1(INFINITY))));
    decide_distance2_if_exact(p, difference(p, x, v_min(v_max(x, v_min(s.ax, s.bx)), v_max(s.ax, s.bx))),
                              difference(p, y, v_min(v_max(y, v_min(s.ay, s.by)), v_max(s.ay, s.by))),
                              difference(p, z, v_min(v_max(z, v_min(s.az, s.bz)), v_max(s.az, s.bz))), r);
}

INLINE void near_segment(struct filter_state *p, v x, v y, v z, v r, struct v_segment s)
{
    v px = v_sub(x, s.ax), py = v_sub(y, s.ay), pz = v_sub(z, s.az);
    v ex = v_sub(s.bx, s.ax), ey = v_sub(s.by, s.ay), ez = v_sub(s.bz, s.az);
    v length2 = sum_of_squares(ex, ey, ez), t = fraction(dot3(px, py, pz, ex, ey, ez), length2);
    v wx = v_fnma(t, ex, px), wy = v_fnma(t, ey, py), wz = v_fnma(t, ez, pz);
    v to_b = dot3(wx, wy, wz, v_sub(x, s.bx), v_sub(y, s.by), v_sub(z, s.bz));
    v support = v_min(dot3(wx, wy, wz, px, py, pz), to_b);
    v n2 = v_add(length2, sum_of_squares(px, py, pz));
    within_radius(p, nearest_of(wx, wy, wz, support), r, n2);
    near_axis_aligned(p, x, y, z, r, s, n2);
}

INLINE void sphere_segment_filter(struct filter_state *p, struct v_sphere s, struct v_segment b)
{
    require_nonneg(p, s.r);
    near_segment(p, s.x, s.y, s.z, s.r, b);
}

/* The sum of radii has one more rounding: 3u R^2 in all. */
INLINE void sphere_capsule_filter(struct filter_state *p, struct v_sphere s, struct v_capsule b)
{
    require_nonneg(p, s.r);
    require_nonneg(p, b.r);
    near_segment(p, s.x, s.y, s.z, sum(p, s.r, b.r), (struct v_segment){b.ax, b.ay, b.az, b.bx, b.by, b.bz});
}

#endif

#ifdef KERNEL_FORMULAS

/*
 * With t = ap.ab and L = ab.ab, compares with R^2: |ap|^2 if t <= 0, |bp|^2 if t >= L, else |ap|^2 - t^2 / L. For ab
 * along a coordinate axis, the latter is |ap|^2 without that coordinate, which is exact more often.
 */
static inline enum answer near_segment(struct vector p, real r2, struct vector a, struct vector b)
{
    struct vector ap = minus(p, a), ab = minus(b, a), bp = minus(p, b);
    real t = dot(ap, ab), length2 = dot(ab, ab);
    int from_a = real_sign(t), from_b = real_sign(real_sub(length2, t));
    if (from_a == SIGN_UNKNOWN || from_b == SIGN_UNKNOWN)
        return ANSWER_UNKNOWN;
    if (from_a <= 0)
        return at_most(dot(ap, ap), r2);
    if (from_b <= 0)
        return at_most(dot(bp, bp), r2);
    real *along = along_axis(&ap, &ab);
    if (along != NULL) {
        *along = real_of(0);
        return at_most(dot(ap, ap), r2);
    }
    real ap2 = dot(ap, ap);
    return at_most(real_sub(real_mul(ap2, length2), square(t)), real_mul(r2, length2));
}

static inline enum answer sphere_capsule(struct sphere s, struct capsule b)
{
    if (sphere_invalid(s) || capsule_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r) || isinf(b.r))
        return ANSWER_HIT;
    real r = real_add(real_of(s.r), real_of(b.r));
    return near_segment(of_point(s.x, s.y, s.z), square(r), of_point(b.ax, b.ay, b.az), of_point(b.bx, b.by, b.bz));
}

static inline enum answer sphere_segment(struct sphere s, struct segment b)
{
    return sphere_capsule(s, (struct capsule){b.ax, b.ay, b.az, b.bx, b.by, b.bz, 0});
}

#endif
