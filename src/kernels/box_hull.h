/* SPDX-License-Identifier: MIT */
/* AABB or OBB and hull: the corner nearest along each normal, or the farthest, against each plane. Degree 2; OBB 3. */

#ifdef KERNEL_FILTERS

/*
 * The bound of a centre (batch/hull.h), with the greatest bound of the boxes as coordinate: in a valid box |min|
 * <= |max| + (max - min), and needed is the greatest max - min. The roundings of these take 2 u of the spare part. An
 * infinite bound makes the error infinite. The magnitude of a lane alone is at most that of its word, so the hits that
 * a search finds for an item do not depend on the rest of the word.
 */
INLINE v aabb_hull_planes_magnitude(v coordinate, v axis, v needed)
{
    (void)axis;
    return v_add(coordinate, needed);
}

INLINE void aabb_hull_planes_items(struct hull_filter_state *p, const struct operand *operand, size_t i)
{
    const struct v_aabb b = v_aabb_load(operand, i);
    hull_require_nonneg(p, v_sub(b.maxx, b.minx));
    hull_require_nonneg(p, v_sub(b.maxy, b.miny));
    hull_require_nonneg(p, v_sub(b.maxz, b.minz));
    /* If this loses a NaN, hull_require_nonneg() has it. */
    p->coordinate = v_max(v_max_abs(b.maxx, b.maxy, b.maxz), p->coordinate);
}

INLINE void corner_plane(v *s, const v *x, const v *y, const v *of_z, v nx, v ny)
{
    UNROLL for (unsigned j = 0; j < CORNERS_TOGETHER; j++)
    {
        s[j] = v_max(s[j], v_fma(nx, x[j], v_fma(ny, y[j], of_z[j])));
    }
}

INLINE void corner_depth(const struct hull *hull, const struct operand *operand, size_t i, bool nearest, v *depths)
{
    v minx[CORNERS_TOGETHER], maxx[CORNERS_TOGETHER], miny[CORNERS_TOGETHER], maxy[CORNERS_TOGETHER];
    v of_z[CORNERS_TOGETHER], s[CORNERS_TOGETHER];
    UNROLL for (unsigned j = 0; j < CORNERS_TOGETHER; j++)
    {
        minx[j] = v_load(operand->at[0] + i + j * WIDTH);
        miny[j] = v_load(operand->at[1] + i + j * WIDTH);
        maxx[j] = v_load(operand->at[3] + i + j * WIDTH);
        maxy[j] = v_load(operand->at[4] + i + j * WIDTH);
        s[j] = v_set1(-INFINITY);
    }
    for (unsigned k = 0; k < hull->planes; k++) {
        v nx = v_set1(hull->nx[k]), ny = v_set1(hull->ny[k]), nz = v_set1(hull->nz[k]), d = v_set1(hull->d[k]);
        /* The axes on which the corner has the greater bound. */
        const unsigned max = nearest ? hull->octant[k] ^ 7u : hull->octant[k];
        const float *z = operand->at[max & 4 ? 5 : 2] + i;
        UNROLL for (unsigned j = 0; j < CORNERS_TOGETHER; j++)
        {
            of_z[j] = v_fma(nz, v_load(z + j * WIDTH), d);
        }
        switch (max & 3) {
        case 0:
            corner_plane(s, minx, miny, of_z, nx, ny);
            break;
        case 1:
            corner_plane(s, maxx, miny, of_z, nx, ny);
            break;
        case 2:
            corner_plane(s, minx, maxy, of_z, nx, ny);
            break;
        default:
            corner_plane(s, maxx, maxy, of_z, nx, ny);
        }
    }
    UNROLL for (unsigned j = 0; j < CORNERS_TOGETHER; j++)
    {
        depths[j] = s[j];
    }
}

INLINE void aabb_hull_planes_depth(const struct hull *hull, const struct operand *operand, size_t i, v *depths)
{
    corner_depth(hull, operand, i, true, depths);
}

INLINE void aabb_in_hull_depth(const struct hull *hull, const struct operand *operand, size_t i, v *depths)
{
    corner_depth(hull, operand, i, false, depths);
}

/* sum - h |n.a| if nearest, else sum + h |n.a|. */
INLINE v along_axis(v sum, struct v_plane f, v h, v ax, v ay, v az, bool nearest)
{
    v reach = v_abs(v_fma(f.nx, ax, v_fma(f.ny, ay, v_mul(f.nz, az))));
    return nearest ? v_fnma(h, reach, sum) : v_fma(h, reach, sum);
}

/* The corner's height from that of the centre; the two planes of a slab have the same offset. */
INLINE v corner_height(v height, struct v_plane f, const struct v_obb *b, bool nearest)
{
    height = along_axis(height, f, b->hx, b->ux, b->uy, b->uz, nearest);
    height = along_axis(height, f, b->hy, b->vx, b->vy, b->vz, nearest);
    return along_axis(height, f, b->hz, b->wx, b->wy, b->wz, nearest);
}

/*
 * Errors, u = 2^-24: of n.c + d 6 u |c| + 7 u |d| as for a centre, and at most 3 u more of the sums that follow; of
 * each h |n.a| one rounding of the normal, one of a product, two of sums, one of the product with h and at most three
 * of the sums that follow. So s is off by less than 9 u (1 + 9 u) |c| + 10 u (1 + 10 u) |d| + 8 u (1 + 8 u) r, where r
 * is the sum of h |a|. The bound has 16 u for the greatest coordinate and for r, and 11 u |d|: the rest is spare as for
 * a centre. If no h is greater than H, and no member of an axis greater than A, r <= 3 H sqrt(3) A < 6 H A, and the
 * magnitude has 12 H A. Underflow in n.a costs h 2^-148, for which H 2^-120 is added. No sum overflows where |c| + 12 H
 * A is below 2^120: n.a is less than 12 A, and where that is infinite, so is its product with H, which is made more
 * than 0. A NaN member makes the terms of all planes NaN, and so s.
 */
INLINE v obb_hull_planes_magnitude(v coordinate, v axis, v needed)
{
    const v length = v_fma(v_set1(12), axis, v_set1(0x1p-120f));
    return v_fma(v_add(needed, v_set1(0x1p-149f)), length, coordinate);
}

INLINE void obb_hull_planes_items(struct hull_filter_state *p, const struct operand *operand, size_t i)
{
    const struct v_obb b = v_obb_load(operand, i);
    hull_require_nonneg(p, b.hx);
    hull_require_nonneg(p, b.hy);
    hull_require_nonneg(p, b.hz);
    p->coordinate = hull_greatest(p, p->coordinate, b.cx, b.cy, b.cz);
    p->axis = hull_greatest(p, p->axis, b.ux, b.uy, b.uz);
    p->axis = hull_greatest(p, p->axis, b.vx, b.vy, b.vz);
    p->axis = hull_greatest(p, p->axis, b.wx, b.wy, b.wz);
}

INLINE v obb_depth(const struct hull *hull, const struct operand *operand, size_t i, bool nearest)
{
    const struct v_obb b = v_obb_load(operand, i);
    v s = v_set1(-INFINITY);
    unsigned k = 0;
    for (; k < hull->sides; k += 2) {
        const struct v_plane f = hull_plane(hull, k);
        s = v_max(s, corner_height(slab_height(hull, k, height(f, b.cx, b.cy, b.cz)), f, &b, nearest));
    }
    for (; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        s = v_max(s, corner_height(height(f, b.cx, b.cy, b.cz), f, &b, nearest));
    }
    return s;
}

INLINE void obb_hull_planes_depth(const struct hull *hull, const struct operand *operand, size_t i, v *depths)
{
    depths[0] = obb_depth(hull, operand, i, true);
}

INLINE void obb_in_hull_depth(const struct hull *hull, const struct operand *operand, size_t i, v *depths)
{
    depths[0] = obb_depth(hull, operand, i, false);
}

static const struct hull_filter aabb_hull_planes_kernel = {.items = aabb_hull_planes_items,
                                                           .magnitude = aabb_hull_planes_magnitude,
                                                           .depth = aabb_hull_planes_depth,
                                                           .lanes = depth_filter,
                                                           .predicate = predicate_aabb_hull_planes,
                                                           .together = CORNERS_TOGETHER,
                                                           .fields = aabb_fields};
static const struct hull_filter aabb_in_hull_kernel = {.items = aabb_hull_planes_items,
                                                       .magnitude = aabb_hull_planes_magnitude,
                                                       .depth = aabb_in_hull_depth,
                                                       .lanes = depth_filter,
                                                       .predicate = predicate_aabb_in_hull,
                                                       .together = CORNERS_TOGETHER,
                                                       .fields = aabb_fields};
static const struct hull_filter obb_hull_planes_kernel = {.items = obb_hull_planes_items,
                                                          .magnitude = obb_hull_planes_magnitude,
                                                          .depth = obb_hull_planes_depth,
                                                          .lanes = depth_filter,
                                                          .predicate = predicate_obb_hull_planes,
                                                          .together = 1,
                                                          .fields = obb_fields};
static const struct hull_filter obb_in_hull_kernel = {.items = obb_hull_planes_items,
                                                      .magnitude = obb_hull_planes_magnitude,
                                                      .depth = obb_in_hull_depth,
                                                      .lanes = depth_filter,
                                                      .predicate = predicate_obb_in_hull,
                                                      .together = 1,
                                                      .fields = obb_fields};

#endif

#ifdef KERNEL_FILTER64

/* Each corner is a point, whose error HULL_ERROR bounds. */
static enum answer corner_filter64(const struct hull *hull, struct aabb b, bool nearest, struct findings *found)
{
    const double low[3] = {b.minx, b.miny, b.minz}, high[3] = {b.maxx, b.maxy, b.maxz};
    double reach = hull->reach;
    for (unsigned axis = 0; axis < 3; axis++)
        reach += greater(fabs(low[axis]), fabs(high[axis]));
    found->boundary = 0;
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k];
        double s = n[3];
        for (unsigned axis = 0; axis < 3; axis++)
            s += n[axis] * ((n[axis] > 0) == nearest ? low[axis] : high[axis]);
        if (surely_outside(found, k, s, HULL_ERROR * reach)) /* an infinite bound makes the error infinite */
            return ANSWER_MISS;
    }
    return found->boundary != 0 ? ANSWER_UNKNOWN : ANSWER_HIT;
}

static enum answer aabb_hull_planes_filter64(struct hull *hull, struct aabb b, struct findings *found)
{
    return corner_filter64(hull, b, true, found);
}

static enum answer aabb_in_hull_filter64(struct hull *hull, struct aabb b, struct findings *found)
{
    return corner_filter64(hull, b, false, found);
}

static double along(const double *n, float x, float y, float z)
{
    return fabs(n[0] * x + n[1] * y + n[2] * z);
}

/*
 * Errors, u = 2^-53: unit normals carry 4u; the products and sums of n.c + d 4u; h |n.a| 3u of the dot product, u of
 * the product and 2u of the sum of three; the last sum u. That is 11u of the magnitude below, whose own roundings are
 * some more; HULL_ERROR is 128u. Products of these floats do not underflow in float64.
 */
static enum answer obb_filter64(const struct hull *hull, struct obb b, bool nearest, struct findings *found)
{
    const double size =
        b.hx * size_of(b.ux, b.uy, b.uz) + b.hy * size_of(b.vx, b.vy, b.vz) + b.hz * size_of(b.wx, b.wy, b.wz);
    /* An infinite half extent makes the error infinite or NaN. */
    const double error = HULL_ERROR * (size_of(b.cx, b.cy, b.cz) + hull->reach + size);
    found->boundary = 0;
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k];
        const double reach =
            b.hx * along(n, b.ux, b.uy, b.uz) + b.hy * along(n, b.vx, b.vy, b.vz) + b.hz * along(n, b.wx, b.wy, b.wz);
        const double depth = n[0] * b.cx + n[1] * b.cy + n[2] * b.cz + n[3] + (nearest ? -reach : reach);
        if (surely_outside(found, k, depth, error))
            return ANSWER_MISS;
    }
    return found->boundary != 0 ? ANSWER_UNKNOWN : ANSWER_HIT;
}

static enum answer obb_hull_planes_filter64(struct hull *hull, struct obb b, struct findings *found)
{
    return obb_filter64(hull, b, true, found);
}

static enum answer obb_in_hull_filter64(struct hull *hull, struct obb b, struct findings *found)
{
    return obb_filter64(hull, b, false, found);
}

#endif

#ifdef KERNEL_FORMULAS

/*
 * n.q + d <= 0 for the corner q nearest or farthest along n. An infinite bound decides alone, unless n is 0 along it.
 */
static inline enum answer corner_plane(struct aabb b, const float *plane, bool nearest)
{
    const float low[3] = {b.minx, b.miny, b.minz}, high[3] = {b.maxx, b.maxy, b.maxz};
    real sum = real_of(plane[3]);
    for (unsigned axis = 0; axis < 3; axis++) {
        float bound = (plane[axis] > 0) == nearest ? low[axis] : high[axis];
        if (plane[axis] == 0)
            continue;
        if (isinf(bound))
            return nearest ? ANSWER_HIT : ANSWER_MISS;
        sum = real_add(sum, real_mul(real_of(plane[axis]), real_of(bound)));
    }
    return at_most(sum, real_of(0));
}

static inline enum answer box_planes(struct aabb b, const struct hull *hull, uint32_t boundary, bool nearest)
{
    enum answer answer = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++)
        if (boundary >> k & 1)
            answer = both(answer, corner_plane(b, hull->given[k], nearest));
    return answer;
}

static inline enum answer aabb_hull_planes(struct aabb b, const struct hull *hull, const struct findings *found)
{
    return box_planes(b, hull, found->boundary, true);
}

static inline enum answer aabb_in_hull(struct aabb b, const struct hull *hull, const struct findings *found)
{
    return box_planes(b, hull, found->boundary, false);
}

/* n.c + d minus or plus (nearest, farthest) all h |n.a|, against 0. An infinite h decides alone, unless n.a is 0. */
static inline enum answer obb_corner_plane(struct obb b, const float *plane, bool nearest)
{
    const float h[3] = {b.hx, b.hy, b.hz}, axes[3][3] = {{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}};
    const struct vector n = of_point(plane[0], plane[1], plane[2]);
    real sum = real_add(dot(n, of_point(b.cx, b.cy, b.cz)), real_of(plane[3]));
    for (unsigned k = 0; k < 3; k++) {
        real along = dot(n, of_point(axes[k][0], axes[k][1], axes[k][2]));
        int sign = real_sign(along);
        if (h[k] == 0 || sign == 0)
            continue;
        if (sign == SIGN_UNKNOWN)
            return ANSWER_UNKNOWN;
        if (isinf(h[k]))
            return nearest ? ANSWER_HIT : ANSWER_MISS;
        real reach = real_mul(real_of(h[k]), along);
        sum = (sign > 0) == nearest ? real_sub(sum, reach) : real_add(sum, reach);
    }
    return at_most(sum, real_of(0));
}

static inline enum answer obb_planes(struct obb b, const struct hull *hull, uint32_t boundary, bool nearest)
{
    enum answer answer = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++)
        if (boundary >> k & 1)
            answer = both(answer, obb_corner_plane(b, hull->given[k], nearest));
    return answer;
}

static inline enum answer obb_hull_planes(struct obb b, const struct hull *hull, const struct findings *found)
{
    return obb_planes(b, hull, found->boundary, true);
}

static inline enum answer obb_in_hull(struct obb b, const struct hull *hull, const struct findings *found)
{
    return obb_planes(b, hull, found->boundary, false);
}

#endif
