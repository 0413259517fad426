/* SPDX-License-Identifier: MIT */
/* Ear clipping (Meisters 1975) with exact signs of areas (Shewchuk 1997: sums of doubles without rounding). */
#include "polygon.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The corners that are left, projected: two of the three members of each vertex, so that the area is positive. */
struct outline {
    const float *vertices;
    const uint32_t *corners;
    size_t n;
    unsigned first, second;
};

static const float *corner(const struct outline *outline, size_t i)
{
    return outline->vertices + 3 * (size_t)outline->corners[i];
}

/* a + b is the sum of a and b, rounded, and the error of that. */
static void two_sum(double *a, double *b)
{
    const double sum = *a + *b, part = sum - *a;
    *b = (*a - (sum - part)) + (*b - part);
    *a = sum;
}

/*
 * The sign of the area of the triangle p q r. Products of float32 are exact in float64, and so is a sum that keeps its
 * errors: each number is added to those before, smallest first, and the last that is not zero has the sign.
 */
static int side(const struct outline *outline, const float *p, const float *q, const float *r)
{
    const double px = (double)p[outline->first], py = (double)p[outline->second], qx = (double)q[outline->first];
    const double qy = (double)q[outline->second], rx = (double)r[outline->first], ry = (double)r[outline->second];
    const double terms[6] = {px * qy, -px * ry, -py * qx, py * rx, qx * ry, -qy * rx};
    double parts[6];
    for (unsigned n = 0; n < 6; n++) {
        double sum = terms[n];
        for (unsigned i = 0; i < n; i++)
            two_sum(&sum, &parts[i]);
        parts[n] = sum;
    }
    for (unsigned n = 6; n-- > 0;)
        if (parts[n] != 0)
            return parts[n] > 0 ? 1 : -1;
    return 0;
}

static int turn(const struct outline *outline, size_t i)
{
    const size_t n = outline->n;
    return side(outline, corner(outline, (i + n - 1) % n), corner(outline, i), corner(outline, (i + 1) % n));
}

/* The normal by Newell's sums, which tolerate corners on one line. */
static void find_normal(const struct outline *outline, double normal[3])
{
    memset(normal, 0, 3 * sizeof *normal);
    const float *origin = corner(outline, 0);
    for (size_t i = 0; i < outline->n; i++) {
        const float *p = corner(outline, i), *q = corner(outline, i + 1 < outline->n ? i + 1 : 0);
        for (unsigned k = 0; k < 3; k++) {
            const unsigned a = (k + 1) % 3, b = (k + 2) % 3;
            normal[k] += ((double)p[a] - (double)origin[a]) * ((double)q[b] - (double)origin[b]) -
                         ((double)p[b] - (double)origin[b]) * ((double)q[a] - (double)origin[a]);
        }
    }
}

/* The axis along which the outline reaches least far. */
static unsigned thin_axis(const struct outline *outline)
{
    float low[3], high[3];
    memcpy(low, corner(outline, 0), sizeof low);
    memcpy(high, low, sizeof high);
    for (size_t i = 1; i < outline->n; i++)
        for (unsigned k = 0; k < 3; k++) {
            low[k] = fminf(low[k], corner(outline, i)[k]);
            high[k] = fmaxf(high[k], corner(outline, i)[k]);
        }
    unsigned axis = 0;
    for (unsigned k = 1; k < 3; k++)
        if (high[k] - low[k] < high[axis] - low[axis])
            axis = k;
    return axis;
}

/*
 * Projects along the axis that the normal is closest to, and so that the area is not negative. An outline that crosses
 * itself may have an area of zero, and no normal.
 */
static void project(struct outline *outline, const double normal[3])
{
    unsigned axis = normal[0] != 0 || normal[1] != 0 || normal[2] != 0 ? 0 : thin_axis(outline);
    for (unsigned k = 0; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis]))
            axis = k;
    outline->first = (axis + (normal[axis] < 0 ? 2 : 1)) % 3;
    outline->second = (axis + (normal[axis] < 0 ? 1 : 2)) % 3;
}

/* Whether no corner is farther than a thousandth of the size from a plane with that normal. */
static bool is_flat(const struct outline *outline, const double normal[3])
{
    const float *origin = corner(outline, 0);
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double size = 0, low = 0, high = 0;
    for (size_t i = 0; i < outline->n && length > 0; i++) {
        double height = 0;
        for (unsigned k = 0; k < 3; k++) {
            const double step = (double)corner(outline, i)[k] - (double)origin[k];
            height += step * (normal[k] / length);
            size = fmax(size, fabs(step));
        }
        low = fmin(low, height);
        high = fmax(high, height);
    }
    return high - low <= size * 1e-3;
}

/* Order of points from left to right, then upwards. */
static bool before(const struct outline *outline, const float *p, const float *q)
{
    const float px = p[outline->first], qx = q[outline->first];
    return px < qx || (!(qx < px) && p[outline->second] < q[outline->second]);
}

/*
 * No corner turns right, and the outline goes around once: its direction changes from left to right no more than twice.
 */
static bool is_convex(const struct outline *outline)
{
    size_t changes = 0;
    const size_t n = outline->n;
    for (size_t i = 0; i < n; i++) {
        const float *p = corner(outline, i), *q = corner(outline, (i + 1) % n), *r = corner(outline, (i + 2) % n);
        changes += before(outline, p, q) != before(outline, q, r);
        if (turn(outline, i) < 0)
            return false;
    }
    return changes <= 2;
}

static bool same_place(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Whether two edges cross in a point that is inside of both. Edges that only touch are left to the ears. */
static bool edges_cross(const struct outline *outline, size_t i, size_t j)
{
    const size_t n = outline->n;
    const float *a = corner(outline, i), *b = corner(outline, (i + 1) % n);
    const float *c = corner(outline, j), *d = corner(outline, (j + 1) % n);
    return side(outline, a, b, c) * side(outline, a, b, d) < 0 && side(outline, c, d, a) * side(outline, c, d, b) < 0;
}

static bool is_simple(const struct outline *outline)
{
    for (size_t i = 0; i < outline->n; i++)
        for (size_t j = i + 2; j < outline->n; j++)
            if (edges_cross(outline, i, j))
                return false;
    return true;
}

/* Whether corner i turns left, or not right where flat ears count, and no other corner is in its triangle. */
static bool is_ear(const struct outline *outline, size_t i, bool flat)
{
    const size_t n = outline->n;
    const float *p = corner(outline, (i + n - 1) % n), *q = corner(outline, i), *r = corner(outline, (i + 1) % n);
    const int sign = side(outline, p, q, r);
    if (sign < 0 || (sign == 0 && !flat))
        return false;
    for (size_t j = 0; j < n && sign > 0; j++) {
        const float *c = corner(outline, j);
        if (same_place(c, p) || same_place(c, q) || same_place(c, r))
            continue;
        if (side(outline, p, q, c) >= 0 && side(outline, q, r, c) >= 0 && side(outline, r, p, c) >= 0)
            return false;
    }
    return true;
}

/* The next ear from corner i on: one with an area if there is any; n if there is none. */
static size_t find_ear(const struct outline *outline, size_t i)
{
    for (unsigned flat = 0; flat < 2; flat++)
        for (size_t j = 0; j < outline->n; j++)
            if (is_ear(outline, (i + j) % outline->n, flat))
                return (i + j) % outline->n;
    return outline->n;
}

static void add_triangle(uint32_t **triangles, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t triangle[3] = {a, b, c};
    memcpy(*triangles, triangle, sizeof triangle);
    *triangles += 3;
}

static void cut_fan(const uint32_t *corners, size_t n, uint32_t *triangles)
{
    for (size_t i = 2; i < n; i++)
        add_triangle(&triangles, corners[0], corners[i - 1], corners[i]);
}

/* Whether all of it had ears; what had none is cut around its first corner. */
static bool cut_ears(struct outline *outline, uint32_t *corners, uint32_t *triangles)
{
    for (size_t at = 0; outline->n > 3;) {
        const size_t n = outline->n, ear = find_ear(outline, at);
        if (ear == n) {
            cut_fan(corners, n, triangles);
            return false;
        }
        add_triangle(&triangles, corners[(ear + n - 1) % n], corners[ear], corners[(ear + 1) % n]);
        memmove(corners + ear, corners + ear + 1, (n - ear - 1) * sizeof *corners);
        outline->n--;
        at = ear % outline->n;
    }
    add_triangle(&triangles, corners[0], corners[1], corners[2]);
    return true;
}

enum polygon polygon_cut(const float *vertices, uint32_t *corners, size_t n, uint32_t *triangles)
{
    struct outline outline = {vertices, corners, n, 0, 1};
    double normal[3];
    if (n == 3) {
        cut_fan(corners, n, triangles);
        return POLYGON_GOOD;
    }
    find_normal(&outline, normal);
    project(&outline, normal);
    const bool flat = is_flat(&outline, normal);
    if (is_convex(&outline)) {
        cut_fan(corners, n, triangles);
        return flat ? POLYGON_GOOD : POLYGON_NOT_FLAT;
    }
    if (n > MOST_CONCAVE_CORNERS)
        return POLYGON_TOO_LARGE;
    const bool simple = is_simple(&outline);
    return !cut_ears(&outline, corners, triangles) || !simple ? POLYGON_NOT_SIMPLE
           : flat                                             ? POLYGON_GOOD
                                                              : POLYGON_NOT_FLAT;
}
