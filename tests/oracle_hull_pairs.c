/* SPDX-License-Identifier: MIT */
/*
 * The oracle for segments, capsules, triangles, boxes and hulls against hulls, by definition. The points of the shape
 * are a sum of numbers between bounds times axes, and each plane is a condition on these numbers. Some point that is
 * nearest to 0 on a set of at most three conditions meets all of them, or none does. Under the open rule the same holds
 * for a hull that is shifted to four sides.
 */
#include "hull_item.h"
#include "oracle.h"
#include "rational.h"

#include <string.h>

enum { MOST_ROWS = 7 + 2 * ABUT_MAX_PLANES, SHIFT = 4000 };

/* c.s + e <= 0. */
struct row {
    mpq_ptr c[3], e;
};

struct rows {
    unsigned n;
    struct row at[MOST_ROWS];
};

/* base + the sum of s_k axis_k. */
struct space {
    mpq_ptr base[3], axis[3][3];
};

static mpq_ptr dot_of(const float *n, mpq_ptr const v[3])
{
    return plus(times(of(n[0]), v[0]), plus(times(of(n[1]), v[1]), times(of(n[2]), v[2])));
}

static bool invalid_points(const float *p, int n)
{
    for (int k = 0; k < 3 * n; k++)
        if (!isfinite(p[k]))
            return true;
    return false;
}

static bool invalid_interval(float min, float max)
{
    return !(min <= max) || min == INFINITY || max == -INFINITY;
}

static bool invalid_hull(const float *hull)
{
    for (unsigned i = 0; i < planes_of(hull); i++) {
        const float *p = plane_of(hull, i);
        if (invalid_points(p, 1) || isnan(p[3]) || p[3] == INFINITY ||
            (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] > 0))
            return true;
    }
    return false;
}

static struct row *new_row(struct rows *rows)
{
    struct row *row = &rows->at[rows->n++];
    for (unsigned k = 0; k < 3; k++)
        row->c[k] = of(0);
    row->e = of(0);
    return row;
}

/* low <= s_k <= high; an infinite bound is none. */
static void add_bounds(struct rows *rows, unsigned k, float low, float high)
{
    if (isfinite(low)) {
        struct row *row = new_row(rows);
        row->c[k] = of(-1);
        row->e = of(low);
    }
    if (isfinite(high)) {
        struct row *row = new_row(rows);
        row->c[k] = of(1);
        row->e = minus(of(0), of(high));
    }
}

/* The planes, moved by the shift. */
static void add_planes(struct rows *rows, const float *hull, const struct space *space, mpq_ptr const shift[3])
{
    for (unsigned i = 0; i < planes_of(hull); i++) {
        const float *plane = plane_of(hull, i);
        if (isinf(plane[3]))
            continue;
        struct row *row = new_row(rows);
        for (unsigned k = 0; k < 3; k++)
            row->c[k] = dot_of(plane, space->axis[k]);
        row->e = plus(of(plane[3]), dot_of(plane, space->base));
        row->e = minus(row->e, dot_of(plane, shift));
    }
}

/* Whether the point nearest to 0 of the planes of these rows meets all rows. */
static bool meets_at(const struct rows *rows, const unsigned *set, unsigned m)
{
    mpq_ptr a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], point[3] = {of(0), of(0), of(0)};
    for (unsigned i = 0; i < m; i++) {
        const struct row *row = &rows->at[set[i]];
        for (unsigned j = 0; j < m; j++) {
            a[i][j] = of(0);
            for (unsigned k = 0; k < 3; k++)
                a[i][j] = plus(a[i][j], times(row->c[k], rows->at[set[j]].c[k]));
        }
        a[i][m] = row->e;
    }
    if (!eliminate(a, m))
        return false;
    for (unsigned i = 0; i < m; i++)
        for (unsigned k = 0; k < 3; k++)
            point[k] = minus(point[k], times(a[i][m], rows->at[set[i]].c[k]));
    for (unsigned i = 0; i < rows->n; i++) {
        mpq_ptr sum = rows->at[i].e;
        for (unsigned k = 0; k < 3; k++)
            sum = plus(sum, times(rows->at[i].c[k], point[k]));
        if (mpq_sgn(sum) > 0)
            return false;
    }
    return true;
}

static bool feasible(const struct rows *rows)
{
    const unsigned n = rows->n, kept = used;
    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = i; j <= n; j++)
            for (unsigned k = j; k <= n; k++) {
                used = kept;
                const unsigned set[3] = {i, j, k}, m = i == n ? 0 : j == n ? 1 : k == n ? 2 : 3;
                if ((m == 3 && (i == j || j == k)) || (m == 2 && i == j))
                    continue;
                if (meets_at(rows, set, m))
                    return true;
            }
    return false;
}

/* A shape: the points of its space between the bounds. */
struct shape_in {
    struct space space;
    float low[3], high[3];
    bool half;          /* s_0 + s_1 <= 1 */
    const float *other; /* a hull that holds its points, or NULL; it stays where it is */
};

static bool meets_shifted(const struct shape_in *shape, const float *hull, const int *signs)
{
    struct rows rows = {.n = 0};
    mpq_ptr shift[3];
    const unsigned kept = used;
    for (unsigned k = 0; k < 3; k++) {
        shift[k] = of(signs ? (float)signs[k] : 0);
        mpq_div_2exp(shift[k], shift[k], SHIFT);
        add_bounds(&rows, k, shape->low[k], shape->high[k]);
    }
    if (shape->half) {
        struct row *row = new_row(&rows);
        row->c[0] = row->c[1] = of(1);
        row->e = of(-1);
    }
    add_planes(&rows, hull, &shape->space, shift);
    if (shape->other != NULL) {
        mpq_ptr const none[3] = {of(0), of(0), of(0)};
        add_planes(&rows, shape->other, &shape->space, none);
    }
    const bool meets = feasible(&rows);
    used = kept;
    return meets;
}

static int meets(const struct shape_in *shape, const float *hull)
{
    static const int signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    if (!meets_shifted(shape, hull, NULL))
        return MISS;
    for (unsigned i = 0; i < 4; i++)
        if (!meets_shifted(shape, hull, signs[i]))
            return TOUCH;
    return HIT;
}

static struct shape_in shape_at(const float *base)
{
    struct shape_in shape = {.half = false, .other = NULL};
    for (unsigned k = 0; k < 3; k++) {
        shape.space.base[k] = of(base ? base[k] : 0);
        for (unsigned i = 0; i < 3; i++)
            shape.space.axis[k][i] = of(0);
    }
    return shape;
}

static void set_edge(struct shape_in *shape, unsigned axis, const float *from, const float *to)
{
    for (unsigned k = 0; k < 3; k++)
        shape->space.axis[axis][k] = minus(of(to[k]), of(from[k]));
    shape->high[axis] = 1;
}

static int segment_meets(const float *s, const float *hull)
{
    struct shape_in shape = shape_at(s);
    set_edge(&shape, 0, s, s + 3);
    return meets(&shape, hull);
}

int oracle_segment_hull(const float *s, const float *hull)
{
    used = 0;
    return invalid_points(s, 2) || invalid_hull(hull) ? MISS : segment_meets(s, hull);
}

int oracle_triangle_hull(const float *t, const float *hull)
{
    used = 0;
    if (invalid_points(t, 3) || invalid_hull(hull))
        return MISS;
    struct shape_in shape = shape_at(t);
    set_edge(&shape, 0, t, t + 3);
    set_edge(&shape, 1, t, t + 6);
    shape.half = true;
    return meets(&shape, hull);
}

static const float all_of_space[6] = {-INFINITY, -INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY};

static struct shape_in box_at(const float *b)
{
    struct shape_in shape = shape_at(NULL);
    for (unsigned k = 0; k < 3; k++) {
        shape.space.axis[k][k] = of(1);
        shape.low[k] = b[k];
        shape.high[k] = b[3 + k];
    }
    return shape;
}

static int aabb_meets(const float *b, const float *hull)
{
    const struct shape_in shape = box_at(b);
    return meets(&shape, hull);
}

int oracle_hull_hull(const float *a, const float *b)
{
    used = 0;
    if (invalid_hull(a) || invalid_hull(b))
        return MISS;
    struct shape_in shape = box_at(all_of_space);
    shape.other = a;
    return meets(&shape, b);
}

int oracle_aabb_hull(const float *b, const float *hull)
{
    used = 0;
    if (invalid_interval(b[0], b[3]) || invalid_interval(b[1], b[4]) || invalid_interval(b[2], b[5]) ||
        invalid_hull(hull))
        return MISS;
    return aabb_meets(b, hull);
}

int oracle_obb_hull(const float *b, const float *hull)
{
    used = 0;
    if (invalid_points(b, 1) || invalid_points(b + 6, 3) || !(b[3] >= 0) || !(b[4] >= 0) || !(b[5] >= 0) ||
        invalid_hull(hull))
        return MISS;
    struct shape_in shape = shape_at(b);
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < 3; i++)
            shape.space.axis[k][i] = of(b[6 + 3 * k + i]);
        shape.low[k] = -b[3 + k];
        shape.high[k] = b[3 + k];
    }
    return meets(&shape, hull);
}

/* What a nearest point of the segment is: an end, or between them. */
enum part { END_A, END_B, BETWEEN };

/*
 * The squared distance of the segment and the hull if the nearest points are of that part and on these planes, as
 * multipliers >= 0 show, else NULL: x = p - sum of t n, and between the ends d.(p - x) = 0.
 */
static mpq_ptr distance_by(const float *s, enum part part, const struct rows *planes, const unsigned *set, unsigned m)
{
    mpq_ptr a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], from[3], d[3], step[3] = {of(0), of(0), of(0)}, d2 = of(0);
    const unsigned all = m + (part == BETWEEN);
    for (unsigned k = 0; k < 3; k++) {
        from[k] = of(part == END_B ? s[3 + k] : s[k]);
        d[k] = minus(of(s[3 + k]), of(s[k]));
    }
    for (unsigned i = 0; i < m; i++) {
        const struct row *row = &planes->at[set[i]];
        for (unsigned j = 0; j < m; j++) {
            a[i][j] = of(0);
            for (unsigned k = 0; k < 3; k++)
                a[i][j] = plus(a[i][j], times(row->c[k], planes->at[set[j]].c[k]));
        }
        mpq_ptr height = row->e, along = of(0);
        for (unsigned k = 0; k < 3; k++) {
            height = plus(height, times(row->c[k], from[k]));
            along = minus(along, times(row->c[k], d[k]));
        }
        a[i][all] = height;
        if (part == BETWEEN)
            a[i][m] = a[m][i] = along;
    }
    if (part == BETWEEN)
        a[m][m] = a[m][all] = of(0);
    if (!eliminate(a, all))
        return NULL;
    if (part == BETWEEN) {
        mpq_ptr t = a[m][all];
        if (mpq_sgn(t) < 0 || mpq_cmp(t, of(1)) > 0)
            return NULL;
        for (unsigned k = 0; k < 3; k++)
            from[k] = plus(from[k], times(t, d[k]));
    }
    for (unsigned i = 0; i < m; i++) {
        if (mpq_sgn(a[i][all]) < 0)
            return NULL;
        for (unsigned k = 0; k < 3; k++)
            step[k] = plus(step[k], times(a[i][all], planes->at[set[i]].c[k]));
    }
    mpq_ptr along = of(0);
    for (unsigned k = 0; k < 3; k++) {
        d2 = plus(d2, square(step[k]));
        along = plus(along, times(d[k], step[k]));
    }
    /* The point of an end is nearest only if the segment leads away from the hull there. */
    if ((part == END_A && mpq_sgn(along) < 0) || (part == END_B && mpq_sgn(along) > 0))
        return NULL;
    for (unsigned i = 0; i < planes->n; i++) {
        mpq_ptr h = planes->at[i].e;
        for (unsigned k = 0; k < 3; k++)
            h = plus(h, times(planes->at[i].c[k], minus(from[k], step[k])));
        if (mpq_sgn(h) > 0)
            return NULL;
    }
    return d2;
}

static mpq_ptr distance2(const float *s, const struct rows *planes)
{
    const unsigned n = planes->n, kept = used;
    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = i; j <= n; j++)
            for (unsigned k = j; k <= n; k++)
                for (enum part part = END_A; part <= BETWEEN; part++) {
                    used = kept;
                    const unsigned set[3] = {i, j, k}, m = i == n ? 0 : j == n ? 1 : k == n ? 2 : 3;
                    if ((m == 3 && (i == j || j == k)) || (m == 2 && i == j))
                        continue;
                    mpq_ptr d2 = distance_by(s, part, planes, set, m);
                    if (d2 != NULL)
                        return d2;
                }
    return NULL;
}

int oracle_capsule_hull(const float *c, const float *hull)
{
    used = 0;
    if (invalid_points(c, 2) || !(c[6] >= 0) || invalid_hull(hull))
        return MISS;
    if (isinf(c[6]))
        return aabb_meets(all_of_space, hull) == MISS ? MISS : HIT;
    if (segment_meets(c, hull) != MISS)
        return c[6] > 0 ? HIT : TOUCH;
    struct shape_in space = shape_at(NULL);
    struct rows planes = {.n = 0};
    mpq_ptr const none[3] = {of(0), of(0), of(0)};
    for (unsigned k = 0; k < 3; k++)
        space.space.axis[k][k] = of(1);
    add_planes(&planes, hull, &space.space, none);
    mpq_ptr d2 = distance2(c, &planes);
    return d2 == NULL ? MISS : at_most(d2, square(of(c[6])));
}

static int all_inside(const float *points, unsigned n, float r, const float *hull)
{
    int answer = HIT;
    for (unsigned i = 0; i < n; i++) {
        const float *p = points + 3 * i;
        const float ball[4] = {p[0], p[1], p[2], r};
        answer = least(answer, r >= 0 ? oracle_sphere_in_hull(ball, hull) : oracle_point_in_hull(p, hull));
    }
    return answer;
}

int oracle_segment_in_hull(const float *s, const float *hull)
{
    return all_inside(s, 2, -1, hull);
}

int oracle_triangle_in_hull(const float *t, const float *hull)
{
    return all_inside(t, 3, -1, hull);
}

int oracle_capsule_in_hull(const float *c, const float *hull)
{
    return c[6] >= 0 ? all_inside(c, 2, c[6], hull) : MISS;
}
