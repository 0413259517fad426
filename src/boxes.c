/* SPDX-License-Identifier: MIT */
/* AABBs around other shapes, rounded outwards, so that they hold them for certain; and corners put in order. */
#include "boxes.h"

#include "float32.h"
#include "kernels/items.h"
#include "views.h"

#include <math.h>
#include <string.h>

/* The next float up; x is not NaN and not +inf. */
static float above(float x)
{
    uint32_t bits;
    x += 0.0f; /* -0 is 0 */
    memcpy(&bits, &x, sizeof bits);
    bits = bits >> 31 ? bits - 1 : bits + 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The least float that is no less than x + rest, where rest is at most half a unit in the last place of x. */
static float round_up(double x, double rest)
{
    const double rounded = float32_of(x);
    return rounded < x || (rounded == x && rest > 0) ? above((float)rounded) : (float)rounded;
}

/* The least float that is no less than c + r: Knuth's two-sum has the rounding error exactly, and infinity has none. */
static float sum_up(float c, float r)
{
    const double x = c, y = r, sum = x + y, of_y = sum - x;
    return round_up(sum, (x - (sum - of_y)) + (y - of_y));
}

static void no_box(float box[6])
{
    for (unsigned k = 0; k < 6; k++)
        box[k] = NAN;
}

static void box_of_sphere(struct sphere s, float box[6])
{
    const float centre[3] = {s.x, s.y, s.z};
    for (unsigned k = 0; k < 3; k++) {
        box[k] = -sum_up(-centre[k], s.r);
        box[k + 3] = sum_up(centre[k], s.r);
    }
}

static void box_of_capsule(struct capsule s, float box[6])
{
    const float a[3] = {s.ax, s.ay, s.az}, b[3] = {s.bx, s.by, s.bz};
    for (unsigned k = 0; k < 3; k++) {
        box[k] = -sum_up(a[k] < b[k] ? -a[k] : -b[k], s.r);
        box[k + 3] = sum_up(a[k] > b[k] ? a[k] : b[k], s.r);
    }
}

static void box_of_triangle(struct triangle t, float box[6])
{
    const float vertices[3][3] = {{t.ax, t.ay, t.az}, {t.bx, t.by, t.bz}, {t.cx, t.cy, t.cz}};
    for (unsigned k = 0; k < 3; k++) {
        box[k] = box[k + 3] = vertices[0][k];
        for (unsigned i = 1; i < 3; i++) {
            box[k] = vertices[i][k] < box[k] ? vertices[i][k] : box[k];
            box[k + 3] = vertices[i][k] > box[k + 3] ? vertices[i][k] : box[k + 3];
        }
    }
}

/* How far an OBB reaches from its centre along each axis of space. */
struct reach {
    double points[3];  /* the points o + x with |a_j.x| <= h_j */
    double edges[3];   /* the sums of a_j t_j with |t_j| <= h_j: the same if the axes are orthonormal */
    double spheres[3]; /* what a radius of 1 counts for */
};

/* 0 times infinity is 0. */
static double times_half(double x, double half)
{
    return x != 0 ? fabs(x) * half : 0;
}

/*
 * With the inverse of the rows a_j, which is that of the cofactors C_jk over the determinant, x is the sum of a'_j y_j with |y_j|
 * <= h_j, and where a sphere of radius r touches, of a'_j (y_j + z_j) with |z| <= r.
 *
 * A product of two floats is exact in double, so a cofactor is wrong by 2^-53 of itself, and 0 only if it is. With members
 * of at most 2 and a determinant of at least 1/2 that has at most 2^-44 of error, and a reach, with three products, two
 * sums, a division and a square root, less than 2^-40 of itself.
 */
static struct reach reach_of_obb(struct obb b)
{
    const double axes[3][3] = {{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}};
    const double half[3] = {b.hx, b.hy, b.hz};
    double cofactors[3][3], determinant = 0, greatest = 0;
    struct reach reach = {{0}, {0}, {0}};
    for (unsigned j = 0; j < 3; j++)
        for (unsigned k = 0; k < 3; k++) {
            const double *next = axes[(j + 1) % 3], *last = axes[(j + 2) % 3];
            cofactors[j][k] = next[(k + 1) % 3] * last[(k + 2) % 3] - next[(k + 2) % 3] * last[(k + 1) % 3];
            determinant += j == 0 ? axes[j][k] * cofactors[j][k] : 0;
            greatest = fabs(axes[j][k]) > greatest ? fabs(axes[j][k]) : greatest;
        }
    const bool like_axes = greatest <= 2 && fabs(determinant) >= 0.5;
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned j = 0; j < 3; j++) {
            reach.points[k] += times_half(cofactors[j][k], half[j]);
            reach.edges[k] += times_half(axes[j][k], half[j]);
            reach.spheres[k] += cofactors[j][k] * cofactors[j][k];
        }
        reach.points[k] = like_axes ? reach.points[k] / fabs(determinant) * (1 + 0x1p-40) : (double)INFINITY;
        reach.spheres[k] = like_axes ? sqrt(reach.spheres[k]) / fabs(determinant) * (1 + 0x1p-40) : (double)INFINITY;
        reach.edges[k] *= 1 + 0x1p-40;
    }
    return reach;
}

/* The sums with the centre have less than 2^-51 of both. */
static void box_around(const float centre[3], const double reach[3], float box[6])
{
    for (unsigned k = 0; k < 3; k++) {
        const double slack = (fabs((double)centre[k]) + reach[k]) * 0x1p-51;
        box[k] = -round_up(reach[k] - centre[k] + slack, 0);
        box[k + 3] = round_up(reach[k] + centre[k] + slack, 0);
    }
}

static void box_of_obb(struct obb b, float box[6])
{
    const float centre[3] = {b.cx, b.cy, b.cz};
    const struct reach reach = reach_of_obb(b);
    box_around(centre, reach.points, box);
}

/*
 * The box of a sphere grows with its radius as it is, so this one has to make up for what the radius counts for beyond. The
 * least float makes up for roundings of denormal radii (index/bounds.h).
 */
void abut_box_of_obb(const float obb[15], float radius, float box[6])
{
    const struct obb b = obb_of(obb);
    const float centre[3] = {b.cx, b.cy, b.cz};
    struct reach reach = reach_of_obb(b);
    for (unsigned k = 0; k < 3; k++) {
        const double beyond = radius > 0 && reach.spheres[k] > 1 ? (reach.spheres[k] - 1) * radius : 0;
        reach.points[k] = (reach.edges[k] > reach.points[k] ? reach.edges[k] : reach.points[k]) + beyond + 0x1p-149;
    }
    box_around(centre, reach.points, box);
}

/* Whether n boxes can be written here. */
static enum abut_status check_boxes(size_t n, float *const *columns)
{
    const struct columns boxes = {
        shape_aabb, aabb_fields, n, {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]}, NULL};
    return check_columns(&boxes);
}

/* Item i. */
#define F(member) shapes->member[i],
#define SHAPE(name, plural, fields)                                                                                    \
    static inline struct name name##_at(const struct abut_##plural *shapes, size_t i)                                  \
    {                                                                                                                  \
        return (struct name){fields};                                                                                  \
    }
#include "shapes.def"

#define BOXES(name, plural)                                                                                            \
    enum abut_status abut_aabbs_of_##plural(const struct abut_##plural *shapes, float *const columns[6])               \
    {                                                                                                                  \
        if (shapes == NULL || columns == NULL)                                                                         \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns from = name##_columns(shapes);                                                            \
        enum abut_status status = check_columns(&from);                                                                \
        if (status == ABUT_OK)                                                                                         \
            status = check_boxes(shapes->n, columns);                                                                  \
        for (size_t i = 0; status == ABUT_OK && i < shapes->n; i++) {                                                  \
            const struct name item = name##_at(shapes, i);                                                             \
            float box[6];                                                                                              \
            if (name##_bad(item))                                                                                      \
                no_box(box);                                                                                           \
            else                                                                                                       \
                box_of_##name(item, box);                                                                              \
            for (unsigned k = 0; k < 6; k++)                                                                           \
                columns[k][i] = box[k];                                                                                \
        }                                                                                                              \
        return status;                                                                                                 \
    }
BOXES(sphere, spheres)
BOXES(obb, obbs)
BOXES(capsule, capsules)
BOXES(triangle, triangles)

enum abut_status abut_aabb_of_points(const struct abut_points *points, float min[3], float max[3])
{
    if (points == NULL || min == NULL || max == NULL)
        return ABUT_ERROR_NULL;
    const struct columns from = point_columns(points);
    const enum abut_status status = check_columns(&from);
    if (status != ABUT_OK)
        return status;
    for (unsigned k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    for (size_t i = 0; i < points->n; i++) {
        const struct point point = point_at(points, i);
        const float at[3] = {point.x, point.y, point.z};
        for (unsigned k = 0; k < 3 && !point_bad(point); k++) {
            min[k] = at[k] < min[k] ? at[k] : min[k];
            max[k] = at[k] > max[k] ? at[k] : max[k];
        }
    }
    return ABUT_OK;
}

enum abut_status abut_aabbs_sort_corners(size_t n, float *const columns[6])
{
    const enum abut_status status = columns == NULL ? ABUT_ERROR_NULL : check_boxes(n, columns);
    for (unsigned k = 0; status == ABUT_OK && k < 3; k++)
        for (size_t i = 0; i < n; i++)
            if (columns[k][i] > columns[k + 3][i]) {
                float greater = columns[k][i];
                columns[k][i] = columns[k + 3][i];
                columns[k + 3][i] = greater;
            }
    return status;
}
