/* SPDX-License-Identifier: MIT */
/*
 * Shapes with corners and hulls: inside by the corners, of capsules by their ends; touches by separating planes first,
 * and then by half_spaces.h. Degree 4.
 */

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
