/* SPDX-License-Identifier: MIT */
/* Predicates that follow from those of single points and balls: of ends and corners, and of points as balls. */

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
