/* SPDX-License-Identifier: MIT */
/* The corners of shapes in space, and the convex hull of what is seen of them. */
#include "outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points in space, and how far the shape reaches around their convex hull. */
struct solid {
    unsigned n;
    double at[MOST_CORNERS][3], r;
};

static bool is_finite(const double at[3])
{
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

static void add_corner(struct solid *solid, const double at[3])
{
    if (is_finite(at) && solid->n < MOST_CORNERS)
        memcpy(solid->at[solid->n++], at, sizeof solid->at[0]);
}

/* Shapes whose members are corners, one after the other, and then perhaps a radius. */
static void add_vertices(struct solid *solid, const struct rows *rows, size_t row, unsigned corners, bool radius)
{
    for (unsigned c = 0; c < corners; c++)
        add_corner(solid, (double[3]){rows->at[3 * c][row], rows->at[3 * c + 1][row], rows->at[3 * c + 2][row]});
    solid->r = radius ? rows->at[3 * corners][row] : 0;
    if (!(solid->r >= 0 && solid->r < INFINITY) || solid->n < corners)
        solid->n = 0;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void add_aabb(struct solid *solid, const struct rows *rows, size_t row, const struct extent *extent)
{
    double side[2][3];
    for (unsigned k = 0; k < 3; k++) {
        const double min = rows->at[k][row], max = rows->at[k + 3][row];
        if (!(min <= max))
            return;
        side[0][k] = extent ? clamp(min, extent->low[k], extent->high[k]) : min;
        side[1][k] = extent ? clamp(max, extent->low[k], extent->high[k]) : max;
    }
    for (unsigned c = 0; c < 8; c++)
        add_corner(solid, (double[3]){side[c & 1][0], side[c >> 1 & 1][1], side[c >> 2][2]});
}

static void add_obb(struct solid *solid, const struct rows *rows, size_t row)
{
    const float *const *m = rows->at;
    for (unsigned c = 0; c < 8; c++) {
        double at[3];
        for (unsigned k = 0; k < 3; k++) {
            at[k] = m[k][row];
            for (unsigned axis = 0; axis < 3; axis++)
                at[k] += (c >> axis & 1 ? 1 : -1) * (double)m[3 + axis][row] * m[6 + 3 * axis + k][row];
        }
        add_corner(solid, at);
    }
}

/* The planes of a half space or hull, and the sides of the extent. */
struct planes {
    unsigned n;
    double at[ABUT_MAX_PLANES + 6][4];
    double slack; /* a corner may be outside of a plane by as much: it was rounded */
};

static void add_plane(struct planes *planes, double x, double y, double z, double d)
{
    const double length = sqrt(x * x + y * y + z * z);
    if (length > 0)
        memcpy(planes->at[planes->n++], (double[4]){x / length, y / length, z / length, d / length},
               sizeof planes->at[0]);
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The point that three planes have in common, by Cramer's rule; not finite where there is none. */
static void meet(const double p[4], const double q[4], const double s[4], double at[3])
{
    const double all = determinant(p, q, s);
    for (unsigned k = 0; k < 3; k++) {
        double column[3][3];
        const double *const plane[3] = {p, q, s};
        for (unsigned i = 0; i < 3; i++) {
            memcpy(column[i], plane[i], sizeof column[i]);
            column[i][k] = -plane[i][3];
        }
        at[k] = fabs(all) > 1e-9 ? determinant(column[0], column[1], column[2]) / all : INFINITY;
    }
}

static bool is_inside(const struct planes *planes, const double at[3])
{
    bool inside = is_finite(at);
    for (unsigned i = 0; i < planes->n && inside; i++) {
        const double *p = planes->at[i];
        inside = p[0] * at[0] + p[1] * at[1] + p[2] * at[2] + p[3] <= planes->slack;
    }
    return inside;
}

/* Where more than three planes meet, each three of them give the same corner. */
static bool is_known(const struct solid *solid, const double at[3], double slack)
{
    bool known = false;
    for (unsigned i = 0; i < solid->n && !known; i++)
        known = fabs(solid->at[i][0] - at[0]) <= slack && fabs(solid->at[i][1] - at[1]) <= slack &&
                fabs(solid->at[i][2] - at[2]) <= slack;
    return known;
}

static void add_corners_of_planes(struct solid *solid, const struct planes *planes)
{
    for (unsigned i = 0; i < planes->n; i++)
        for (unsigned j = i + 1; j < planes->n; j++)
            for (unsigned k = j + 1; k < planes->n; k++) {
                double at[3];
                meet(planes->at[i], planes->at[j], planes->at[k], at);
                if (is_inside(planes, at) && !is_known(solid, at, planes->slack))
                    add_corner(solid, at);
            }
}

/* Planes first to end - 1. Of a hull with a plane that is not finite nothing is drawn. */
static void add_hull(struct solid *solid, const struct rows *rows, size_t first, size_t end,
                     const struct extent *extent)
{
    struct planes planes = {0};
    for (size_t i = first; i < end && planes.n < ABUT_MAX_PLANES; i++) {
        const double x = rows->at[0][i], y = rows->at[1][i], z = rows->at[2][i], d = rows->at[3][i];
        if (!isfinite(x + y + z + d))
            return;
        add_plane(&planes, x, y, z, d);
    }
    for (unsigned k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2}, *low = extent->low, *high = extent->high;
        add_plane(&planes, axis[0], axis[1], axis[2], -high[k]);
        add_plane(&planes, -axis[0], -axis[1], -axis[2], low[k]);
        planes.slack += 1e-6 * (high[k] - low[k]);
    }
    add_corners_of_planes(solid, &planes);
}

/* Without an extent only bounded shapes have corners, and of infinite boxes those that are finite. */
static void solid_of(struct solid *solid, const struct rows *rows, size_t row, const struct extent *extent)
{
    solid->n = 0;
    solid->r = 0;
    switch (rows->kind) {
    case ABUT_SET_POINTS:
    case ABUT_SET_SPHERES:
        add_vertices(solid, rows, row, 1, rows->kind == ABUT_SET_SPHERES);
        break;
    case ABUT_SET_SEGMENTS:
    case ABUT_SET_CAPSULES:
        add_vertices(solid, rows, row, 2, rows->kind == ABUT_SET_CAPSULES);
        break;
    case ABUT_SET_TRIANGLES:
        add_vertices(solid, rows, row, 3, false);
        break;
    case ABUT_SET_AABBS:
        add_aabb(solid, rows, row, extent);
        break;
    case ABUT_SET_OBBS:
        add_obb(solid, rows, row);
        break;
    case ABUT_SET_PLANES:
        if (extent)
            add_hull(solid, rows, row, row + 1, extent);
        break;
    default:
        if (extent)
            add_hull(solid, rows, rows->offsets[row], rows->offsets[row + 1], extent);
        break;
    }
}

/* By the bounds that are finite: boxes of the plane have none in z. */
static void widen_by_box(struct extent *extent, const struct rows *rows, size_t row)
{
    bool valid = true;
    for (unsigned k = 0; k < 3; k++)
        valid = valid && rows->at[k][row] <= rows->at[k + 3][row];
    for (unsigned k = 0; k < 6 && valid; k++) {
        const double bound = rows->at[k][row];
        extent->low[k % 3] = fmin(extent->low[k % 3], isfinite(bound) ? bound : INFINITY);
        extent->high[k % 3] = fmax(extent->high[k % 3], isfinite(bound) ? bound : -INFINITY);
    }
}

static void widen(struct extent *extent, const struct rows *rows)
{
    for (size_t i = 0; i < rows->n && rows->kind == ABUT_SET_AABBS; i++)
        widen_by_box(extent, rows, i);
    if (rows->kind == ABUT_SET_AABBS)
        return;
    for (size_t i = 0; i < rows->n; i++) {
        struct solid solid;
        solid_of(&solid, rows, i, NULL);
        for (unsigned c = 0; c < solid.n; c++)
            for (unsigned k = 0; k < 3; k++) {
                extent->low[k] = fmin(extent->low[k], solid.at[c][k] - solid.r);
                extent->high[k] = fmax(extent->high[k], solid.at[c][k] + solid.r);
            }
    }
}

struct extent extent_of(const struct rows *a, const struct rows *b)
{
    struct extent extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    widen(&extent, a);
    if (b)
        widen(&extent, b);
    double most = 0;
    for (unsigned k = 0; k < 3; k++) {
        if (extent.low[k] > extent.high[k])
            extent.low[k] = extent.high[k] = 0;
        most = fmax(most, extent.high[k] - extent.low[k]);
    }
    for (unsigned k = 0; k < 3; k++) {
        extent.low[k] -= most > 0 ? most / 25 : 1;
        extent.high[k] += most > 0 ? most / 25 : 1;
    }
    return extent;
}

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Andrew's monotone chain: the lower side from left to right, then the upper side back. */
static void take_convex_hull(struct outline *outline, double (*points)[2], unsigned n)
{
    double chain[2 * MOST_CORNERS][2];
    unsigned used = 0;
    qsort(points, n, sizeof *points, compare_points);
    for (unsigned side = 0; side < 2; side++) {
        const unsigned least = used + 1;
        for (unsigned i = 0; i < n; i++) {
            const double *point = points[side ? n - 1 - i : i];
            while (used > least && turn(chain[used - 2], chain[used - 1], point) <= 0)
                used--;
            memcpy(chain[used++], point, sizeof chain[0]);
        }
        used--; /* the last point begins the other side */
    }
    outline->n = used > 0 ? used : 1;
    memcpy(outline->at, chain, outline->n * sizeof *chain);
}

void outline_of(struct outline *outline, const struct rows *rows, size_t row, const struct extent *extent,
                unsigned across, unsigned up)
{
    struct solid solid;
    double points[MOST_CORNERS][2];
    solid_of(&solid, rows, row, extent);
    unsigned n = 0;
    for (unsigned i = 0; i < solid.n; i++) {
        const double point[2] = {solid.at[i][across], solid.at[i][up]};
        bool known = false;
        for (unsigned k = 0; k < n && !known; k++)
            known = points[k][0] == point[0] && points[k][1] == point[1];
        if (!known)
            memcpy(points[n++], point, sizeof point);
    }
    outline->r = solid.r;
    outline->n = n;
    if (n < 3)
        memcpy(outline->at, points, n * sizeof *points);
    else
        take_convex_hull(outline, points, n);
}
