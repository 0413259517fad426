/* SPDX-License-Identifier: MIT */
/*
 * The nearest point of a hull by adding and dropping planes: a dual active-set method (Goldfarb and Idnani 1983) in
 * three dimensions.
 *
 * No answer depends on the convergence of the method. Any multipliers t >= 0 prove that the distance is at least sum t
 * s over the length of sum t n. Any point inside of every plane proves that it is at most the distance to that point.
 * Every answer follows from one of these, with margins for all roundings. If neither is certain, the exact stage starts
 * from the planes found.
 */
#include "hull/nearest_point.h"

#include "util/dot.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 32 };

struct query {
    const struct hull *hull;
    double c[3], r;
    double error;              /* of s */
    double s[ABUT_MAX_PLANES]; /* the height of c above each plane */
};

/* The nearest point of the active planes: c - sum of t n. */
struct foot {
    struct active active;
    double t[3], p[3];
};

static double outside(const double *plane, const double *p)
{
    return dot(plane, p) + plane[3];
}

static double size_of(const double *p)
{
    return fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
}

/* Solves G x = b for the dot products G of the active normals. False if they are nearly dependent. */
static bool solve(const struct query *q, const struct active *active, const double *b, double *x)
{
    const double *n[3] = {0};
    for (unsigned i = 0; i < active->count; i++)
        n[i] = q->hull->unit[active->plane[i]];
    if (active->count == 1) {
        x[0] = b[0];
        return true;
    }
    double g = dot(n[0], n[1]);
    if (active->count == 2) {
        double determinant = 1 - g * g, inverse = 1 / determinant;
        x[0] = (b[0] - g * b[1]) * inverse;
        x[1] = (b[1] - g * b[0]) * inverse;
        return determinant > 1e-12;
    }
    double h = dot(n[0], n[2]), k = dot(n[1], n[2]);
    double determinant = 1 - g * g - h * h - k * k + 2 * g * h * k;
    double gh = h * k - g, gk = g * k - h, hk = g * h - k, inverse = 1 / determinant;
    x[0] = ((1 - k * k) * b[0] + gh * b[1] + gk * b[2]) * inverse;
    x[1] = (gh * b[0] + (1 - h * h) * b[1] + hk * b[2]) * inverse;
    x[2] = (gk * b[0] + hk * b[1] + (1 - g * g) * b[2]) * inverse;
    return determinant > 1e-12;
}

/* p = c - sum of t n. */
static void less_normals(const struct query *q, const struct active *active, const double *t, const double *c,
                         double *p)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        p[axis] = c[axis];
        for (unsigned i = 0; i < active->count; i++)
            p[axis] -= t[i] * q->hull->unit[active->plane[i]][axis];
    }
}

/* False if a multiplier is negative: that plane does not hold the nearest point. */
static bool find_foot(const struct query *q, struct foot *foot)
{
    double s[3] = {0};
    for (unsigned i = 0; i < foot->active.count; i++)
        s[i] = q->s[foot->active.plane[i]];
    if (!solve(q, &foot->active, s, foot->t))
        return false;
    for (unsigned i = 0; i < foot->active.count; i++)
        if (!(foot->t[i] >= 0))
            return false;
    less_normals(q, &foot->active, foot->t, q->c, foot->p);
    return true;
}

/*
 * For nearly opposite planes, t n may cancel down to a millionth of t and less, so the length of the sum has an
 * absolute error: unit normals carry 4 * 2^-53 of t, the products and sums 4 more each. 2^-48 of the weight exceeds
 * that.
 */
static bool surely_out_of_reach(const struct query *q, const struct foot *foot)
{
    static const double origin[3] = {0, 0, 0};
    double direction[3], sum = 0, weight = 0;
    less_normals(q, &foot->active, foot->t, origin, direction);
    for (unsigned i = 0; i < foot->active.count; i++) {
        sum += foot->t[i] * q->s[foot->active.plane[i]];
        weight += foot->t[i];
    }
    double length = sqrt(dot(direction, direction)) * (1 + 0x1p-40) + 0x1p-48 * weight;
    return sum - q->error * weight > q->r * length;
}

/* Tests the point a little to the inner side of the active planes from the foot. */
static bool surely_touched(const struct query *q, const struct foot *foot)
{
    static const double ones[3] = {1, 1, 1};
    double inward[3], step[3], point[3], to_point[3];
    double error = HULL_ERROR * (size_of(foot->p) + q->hull->reach) + q->error;
    if (!solve(q, &foot->active, ones, inward))
        return false;
    for (unsigned i = 0; i < foot->active.count; i++)
        step[i] = 8 * error * inward[i];
    less_normals(q, &foot->active, step, foot->p, point);
    error = HULL_ERROR * (size_of(point) + q->hull->reach);
    for (unsigned k = 0; k < q->hull->planes; k++)
        if (!(outside(q->hull->unit[k], point) < -error))
            return false;
    for (unsigned axis = 0; axis < 3; axis++)
        to_point[axis] = point[axis] - q->c[axis];
    return sqrt(dot(to_point, to_point)) + error + q->error < q->r;
}

static bool is_active(const struct active *active, unsigned plane)
{
    for (unsigned i = 0; i < active->count; i++)
        if (active->plane[i] == plane)
            return true;
    return false;
}

/*
 * Bounds the error of the height over a plane of a foot on one other plane. u = 2^-53, A and B the sums of |c| and |p|,
 * D the reach: s is off by 9 u (A + D), the unit normal by 4 u, and each product and difference by u, so p is off by 14
 * u (A + D) along the normal and by u |p|; heights of p by 9 u (B + D). More planes magnify it.
 */
static double foot_error(const struct query *q, const struct foot *foot)
{
    return HULL_ERROR * (size_of(foot->p) + q->hull->reach) + q->error;
}

/* The planes that the foot is not certainly within. */
static uint32_t boundary_planes(const struct query *q, const struct foot *foot)
{
    const double error = foot_error(q, foot);
    uint32_t boundary = 0;
    for (unsigned k = 0; k < q->hull->planes; k++)
        if (foot->active.count > 1 || !(outside(q->hull->unit[k], foot->p) < -error))
            boundary |= UINT32_C(1) << k;
    return boundary;
}

/* The plane that the foot is farthest outside of; hull->planes if it is outside of none. */
static unsigned most_violated(const struct query *q, const struct foot *foot)
{
    unsigned worst = q->hull->planes;
    double most = foot_error(q, foot);
    for (unsigned k = 0; k < q->hull->planes; k++) {
        double s = outside(q->hull->unit[k], foot->p);
        if (s > most && !is_active(&foot->active, k)) {
            most = s;
            worst = k;
        }
    }
    return worst;
}

/* Adds a plane and drops those of the old ones that do not hold the nearest point within all of them. */
static bool take_on(const struct query *q, struct foot *foot, unsigned plane)
{
    const struct active old = foot->active;
    /* Bit i keeps old plane i: all of them first, then fewer. 7 is skipped, as at most three planes are active. */
    static const unsigned char keeps[] = {7, 3, 5, 6, 1, 2, 4, 0};
    double tolerance = 4 * HULL_ERROR * (size_of(foot->p) + q->hull->reach) + q->error;
    for (unsigned choice = 0; choice < sizeof keeps; choice++) {
        unsigned keep = keeps[choice];
        if (keep >> old.count != 0 || keep == 7)
            continue;
        struct foot next = {.active = {0, {0}}};
        for (unsigned i = 0; i < old.count; i++)
            if (keep >> i & 1)
                next.active.plane[next.active.count++] = old.plane[i];
        next.active.plane[next.active.count++] = plane;
        bool within = find_foot(q, &next);
        for (unsigned i = 0; i < old.count && within; i++)
            within = keep >> i & 1 || outside(q->hull->unit[old.plane[i]], next.p) <= tolerance;
        if (within) {
            *foot = next;
            return true;
        }
    }
    return false;
}

/* The planes that the centre is outside of: the one that it is farthest outside of, and the first three of them. */
struct beyond {
    double most;
    unsigned farthest, count, plane[3];
};

/* Measures the heights of the centre. */
static inline struct beyond measure(struct query *q)
{
    struct beyond beyond = {.most = -INFINITY};
    q->error = HULL_ERROR * (size_of(q->c) + q->hull->reach);
    for (unsigned k = 0; k < q->hull->planes; k++) {
        q->s[k] = outside(q->hull->unit[k], q->c);
        if (q->s[k] > beyond.most) {
            beyond.most = q->s[k];
            beyond.farthest = k;
        }
        if (q->s[k] > 0 && beyond.count++ < 3)
            beyond.plane[beyond.count - 1] = k;
    }
    return beyond;
}

/* The planes that the centre is outside of mostly hold the nearest point; else starts at the farthest one. */
static inline bool begin(const struct query *q, const struct beyond *beyond, struct foot *foot)
{
    foot->active.count = beyond->count <= 3 ? beyond->count : 0;
    memcpy(foot->active.plane, beyond->plane, sizeof beyond->plane);
    if (foot->active.count >= 2 && find_foot(q, foot))
        return true;
    foot->active = (struct active){1, {beyond->farthest}};
    return find_foot(q, foot);
}

enum answer abut_hull_nearest(const struct hull *hull, const float *sphere, struct findings *found)
{
    struct query q;
    q.hull = hull;
    q.r = sphere[3];
    for (unsigned axis = 0; axis < 3; axis++)
        q.c[axis] = sphere[axis];
    const struct beyond beyond = measure(&q);
    if (beyond.most < -q.error)
        return q.r > 0 ? ANSWER_HIT : ANSWER_TOUCH;
    if (beyond.most - q.r > q.error)
        return ANSWER_MISS;
    struct foot foot;
    if (!begin(&q, &beyond, &foot))
        return ANSWER_UNKNOWN;
    for (unsigned step = 0; step < MAX_STEPS; step++) {
        found->active = foot.active;
        if (foot.active.count > 1 && surely_out_of_reach(&q, &foot))
            return ANSWER_MISS;
        unsigned plane = most_violated(&q, &foot);
        if (plane == hull->planes) {
            if (surely_touched(&q, &foot))
                return ANSWER_HIT;
            found->boundary = boundary_planes(&q, &foot);
            return ANSWER_UNKNOWN;
        }
        if (!take_on(&q, &foot, plane))
            return ANSWER_UNKNOWN;
    }
    return ANSWER_UNKNOWN;
}

bool abut_hull_foot(const struct hull *hull, const double c[3], struct hull_foot *nearest)
{
    struct query q;
    struct foot foot;
    q.hull = hull;
    q.r = 0;
    memcpy(q.c, c, sizeof q.c);
    const struct beyond beyond = measure(&q);
    if (!(beyond.most > 0) || !begin(&q, &beyond, &foot))
        return false;
    for (unsigned step = 0; step < MAX_STEPS; step++) {
        const unsigned plane = most_violated(&q, &foot);
        if (plane == hull->planes) {
            nearest->active = foot.active;
            memcpy(nearest->t, foot.t, sizeof foot.t);
            return true;
        }
        if (!take_on(&q, &foot, plane))
            return false;
    }
    return false;
}
