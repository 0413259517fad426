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
 * Parts are left out, and more is decided, by multipliers: the gap from the segment to the nearest point is minus a sum
 * of normals of the planes that hold it, each times some t >= 0. Where a t is negative, the part is not the nearest.
 * Where none is, the planes alone keep the hull as far from the line as the part is, so no point is nearer.
 */
static inline enum answer part_answer(enum answer distance, enum answer inside, bool supported, bool *all)
{
    const enum answer answer = both(distance, inside);
    *all = supported && (distance == ANSWER_MISS || answer == ANSWER_TOUCH);
    return answer;
}

/* Of two or three multipliers by their signs: false if one is certainly negative; *supported: none may be. */
static inline bool may_be_nearest(const int *sign, unsigned n, bool *supported)
{
    bool negative = false;
    *supported = true;
    for (unsigned i = 0; i < n; i++) {
        negative |= sign[i] == -1;
        *supported &= sign[i] == 0 || sign[i] == 1;
    }
    return !negative;
}

static inline int product_of_signs(int a, int b)
{
    if (a == 0 || b == 0)
        return 0;
    return a == SIGN_UNKNOWN || b == SIGN_UNKNOWN ? SIGN_UNKNOWN : a * b;
}

/*
 * The edge of two planes with heights h + g t over them of the points a + t d. The normal m of d and of the edge is the
 * cross product of d and that of the normals. The nearest points are a + t d and a + t d - q / m.m m.
 */
static inline enum answer near_edge(struct vector a, struct vector d, real r2, const struct hull *hull,
                                    const struct active *active, bool *all)
{
    struct vector n[2];
    real h[2], g[2];
    bool supported;
    for (unsigned i = 0; i < 2; i++) {
        const float *plane = hull->given[active->plane[i]];
        n[i] = of_point(plane[0], plane[1], plane[2]);
        g[i] = dot(n[i], d);
    }
    const int rise[2] = {real_sign(g[0]), real_sign(g[1])};
    if (rise[0] % 2 != 0 && rise[0] == rise[1])
        return ANSWER_MISS; /* one multiplier is positive, and one negative */
    for (unsigned i = 0; i < 2; i++)
        h[i] = real_add(dot(n[i], a), real_of(hull->given[active->plane[i]][3]));
    const real q = real_sub(real_mul(h[0], g[1]), real_mul(h[1], g[0]));
    const int side = real_sign(q),
              sign_of_t[2] = {product_of_signs(side, rise[1]), product_of_signs(product_of_signs(side, rise[0]), -1)};
    if (!may_be_nearest(sign_of_t, 2, &supported))
        return ANSWER_MISS;
    const struct vector m = minus(times(n[0], g[1]), times(n[1], g[0]));
    const real mm = dot(m, m);
    const int sign = real_sign(mm);
    if (sign == 0)
        return ANSWER_MISS;
    const enum answer distance = at_most(square(q), real_mul(r2, mm));
    if (distance == ANSWER_MISS)
        return part_answer(distance, distance, supported, all);
    const real t = real_sub(real_mul(h[0], dot(n[1], m)), real_mul(h[1], dot(n[0], m)));
    enum answer inside = require_within(require_feature(ANSWER_HIT, t), real_sub(t, mm));
    for (unsigned k = 0; k < hull->planes && inside != ANSWER_MISS; k++) {
        const float *plane = hull->given[k];
        const struct vector nk = of_point(plane[0], plane[1], plane[2]);
        const real over = real_add(real_mul(real_add(dot(nk, a), real_of(plane[3])), mm), real_mul(t, dot(nk, d)));
        if (k != active->plane[0] && k != active->plane[1])
            inside = require_within(inside, real_sub(over, real_mul(q, dot(nk, m))));
    }
    return part_answer(distance, sign == SIGN_UNKNOWN ? both(inside, ANSWER_UNKNOWN) : inside, supported, all);
}

/* The corner a - w / determinant of three planes. Its gap from the line is (w.d d - d.d w) / (determinant d.d). */
static inline enum answer near_corner(struct vector a, struct vector d, real r2, const struct hull *hull,
                                      const struct active *active, bool *all)
{
    struct vector n[3], cofactor[3], w = of_point(0, 0, 0);
    bool supported;
    for (unsigned i = 0; i < 3; i++) {
        const float *plane = hull->given[active->plane[i]];
        n[i] = of_point(plane[0], plane[1], plane[2]);
    }
    const int rise[3] = {real_sign(dot(n[0], d)), real_sign(dot(n[1], d)), real_sign(dot(n[2], d))};
    if (rise[0] % 2 != 0 && rise[0] == rise[1] && rise[1] == rise[2])
        return ANSWER_MISS; /* no sum of them is at a right angle to d */
    for (unsigned i = 0; i < 3; i++)
        cofactor[i] = cross(n[(i + 1) % 3], n[(i + 2) % 3]);
    real determinant = dot(n[0], cofactor[0]);
    const int sign = real_sign(determinant);
    if (sign == 0 || sign == SIGN_UNKNOWN)
        return sign == 0 ? ANSWER_MISS : ANSWER_UNKNOWN;
    for (unsigned i = 0; i < 3; i++)
        w = plus(w, times(cofactor[i], real_add(dot(n[i], a), real_of(hull->given[active->plane[i]][3]))));
    if (sign < 0) {
        determinant = real_sub(real_of(0), determinant);
        w = negative(w);
    }
    const real dd = dot(d, d), wd = dot(w, d), t = real_sub(real_of(0), wd);
    if (real_sign(dd) == 0)
        return ANSWER_MISS; /* the ends are all of it */
    enum answer inside = require_within(require_feature(ANSWER_HIT, t), real_sub(t, real_mul(dd, determinant)));
    if (inside == ANSWER_MISS)
        return inside;
    const struct vector gap = minus(times(d, wd), times(w, dd));
    int sign_of_t[3];
    for (unsigned i = 0; i < 3; i++)
        sign_of_t[i] = product_of_signs(real_sign(dot(gap, cofactor[i])), -sign);
    if (!may_be_nearest(sign_of_t, 3, &supported))
        return ANSWER_MISS;
    for (unsigned k = 0; k < hull->planes && inside != ANSWER_MISS; k++) {
        const float *plane = hull->given[k];
        const struct vector nk = of_point(plane[0], plane[1], plane[2]);
        const real height = real_add(dot(nk, a), real_of(plane[3]));
        if (k != active->plane[0] && k != active->plane[1] && k != active->plane[2])
            inside = require_within(inside, real_sub(real_mul(height, determinant), dot(nk, w)));
    }
    if (inside == ANSWER_MISS && !supported)
        return inside;
    const struct vector across = cross(w, d);
    const enum answer distance = at_most(dot(across, across), real_mul(real_mul(r2, square(determinant)), dd));
    return part_answer(distance, inside, supported, all);
}

/*
 * A hit or touch if a point within the segment is that near to the edge of two planes, or the corner of three. Sets
 * *all if that is the answer of the whole capsule, whose segment misses the hull.
 */
static inline enum answer capsule_at(struct capsule c, const struct hull *hull, const struct active *active, bool *all)
{
    const struct vector a = of_point(c.ax, c.ay, c.az), d = minus(of_point(c.bx, c.by, c.bz), a);
    const real r2 = square(real_of(c.r));
    return active->count == 2 ? near_edge(a, d, r2, hull, active, all) : near_corner(a, d, r2, hull, active, all);
}

#endif
