/* SPDX-License-Identifier: MIT */
/*
 * Capsule and hull. The segment of the capsule meets the hull; or an end is within the radius of the hull as a sphere;
 * or a point within the segment is nearest to the hull. Then one such point is nearest to a point of an edge, which two
 * planes hold, or to a corner, which three hold. hull/capsule.c asks for all of them in turn. Degree 8, of corners 10.
 */

#ifdef KERNEL_FORMULAS

/* What does not take the edges and corners: ANSWER_ELSEWHERE if these are needed, as the segment misses the hull. */
static inline enum answer capsule_hull(struct capsule c, const struct hull *hull, const struct findings *found)
{
    if (isinf(c.r)) {
        const struct aabb space = {-INFINITY, -INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY};
        const enum answer answer = aabb_hull(space, hull, found);
        return answer == ANSWER_TOUCH ? ANSWER_HIT : answer;
    }
    const enum answer meets = segment_hull(core_of(c), hull, found);
    if (meets == ANSWER_UNKNOWN)
        return meets;
    if (meets == ANSWER_MISS)
        return c.r == 0 ? ANSWER_MISS : ANSWER_ELSEWHERE;
    return c.r == 0 ? ANSWER_TOUCH : ANSWER_HIT;
}

/* A condition value <= 0, for a point to be in the hull and between the ends; a touch meets it. */
static inline enum answer require_within(enum answer so_far, real value)
{
    return require_feature(so_far, real_sub(real_of(0), value));
}

/*
 * The edge of two planes with heights h + g t over them of the points a + t d. The normal m of d and of the edge is the
 * cross product of d and that of the normals. The nearest points are a + t d and a + t d - q / m.m m.
 */
static inline enum answer near_edge(struct vector a, struct vector d, real r2, const struct hull *hull,
                                    const struct active *active)
{
    struct vector n[2];
    real h[2], g[2];
    for (unsigned i = 0; i < 2; i++) {
        const float *plane = hull->given[active->plane[i]];
        n[i] = of_point(plane[0], plane[1], plane[2]);
        h[i] = real_add(dot(n[i], a), real_of(plane[3]));
        g[i] = dot(n[i], d);
    }
    const struct vector m = minus(times(n[0], g[1]), times(n[1], g[0]));
    const real mm = dot(m, m), q = real_sub(real_mul(h[0], g[1]), real_mul(h[1], g[0]));
    const int sign = real_sign(mm);
    if (sign == 0)
        return ANSWER_MISS;
    enum answer answer = at_most(square(q), real_mul(r2, mm));
    const real t = real_sub(real_mul(h[0], dot(n[1], m)), real_mul(h[1], dot(n[0], m)));
    answer = require_within(require_feature(answer, t), real_sub(t, mm));
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++) {
        const float *plane = hull->given[k];
        const struct vector nk = of_point(plane[0], plane[1], plane[2]);
        const real over = real_add(real_mul(real_add(dot(nk, a), real_of(plane[3])), mm), real_mul(t, dot(nk, d)));
        if (k != active->plane[0] && k != active->plane[1])
            answer = require_within(answer, real_sub(over, real_mul(q, dot(nk, m))));
    }
    return sign == SIGN_UNKNOWN ? both(answer, ANSWER_UNKNOWN) : answer;
}

/* The corner a - w / determinant of three planes. */
static inline enum answer near_corner(struct vector a, struct vector d, real r2, const struct hull *hull,
                                      const struct active *active)
{
    struct vector n[3], w = of_point(0, 0, 0);
    real h[3];
    for (unsigned i = 0; i < 3; i++) {
        const float *plane = hull->given[active->plane[i]];
        n[i] = of_point(plane[0], plane[1], plane[2]);
        h[i] = real_add(dot(n[i], a), real_of(plane[3]));
    }
    for (unsigned i = 0; i < 3; i++)
        w = plus(w, times(cross(n[(i + 1) % 3], n[(i + 2) % 3]), h[i]));
    real determinant = dot(n[0], cross(n[1], n[2]));
    const int sign = real_sign(determinant);
    if (sign == 0 || sign == SIGN_UNKNOWN)
        return sign == 0 ? ANSWER_MISS : ANSWER_UNKNOWN;
    if (sign < 0) {
        determinant = real_sub(real_of(0), determinant);
        w = negative(w);
    }
    const real dd = dot(d, d), t = real_sub(real_of(0), dot(w, d));
    if (real_sign(dd) == 0)
        return ANSWER_MISS; /* the ends are all of it */
    enum answer answer = require_within(require_feature(ANSWER_HIT, t), real_sub(t, real_mul(dd, determinant)));
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++) {
        const float *plane = hull->given[k];
        const struct vector nk = of_point(plane[0], plane[1], plane[2]);
        const real height = real_add(dot(nk, a), real_of(plane[3]));
        if (k != active->plane[0] && k != active->plane[1] && k != active->plane[2])
            answer = require_within(answer, real_sub(real_mul(height, determinant), dot(nk, w)));
    }
    if (answer == ANSWER_MISS)
        return answer;
    const struct vector across = cross(w, d);
    return both(answer, at_most(dot(across, across), real_mul(real_mul(r2, square(determinant)), dd)));
}

/* A hit or touch if a point within the segment is that near to the edge of two planes, or the corner of three. */
static inline enum answer capsule_at(struct capsule c, const struct hull *hull, const struct active *active)
{
    const struct vector a = of_point(c.ax, c.ay, c.az), d = minus(of_point(c.bx, c.by, c.bz), a);
    const real r2 = square(real_of(c.r));
    return active->count == 2 ? near_edge(a, d, r2, hull, active) : near_corner(a, d, r2, hull, active);
}

#endif
