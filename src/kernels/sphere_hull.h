/* SPDX-License-Identifier: MIT */
/*
 * Sphere or point and hull: the sphere against its planes, against the hull, and inside of it. Degree 4; sphere_hull 8.
 *
 * Let s be the greatest of n_i.c + d_i over unit normals. sphere_hull_planes is s <= R and sphere_in_hull is s <= -R.
 * sphere_hull is a miss where s > R, as the distance is at least s, and a hit where s <= 0, as the centre is in the
 * hull. So one real per sphere serves all of them, and only spheres across the surface need their distance.
 */

#ifdef KERNEL_FILTERS

INLINE void point_in_hull_items(struct hull_filter_state *p, const struct operand *operand, size_t i)
{
    p->coordinate = hull_greatest(p, p->coordinate, v_load(operand->at[0] + i), v_load(operand->at[1] + i),
                                  v_load(operand->at[2] + i));
}

INLINE void sphere_hull_items(struct hull_filter_state *p, const struct operand *operand, size_t i)
{
    hull_require_nonneg(p, v_load(operand->at[3] + i));
    point_in_hull_items(p, operand, i);
}

INLINE v centre_magnitude(v coordinate, v axis, v needed)
{
    (void)axis, (void)needed;
    return coordinate;
}

/* Lanes with a radius above 0: under the open rule, only these touch anything. */
INLINE uint64_t some_radius(const struct operand *operand, size_t i)
{
    uint64_t bits = 0;
    UNROLL for (unsigned j = 0; j < 64; j += WIDTH)
    {
        bits |= m_bits(m_lt(v_set1(0), v_load(operand->at[3] + i + j))) << j;
    }
    return bits;
}

struct few_centres {
    const float *at_y, *at_z;
    v x[CENTRES_TOGETHER], y[CENTRES_TOGETHER], z[CENTRES_TOGETHER];
};

INLINE void centre_heights(const struct hull *hull, unsigned k, const struct few_centres *c, v *h)
{
    const float *at_y = read_again(c->at_y), *at_z = read_again(c->at_z);
    UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
    {
        const v z = CENTRES_READ_AGAIN ? v_load(at_z + j * WIDTH) : c->z[j];
        h[j] = v_keep(v_fma(v_set1(hull->nz[k]), z, v_set1(hull->d[k])));
    }
    UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
    {
        h[j] = v_fma(v_set1(hull->ny[k]), CENTRES_READ_AGAIN ? v_load(at_y + j * WIDTH) : c->y[j], h[j]);
    }
    UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
    {
        h[j] = v_fma(v_set1(hull->nx[k]), c->x[j], h[j]);
    }
}

/* A NaN coordinate makes the terms of all planes NaN, and so s. */
INLINE void centre_depth(const struct hull *hull, const struct operand *operand, size_t i, v *depths)
{
    struct few_centres c = {.at_y = operand->at[1] + i, .at_z = operand->at[2] + i};
    v s[CENTRES_TOGETHER];
    UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
    {
        c.x[j] = v_load(operand->at[0] + i + j * WIDTH);
        c.y[j] = v_load(c.at_y + j * WIDTH);
        c.z[j] = v_load(c.at_z + j * WIDTH);
        s[j] = v_set1(-INFINITY);
    }
    unsigned k = 0;
    for (; k < hull->sides; k += 2) {
        v h[CENTRES_TOGETHER];
        centre_heights(hull, k, &c, h);
        UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
        {
            s[j] = v_max(s[j], slab_height(hull, k, h[j]));
        }
    }
    for (; k < hull->planes; k++) {
        v h[CENTRES_TOGETHER];
        centre_heights(hull, k, &c, h);
        UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
        {
            s[j] = v_max(s[j], h[j]);
        }
    }
    UNROLL for (unsigned j = 0; j < CENTRES_TOGETHER; j++)
    {
        depths[j] = s[j];
    }
}

/* No distance is needed if the centre is certainly inside. If it may be, a distance is quicker than a closer test. */
INLINE void sphere_hull_filter(struct hull_filter_state *p, const struct operand *operand, size_t i, v depth)
{
    hull_below(p, v_sub(depth, v_load(operand->at[3] + i)));
    p->boundary = m_and(p->hit, m_lt(v_sub(v_set1(0), p->bound), depth));
}

INLINE void sphere_hull_planes_filter(struct hull_filter_state *p, const struct operand *operand, size_t i, v depth)
{
    hull_below(p, v_sub(depth, v_load(operand->at[3] + i)));
}

INLINE void sphere_in_hull_filter(struct hull_filter_state *p, const struct operand *operand, size_t i, v depth)
{
    hull_below(p, v_add(depth, v_load(operand->at[3] + i)));
}

/* The kernels of spheres and points: they differ in the fields that they read and in the test of the depth. */
#define CENTRE_KERNEL(name, item, items_function, lanes_function, boundary)                                            \
    static const struct hull_filter name##_kernel = {.items = items_function,                                          \
                                                     .magnitude = centre_magnitude,                                    \
                                                     .depth = centre_depth,                                            \
                                                     .lanes = lanes_function,                                          \
                                                     .predicate = predicate_##name,                                    \
                                                     .together = CENTRES_TOGETHER,                                     \
                                                     .look_first = CENTRES_LOOK_FIRST,                                 \
                                                     .fields = item##_fields,                                          \
                                                     .centres = true,                                                  \
                                                     .has_boundary = boundary};
CENTRE_KERNEL(sphere_hull, sphere, sphere_hull_items, sphere_hull_filter, true)
CENTRE_KERNEL(sphere_hull_planes, sphere, sphere_hull_items, sphere_hull_planes_filter, false)
CENTRE_KERNEL(sphere_in_hull, sphere, sphere_hull_items, sphere_in_hull_filter, false)
CENTRE_KERNEL(point_in_hull, point, point_in_hull_items, depth_filter, false)

#endif

#ifdef KERNEL_FILTER64

/*
 * Compares the centre's depth with -beyond. The error is that of a point: rounding the sum with beyond keeps its sign.
 */
static enum answer centre_filter64(const struct hull *hull, float x, float y, float z, double beyond,
                                   struct findings *found)
{
    const double error = HULL_ERROR * (size_of(x, y, z) + hull->reach);
    found->boundary = 0;
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k];
        if (surely_outside(found, k, n[0] * x + n[1] * y + n[2] * z + n[3] + beyond, error))
            return ANSWER_MISS;
    }
    return found->boundary != 0 ? ANSWER_UNKNOWN : ANSWER_HIT;
}

static enum answer sphere_hull_filter64(struct hull *hull, struct sphere s, struct findings *found)
{
    return abut_hull_nearest(hull, &s.x, found);
}

static enum answer sphere_hull_planes_filter64(struct hull *hull, struct sphere s, struct findings *found)
{
    return centre_filter64(hull, s.x, s.y, s.z, -s.r, found);
}

static enum answer sphere_in_hull_filter64(struct hull *hull, struct sphere s, struct findings *found)
{
    return centre_filter64(hull, s.x, s.y, s.z, s.r, found);
}

static enum answer point_in_hull_filter64(struct hull *hull, struct point p, struct findings *found)
{
    return centre_filter64(hull, p.x, p.y, p.z, 0, found);
}

#endif

#ifdef KERNEL_FORMULAS

static inline enum answer point_in_hull(struct point p, const struct hull *hull, const struct findings *found)
{
    enum answer answer = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++)
        if (found->boundary >> k & 1)
            answer = both(answer, at_most(plane_height(plane_of(hull->given[k]), p.x, p.y, p.z), real_of(0)));
    return answer;
}

static inline enum answer sphere_planes(struct sphere s, const struct hull *hull, uint32_t boundary, bool inside)
{
    enum answer answer = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++)
        if (boundary >> k & 1)
            answer = both(answer, sphere_side(s, plane_of(hull->given[k]), inside));
    return answer;
}

static inline enum answer sphere_hull_planes(struct sphere s, const struct hull *hull, const struct findings *found)
{
    return isinf(s.r) ? ANSWER_HIT : sphere_planes(s, hull, found->boundary, false);
}

static inline enum answer sphere_in_hull(struct sphere s, const struct hull *hull, const struct findings *found)
{
    return isinf(s.r) ? hull->planes > 0 ? ANSWER_MISS : ANSWER_HIT : sphere_planes(s, hull, found->boundary, true);
}

/*
 * The point of the active planes nearest to c is c - sum of t_i n_i, where G t = s and G holds the dot products of the
 * normals. Returns det G and sets t det G by the adjugate, for up to three planes; degree 6 at most.
 */
static inline real multipliers(unsigned count, real g[3][3], const real *s, real *t)
{
    if (count == 0)
        return real_of(1);
    if (count == 1) {
        t[0] = s[0];
        return g[0][0];
    }
    if (count == 2) {
        t[0] = real_sub(real_mul(s[0], g[1][1]), real_mul(s[1], g[0][1]));
        t[1] = real_sub(real_mul(s[1], g[0][0]), real_mul(s[0], g[0][1]));
        return real_sub(real_mul(g[0][0], g[1][1]), square(g[0][1]));
    }
    real adjugate[3][3];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            unsigned i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            adjugate[i][j] = real_sub(real_mul(g[i1][j1], g[i2][j2]), real_mul(g[i1][j2], g[i2][j1]));
        }
    for (unsigned i = 0; i < 3; i++)
        t[i] = real_add(real_add(real_mul(adjugate[i][0], s[0]), real_mul(adjugate[i][1], s[1])),
                        real_mul(adjugate[i][2], s[2]));
    return real_add(real_add(real_mul(g[0][0], adjugate[0][0]), real_mul(g[0][1], adjugate[0][1])),
                    real_mul(g[0][2], adjugate[0][2]));
}

static inline enum answer not_at(int sign)
{
    return sign == SIGN_UNKNOWN ? ANSWER_UNKNOWN : ANSWER_ELSEWHERE;
}

/*
 * The distance to the planes in among (bit k is plane k) against R, if the nearest point c - sum of t_i n_i on the
 * active planes is proved to be the nearest within all of them. Multipliers t >= 0 and a point outside of no plane are
 * sufficient, and some set of independent planes has them. Sets beyond to k if the point may be outside of plane k.
 */
static inline enum answer hull_at(struct sphere c, const struct hull *hull, const struct active *active, uint32_t among,
                                  unsigned *beyond)
{
    real s[3] = {0}, t[3], g[3][3];
    struct plane planes[3] = {{0}};
    for (unsigned i = 0; i < active->count; i++)
        planes[i] = plane_of(hull->given[active->plane[i]]);
    for (unsigned i = 0; i < active->count; i++) {
        s[i] = plane_height(planes[i], c.x, c.y, c.z);
        for (unsigned j = 0; j < active->count; j++)
            g[i][j] = normals_dot(planes[i], planes[j]);
    }
    real determinant = multipliers(active->count, g, s, t), d2 = real_of(0);
    const int independent = real_sign(determinant);
    if (independent != 1)
        return not_at(independent);
    for (unsigned i = 0; i < active->count; i++) {
        int sign = real_sign(t[i]);
        if (sign != 0 && sign != 1)
            return not_at(sign);
        d2 = real_add(d2, real_mul(t[i], s[i]));
    }
    uint32_t others = among;
    for (unsigned i = 0; i < active->count; i++)
        others &= ~(UINT32_C(1) << active->plane[i]);
    for (unsigned k = 0; k < hull->planes; k++) {
        if (!(others >> k & 1))
            continue;
        const struct plane plane = plane_of(hull->given[k]);
        real at = real_mul(plane_height(plane, c.x, c.y, c.z), determinant);
        for (unsigned i = 0; i < active->count; i++)
            at = real_sub(at, real_mul(t[i], normals_dot(planes[i], plane)));
        int sign = real_sign(at);
        if (sign != 0 && sign != -1) {
            *beyond = k;
            return not_at(sign);
        }
    }
    if (isinf(c.r))
        return ANSWER_HIT;
    return at_most(d2, real_mul(square(real_of(c.r)), determinant));
}

static inline enum answer sphere_hull(struct sphere s, const struct hull *hull, const struct findings *found)
{
    unsigned beyond;
    return hull_at(s, hull, &found->active, found->boundary, &beyond);
}

#endif
