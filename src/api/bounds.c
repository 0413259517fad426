/* SPDX-License-Identifier: MIT */
/* AABBs around other shapes, rounded outwards, so that they hold them for certain; and corners put in order. */
#include "api/bounds.h"

#include <abut/shapes.h>

#include "api/sets.h"
#include "kernels/items.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

/*
 * The least float that is no less than c + r, where r >= 0: Knuth's two-sum has the rounding error exactly, and
 * infinity none. Of its differences none overflows where the sum does not (Boldo, Graillat and Muller 2017: but for a
 * first operand that is the greatest float and a second of its sign, whose sum is that float or infinite).
 */
static float sum_up(float c, float r)
{
    const float sum = c + r, of_r = sum - c, rest = (c - (sum - of_r)) + (r - of_r);
    const float candidates[2] = {sum, float32_above(sum)};
    return candidates[rest > 0];
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

static void box_of_point(struct point p, float box[6])
{
    const float at[3] = {p.x, p.y, p.z};
    memcpy(box, at, sizeof at);
    memcpy(box + 3, at, sizeof at);
}

static void box_of_aabb(struct aabb b, float box[6])
{
    const float bounds[6] = {b.minx, b.miny, b.minz, b.maxx, b.maxy, b.maxz};
    memcpy(box, bounds, sizeof bounds);
}

static void box_of_segment(struct segment s, float box[6])
{
    const float a[3] = {s.ax, s.ay, s.az}, b[3] = {s.bx, s.by, s.bz};
    for (unsigned k = 0; k < 3; k++) {
        box[k] = a[k] < b[k] ? a[k] : b[k];
        box[k + 3] = a[k] < b[k] ? b[k] : a[k];
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

/* How far OBBs reach from their centres along each axis of space. */
struct reaches {
    double box[3][OBBS];     /* of its points and of what its edges span: the same if the axes are orthonormal */
    double spheres[3][OBBS]; /* what a radius of 1 counts for */
};

/*
 * The edges span the sums of a_j t_j with |t_j| <= h_j. The points are the x with |a_j.x| <= h_j. Let a'_j be the
 * columns of the inverse of the rows a_j: the cofactors C_jk over the determinant. A point x is the sum of a'_j y_j
 * with |y_j| <= h_j. Where a sphere of radius r touches, its centre is the sum of a'_j (y_j + z_j) with |z| <= r.
 *
 * A product of two floats is exact in double, so a cofactor is wrong by 2^-53 of itself, and 0 only if its true value
 * is. Members are at most 2 and the determinant is at least 1/2, so its error is at most 2^-44. A reach takes four
 * products, two sums, a division and a square root: its error is less than 2^-40 of itself. 0 times an infinite half
 * extent is 0.
 *
 * Each loop runs over all OBBs, so that compilers vectorise it: one OBB takes as long as eight.
 */
static void reach_of_obbs(const float *obbs, struct reaches *reach)
{
    double axes[3][3][OBBS], cofactors[3][3][OBBS], greatest[OBBS] = {0}, inverse[OBBS];
    for (unsigned j = 0; j < 3; j++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned i = 0; i < OBBS; i++) {
                axes[j][k][i] = (double)obbs[(6 + 3 * j + k) * OBBS + i];
                const double size = fabs(axes[j][k][i]);
                greatest[i] = size > greatest[i] ? size : greatest[i];
            }
    for (unsigned j = 0; j < 3; j++)
        for (unsigned k = 0; k < 3; k++) {
            double(*next)[OBBS] = axes[(j + 1) % 3], (*last)[OBBS] = axes[(j + 2) % 3];
            for (unsigned i = 0; i < OBBS; i++)
                cofactors[j][k][i] =
                    next[(k + 1) % 3][i] * last[(k + 2) % 3][i] - next[(k + 2) % 3][i] * last[(k + 1) % 3][i];
        }
    for (unsigned i = 0; i < OBBS; i++) {
        const double determinant = fabs(axes[0][0][i] * cofactors[0][0][i] + axes[0][1][i] * cofactors[0][1][i] +
                                        axes[0][2][i] * cofactors[0][2][i]);
        const double over = (1 + 0x1p-40) / determinant;
        inverse[i] = greatest[i] <= 2 && determinant >= 0.5 ? over : (double)INFINITY;
    }
    for (unsigned k = 0; k < 3; k++) {
        double sum_of_edges[OBBS] = {0}, sum_of_points[OBBS] = {0}, sum_of_squares[OBBS] = {0};
        for (unsigned j = 0; j < 3; j++)
            for (unsigned i = 0; i < OBBS; i++) {
                const double half = (double)obbs[(3 + j) * OBBS + i], along = axes[j][k][i],
                             across = cofactors[j][k][i];
                const double edge = fabs(along) * half, point = fabs(across) * half;
                sum_of_edges[i] += along != 0 ? edge : 0;
                sum_of_points[i] += across != 0 ? point : 0;
                sum_of_squares[i] += across * across;
            }
        for (unsigned i = 0; i < OBBS; i++) {
            const bool like_axes = inverse[i] < (double)INFINITY;
            const double inverted = sum_of_points[i] * inverse[i], sphere = sqrt(sum_of_squares[i]) * inverse[i];
            const double edges = sum_of_edges[i] * (1 + 0x1p-40), points = like_axes ? inverted : (double)INFINITY;
            reach->box[k][i] = edges > points ? edges : points;
            reach->spheres[k][i] = like_axes ? sphere : (double)INFINITY;
        }
    }
}

/*
 * The box of a sphere grows with its radius alone. Where scaled axes make the radius reach further, the box of the OBB
 * has the rest. 2^-23 of centre and reach are more than all roundings here, unless the result is denormal: one of the
 * two least floats is for that. The other is for a denormal radius (bvh/build/bounds.h).
 */
void abut_boxes_of_obbs(const float *obbs, float radius, float boxes[6][OBBS])
{
    struct reaches reach;
    reach_of_obbs(obbs, &reach);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < OBBS; i++) {
            const double centre = (double)obbs[k * OBBS + i], beyond = (reach.spheres[k][i] - 1) * (double)radius;
            const double most = reach.box[k][i] + (beyond > 0 ? beyond : 0) + 0x1p-148;
            const double outwards = (fabs(centre) + most) * 0x1p-23;
            boxes[k][i] = (float)(centre - most - outwards);
            boxes[k + 3][i] = (float)(centre + most + outwards);
        }
}

/* Whether n boxes can be written here. */
static enum abut_status check_boxes(size_t n, float *const *columns)
{
    return abut_check_arrays(n, (const float *const *)columns, aabb_fields);
}

static enum abut_status check_shapes(const struct columns *from, float *const *columns)
{
    const enum abut_status status = abut_check_arrays(from->n, from->at, from->fields);
    return status == ABUT_OK ? check_boxes(from->n, columns) : status;
}

/* Item i. */
#define F(member) shapes->member[i],
#define SHAPE(name, plural, fields)                                                                                    \
    static inline struct name name##_at(const struct abut_##plural *shapes, size_t i)                                  \
    {                                                                                                                  \
        return (struct name){fields};                                                                                  \
    }
#include "tables/shapes.def"

#define BOXES(linkage, name, plural)                                                                                   \
    linkage enum abut_status abut_aabbs_of_##plural(const struct abut_##plural *shapes, float *const columns[6])       \
    {                                                                                                                  \
        IN_DEFAULT_FLOAT_MODE;                                                                                         \
        if (shapes == NULL || columns == NULL)                                                                         \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns from = name##_columns(shapes);                                                            \
        const enum abut_status status = check_shapes(&from, columns);                                                  \
        for (size_t i = 0; status == ABUT_OK && i < shapes->n; i++) {                                                  \
            const struct name item = name##_at(shapes, i);                                                             \
            float box[6];                                                                                              \
            if (name##_invalid(item))                                                                                  \
                no_box(box);                                                                                           \
            else                                                                                                       \
                box_of_##name(item, box);                                                                              \
            for (unsigned k = 0; k < 6; k++)                                                                           \
                columns[k][i] = box[k];                                                                                \
        }                                                                                                              \
        return status;                                                                                                 \
    }
BOXES(static, point, points)
BOXES(, sphere, spheres)
BOXES(static, aabb, aabbs)
BOXES(static, segment, segments)
BOXES(, capsule, capsules)
BOXES(, triangle, triangles)

enum abut_status abut_aabbs_of_obbs(const struct abut_obbs *obbs, float *const columns[6])
{
    IN_DEFAULT_FLOAT_MODE;
    if (obbs == NULL || columns == NULL)
        return ABUT_ERROR_NULL;
    const struct columns from = obb_columns(obbs);
    const enum abut_status status = check_shapes(&from, columns);
    for (size_t first = 0; status == ABUT_OK && first < obbs->n; first += OBBS) {
        const size_t n = obbs->n - first < OBBS ? obbs->n - first : OBBS;
        float block[15][OBBS] = {{0}};
        struct reaches reach;
        for (unsigned k = 0; k < 15; k++)
            memcpy(block[k], from.at[k] + first, n * sizeof *block[k]);
        reach_of_obbs(block[0], &reach);
        for (size_t i = 0; i < n; i++) {
            float box[6];
            for (unsigned k = 0; k < 3; k++) {
                const double centre = (double)block[k][i], most = reach.box[k][i];
                const double slack = (fabs(centre) + most) * 0x1p-51; /* more than the roundings of these sums */
                box[k] = -float32_up(most - centre + slack, 0);
                box[k + 3] = float32_up(most + centre + slack, 0);
            }
            if (obb_invalid(obb_at(obbs, first + i)))
                no_box(box);
            for (unsigned k = 0; k < 6; k++)
                columns[k][first + i] = box[k];
        }
    }
    return status;
}

enum abut_status abut_aabbs_of(struct abut_set shapes, float *const columns[6])
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (shapes.kind == (enum abut_set_kind)shape_##name)                                                               \
        return abut_aabbs_of_##plural(shapes.items, columns);
#include "tables/shapes.def"
    return ABUT_ERROR_ARGUMENT;
}

enum abut_status abut_aabb_of_points(const struct abut_points *points, float min[3], float max[3])
{
    IN_DEFAULT_FLOAT_MODE;
    if (points == NULL || min == NULL || max == NULL)
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_check_batch(points, point_fields);
    if (status != ABUT_OK)
        return status;
    for (unsigned k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    for (size_t i = 0; i < points->n; i++) {
        const struct point point = point_at(points, i);
        const float at[3] = {point.x, point.y, point.z};
        for (unsigned k = 0; k < 3 && !point_invalid(point); k++) {
            min[k] = at[k] < min[k] ? at[k] : min[k];
            max[k] = at[k] > max[k] ? at[k] : max[k];
        }
    }
    return ABUT_OK;
}

enum abut_status abut_aabbs_sort_corners(size_t n, float *const columns[6])
{
    IN_DEFAULT_FLOAT_MODE;
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
