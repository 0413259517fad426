/* SPDX-License-Identifier: MIT */
/* How a polygon of space becomes one of a plane, what is odd about it, and which way it is cut. */
#include "polygon.h"

#include "crossing.h"
#include "ears.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The corners, projected: two of the three members of each vertex, so that the area is positive. */
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

static struct spot spot_of(const struct outline *outline, size_t i)
{
    const float *at = corner(outline, i);
    return (struct spot){at[outline->first], at[outline->second]};
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
static bool before(struct spot p, struct spot q)
{
    return p.x < q.x || (!(q.x < p.x) && p.y < q.y);
}

/*
 * No corner turns right, and the outline goes around once: its direction changes from left to right no more than twice.
 */
static bool is_convex(const struct outline *outline)
{
    size_t changes = 0;
    const size_t n = outline->n;
    for (size_t i = 0; i < n; i++) {
        const struct spot p = spot_of(outline, i), q = spot_of(outline, (i + 1) % n), r = spot_of(outline, (i + 2) % n);
        changes += before(p, q) != before(q, r);
        if (area_sign(p, q, r) < 0)
            return false;
    }
    return changes <= 2;
}

static void cut_fan(const uint32_t *corners, size_t n, uint32_t *triangles)
{
    for (size_t i = 2; i < n; i++)
        memcpy(triangles + 3 * (i - 2), (const uint32_t[]){corners[0], corners[i - 1], corners[i]},
               3 * sizeof *triangles);
}

/* Twice as many as the worst polygons that were found: squares in squares, whose walls meet in all their corners. */
enum { MOST_LOOKS = 128 };

/* A polygon that is not convex, by its ears. */
static enum polygon cut_concave(const struct outline *outline, uint32_t *triangles)
{
    const size_t n = outline->n;
    struct spot *spots = malloc(n * sizeof *spots);
    if (!spots)
        return POLYGON_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        spots[i] = spot_of(outline, i);
    const struct flat_polygon flat = {n, spots, outline->vertices, outline->corners};
    const enum crossing crossing = find_crossing(spots, n);
    const enum clipping ears =
        crossing == CROSSING_NO_MEMORY ? CLIPPING_NO_MEMORY : cut_ears(&flat, MOST_LOOKS, triangles);
    free(spots);
    return ears == CLIPPING_NO_MEMORY                                  ? POLYGON_NO_MEMORY
           : ears == CLIPPING_TOO_COSTLY                               ? POLYGON_TOO_COSTLY
           : ears == CLIPPING_UNFINISHED || crossing == CROSSING_FOUND ? POLYGON_NOT_SIMPLE
                                                                       : POLYGON_GOOD;
}

enum polygon polygon_cut(const float *vertices, const uint32_t *corners, size_t n, uint32_t *triangles)
{
    struct outline outline = {vertices, corners, n, 0, 1};
    double normal[3];
    if (n == 3) {
        cut_fan(corners, n, triangles);
        return POLYGON_GOOD;
    }
    find_normal(&outline, normal);
    project(&outline, normal);
    const bool flat = is_flat(&outline, normal), convex = is_convex(&outline);
    if (!convex && n > MOST_CONCAVE_CORNERS)
        return POLYGON_TOO_LARGE;
    if (convex)
        cut_fan(corners, n, triangles);
    const enum polygon polygon = convex ? POLYGON_GOOD : cut_concave(&outline, triangles);
    return polygon == POLYGON_GOOD && !flat ? POLYGON_NOT_FLAT : polygon;
}
