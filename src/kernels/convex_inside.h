/* SPDX-License-Identifier: MIT */
/*
 * Whether a convex body, or all points within a radius of it, is inside a box: in every direction that is normal to a
 * face of the box, it ends before the box does. Degree 8 for rounded bodies in OBBs, else 4.
 */

#ifdef KERNEL_FORMULAS

/* gap >= R |n|, from the signs and the squares. */
static inline enum answer wide_enough(const struct by_direction *question, struct vector n, real gap)
{
    if (!question->rounded)
        return not_negative(gap);
    const int sign = real_sign(gap);
    if (sign == SIGN_UNKNOWN)
        return ANSWER_UNKNOWN;
    return sign <= 0 ? ANSWER_MISS : at_most(real_mul(question->r2, dot(n, n)), square(gap));
}

/* A direction that may be zero decides nothing. */
static inline enum answer ends_before(const struct by_direction *question, const struct direction *direction,
                                      int *leaves)
{
    const struct vector n = direction->n;
    const struct direction of_others = any_direction(n);
    const struct span box = span_of(question->container, direction), body = span_of(question->body, &of_others);
    *leaves = box.leaves;
    if (box.unknown || body.unknown || nonzero(n) != 1)
        return ANSWER_UNKNOWN;
    if ((body.endless_low && !box.endless_low) || (body.endless_high && !box.endless_high))
        return ANSWER_MISS;
    enum answer low = ANSWER_HIT, high = ANSWER_HIT;
    if (!box.endless_low)
        low = wide_enough(question, n, real_sub(body.low, box.low));
    if (!box.endless_high)
        high = wide_enough(question, n, real_sub(box.high, body.high));
    return both(low, high);
}

/* Of a body relative to the centre of the box; without a radius if rounded is false. */
static inline enum answer body_in_obb(struct body *body, struct obb b, bool rounded, float r)
{
    struct body box = body_empty();
    b.cx = b.cy = b.cz = 0;
    body_add_obb(&box, b, false);
    const struct by_direction question = {.edges = &box,
                                          .ask = ends_before,
                                          .body = body,
                                          .container = &box,
                                          .rounded = rounded,
                                          .r2 = square(real_of(r))};
    return by_directions(&question);
}

/* Of a body relative to the least corner of the box, or to its only one. */
static inline enum answer body_in_aabb(struct body *body, struct aabb b)
{
    struct body box = body_empty();
    body_add_aabb(&box, b, false);
    box.base = of_point(0, 0, 0);
    const struct by_direction question = {.ask = ends_before, .body = body, .container = &box, .r2 = real_of(0)};
    enum answer all = ANSWER_HIT;
    for (unsigned k = 0; k < 3 && all != ANSWER_MISS; k++) {
        int leaves;
        all = both(all, in_direction(&question, any_direction(unit(k)), &leaves));
    }
    return all;
}

/* The base of an AABB as a body. */
static inline struct vector aabb_base(struct aabb b)
{
    struct body unused = body_empty();
    body_add_aabb(&unused, b, false);
    return unused.base;
}

#endif
