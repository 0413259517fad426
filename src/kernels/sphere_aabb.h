/* SPDX-License-Identifier: MIT */
/* Sphere (or point) and AABB: touches, either inside the other. Degree 2; sphere or point inside an AABB degree 1. */

#ifdef KERNEL_FILTERS

/*
 * D^2 to the nearest point q of the box against R^2.
 * Errors: q is an input; each difference 1 rounding, entering squared; square 1, sums 2: 5. R^2: 1. Products 4.
 * ULPS >= 5 + 1 + 4/2 = 8; with one radius hit_if_distance2_below() has its own bound.
 * v_min and v_max return their second operand on x86 when either is NaN, so a NaN in max or in c reaches D^2. A NaN in
 * min may not, and aabb_valid() catches it. An infinite centre makes D^2 infinite or NaN: never a certain hit.
 */
INLINE void sphere_aabb_filter(struct filter_state *p, struct v_sphere s, struct v_aabb b)
{
    v x = difference_beside_minima(p, v_min(v_max(s.x, b.minx), b.maxx), s.x);
    v y = difference_beside_minima(p, v_min(v_max(s.y, b.miny), b.maxy), s.y);
    v z = difference_beside_minima(p, v_min(v_max(s.z, b.minz), b.maxz), s.z);
    aabb_valid(p, b);
    hit_if_distance2_below(p, x, y, z, s.r, p->one_a);
}

/* D^2 to the farthest corner; errors as above. */
INLINE void aabb_in_sphere_filter(struct filter_state *p, struct v_aabb b, struct v_sphere s)
{
    v x = v_max(v_abs(difference(p, s.x, b.minx)), v_abs(difference(p, s.x, b.maxx)));
    v y = v_max(v_abs(difference(p, s.y, b.miny)), v_abs(difference(p, s.y, b.maxy)));
    v z = v_max(v_abs(difference(p, s.z, b.minz)), v_abs(difference(p, s.z, b.maxz)));
    aabb_valid(p, b);
    hit_if_distance2_below(p, x, y, z, s.r, p->one_b);
}

/*
 * R against the least of the six distances to the faces: one rounding each, so an ulp would do for hit_if_less().
 * A minimum may drop a NaN, and an infinite centre is infinitely far inside all of space: the validity checks catch
 * both, and a sphere that stands for all lanes is valid. Adding +0 turns -0 into +0; hit_if_less() takes the two for
 * far apart.
 */
INLINE void sphere_in_aabb_filter(struct filter_state *p, struct v_sphere s, struct v_aabb b)
{
    v x = v_min(difference(p, s.x, b.minx), difference(p, b.maxx, s.x));
    v y = v_min(difference(p, s.y, b.miny), difference(p, b.maxy, s.y));
    v z = v_min(difference(p, s.z, b.minz), difference(p, b.maxz, s.z));
    aabb_valid(p, b);
    if (!p->one_a)
        sphere_valid(p, s);
    hit_if_less(p, v_add(s.r, v_set1(0)), v_add(v_min(x, v_min(y, z)), v_set1(0)));
    decide_if_exact(p, s.r, v_min(x, v_min(y, z)));
}

/* NaN fails a compare, and so does an infinite point. A box that holds a point is not empty. */
INLINE void point_in_aabb_filter(struct filter_state *p, struct v_point a, struct v_aabb b)
{
    hit_if_le(p, b.minx, a.x);
    hit_if_le(p, a.x, b.maxx);
    hit_if_le(p, b.miny, a.y);
    hit_if_le(p, a.y, b.maxy);
    hit_if_le(p, b.minz, a.z);
    hit_if_le(p, a.z, b.maxz);
}

#endif

#ifdef KERNEL_FORMULAS

/* c minus the nearest point of [min, max]: one maximum and one minimum, so that it compiles without branches. */
static inline real to_interval(float c, float min, float max)
{
    float above = c < min ? min : c;
    return difference(c, above > max ? max : above);
}

static inline enum answer sphere_aabb(struct sphere s, struct aabb b)
{
    if (sphere_invalid(s) || aabb_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    real d2 = sum_of_squares(to_interval(s.x, b.minx, b.maxx), to_interval(s.y, b.miny, b.maxy),
                             to_interval(s.z, b.minz, b.maxz));
    return at_most(d2, square(real_of(s.r)));
}

/* Sets the distance to c minus the farther end of [min, max]; ANSWER_UNKNOWN if the farther end is unknown. */
static inline enum answer from_interval(float c, float min, float max, real *distance)
{
    int to_min = real_sign(real_sub(difference(c, min), difference(max, c)));
    *distance = difference(c, to_min > 0 ? min : max);
    return to_min == SIGN_UNKNOWN ? ANSWER_UNKNOWN : ANSWER_HIT;
}

static inline enum answer aabb_in_sphere(struct aabb b, struct sphere s)
{
    if (sphere_invalid(s) || aabb_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r))
        return ANSWER_HIT;
    if (isinf(b.minx) || isinf(b.miny) || isinf(b.minz) || isinf(b.maxx) || isinf(b.maxy) || isinf(b.maxz))
        return ANSWER_MISS;
    real x, y, z;
    if (from_interval(s.x, b.minx, b.maxx, &x) == ANSWER_UNKNOWN ||
        from_interval(s.y, b.miny, b.maxy, &y) == ANSWER_UNKNOWN ||
        from_interval(s.z, b.minz, b.maxz, &z) == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return at_most(sum_of_squares(x, y, z), square(real_of(s.r)));
}

/* r <= c - min and r <= max - c; any finite radius satisfies an infinite bound. */
static inline enum answer in_interval(float c, float r, float min, float max)
{
    enum answer low = isinf(min) ? ANSWER_HIT : at_most(real_of(r), difference(c, min));
    enum answer high = isinf(max) ? ANSWER_HIT : at_most(real_of(r), difference(max, c));
    return both(low, high);
}

static inline enum answer sphere_in_aabb(struct sphere s, struct aabb b)
{
    if (sphere_invalid(s) || aabb_invalid(b))
        return ANSWER_MISS;
    if (isinf(s.r)) {
        bool all_of_space =
            isinf(b.minx) && isinf(b.miny) && isinf(b.minz) && isinf(b.maxx) && isinf(b.maxy) && isinf(b.maxz);
        return all_of_space ? ANSWER_HIT : ANSWER_MISS;
    }
    enum answer x = in_interval(s.x, s.r, b.minx, b.maxx);
    enum answer y = in_interval(s.y, s.r, b.miny, b.maxy);
    enum answer z = in_interval(s.z, s.r, b.minz, b.maxz);
    return both(x, both(y, z));
}

static inline enum answer point_in_aabb(struct point a, struct aabb b)
{
    if (point_invalid(a) || aabb_invalid(b))
        return ANSWER_MISS;
    if (a.x < b.minx || a.x > b.maxx || a.y < b.miny || a.y > b.maxy || a.z < b.minz || a.z > b.maxz)
        return ANSWER_MISS;
    bool inside = a.x > b.minx && a.x < b.maxx && a.y > b.miny && a.y < b.maxy && a.z > b.minz && a.z < b.maxz;
    return inside ? ANSWER_HIT : ANSWER_TOUCH;
}

#endif
