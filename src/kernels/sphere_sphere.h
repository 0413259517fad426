/* SPDX-License-Identifier: MIT */
/* Sphere or point and sphere: D^2 between the centres against R^2. Degree 2. */

#ifdef KERNEL_FILTERS

/*
 * Errors: D^2 5 as in sphere_aabb.h. The sum of radii 1, entering squared, and the square 1: 3. Products 4.
 * ULPS >= 5 + 3 + 4/2 = 10. An infinite or NaN centre makes D^2 infinite or NaN: never a certain hit.
 */
INLINE void sphere_sphere_filter(struct filter_state *p, struct v_sphere a, struct v_sphere b)
{
    require_nonneg(p, a.r);
    require_nonneg(p, b.r);
    hit_if_distance2_below(p, difference(p, a.x, b.x), difference(p, a.y, b.y), difference(p, a.z, b.z),
                           sum(p, a.r, b.r), false);
}

/* Errors: 5 + 1 + 4/2 = 8; with one radius hit_if_distance2_below() has its own bound. */
INLINE void point_in_sphere_filter(struct filter_state *p, struct v_point a, struct v_sphere s)
{
    hit_if_distance2_below(p, difference(p, a.x, s.x), difference(p, a.y, s.y), difference(p, a.z, s.z), s.r, p->one_b);
}

#endif

#ifdef KERNEL_FORMULAS

static inline enum answer sphere_sphere(struct sphere a, struct sphere b)
{
    if (sphere_invalid(a) || sphere_invalid(b))
        return ANSWER_MISS;
    if (isinf(a.r) || isinf(b.r))
        return ANSWER_HIT;
    real d2 = sum_of_squares(difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z));
    return at_most(d2, square(real_add(real_of(a.r), real_of(b.r))));
}

static inline enum answer point_in_sphere(struct point a, struct sphere s)
{
    if (point_invalid(a) || sphere_invalid(s))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    real d2 = sum_of_squares(difference(a.x, s.x), difference(a.y, s.y), difference(a.z, s.z));
    return at_most(d2, square(real_of(s.r)));
}

#endif
