/* SPDX-License-Identifier: MIT */
/* How deep a sphere is in a box or a triangle, and the shortest way out: float64, rounded once, without fusing. */
#include "api/sets.h"
#include "kernels/items.h"
#include "util/float_mode.h"

#include <abut/engine.h>

#include <math.h>

/* The centre's distance from a shape, negative inside, and the unit vector away from its nearest face or point. */
struct way {
    double distance, out[3];
};

static double dot_of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length_of(const double a[3])
{
    return sqrt(dot_of(a, a));
}

static void scale_to_unit(double a[3])
{
    const double length = length_of(a);
    for (unsigned k = 0; k < 3; k++)
        a[k] /= length;
}

/*
 * A box with faces at the heights beyond[k] over the centre's place on axis k; axes point to the centre's side. Rounding
 * may turn the way by much only next to an edge or corner, and there all ways between its faces are as short.
 */
static struct way way_out_of_box(const double beyond[3], const double axes[3][3])
{
    struct way way = {0, {0, 0, 0}};
    unsigned face = 3;
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double out = beyond[k] > 0 ? beyond[k] : 0;
        sum += out * out;
        for (unsigned i = 0; i < 3; i++)
            way.out[i] += out * axes[k][i];
        if (dot_of(axes[k], axes[k]) > 0 && (face == 3 || beyond[k] > beyond[face]))
            face = k;
    }
    way.distance = sqrt(sum);
    if (way.distance > 0) {
        scale_to_unit(way.out);
        return way;
    }
    /* Inside: through the nearest face. */
    if (face < 3)
        way.distance = beyond[face];
    for (unsigned i = 0; i < 3; i++)
        way.out[i] = face < 3 && beyond[face] > -INFINITY ? axes[face][i] : NAN;
    if (face == 3)
        way.distance = -INFINITY;
    scale_to_unit(way.out);
    return way;
}

static struct way way_out_of_aabb(struct sphere s, struct aabb b)
{
    const double centre[3] = {s.x, s.y, s.z}, min[3] = {b.minx, b.miny, b.minz}, max[3] = {b.maxx, b.maxy, b.maxz};
    double beyond[3], axes[3][3] = {{0}};
    for (unsigned k = 0; k < 3; k++) {
        const double below = min[k] - centre[k], above = centre[k] - max[k];
        beyond[k] = above > below ? above : below;
        axes[k][k] = above > below ? 1 : -1;
    }
    return way_out_of_box(beyond, (const double(*)[3])axes);
}

static struct way way_out_of_obb(struct sphere s, struct obb b)
{
    const double to[3] = {(double)s.x - b.cx, (double)s.y - b.cy, (double)s.z - b.cz}, half[3] = {b.hx, b.hy, b.hz};
    double axes[3][3] = {{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}}, beyond[3];
    for (unsigned k = 0; k < 3; k++) {
        const double along = dot_of(axes[k], to);
        beyond[k] = fabs(along) - half[k];
        for (unsigned i = 0; i < 3; i++)
            axes[k][i] = along < 0 ? -axes[k][i] : axes[k][i];
    }
    return way_out_of_box(beyond, (const double(*)[3])axes);
}

static void cross_of(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* From the nearest point of the segment from v along e to the point p: all relative to one origin. */
static void from_segment(const double p[3], const double v[3], const double e[3], double away[3])
{
    const double vp[3] = {p[0] - v[0], p[1] - v[1], p[2] - v[2]}, square = dot_of(e, e), t = dot_of(vp, e);
    const double along = t <= 0 || square == 0 ? 0 : t >= square ? 1 : t / square;
    for (unsigned k = 0; k < 3; k++)
        away[k] = vp[k] - along * e[k];
}

/* A unit vector at a right angle to the longest of the edges; any of a point. */
static void normal_of_line(const double edges[3][3], double normal[3])
{
    unsigned longest = 0;
    for (unsigned i = 1; i < 3; i++)
        longest = dot_of(edges[i], edges[i]) > dot_of(edges[longest], edges[longest]) ? i : longest;
    const double *e = edges[longest];
    const unsigned k = fabs(e[0]) <= fabs(e[1]) && fabs(e[0]) <= fabs(e[2]) ? 0 : fabs(e[1]) <= fabs(e[2]) ? 1 : 2;
    const double axis[3] = {k == 0, k == 1, k == 2};
    cross_of(e, axis, normal);
    if (dot_of(normal, normal) == 0)
        normal[0] = 1;
    scale_to_unit(normal);
}

/* Whether the point is over the triangle: on the inner side of each edge. */
static bool is_over(const double p[3], const double corners[3][3], const double edges[3][3], const double normal[3])
{
    bool inner = true;
    for (unsigned i = 0; i < 3; i++) {
        double side[3];
        const double vp[3] = {p[0] - corners[i][0], p[1] - corners[i][1], p[2] - corners[i][2]};
        cross_of(normal, edges[i], side);
        inner = inner && dot_of(side, vp) >= 0;
    }
    return inner;
}

/* All coordinates are relative to vertex a. */
static struct way way_out_of_triangle(struct sphere s, struct triangle t)
{
    const double p[3] = {(double)s.x - t.ax, (double)s.y - t.ay, (double)s.z - t.az};
    const double ab[3] = {(double)t.bx - t.ax, (double)t.by - t.ay, (double)t.bz - t.az},
                 ac[3] = {(double)t.cx - t.ax, (double)t.cy - t.ay, (double)t.cz - t.az};
    const double corners[3][3] = {{0, 0, 0}, {ab[0], ab[1], ab[2]}, {ac[0], ac[1], ac[2]}},
                 edges[3][3] = {{ab[0], ab[1], ab[2]},
                                {(double)t.cx - t.bx, (double)t.cy - t.by, (double)t.cz - t.bz},
                                {-ac[0], -ac[1], -ac[2]}};
    const double size = length_of(p) + length_of(ab) + length_of(ac);
    struct way way = {INFINITY, {0, 0, 0}};
    double normal[3];
    cross_of(ab, ac, normal);
    /* The normal is off by 2^-50 of |ab||ac|, so for larger sines by 2^-29 of itself. */
    const bool flat = dot_of(normal, normal) <= 0x1p-42 * dot_of(ab, ab) * dot_of(ac, ac);
    if (flat)
        normal_of_line(edges, normal);
    else
        scale_to_unit(normal);
    const double height = dot_of(normal, p);
    for (unsigned k = 0; k < 3; k++)
        way.out[k] = height < 0 ? -normal[k] : normal[k];
    if (!flat && is_over(p, corners, edges, normal)) {
        way.distance = fabs(height);
        return way;
    }
    double away[3][3];
    unsigned nearest = 0;
    for (unsigned i = 0; i < 3; i++) {
        from_segment(p, corners[i], edges[i], away[i]);
        nearest = dot_of(away[i], away[i]) < dot_of(away[nearest], away[nearest]) ? i : nearest;
    }
    way.distance = length_of(away[nearest]);
    /* Rounding near an edge turns the way by up to 2^-9 there, the width of a flat triangle by 2^-7. */
    if (way.distance > (flat ? 0x1p-15 : 0x1p-20) * size)
        for (unsigned k = 0; k < 3; k++)
            way.out[k] = away[nearest][k] / way.distance;
    return way;
}

/* The columns of a batch that is read. */
struct reader {
    const float *const *at;
    unsigned fields;
    bool one; /* the same item for all */
};

static const float *read_one(const struct reader *reader, size_t i, float item[ABUT_MAX_FIELDS])
{
    for (unsigned k = 0; k < reader->fields; k++)
        item[k] = reader->at[k][reader->one ? 0 : i];
    return item;
}

static struct way way_of(enum abut_set_kind kind, struct sphere s, const float *item)
{
    const struct way none = {NAN, {NAN, NAN, NAN}};
    if (sphere_invalid(s))
        return none;
    if (kind == ABUT_SET_AABBS)
        return aabb_item_invalid(item) ? none : way_out_of_aabb(s, aabb_of(item));
    if (kind == ABUT_SET_OBBS)
        return obb_item_invalid(item) ? none : way_out_of_obb(s, obb_of(item));
    return triangle_item_invalid(item) ? none : way_out_of_triangle(s, triangle_of(item));
}

/* Machines differ in the NaN that an operation makes, and a zero has one sign. */
static float number_of(double x)
{
    const float rounded = (float)x;
    return isnan(rounded) ? NAN : rounded == 0 ? 0 : rounded;
}

enum abut_status abut_penetration(const struct abut_spheres *spheres, struct abut_set shapes, float *restrict depth,
                                  const struct abut_directions *directions)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!spheres)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_check_set(shapes);
    if (status == ABUT_OK)
        status = abut_check_set(abut_of_spheres(spheres));
    if (status != ABUT_OK)
        return status;
    if (shapes.kind != ABUT_SET_AABBS && shapes.kind != ABUT_SET_OBBS && shapes.kind != ABUT_SET_TRIANGLES)
        return ABUT_ERROR_PREDICATE;
    const size_t n_shapes = batch_length(shapes.items), n = spheres->n == 1 ? n_shapes : spheres->n;
    if (spheres->n != n_shapes && spheres->n != 1 && n_shapes != 1)
        return ABUT_ERROR_LENGTHS;
    if (n > 0 && ((!depth && !directions) || (directions && (!directions->x || !directions->y || !directions->z))))
        return ABUT_ERROR_NULL;
    const struct columns columns = abut_columns_of(shapes);
    const struct reader of_sphere = {batch_arrays(spheres), sphere_fields, spheres->n == 1},
                        of_shape = {columns.at, columns.fields, n_shapes == 1};
    for (size_t i = 0; i < n; i++) {
        float item[ABUT_MAX_FIELDS];
        const struct sphere s = sphere_of(read_one(&of_sphere, i, item));
        const struct way way = way_of(shapes.kind, s, read_one(&of_shape, i, item));
        if (depth)
            depth[i] = number_of(s.r - way.distance);
        for (unsigned k = 0; directions && k < 3; k++)
            (k == 0 ? directions->x : k == 1 ? directions->y : directions->z)[i] = number_of(way.out[k]);
    }
    return ABUT_OK;
}
