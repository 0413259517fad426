/* SPDX-License-Identifier: MIT */
/* The predicates between shapes with straight edges and capsules, from convex_body.h, _distance.h and _inside.h. */

#ifdef KERNEL_FORMULAS

static inline struct segment core_of(struct capsule c)
{
    return (struct segment){c.ax, c.ay, c.az, c.bx, c.by, c.bz};
}

#define MEETS(name, shape_a, shape_b)                                                                                  \
    static inline enum answer name(struct shape_a a, struct shape_b b)                                                 \
    {                                                                                                                  \
        if (shape_a##_invalid(a) || shape_b##_invalid(b))                                                              \
            return ANSWER_MISS;                                                                                        \
        struct body body = body_empty();                                                                               \
        body_add_##shape_a(&body, a, false);                                                                           \
        body_add_##shape_b(&body, b, true);                                                                            \
        return body_meets(&body);                                                                                      \
    }
MEETS(segment_segment, segment, segment)
MEETS(segment_aabb, segment, aabb)
MEETS(segment_obb, segment, obb)
MEETS(segment_triangle, segment, triangle)
MEETS(triangle_aabb, triangle, aabb)
MEETS(triangle_obb, triangle, obb)
MEETS(triangle_triangle, triangle, triangle)
MEETS(aabb_obb, aabb, obb)
MEETS(obb_obb, obb, obb)
#undef MEETS

#define WITHIN(name, shape)                                                                                            \
    static inline enum answer name(struct capsule a, struct shape b)                                                   \
    {                                                                                                                  \
        if (capsule_invalid(a) || shape##_invalid(b))                                                                  \
            return ANSWER_MISS;                                                                                        \
        if (isinf(a.r))                                                                                                \
            return ANSWER_HIT;                                                                                         \
        struct body body = body_empty();                                                                               \
        body_add_segment(&body, core_of(a), false);                                                                    \
        body_add_##shape(&body, b, true);                                                                              \
        struct features left = {.apart = false};                                                                       \
        return body_within(&body, real_of(a.r), a.r == 0, &left);                                                      \
    }
WITHIN(capsule_segment, segment)
WITHIN(capsule_triangle, triangle)
WITHIN(capsule_aabb, aabb)
WITHIN(capsule_obb, obb)
#undef WITHIN

static inline enum answer segment_capsule(struct segment a, struct capsule b)
{
    return capsule_segment(b, a);
}

static inline enum answer capsule_capsule(struct capsule a, struct capsule b)
{
    if (capsule_invalid(a) || capsule_invalid(b))
        return ANSWER_MISS;
    if (isinf(a.r) || isinf(b.r))
        return ANSWER_HIT;
    struct body body = body_empty();
    body_add_segment(&body, core_of(a), false);
    body_add_segment(&body, core_of(b), true);
    struct features left = {.apart = false};
    return body_within(&body, real_add(real_of(a.r), real_of(b.r)), a.r == 0 && b.r == 0, &left);
}

#define IN_OBB(shape)                                                                                                  \
    static inline enum answer shape##_in_obb(struct shape a, struct obb b)                                             \
    {                                                                                                                  \
        if (shape##_invalid(a) || obb_invalid(b))                                                                      \
            return ANSWER_MISS;                                                                                        \
        struct body body = body_empty();                                                                               \
        body_add_##shape(&body, a, false);                                                                             \
        body_place(&body, of_point(b.cx, b.cy, b.cz), true);                                                           \
        return body_in_obb(&body, b, false, 0);                                                                        \
    }
IN_OBB(segment)
IN_OBB(triangle)
IN_OBB(aabb)
IN_OBB(obb)
#undef IN_OBB

static inline enum answer obb_in_aabb(struct obb a, struct aabb b)
{
    if (obb_invalid(a) || aabb_invalid(b))
        return ANSWER_MISS;
    struct body body = body_empty();
    body_add_obb(&body, a, false);
    body_place(&body, aabb_base(b), true);
    return body_in_aabb(&body, b);
}

/* min_b <= min_a and max_a <= max_b; an infinite bound of b lets everything pass, also under the open rule. */
static inline enum answer interval_in(float min_a, float max_a, float min_b, float max_b)
{
    if (min_a < min_b || max_a > max_b)
        return ANSWER_MISS;
    return (min_a > min_b || isinf(min_b)) && (max_a < max_b || isinf(max_b)) ? ANSWER_HIT : ANSWER_TOUCH;
}

static inline enum answer aabb_in_aabb(struct aabb a, struct aabb b)
{
    if (aabb_invalid(a) || aabb_invalid(b))
        return ANSWER_MISS;
    return both(interval_in(a.minx, a.maxx, b.minx, b.maxx),
                both(interval_in(a.miny, a.maxy, b.miny, b.maxy), interval_in(a.minz, a.maxz, b.minz, b.maxz)));
}

static inline enum answer capsule_in_obb(struct capsule a, struct obb b)
{
    if (capsule_invalid(a) || obb_invalid(b))
        return ANSWER_MISS;
    const bool endless = isinf(a.r);
    if (endless && !(isinf(b.hx) && isinf(b.hy) && isinf(b.hz)))
        return ANSWER_MISS;
    struct body body = body_empty();
    body_add_segment(&body, core_of(a), false);
    body_place(&body, of_point(b.cx, b.cy, b.cz), true);
    return body_in_obb(&body, b, a.r > 0, endless ? 1 : a.r);
}

#endif
