/* SPDX-License-Identifier: MIT */
/* AABBs around other shapes, rounded outwards, so that they hold them for certain. */
#include <abut/abut.h>

#include "kernels/items.h"

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
    float rounded = (float)x;
    return (double)rounded < x || ((double)rounded == x && rest > 0) ? above(rounded) : rounded;
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

/*
 * The points o + x with |a_j.x| <= h_j reach as far along axis k as the sum over j of |C_jk| h_j / |det|, C the cofactors
 * of the rows a_j. A product of two floats is exact in double, so a cofactor is wrong by 2^-53 of itself, and 0 only if it
 * is. With members of at most 2 and a determinant of at least 1/2 that has at most 2^-44 of error, and the reach, with
 * three products, two sums and a division, less than 2^-40 of itself. The sums with o have less than 2^-51 of both.
 */
static void box_of_obb(struct obb b, float box[6])
{
    const double axes[3][3] = {{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}};
    const double centre[3] = {b.cx, b.cy, b.cz}, half[3] = {b.hx, b.hy, b.hz};
    double cofactors[3][3], determinant = 0, greatest = 0;
    for (unsigned j = 0; j < 3; j++)
        for (unsigned k = 0; k < 3; k++) {
            const double *next = axes[(j + 1) % 3], *last = axes[(j + 2) % 3];
            cofactors[j][k] = next[(k + 1) % 3] * last[(k + 2) % 3] - next[(k + 2) % 3] * last[(k + 1) % 3];
            determinant += j == 0 ? axes[j][k] * cofactors[j][k] : 0;
            greatest = fabs(axes[j][k]) > greatest ? fabs(axes[j][k]) : greatest;
        }
    const bool like_axes = greatest <= 2 && fabs(determinant) >= 0.5;
    for (unsigned k = 0; k < 3; k++) {
        double reach = 0;
        for (unsigned j = 0; j < 3; j++)
            reach += cofactors[j][k] != 0 ? fabs(cofactors[j][k]) * half[j] : 0;
        reach = like_axes ? reach / fabs(determinant) * (1 + 0x1p-40) : (double)INFINITY;
        const double slack = (fabs(centre[k]) + reach) * 0x1p-51;
        box[k] = -round_up(reach - centre[k] + slack, 0);
        box[k + 3] = round_up(reach + centre[k] + slack, 0);
    }
}

static enum abut_status check_boxes(const void *shapes, size_t n, float *const *columns)
{
    if (shapes == NULL || columns == NULL)
        return ABUT_ERROR_NULL;
    if (n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (unsigned k = 0; k < 6; k++)
        if (n > 0 && columns[k] == NULL)
            return ABUT_ERROR_NULL;
    return ABUT_OK;
}

/* Whether an array is missing; and item i. */
#define F(member) shapes->member == NULL ||
#define SHAPE(name, plural, fields)                                                                                    \
    static inline bool name##_null(const struct abut_##plural *shapes)                                                 \
    {                                                                                                                  \
        return fields false;                                                                                           \
    }
#include "shapes.def"

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
        enum abut_status status = check_boxes(shapes, shapes == NULL ? 0 : shapes->n, columns);                        \
        if (status == ABUT_OK && shapes->n > 0 && name##_null(shapes))                                                 \
            status = ABUT_ERROR_NULL;                                                                                  \
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
    if (points == NULL || min == NULL || max == NULL || (points->n > 0 && point_null(points)))
        return ABUT_ERROR_NULL;
    if (points->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
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
