/* SPDX-License-Identifier: MIT */
/*
 * AABBs, OBBs, segments, capsules and triangles some distance apart: the distance of their difference from 0
 * (convex_distance.h) is at most the sum of the radii and that distance. OBBs are what their edges span, as where they
 * touch.
 */

#ifdef KERNEL_FORMULAS

/* Returns the radius around the body. */
static inline float body_add_item(struct body *body, enum shape shape, const float *item, bool second)
{
    switch (shape) {
    case shape_aabb:
        body_add_aabb(body, aabb_of(item), second);
        return 0;
    case shape_obb:
        body_add_obb(body, obb_of(item), second);
        return 0;
    case shape_triangle:
        body_add_triangle(body, triangle_of(item), second);
        return 0;
    default:
        body_add_segment(body, segment_of(item), second);
        return shape == shape_capsule ? item[6] : 0;
    }
}

/* Of valid items, and a distance above 0. left as for body_within. */
static inline enum answer convex_within(enum shape shape_a, const float *a, enum shape shape_b, const float *b,
                                        float distance, struct features *left)
{
    struct body body = body_empty();
    const float ra = body_add_item(&body, shape_a, a, false), rb = body_add_item(&body, shape_b, b, true);
    if (isinf(ra) || isinf(rb))
        return ANSWER_HIT;
    return body_within(&body, real_add(real_add(real_of(ra), real_of(rb)), real_of(distance)), false, left);
}

#endif
