/* SPDX-License-Identifier: MIT */
/*
 * AABBs of hulls. If l >= 0 makes e = sum of l n over some planes, every point of the hull has e.p <= -sum of l d. So
 * any such sum bounds a direction e, and three planes give the best one. What rounding leaves of e is bounded by the
 * box.
 */
#include "api/classify.h"
#include "api/sets.h"
#include "kernels/items.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <abut/engine.h>

#include <math.h>

/* Planes with unit normals, those that bound nothing left out; off by less than 2^-50 of themselves. */
struct unit_planes {
    unsigned n;
    double normal[ABUT_MAX_PLANES][3], d[ABUT_MAX_PLANES], reach; /* reach: the greatest |d| */
};

/* A bound of each direction (x y z, then -x -y -z), and the sum of its l; exact: by an axis-aligned plane alone. */
struct directions {
    double bound[6], weight[6];
    bool exact[6];
};

static void cross_of(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void add_plane(struct unit_planes *planes, struct directions *directions, struct plane p)
{
    const double n[3] = {p.nx, p.ny, p.nz}, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const unsigned at = planes->n++;
    for (unsigned k = 0; k < 3; k++)
        planes->normal[at][k] = n[k] / length;
    planes->d[at] = p.d / length;
    planes->reach = fabs(planes->d[at]) > planes->reach ? fabs(planes->d[at]) : planes->reach;
    for (unsigned e = 0; e < 6; e++) {
        const unsigned axis = e % 3;
        const double along = e < 3 ? n[axis] : -n[axis], bound = -p.d / along;
        if (along > 0 && n[(axis + 1) % 3] == 0 && n[(axis + 2) % 3] == 0 && bound < directions->bound[e]) {
            directions->bound[e] = bound;
            directions->exact[e] = true;
        }
    }
}

/* The bounds that three planes give. Sharp wedges (2^-20) give none. */
static void bound_by(const struct unit_planes *planes, const unsigned of[3], struct directions *directions)
{
    double dual[3][3];
    for (unsigned i = 0; i < 3; i++)
        cross_of(planes->normal[of[(i + 1) % 3]], planes->normal[of[(i + 2) % 3]], dual[i]);
    const double *first = planes->normal[of[0]];
    const double det = first[0] * dual[0][0] + first[1] * dual[0][1] + first[2] * dual[0][2];
    if (!(fabs(det) > 0x1p-20))
        return;
    for (unsigned e = 0; e < 6; e++) {
        double bound = 0, weight = 0;
        bool feasible = true;
        for (unsigned i = 0; i < 3; i++) {
            const double l = (e < 3 ? dual[i][e % 3] : -dual[i][e % 3]) / det;
            /* A little below 0 is rounding, and counts as what it leaves of e. */
            feasible = feasible && l >= -0x1p-32;
            bound -= l > 0 ? l * planes->d[of[i]] : 0;
            weight += fabs(l);
        }
        if (feasible && bound < directions->bound[e]) {
            directions->bound[e] = bound;
            directions->weight[e] = weight;
            directions->exact[e] = false;
        }
    }
}

/*
 * Widens the bounds by what rounding leaves of e, times the size of the box: l is off by less than 2^-50 over a
 * determinant above 2^-20, so three of them leave 2^-28.4; what is below 0 leaves 3 * 2^-32. Sums and unit normals are
 * off by less than 2^-48 of the weight.
 */
static void widen(struct directions *directions, double reach)
{
    double size = reach;
    for (unsigned e = 0; e < 6; e++)
        size = fabs(directions->bound[e]) > size ? fabs(directions->bound[e]) : size;
    for (unsigned e = 0; e < 6; e++) {
        if (!directions->exact[e] && !(size < INFINITY))
            directions->bound[e] = INFINITY;
        else if (!directions->exact[e])
            directions->bound[e] += 0x1p-27 * size + 0x1p-44 * directions->weight[e] * size;
        else
            directions->bound[e] += 0x1p-52 * fabs(directions->bound[e]);
    }
}

static void aabb_of_hull(const struct abut_hulls *hulls, size_t i, float box[6])
{
    struct unit_planes planes = {.n = 0};
    struct directions directions;
    for (unsigned e = 0; e < 6; e++) {
        directions.bound[e] = INFINITY;
        directions.weight[e] = 0;
        directions.exact[e] = true;
    }
    for (size_t k = hulls->offsets[i]; k < hulls->offsets[i + 1]; k++) {
        const struct plane plane = {hulls->nx[k], hulls->ny[k], hulls->nz[k], hulls->d[k]};
        if (!plane_missing(plane))
            add_plane(&planes, &directions, plane);
    }
    for (unsigned a = 0; a < planes.n; a++)
        for (unsigned b = a + 1; b < planes.n; b++)
            for (unsigned c = b + 1; c < planes.n; c++)
                bound_by(&planes, (const unsigned[3]){a, b, c}, &directions);
    widen(&directions, planes.reach);
    for (unsigned k = 0; k < 3; k++) {
        box[k] = -float32_up(directions.bound[k + 3], 0);
        box[k + 3] = float32_up(directions.bound[k], 0);
    }
}

enum abut_status abut_aabbs_of_hulls(const struct abut_hulls *hulls, float *const columns[6])
{
    IN_DEFAULT_FLOAT_MODE;
    if (!hulls || !columns)
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_hulls_readable(hulls);
    for (unsigned k = 0; status == ABUT_OK && hulls->n > 0 && k < 6; k++)
        if (!columns[k])
            return ABUT_ERROR_NULL;
    for (size_t i = 0; status == ABUT_OK && i < hulls->n; i++) {
        float box[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
        if (!abut_item_is_invalid(abut_of_hulls(hulls), i))
            aabb_of_hull(hulls, i, box);
        for (unsigned k = 0; k < 6; k++)
            columns[k][i] = box[k];
    }
    return status;
}
