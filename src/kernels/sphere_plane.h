/* SPDX-License-Identifier: MIT */
/* Sphere and plane: touches the half space behind it, or is inside of it. Degree 4, without a square root. */

#ifdef KERNEL_FILTERS

/*
 * With s = n.c + d, touches is s <= R|n| and inside is s <= -R|n|. Since x|x| grows with x, they are s|s| - w <= 0 and
 * s|s| + w <= 0 with w = R^2 n.n.
 *
 * Errors, u = 2^-24, fused or not; p1, p2 and p3 are the partial sums. The products of s, each by itself or within its
 * sum, cost u|p1|, u(|p1| + |p2|) and u(|p2| + |p3|), the sums u(|p2| + |p3| + |s|): altogether below 3u m with m
 * = |p1| + |p2| + |p3| + |s|. So s|s| is wrong by less than 3u m (2|s| + 3u m) + u s^2 <= u m (7|s| + 9u m), and w by
 * 5u w. The bound has 8 for 7, 16 for 9 and 6 for 5, which covers second-order terms and its own roundings.
 * Underflow: 2^-150 a product. In s, 2^-147|s| is less than the spare u m|s|, or below 2^-269. In n.n and R^2 it is far
 * below 2^-100 times the other factor. At the end of both sides it is below 2^-140. Overflow, and infinite or NaN
 * members, make the bound infinite or NaN.
 *
 * Where n is a unit vector along a coordinate axis, |n| = 1 and s rounds only where d is added: ties of spheres that
 * rest on the ground are decided.
 */
INLINE v plane_bound(v magnitudes, v side, v rr, v nn)
{
    v of_side = v_mul(magnitudes, v_fma(v_set1(0x1p-23f), magnitudes, v_abs(side)));
    v of_w = v_mul(v_add(rr, v_set1(0x1p-100f)), v_add(nn, v_set1(0x1p-100f)));
    return v_fma(of_side, v_set1(-0x8p-24f * BOUND_SCALE),
                 v_fma(of_w, v_set1(-0x6p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
}

/* s, and m: the sum of the magnitudes above. Several of them make the least or greatest s, and the sum of all m. */
struct height {
    v side, size;
};

INLINE struct height height_above(struct filter_state *p, struct v_plane b, v x, v y, v z)
{
    const struct dot dot = dot_product(b.nx, b.ny, b.nz, x, y, z);
    const v side = sum(p, dot.sum, b.d);
    return (struct height){side, v_add(dot_magnitudes(dot), v_abs(side))};
}

/* A ball of radius r at that height. */
INLINE void side_filter(struct filter_state *p, struct height at, v r, struct v_plane b, bool inside)
{
    v rr = v_mul(r, r), nn = sum_of_squares(b.nx, b.ny, b.nz), side2 = v_mul(at.side, v_abs(at.side));
    require_nonneg(p, r);
    hit_if_scaled_negative(p, inside ? v_fma(rr, nn, side2) : v_fnma(rr, nn, side2), BOUND_SCALE,
                           plane_bound(at.size, at.side, rr, nn));
    track_exact(p, unit_axis(b.nx, b.ny, b.nz));
    decide_if_exact(p, at.side, inside ? v_sub(v_set1(0), r) : r);
}

INLINE void sphere_plane_filter(struct filter_state *p, struct v_sphere s, struct v_plane b)
{
    side_filter(p, height_above(p, b, s.x, s.y, s.z), s.r, b, false);
}

INLINE void sphere_in_plane_filter(struct filter_state *p, struct v_sphere s, struct v_plane b)
{
    side_filter(p, height_above(p, b, s.x, s.y, s.z), s.r, b, true);
}

#endif

#ifdef KERNEL_FORMULAS

/* n.p + d. */
static inline real plane_height(struct plane b, float x, float y, float z)
{
    return real_add(dot(of_point(b.nx, b.ny, b.nz), of_point(x, y, z)), real_of(b.d));
}

static inline real normals_dot(struct plane a, struct plane b)
{
    return dot(of_point(a.nx, a.ny, a.nz), of_point(b.nx, b.ny, b.nz));
}

/*
 * s <= R |n|, or s <= -R |n|: by the squares and the sign of s, unless plane_axis_aligned() shows that |n| = 1. The
 * normal is not zero, and all inputs are finite.
 */
static inline enum answer sphere_side(struct sphere s, struct plane b, bool inside)
{
    if (plane_axis_aligned(b)) {
        const float along = b.nx * s.x + b.ny * s.y + b.nz * s.z; /* plus or minus a coordinate of the centre: exact */
        return at_most(real_add(real_of(along), real_of(b.d)), real_of(inside ? -s.r : s.r));
    }
    real outside = plane_height(b, s.x, s.y, s.z);
    real r2 = square(real_of(s.r));
    enum answer order = at_most(square(outside), real_mul(r2, normals_dot(b, b)));
    int sign = real_sign(outside);
    if (order == ANSWER_HIT)
        return inside ? ANSWER_MISS : ANSWER_HIT;
    if (sign == SIGN_UNKNOWN)
        return ANSWER_UNKNOWN;
    if (inside)
        return sign > 0 ? ANSWER_MISS : order == ANSWER_MISS ? ANSWER_HIT : order;
    return sign < 0 ? ANSWER_HIT : order;
}

static inline enum answer sphere_plane(struct sphere s, struct plane b)
{
    if (sphere_invalid(s) || plane_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r) || plane_missing(b))
        return ANSWER_HIT;
    return sphere_side(s, b, false);
}

static inline enum answer sphere_in_plane(struct sphere s, struct plane b)
{
    if (sphere_invalid(s) || plane_invalid(b))
        return ANSWER_MISS;
    if (plane_missing(b))
        return ANSWER_HIT;
    if (isinf(s.r))
        return ANSWER_MISS;
    return sphere_side(s, b, true);
}

#endif
