/* SPDX-License-Identifier: MIT */
/* Predicates that follow from those of single points and balls: of ends and corners, and of points as balls. */

#ifdef KERNEL_FILTERS

/*
 * Points of other shapes as items of their own: each is a part of the question, or the least or greatest of several
 * values is compared, whose error is at most the greatest of theirs.
 */
INLINE struct v_point v_end_a(struct v_segment s)
{
    return (struct v_point){s.ax, s.ay, s.az};
}

INLINE struct v_point v_end_b(struct v_segment s)
{
    return (struct v_point){s.bx, s.by, s.bz};
}

INLINE struct v_sphere v_ball_a(struct v_capsule c)
{
    return (struct v_sphere){c.ax, c.ay, c.az, c.r};
}

INLINE struct v_sphere v_ball_b(struct v_capsule c)
{
    return (struct v_sphere){c.bx, c.by, c.bz, c.r};
}

INLINE struct v_segment v_edge_ab(struct v_triangle t)
{
    return (struct v_segment){t.ax, t.ay, t.az, t.bx, t.by, t.bz};
}

INLINE struct v_sphere v_ball_of(struct v_point a)
{
    return (struct v_sphere){a.x, a.y, a.z, v_set1(0)};
}

INLINE void point_in_segment_filter(struct filter_state *p, struct v_point a, struct v_segment b)
{
    sphere_segment_filter(p, v_ball_of(a), b);
}

INLINE void point_in_capsule_filter(struct filter_state *p, struct v_point a, struct v_capsule b)
{
    sphere_capsule_filter(p, v_ball_of(a), b);
}

INLINE void point_in_triangle_filter(struct filter_state *p, struct v_point a, struct v_triangle b)
{
    sphere_triangle_filter(p, v_ball_of(a), b);
}

/*
 * D^2 against R |R| with R = Rb - Ra, whose sign rounding keeps: a negative R is below any D^2. Errors are those of a
 * sum of radii in sphere_sphere.h. Two infinite radii make R NaN, and lanes with an infinite Rb are not looked into.
 */
INLINE void sphere_in_sphere_filter(struct filter_state *p, struct v_sphere a, struct v_sphere b)
{
    require_nonneg(p, a.r);
    require_nonneg(p, b.r);
    hit_if_distance2_below(p, difference(p, a.x, b.x), difference(p, a.y, b.y), difference(p, a.z, b.z),
                           difference(p, b.r, a.r), false);
    leave_undecided(p, m_le(v_set1(INFINITY), b.r));
}

/* As for a sum of radii in sphere_segment.h, and the difference has a sign of its own. */
INLINE void sphere_in_capsule_filter(struct filter_state *p, struct v_sphere a, struct v_capsule b)
{
    require_nonneg(p, a.r);
    require_nonneg(p, b.r);
    hit_if(p, m_le(a.r, b.r));
    near_segment(p, a.x, a.y, a.z, difference(p, b.r, a.r), (struct v_segment){b.ax, b.ay, b.az, b.bx, b.by, b.bz});
}

/* A convex shape holds what it holds the ends of. */
#define ENDS_INSIDE(shape)                                                                                             \
    INLINE void segment_in_##shape##_filter(struct filter_state *p, struct v_segment a, struct v_##shape b)            \
    {                                                                                                                  \
        struct filter_state at_a = part_of(p), at_b = part_of(p);                                                      \
        point_in_##shape##_filter(&at_a, v_end_a(a), b);                                                               \
        point_in_##shape##_filter(&at_b, v_end_b(a), b);                                                               \
        require_part(p, at_a);                                                                                         \
        require_part(p, at_b);                                                                                         \
    }                                                                                                                  \
    INLINE void triangle_in_##shape##_filter(struct filter_state *p, struct v_triangle a, struct v_##shape b)          \
    {                                                                                                                  \
        struct filter_state at_c = part_of(p);                                                                         \
        segment_in_##shape##_filter(p, v_edge_ab(a), b);                                                               \
        point_in_##shape##_filter(&at_c, (struct v_point){a.cx, a.cy, a.cz}, b);                                       \
        require_part(p, at_c);                                                                                         \
    }                                                                                                                  \
    INLINE void capsule_in_##shape##_filter(struct filter_state *p, struct v_capsule a, struct v_##shape b)            \
    {                                                                                                                  \
        struct filter_state at_a = part_of(p), at_b = part_of(p);                                                      \
        sphere_in_##shape##_filter(&at_a, v_ball_a(a), b);                                                             \
        sphere_in_##shape##_filter(&at_b, v_ball_b(a), b);                                                             \
        require_part(p, at_a);                                                                                         \
        require_part(p, at_b);                                                                                         \
    }
ENDS_INSIDE(sphere)
ENDS_INSIDE(aabb)
#undef ENDS_INSIDE

INLINE struct height lower(struct height a, struct height b)
{
    return (struct height){v_min(a.side, b.side), v_add(a.size, b.size)};
}

INLINE struct height higher(struct height a, struct height b)
{
    return (struct height){v_max(a.side, b.side), v_add(a.size, b.size)};
}

/*
 * s = n.p + d against 0, without a radius. By sphere_plane.h s is off by less than 3u m, and by 2^-148 where products
 * underflow; the bound has 4u m. A NaN or infinite member makes m NaN or infinite.
 */
INLINE void point_side(struct filter_state *p, struct height at, struct v_plane b)
{
    hit_if_scaled_negative(p, at.side, BOUND_SCALE,
                           v_fma(at.size, v_set1(-0x4p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
    track_exact(p, unit_axis(b.nx, b.ny, b.nz));
    decide_if_exact(p, at.side, v_set1(0));
}

INLINE void point_in_plane_filter(struct filter_state *p, struct v_point a, struct v_plane b)
{
    point_side(p, height_above(p, b, a.x, a.y, a.z), b);
}

/* A half space touches what it touches an end of, and holds what it holds the ends of. */
INLINE void segment_side(struct filter_state *p, struct v_segment a, struct v_plane b, bool inside)
{
    const struct height at_a = height_above(p, b, a.ax, a.ay, a.az), at_b = height_above(p, b, a.bx, a.by, a.bz);
    point_side(p, inside ? higher(at_a, at_b) : lower(at_a, at_b), b);
}

INLINE void triangle_side(struct filter_state *p, struct v_triangle a, struct v_plane b, bool inside)
{
    const struct height at_a = height_above(p, b, a.ax, a.ay, a.az), at_b = height_above(p, b, a.bx, a.by, a.bz),
                        at_c = height_above(p, b, a.cx, a.cy, a.cz);
    point_side(p, inside ? higher(higher(at_a, at_b), at_c) : lower(lower(at_a, at_b), at_c), b);
}

/*
 * The bound of side_filter() grows with |s|, and that of the other end is off by no more than 3u m: it has m of both.
 */
INLINE void capsule_side(struct filter_state *p, struct v_capsule a, struct v_plane b, bool inside)
{
    const struct height at_a = height_above(p, b, a.ax, a.ay, a.az), at_b = height_above(p, b, a.bx, a.by, a.bz);
    side_filter(p, inside ? higher(at_a, at_b) : lower(at_a, at_b), a.r, b, inside);
}

/* The bound of a box that lies farther along the normal, or less far; 0 where the normal has no such component. */
INLINE v corner_along(v n, v min, v max, bool inside)
{
    const m up = m_lt(v_set1(0), n);
    return v_select(m_eq(n, v_set1(0)), v_set1(0), inside ? v_select(up, max, min) : v_select(up, min, max));
}

INLINE void aabb_side(struct filter_state *p, struct v_aabb a, struct v_plane b, bool inside)
{
    aabb_valid(p, a);
    point_side(p,
               height_above(p, b, corner_along(b.nx, a.minx, a.maxx, inside),
                            corner_along(b.ny, a.miny, a.maxy, inside), corner_along(b.nz, a.minz, a.maxz, inside)),
               b);
}

/*
 * Adds h |n.a|, or subtracts it. With m of n.a, it is off by h (3u m + 2^-148), u for its product and 3u for the sums
 * that follow: less than 8u of h (m + 2^-100), with which the size grows.
 */
INLINE struct height beside(struct filter_state *p, struct height at, struct v_plane b, v h, v x, v y, v z, bool inside)
{
    const struct dot dot = dot_product(b.nx, b.ny, b.nz, x, y, z);
    const v reach = v_mul(h, v_abs(dot.sum));
    track_exact_factor(p, dot.sum);
    require_nonneg(p, h);
    return (struct height){inside ? sum(p, at.side, reach) : difference(p, at.side, reach),
                           v_fma(h, v_add(dot_magnitudes(dot), v_set1(0x1p-100f)), at.size)};
}

/* The size of the centre takes 8u instead of 4u, as its side goes through three more sums. */
INLINE void obb_side(struct filter_state *p, struct v_obb a, struct v_plane b, bool inside)
{
    struct height at = height_above(p, b, a.cx, a.cy, a.cz);
    at = beside(p, at, b, a.hx, a.ux, a.uy, a.uz, inside);
    at = beside(p, at, b, a.hy, a.vx, a.vy, a.vz, inside);
    at = beside(p, at, b, a.hz, a.wx, a.wy, a.wz, inside);
    point_side(p, (struct height){at.side, v_add(at.size, at.size)}, b);
}

#define SIDES(shape)                                                                                                   \
    INLINE void shape##_plane_filter(struct filter_state *p, struct v_##shape a, struct v_plane b)                     \
    {                                                                                                                  \
        shape##_side(p, a, b, false);                                                                                  \
    }                                                                                                                  \
    INLINE void shape##_in_plane_filter(struct filter_state *p, struct v_##shape a, struct v_plane b)                  \
    {                                                                                                                  \
        shape##_side(p, a, b, true);                                                                                   \
    }
SIDES(segment)
SIDES(capsule)
SIDES(triangle)
SIDES(aabb)
SIDES(obb)
#undef SIDES

/* min_b <= min_a and max_a <= max_b; any bound of a valid box is within an infinite one, which is no face of b. */
INLINE void low_within(struct filter_state *p, v a, v b)
{
    hit_if(p, m_or(m_lt(p->below, v_sub(a, b)), m_le(b, v_set1(-INFINITY))));
}

INLINE void high_within(struct filter_state *p, v a, v b)
{
    hit_if(p, m_or(m_lt(p->below, v_sub(b, a)), m_le(v_set1(INFINITY), b)));
}

INLINE void aabb_in_aabb_filter(struct filter_state *p, struct v_aabb a, struct v_aabb b)
{
    aabb_valid(p, a);
    aabb_valid(p, b);
    low_within(p, a.minx, b.minx);
    low_within(p, a.miny, b.miny);
    low_within(p, a.minz, b.minz);
    high_within(p, a.maxx, b.maxx);
    high_within(p, a.maxy, b.maxy);
    high_within(p, a.maxz, b.maxz);
}

/* How far a box reaches from its centre along a coordinate axis. Errors: products u each, sums 2u. */
INLINE v reach_along(struct filter_state *p, struct v_obb b, v u, v v_, v w)
{
    track_exact_factor(p, u);
    track_exact_factor(p, v_);
    track_exact_factor(p, w);
    return sum(p, sum(p, v_mul(b.hx, v_abs(u)), v_mul(b.hy, v_abs(v_))), v_mul(b.hz, v_abs(w)));
}

/*
 * How far the box ends beyond two bounds: reach - (c - min) and reach - (max - c), each off by 5u reach, u of the
 * difference and u of itself. The size takes 8u of reach and of the differences. An infinite bound is no face.
 */
INLINE struct height beyond_bounds(struct filter_state *p, v reach, v c, v min, v max)
{
    const m no_min = m_le(min, v_set1(-INFINITY)), no_max = m_le(v_set1(INFINITY), max);
    const v low = v_select(no_min, v_set1(0), difference(p, c, v_select(no_min, c, min)));
    const v high = v_select(no_max, v_set1(0), difference(p, v_select(no_max, c, max), c));
    const v below = v_select(no_min, v_set1(-INFINITY), difference(p, reach, low));
    const v above = v_select(no_max, v_set1(-INFINITY), difference(p, reach, high));
    return (struct height){v_max(below, above), v_add(v_add(v_abs(low), v_abs(high)), reach)};
}

INLINE void obb_in_aabb_filter(struct filter_state *p, struct v_obb a, struct v_aabb b)
{
    const struct height x = beyond_bounds(p, reach_along(p, a, a.ux, a.vx, a.wx), a.cx, b.minx, b.maxx);
    const struct height y = beyond_bounds(p, reach_along(p, a, a.uy, a.vy, a.wy), a.cy, b.miny, b.maxy);
    const struct height z = beyond_bounds(p, reach_along(p, a, a.uz, a.vz, a.wz), a.cz, b.minz, b.maxz);
    const struct height most = higher(higher(x, y), z);
    require_nonneg(p, a.hx);
    require_nonneg(p, a.hy);
    require_nonneg(p, a.hz);
    aabb_valid(p, b);
    hit_if_scaled_negative(p, most.side, BOUND_SCALE,
                           v_fma(most.size, v_set1(-0x8p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
    decide_if_exact(p, most.side, v_set1(0));
}

/*
 * The farthest of the eight corners q = d +- u +- v +- w, with d from the centre of the sphere, against R^2. Let m be
 * |d| + |u| + |v| + |w|, member by member. A member of q is off by u of d, u of each product and 3u of m for the sums:
 * 5u m; q^2 by 10u m^2, and 3u m^2 for its squares and sums; R^2 by u R^2. The bound has 16u (m^2 + R^2). Underflow of
 * products costs q 2^-146, which is less than the spare 3u m^2, or below 2^-250.
 */
INLINE struct v_vector v_times(v h, v x, v y, v z)
{
    return (struct v_vector){v_mul(h, x), v_mul(h, y), v_mul(h, z)};
}

INLINE struct v_vector v_moved(struct v_vector q, struct v_vector by, bool back)
{
    return back ? (struct v_vector){v_sub(q.x, by.x), v_sub(q.y, by.y), v_sub(q.z, by.z)}
                : (struct v_vector){v_add(q.x, by.x), v_add(q.y, by.y), v_add(q.z, by.z)};
}

INLINE v all_of(v d, v u, v v_, v w)
{
    return v_add(v_add(v_abs(d), v_abs(u)), v_add(v_abs(v_), v_abs(w)));
}

INLINE void obb_in_sphere_filter(struct filter_state *p, struct v_obb a, struct v_sphere b)
{
    const struct v_vector d = {v_sub(a.cx, b.x), v_sub(a.cy, b.y), v_sub(a.cz, b.z)};
    const struct v_vector u = v_times(a.hx, a.ux, a.uy, a.uz), v_ = v_times(a.hy, a.vx, a.vy, a.vz),
                          w = v_times(a.hz, a.wx, a.wy, a.wz);
    v farthest = v_set1(0);
    UNROLL for (unsigned signs = 0; signs < 8; signs++)
    {
        const struct v_vector q = v_moved(v_moved(v_moved(d, u, signs & 1), v_, signs & 2), w, signs & 4);
        farthest = v_max(farthest, sum_of_squares(q.x, q.y, q.z));
    }
    const v m2 = sum_of_squares(all_of(d.x, u.x, v_.x, w.x), all_of(d.y, u.y, v_.y, w.y), all_of(d.z, u.z, v_.z, w.z));
    require_nonneg(p, a.hx);
    require_nonneg(p, a.hy);
    require_nonneg(p, a.hz);
    require_nonneg(p, b.r);
    hit_if_scaled_negative(
        p, v_fnma(b.r, b.r, farthest), BOUND_SCALE,
        v_fma(v_fma(b.r, b.r, m2), v_set1(-0x10p-24f * BOUND_SCALE), v_set1(-0x1p-140f * BOUND_SCALE)));
}

#endif

#ifdef KERNEL_FORMULAS

/* A point as a ball of radius 0, and the ends and corners of other shapes likewise. */
static inline struct sphere ball_of(struct point a)
{
    return (struct sphere){a.x, a.y, a.z, 0};
}

static inline struct point end_a(struct segment s)
{
    return (struct point){s.ax, s.ay, s.az};
}

static inline struct point end_b(struct segment s)
{
    return (struct point){s.bx, s.by, s.bz};
}

static inline struct sphere ball_a(struct capsule c)
{
    return (struct sphere){c.ax, c.ay, c.az, c.r};
}

static inline struct sphere ball_b(struct capsule c)
{
    return (struct sphere){c.bx, c.by, c.bz, c.r};
}

static inline enum answer point_in_segment(struct point a, struct segment b)
{
    return sphere_segment(ball_of(a), b);
}

static inline enum answer point_in_capsule(struct point a, struct capsule b)
{
    return sphere_capsule(ball_of(a), b);
}

static inline enum answer point_in_triangle(struct point a, struct triangle b)
{
    return sphere_triangle(ball_of(a), b);
}

static inline enum answer point_in_plane(struct point a, struct plane b)
{
    return sphere_in_plane(ball_of(a), b);
}

/* D <= Rb - Ra. A ball of infinite radius is all of space. */
static inline enum answer sphere_in_sphere(struct sphere a, struct sphere b)
{
    if (sphere_invalid(a) || sphere_invalid(b))
        return ANSWER_MISS;
    if (isinf(b.r))
        return ANSWER_HIT;
    if (a.r > b.r)
        return ANSWER_MISS;
    const real d2 = sum_of_squares(difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z));
    return at_most(d2, square(difference(b.r, a.r)));
}

/* The distance from the centre to the segment is <= Rb - Ra. */
static inline enum answer sphere_in_capsule(struct sphere a, struct capsule b)
{
    if (sphere_invalid(a) || capsule_invalid(b))
        return ANSWER_MISS;
    if (isinf(b.r))
        return ANSWER_HIT;
    if (a.r > b.r)
        return ANSWER_MISS;
    return near_segment(of_point(a.x, a.y, a.z), square(difference(b.r, a.r)), of_point(b.ax, b.ay, b.az),
                        of_point(b.bx, b.by, b.bz));
}

/* A convex shape holds what it holds the ends of. An invalid end is in nothing. */
#define ENDS_INSIDE(shape)                                                                                             \
    static inline enum answer segment_in_##shape(struct segment a, struct shape b)                                     \
    {                                                                                                                  \
        return both(point_in_##shape(end_a(a), b), point_in_##shape(end_b(a), b));                                     \
    }                                                                                                                  \
    static inline enum answer triangle_in_##shape(struct triangle a, struct shape b)                                   \
    {                                                                                                                  \
        const struct segment ab = {a.ax, a.ay, a.az, a.bx, a.by, a.bz};                                                \
        return both(segment_in_##shape(ab, b), point_in_##shape((struct point){a.cx, a.cy, a.cz}, b));                 \
    }                                                                                                                  \
    static inline enum answer capsule_in_##shape(struct capsule a, struct shape b)                                     \
    {                                                                                                                  \
        return both(sphere_in_##shape(ball_a(a), b), sphere_in_##shape(ball_b(a), b));                                 \
    }
ENDS_INSIDE(sphere)
ENDS_INSIDE(aabb)
ENDS_INSIDE(plane)
#undef ENDS_INSIDE

/* A half space touches what it touches an end of. */
static inline enum answer segment_plane(struct segment a, struct plane b)
{
    if (segment_invalid(a))
        return ANSWER_MISS;
    return either(sphere_plane(ball_of(end_a(a)), b), sphere_plane(ball_of(end_b(a)), b));
}

static inline enum answer triangle_plane(struct triangle a, struct plane b)
{
    const struct segment ab = {a.ax, a.ay, a.az, a.bx, a.by, a.bz};
    if (triangle_invalid(a))
        return ANSWER_MISS;
    return either(segment_plane(ab, b), sphere_plane((struct sphere){a.cx, a.cy, a.cz, 0}, b));
}

static inline enum answer capsule_plane(struct capsule a, struct plane b)
{
    if (capsule_invalid(a))
        return ANSWER_MISS;
    return either(sphere_plane(ball_a(a), b), sphere_plane(ball_b(a), b));
}

/* The corner nearest along the normal, or farthest, as for the planes of a hull (box_hull.h). */
#define BOX_PLANE(shape, corner)                                                                                       \
    static inline enum answer shape##_side(struct shape a, struct plane b, bool nearest)                               \
    {                                                                                                                  \
        const float plane[4] = {b.nx, b.ny, b.nz, b.d};                                                                \
        if (shape##_invalid(a) || plane_invalid(b))                                                                    \
            return ANSWER_MISS;                                                                                        \
        return plane_missing(b) ? ANSWER_HIT : corner(a, plane, nearest);                                              \
    }                                                                                                                  \
    static inline enum answer shape##_plane(struct shape a, struct plane b)                                            \
    {                                                                                                                  \
        return shape##_side(a, b, true);                                                                               \
    }                                                                                                                  \
    static inline enum answer shape##_in_plane(struct shape a, struct plane b)                                         \
    {                                                                                                                  \
        return shape##_side(a, b, false);                                                                              \
    }
BOX_PLANE(aabb, corner_plane)
BOX_PLANE(obb, obb_corner_plane)
#undef BOX_PLANE

/* An axis times a half extent, which reaches nowhere if the axis is zero; false if it is endless. */
static inline bool reach_of(struct vector *reach, float h, float x, float y, float z)
{
    const bool none = x == 0 && y == 0 && z == 0;
    const real length = real_of(isinf(h) ? 0 : h);
    *reach = (struct vector){real_mul(length, real_of(x)), real_mul(length, real_of(y)), real_mul(length, real_of(z))};
    return none || !isinf(h);
}

static inline struct vector moved_by(struct vector p, struct vector d, bool back)
{
    return back ? minus(p, d) : (struct vector){real_add(p.x, d.x), real_add(p.y, d.y), real_add(p.z, d.z)};
}

/* The distance of each corner from the centre of the sphere is <= R. Degree 4. */
static inline enum answer obb_in_sphere(struct obb a, struct sphere b)
{
    struct vector u, v, w;
    if (obb_invalid(a) || sphere_invalid(b))
        return ANSWER_MISS;
    if (isinf(b.r))
        return ANSWER_HIT;
    if (!reach_of(&u, a.hx, a.ux, a.uy, a.uz) || !reach_of(&v, a.hy, a.vx, a.vy, a.vz) ||
        !reach_of(&w, a.hz, a.wx, a.wy, a.wz))
        return ANSWER_MISS;
    const struct vector centre = minus(of_point(a.cx, a.cy, a.cz), of_point(b.x, b.y, b.z));
    enum answer all = ANSWER_HIT;
    for (unsigned signs = 0; signs < 8 && all != ANSWER_MISS; signs++) {
        const struct vector q = moved_by(moved_by(moved_by(centre, u, signs & 1), v, signs & 2), w, signs & 4);
        all = both(all, at_most(dot(q, q), square(real_of(b.r))));
    }
    return all;
}

#endif
