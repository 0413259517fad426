/* SPDX-License-Identifier: MIT */
/*
 * Shapes with corners and hulls: inside by the corners, of capsules by their ends; touches by separating planes first,
 * and then by half_spaces.h. Degree 4.
 */

#ifdef KERNEL_FILTERS

/*
 * Guess, then prove. In: the greatest height of a corner over a plane, plus the radius, is below 0. Touches: a point of
 * the shape below all planes, however it was found, proves a hit, and planes prove a miss. Planes that no item is apart
 * from, and points that were not found, as at edges and corners of the hull, leave the lane undecided.
 *
 * Errors, u = 2^-24: let the size be the sum of the absolute coordinates of all corners, and of the radius. A height
 * over a plane of a point no greater than that is off by less than E = hull_bound(size), which has 16 u of the size
 * where 5 u are needed, and the part of the planes (hull_filter.h). A point of the shape that is computed in at most
 * five steps, each of which rounds a difference, a product and a sum, is within 15 u of the size, member by member, of
 * a point that the shape has: its height is off by less than 5 u + sqrt(3) 15 u < 32 u of the size, and 2 E has 32 u.
 * A NaN or infinite member makes the size NaN or infinite, and then nothing is certain.
 */
struct certainty {
    v e, e2; /* E and 2 E */
    m some;  /* lanes in which something can be certain */
};

INLINE struct certainty certainty_of(const struct hull *hull, v size)
{
    const v e = hull_bound(hull, size);
    return (struct certainty){e, v_add(e, e), m_lt(e, CERTAIN)};
}

INLINE v size_of_point(struct v_vector q)
{
    return magnitude_of(q.x, q.y, q.z);
}

INLINE v height_over(struct v_plane f, struct v_vector q)
{
    return height(f, q.x, q.y, q.z);
}

INLINE struct v_vector w_corner(v x, v y, v z)
{
    return (struct v_vector){x, y, z};
}

/* q + t (to - q). */
INLINE struct v_vector w_toward(struct v_vector q, struct v_vector to, v t)
{
    return (struct v_vector){v_fma(t, v_sub(to.x, q.x), q.x), v_fma(t, v_sub(to.y, q.y), q.y),
                             v_fma(t, v_sub(to.z, q.z), q.z)};
}

/* All corners, with a ball of radius r at each, are inside. */
INLINE void corners_in_hull(struct filter_state *p, const struct v_vector *corners, unsigned n, v r,
                            const struct hull *hull)
{
    v size = v_abs(r), most = v_set1(-INFINITY);
    UNROLL for (unsigned j = 0; j < n; j++) size = v_add(size, size_of_point(corners[j]));
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        UNROLL for (unsigned j = 0; j < n; j++) most = v_max(most, height_over(f, corners[j]));
    }
    const struct certainty c = certainty_of(hull, size);
    most = v_add(most, r);
    require_nonneg(p, r);
    hit_if_proved(p, m_and(c.some, m_lt(v_add(most, c.e2), v_set1(0))), m_and(c.some, m_lt(c.e2, most)));
}

INLINE void segment_in_hull_filter(struct filter_state *p, struct v_segment s, const struct hull *hull)
{
    const struct v_vector corners[] = {w_corner(s.ax, s.ay, s.az), w_corner(s.bx, s.by, s.bz)};
    corners_in_hull(p, corners, 2, v_set1(0), hull);
}

INLINE void capsule_in_hull_filter(struct filter_state *p, struct v_capsule s, const struct hull *hull)
{
    const struct v_vector corners[] = {w_corner(s.ax, s.ay, s.az), w_corner(s.bx, s.by, s.bz)};
    corners_in_hull(p, corners, 2, s.r, hull);
}

INLINE void triangle_in_hull_filter(struct filter_state *p, struct v_triangle t, const struct hull *hull)
{
    const struct v_vector corners[] = {w_corner(t.ax, t.ay, t.az), w_corner(t.bx, t.by, t.bz),
                                       w_corner(t.cx, t.cy, t.cz)};
    corners_in_hull(p, corners, 3, v_set1(0), hull);
}

/* The plane that a point is farthest outside of. */
struct farthest {
    v height;
    struct v_plane plane;
};

INLINE struct farthest farthest_start(void)
{
    return (struct farthest){v_set1(-INFINITY), {v_set1(0), v_set1(0), v_set1(0), v_set1(0)}};
}

INLINE void farthest_take(struct farthest *so_far, v h, struct v_plane f)
{
    const m more = m_lt(so_far->height, h);
    so_far->height = v_max(so_far->height, h);
    so_far->plane = (struct v_plane){v_select(more, f.nx, so_far->plane.nx), v_select(more, f.ny, so_far->plane.ny),
                                     v_select(more, f.nz, so_far->plane.nz), v_select(more, f.d, so_far->plane.d)};
}

INLINE struct farthest farthest_plane(const struct hull *hull, struct v_vector q)
{
    struct farthest farthest = farthest_start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        farthest_take(&farthest, height_over(f, q), f);
    }
    return farthest;
}

/* The middle of the part of ab that is less than r outside of each plane, or between its ends where these cross. */
INLINE v clipped_middle(const struct hull *hull, struct v_vector a, struct v_vector b, v r)
{
    v from = v_set1(0), to = v_set1(1);
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        const v at_a = v_sub(height_over(f, a), r), at_b = v_sub(height_over(f, b), r);
        const v t = v_div(at_a, v_sub(at_a, at_b));
        from = v_select(m_and(m_lt(v_set1(0), at_a), m_lt(at_b, at_a)), v_max(from, t), from);
        to = v_select(m_and(m_lt(v_set1(0), at_b), m_lt(at_a, at_b)), v_min(to, t), to);
    }
    return v_min(v_set1(1), v_max(v_set1(0), v_mul(v_set1(0.5f), v_add(from, to))));
}

/*
 * A miss: heights are linear along ab, so a plane that has a and q more than r below it, and one that has b and q,
 * prove that all of ab is that far from the hull: unit normals make heights distances. A hit: q is inside; or, of a
 * capsule, y, which lies a little deeper than q's foot on the plane that it is farthest outside of, is inside, and
 * nearer to q than r. y is a point as it stands; q is within E of one of ab, and y - q rounds by less than E. Where the
 * radius is 0, a touch is a matter of the touch rule.
 */
INLINE void segment_touches_hull(struct filter_state *p, struct v_vector a, struct v_vector b, v r, bool rounded,
                                 const struct hull *hull)
{
    const struct certainty c = certainty_of(hull, v_add(v_add(size_of_point(a), size_of_point(b)), v_abs(r)));
    const struct v_vector q = w_toward(a, b, clipped_middle(hull, a, b, r));
    v before = v_set1(-INFINITY), behind = v_set1(-INFINITY);
    struct farthest farthest = farthest_start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        const v at_q = height_over(f, q);
        before = v_max(before, v_min(height_over(f, a), at_q));
        behind = v_max(behind, v_min(height_over(f, b), at_q));
        farthest_take(&farthest, at_q, f);
    }
    const v beyond = v_add(r, c.e2);
    const m miss = m_and(m_lt(beyond, before), m_lt(beyond, behind));
    m hit = m_lt(v_add(farthest.height, c.e2), v_set1(0));
    if (rounded) {
        const v deeper = v_add(farthest.height, v_add(c.e2, c.e2));
        const struct v_plane n = farthest.plane;
        const struct v_vector y = {v_fnma(n.nx, deeper, q.x), v_fnma(n.ny, deeper, q.y), v_fnma(n.nz, deeper, q.z)};
        v inside = v_set1(-INFINITY);
        for (unsigned k = 0; k < hull->planes; k++)
            inside = v_max(inside, height_over(hull_plane(hull, k), y));
        const m near = m_and(m_lt(v_add(inside, c.e), v_set1(0)), m_lt(v_add(deeper, c.e2), r));
        hit = m_and(m_lt(v_set1(0), r), m_or(hit, m_and(near, m_le(v_set1(0), deeper))));
        require_nonneg(p, r);
    }
    hit_if_proved(p, m_and(c.some, hit), m_and(c.some, miss));
}

INLINE void segment_hull_filter(struct filter_state *p, struct v_segment s, const struct hull *hull)
{
    segment_touches_hull(p, w_corner(s.ax, s.ay, s.az), w_corner(s.bx, s.by, s.bz), v_set1(0), false, hull);
}

INLINE void capsule_hull_filter(struct filter_state *p, struct v_capsule s, const struct hull *hull)
{
    segment_touches_hull(p, w_corner(s.ax, s.ay, s.az), w_corner(s.bx, s.by, s.bz), s.r, true, hull);
}

/* How often a point that is outside is moved. It is moved a little more than to the plane. */
enum { MOST_PUSHES = 4 };
#define PUSH v_set1(1.25f)

/* From the middle toward the corner that is deepest below the plane that the point is farthest outside of. */
INLINE void triangle_hull_filter(struct filter_state *p, struct v_triangle t, const struct hull *hull)
{
    const struct v_vector a = w_corner(t.ax, t.ay, t.az), b = w_corner(t.bx, t.by, t.bz),
                          c = w_corner(t.cx, t.cy, t.cz);
    const struct certainty sure =
        certainty_of(hull, v_add(v_add(size_of_point(a), size_of_point(b)), size_of_point(c)));
    v apart = v_set1(-INFINITY);
    struct v_vector q = w_toward(w_toward(a, b, v_set1(0.5f)), c, v_set1(1 / 3.0f));
    struct farthest farthest = farthest_start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        apart = v_max(apart, v_min(height_over(f, a), v_min(height_over(f, b), height_over(f, c))));
        farthest_take(&farthest, height_over(f, q), f);
    }
    const m miss = m_lt(sure.e2, apart);
    m hit = m_lt(v_add(farthest.height, sure.e2), v_set1(0));
    for (unsigned i = 0; i < MOST_PUSHES - 1 && m_bits(m_or(hit, miss)) != UINT64_MAX >> (64 - WIDTH); i++) {
        const v at_a = height_over(farthest.plane, a), at_b = height_over(farthest.plane, b),
                at_c = height_over(farthest.plane, c), deepest = v_min(at_a, v_min(at_b, at_c));
        const m to_a = m_le(at_a, deepest), to_b = m_le(at_b, deepest);
        const struct v_vector to = {v_select(to_a, a.x, v_select(to_b, b.x, c.x)),
                                    v_select(to_a, a.y, v_select(to_b, b.y, c.y)),
                                    v_select(to_a, a.z, v_select(to_b, b.z, c.z))};
        const v step = v_div(v_mul(farthest.height, PUSH), v_sub(farthest.height, deepest));
        q = w_toward(q, to, v_min(v_set1(1), v_max(v_set1(0), step)));
        farthest = farthest_plane(hull, q);
        hit = m_or(hit, m_lt(v_add(farthest.height, sure.e2), v_set1(0)));
    }
    hit_if_proved(p, m_and(sure.some, hit), m_and(sure.some, miss));
}

/*
 * A box by its centre o, half extents h and axes a, with points o + sum of t_k a_k, |t_k| <= h_k. Its least height over
 * a plane is that of o less the sum of h |n.a|. The size has |o| and h |a|, member by member, and h 2^-100 for products
 * that underflow. From the centre, the point is pushed along the normal of the plane that it is farthest outside of,
 * and t is clamped: where axes are not orthonormal, the guess is worse.
 */
struct w_box {
    struct v_vector o, a[3];
    v h[3];
};

INLINE v along_normal(struct v_vector a, struct v_plane f)
{
    return dot3(a.x, a.y, a.z, f.nx, f.ny, f.nz);
}

INLINE v clamped_to(v t, v h)
{
    return v_min(h, v_max(v_sub(v_set1(0), h), t));
}

INLINE struct v_vector place_in(const struct w_box *b, const v t[3])
{
    struct v_vector q = b->o;
    UNROLL for (unsigned k = 0; k < 3; k++)
    {
        q = (struct v_vector){v_fma(t[k], b->a[k].x, q.x), v_fma(t[k], b->a[k].y, q.y), v_fma(t[k], b->a[k].z, q.z)};
    }
    return q;
}

INLINE void box_touches_hull(struct filter_state *p, const struct w_box *b, v size, const struct hull *hull)
{
    const struct certainty sure = certainty_of(hull, size);
    v apart = v_set1(-INFINITY), t[3] = {v_set1(0), v_set1(0), v_set1(0)};
    struct farthest farthest = farthest_start();
    for (unsigned k = 0; k < hull->planes; k++) {
        const struct v_plane f = hull_plane(hull, k);
        const v at_o = height_over(f, b->o);
        v lowest = at_o;
        UNROLL for (unsigned i = 0; i < 3; i++) lowest = v_fnma(b->h[i], v_abs(along_normal(b->a[i], f)), lowest);
        apart = v_max(apart, lowest);
        farthest_take(&farthest, at_o, f);
    }
    const m miss = m_lt(sure.e2, apart);
    m hit = m_lt(v_add(farthest.height, sure.e2), v_set1(0));
    for (unsigned i = 0; i < MOST_PUSHES && m_bits(m_or(hit, miss)) != UINT64_MAX >> (64 - WIDTH); i++) {
        const v step = v_mul(farthest.height, PUSH);
        UNROLL for (unsigned k = 0; k < 3; k++)
        {
            const v along = along_normal(b->a[k], farthest.plane);
            t[k] = clamped_to(v_fnma(along, step, t[k]), b->h[k]);
        }
        farthest = farthest_plane(hull, place_in(b, t));
        hit = m_or(hit, m_lt(v_add(farthest.height, sure.e2), v_set1(0)));
    }
    hit_if_proved(p, m_and(sure.some, hit), m_and(sure.some, miss));
}

INLINE void aabb_hull_filter(struct filter_state *p, struct v_aabb a, const struct hull *hull)
{
    const v half = v_set1(0.5f), zero = v_set1(0), one = v_set1(1);
    /* Halves first: no sum overflows. Centre and half extent are off by 2 u of the bounds, which the size has twice. */
    const struct w_box box = {{v_fma(half, a.minx, v_mul(half, a.maxx)), v_fma(half, a.miny, v_mul(half, a.maxy)),
                               v_fma(half, a.minz, v_mul(half, a.maxz))},
                              {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}},
                              {v_sub(v_mul(half, a.maxx), v_mul(half, a.minx)),
                               v_sub(v_mul(half, a.maxy), v_mul(half, a.miny)),
                               v_sub(v_mul(half, a.maxz), v_mul(half, a.minz))}};
    const v size = v_add(magnitude_of(a.minx, a.miny, a.minz), magnitude_of(a.maxx, a.maxy, a.maxz));
    aabb_valid(p, a);
    box_touches_hull(p, &box, size, hull);
}

INLINE void obb_hull_filter(struct filter_state *p, struct v_obb a, const struct hull *hull)
{
    const struct w_box box = {
        {a.cx, a.cy, a.cz}, {{a.ux, a.uy, a.uz}, {a.vx, a.vy, a.vz}, {a.wx, a.wy, a.wz}}, {a.hx, a.hy, a.hz}};
    v size = size_of_point(box.o);
    UNROLL for (unsigned k = 0; k < 3; k++)
    {
        size = v_fma(box.h[k], v_add(size_of_point(box.a[k]), v_set1(0x1p-100f)), size);
        require_nonneg(p, box.h[k]);
    }
    box_touches_hull(p, &box, size, hull);
}

#undef PUSH

#endif

#ifdef KERNEL_FILTER64

/* Corners of a segment or triangle, or the ends of a capsule and its radius. */
struct corners {
    unsigned n;
    float at[3][3];
    double r;
};

static struct corners segment_corners(struct segment s)
{
    return (struct corners){2, {{s.ax, s.ay, s.az}, {s.bx, s.by, s.bz}}, 0};
}

static struct corners triangle_corners(struct triangle t)
{
    return (struct corners){3, {{t.ax, t.ay, t.az}, {t.bx, t.by, t.bz}, {t.cx, t.cy, t.cz}}, 0};
}

static struct corners capsule_corners(struct capsule c)
{
    return (struct corners){2, {{c.ax, c.ay, c.az}, {c.bx, c.by, c.bz}}, (double)c.r};
}

static enum answer corners_inside64(const struct hull *hull, struct corners corners, struct findings *found)
{
    struct findings all = {.boundary = 0};
    enum answer answer = ANSWER_HIT;
    for (unsigned i = 0; i < corners.n && answer != ANSWER_MISS; i++) {
        const float *p = corners.at[i];
        const enum answer one = centre_filter64(hull, p[0], p[1], p[2], corners.r, found);
        all.boundary |= found->boundary;
        answer = one == ANSWER_HIT ? answer : one;
    }
    found->boundary = all.boundary;
    return answer == ANSWER_MISS ? answer : all.boundary != 0 ? ANSWER_UNKNOWN : ANSWER_HIT;
}

/* A miss if a plane separates the shape from the hull, a hit if the hull holds a corner in its interior. */
static enum answer corners_touch64(const struct hull *hull, struct corners corners)
{
    double most[3] = {-INFINITY, -INFINITY, -INFINITY}, error[3] = {0};
    for (unsigned i = 0; i < corners.n; i++)
        error[i] = HULL_ERROR * (size_of(corners.at[i][0], corners.at[i][1], corners.at[i][2]) + hull->reach);
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k];
        bool apart = true;
        for (unsigned i = 0; i < corners.n; i++) {
            const float *p = corners.at[i];
            const double s = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3];
            apart &= s - corners.r > error[i] + corners.r * 0x1p-50;
            most[i] = greater(s, most[i]);
        }
        if (apart)
            return ANSWER_MISS;
    }
    for (unsigned i = 0; i < corners.n; i++)
        if (most[i] < -error[i])
            return ANSWER_HIT;
    return ANSWER_UNKNOWN;
}

static enum answer segment_hull_filter64(struct hull *hull, struct segment s, struct findings *found)
{
    (void)found;
    return corners_touch64(hull, segment_corners(s));
}

static enum answer triangle_hull_filter64(struct hull *hull, struct triangle t, struct findings *found)
{
    (void)found;
    return corners_touch64(hull, triangle_corners(t));
}

static enum answer segment_in_hull_filter64(struct hull *hull, struct segment s, struct findings *found)
{
    return corners_inside64(hull, segment_corners(s), found);
}

static enum answer triangle_in_hull_filter64(struct hull *hull, struct triangle t, struct findings *found)
{
    return corners_inside64(hull, triangle_corners(t), found);
}

static enum answer capsule_in_hull_filter64(struct hull *hull, struct capsule c, struct findings *found)
{
    return corners_inside64(hull, capsule_corners(c), found);
}

/* A box also touches if the hull holds a point of it, about its middle, in its interior. */
static enum answer holds_point64(const struct hull *hull, const double *p)
{
    const double error = HULL_ERROR * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + hull->reach);
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k];
        if (!(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3] < -error))
            return ANSWER_UNKNOWN;
    }
    return ANSWER_HIT;
}

/* Rounding keeps the middle between the bounds. Missing ones make it infinite or NaN. */
static enum answer aabb_hull_filter64(struct hull *hull, struct aabb b, struct findings *found)
{
    const double middle[3] = {((double)b.minx + (double)b.maxx) / 2, ((double)b.miny + (double)b.maxy) / 2,
                              ((double)b.minz + (double)b.maxz) / 2};
    const enum answer planes = corner_filter64(hull, b, true, found);
    return planes == ANSWER_MISS ? planes : holds_point64(hull, middle);
}

/*
 * Adds half of a rough middle of the hull. Each plane has a point that is nearest to the origin. Where normals point
 * evenly in all directions, three times the mean of these points is the middle, wherever the origin is.
 */
static void add_half_middle(const struct hull *hull, double *p)
{
    const double scale = 1.5 / hull->planes;
    for (unsigned k = 0; k < hull->planes; k++)
        for (unsigned i = 0; i < 3; i++)
            p[i] -= scale * hull->unit[k][3] * hull->unit[k][i];
}

/* The greatest height of p over a plane, and that plane. */
static double highest(const struct hull *hull, const double *p, double most, const double **plane)
{
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *n = hull->unit[k], height = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3];
        *plane = height > most ? n : *plane;
        most = height > most ? height : most;
    }
    return most;
}

/*
 * Two hulls whose interiors share a point are a hit by both rules. A point is guessed: first half way between the
 * middles of the hulls, then moved a few times across the plane that it is highest above. However it was found,
 * holds_point64 proves that it is inside of each hull. All other pairs are left to the next stage, a simplex in
 * float64. With it hits take a ninth to a quarter of the time, and misses up to 4 % more (bench/README.md).
 */
static enum answer hull_hull_filter64(struct hull *hull, const struct hull *other, struct findings *found)
{
    enum { STEPS = 4 };
    (void)found;
    if (hull->planes == 0 || other->planes == 0)
        return ANSWER_UNKNOWN;
    double p[3] = {0, 0, 0};
    add_half_middle(hull, p);
    add_half_middle(other, p);
    for (unsigned step = 0; step < STEPS; step++) {
        const double *n = hull->unit[0];
        const double height = highest(other, p, highest(hull, p, -INFINITY, &n), &n);
        if (height < 0)
            return holds_point64(hull, p) == ANSWER_HIT ? holds_point64(other, p) : ANSWER_UNKNOWN;
        for (unsigned i = 0; i < 3; i++)
            p[i] -= 1.5 * height * n[i];
    }
    return ANSWER_UNKNOWN;
}

static enum answer obb_hull_filter64(struct hull *hull, struct obb b, struct findings *found)
{
    const double middle[3] = {b.cx, b.cy, b.cz};
    const enum answer planes = obb_filter64(hull, b, true, found);
    return planes == ANSWER_MISS ? planes : holds_point64(hull, middle);
}

#endif

#ifdef KERNEL_FORMULAS

static inline enum answer segment_in_hull(struct segment s, const struct hull *hull, const struct findings *found)
{
    return both(point_in_hull(end_a(s), hull, found), point_in_hull(end_b(s), hull, found));
}

static inline enum answer triangle_in_hull(struct triangle t, const struct hull *hull, const struct findings *found)
{
    const struct segment ab = {t.ax, t.ay, t.az, t.bx, t.by, t.bz};
    return both(segment_in_hull(ab, hull, found), point_in_hull((struct point){t.cx, t.cy, t.cz}, hull, found));
}

static inline enum answer capsule_in_hull(struct capsule c, const struct hull *hull, const struct findings *found)
{
    return both(sphere_in_hull(ball_a(c), hull, found), sphere_in_hull(ball_b(c), hull, found));
}

#endif
