/* SPDX-License-Identifier: MIT */
/* Tests AABBs of other shapes against rational arithmetic: they contain the shape, and are no larger than promised. */
#include "api/sets.h"
#include "batches.h"
#include "exact/resolve.h"
#include "report.h"
#include <abut/shapes.h>

#include <gmp.h>
#include <math.h>
#include <stdio.h>

typedef enum abut_status boxes_call(const struct columns *columns, float *const box[6]);

#define BOXED(BOX) BOX(sphere, spheres) BOX(obb, obbs) BOX(capsule, capsules) BOX(triangle, triangles)
#define BOX(name, plural)                                                                                              \
    static enum abut_status call_##name(const struct columns *columns, float *const box[6])                            \
    {                                                                                                                  \
        const name##_batch view = name##_view(columns);                                                                \
        return abut_aabbs_of_##plural(&view, box);                                                                     \
    }
BOXED(BOX)
#undef BOX

/* A shape's extent along an axis: [low, high] in rational arithmetic, or unbounded. */
enum extent { FINITE, INFINITE, ALL_OF_SPACE };

static mpq_t low, high, number;

static void add_product(mpq_t sum, double a, double b)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set_d(factor, a);
    mpq_set_d(number, b);
    mpq_mul(number, number, factor);
    mpq_add(sum, sum, number);
    mpq_clear(factor);
}

static enum extent ball_extent(float a, float b, float r)
{
    mpq_set_d(low, (double)fminf(a, b));
    mpq_set_d(high, (double)fmaxf(a, b));
    if (isinf(r))
        return INFINITE;
    mpq_set_d(number, (double)r);
    mpq_sub(low, low, number);
    mpq_add(high, high, number);
    return FINITE;
}

static void cofactor(mpq_t result, const float *axes, unsigned j, unsigned k)
{
    const float *next = axes + 3 * ((j + 1) % 3), *last = axes + 3 * ((j + 2) % 3);
    mpq_set_ui(result, 0, 1);
    add_product(result, (double)next[(k + 1) % 3], (double)last[(k + 2) % 3]);
    add_product(result, -(double)next[(k + 2) % 3], (double)last[(k + 1) % 3]);
}

/* Computes |det| of the axes; returns whether the axes meet the header's conditions. */
static bool like_axes(const float *axes, mpq_t determinant)
{
    mpq_t of;
    float greatest = 0;
    mpq_init(of);
    mpq_set_ui(determinant, 0, 1);
    for (unsigned i = 0; i < 3; i++) {
        cofactor(of, axes, 0, i);
        mpq_set_d(number, (double)axes[i]);
        mpq_mul(number, number, of);
        mpq_add(determinant, determinant, number);
    }
    for (unsigned i = 0; i < 9; i++)
        greatest = fmaxf(greatest, fabsf(axes[i]));
    mpq_abs(determinant, determinant);
    mpq_set_d(number, 0.5);
    bool like = greatest <= 2 && mpq_cmp(determinant, number) >= 0;
    mpq_clear(of);
    return like;
}

/*
 * Two sets: inverts the matrix of the axes, as the points between the slabs are o + inverse y with |y_j| <= h_j; and
 * takes the axes themselves, as the edges span o + axes y. The box holds both.
 */
static enum extent obb_extent(const float *b, unsigned k)
{
    mpq_t of, reach, edges, determinant;
    mpq_inits(of, reach, edges, determinant, NULL);
    enum extent extent = like_axes(b + 6, determinant) ? FINITE : ALL_OF_SPACE;
    for (unsigned j = 0; j < 3 && extent == FINITE; j++) {
        const float along = fabsf(b[6 + 3 * j + k]);
        cofactor(of, b + 6, j, k);
        if (isinf(b[3 + j]) && (mpq_sgn(of) != 0 || along > 0)) {
            extent = INFINITE;
            break;
        }
        if (isinf(b[3 + j]))
            continue;
        mpq_abs(of, of);
        mpq_set_d(number, (double)b[3 + j]);
        mpq_mul(number, number, of);
        mpq_div(number, number, determinant);
        mpq_add(reach, reach, number);
        add_product(edges, (double)b[3 + j], (double)along);
    }
    if (mpq_cmp(edges, reach) > 0)
        mpq_set(reach, edges);
    mpq_set_d(number, (double)b[k]);
    mpq_sub(low, number, reach);
    mpq_add(high, number, reach);
    mpq_clears(of, reach, edges, determinant, NULL);
    return extent;
}

static enum extent extent_of(enum shape shape, const float *item, unsigned k)
{
    switch (shape) {
    case shape_sphere:
        return ball_extent(item[k], item[k], item[3]);
    case shape_capsule:
        return ball_extent(item[k], item[3 + k], item[6]);
    case shape_triangle:
        ball_extent(fminf(item[k], item[3 + k]), item[6 + k], 0);
        mpq_set_d(high, (double)fmaxf(fmaxf(item[k], item[3 + k]), item[6 + k]));
        return FINITE;
    default:
        return obb_extent(item, k);
    }
}

/* The sign of bound - (right + sign * allowed), times sign; an infinite bound counts as beyond. */
static int beyond(float bound, double allowed, mpq_t right, int sign)
{
    if (isinf(bound))
        return bound > 0 ? sign : -sign;
    mpq_t limit;
    mpq_init(limit);
    mpq_set_d(limit, sign * allowed);
    mpq_add(limit, limit, right);
    mpq_set_d(number, (double)bound);
    int order = mpq_cmp(number, limit) * sign;
    mpq_clear(limit);
    return order;
}

/* The bound reaches the exact value, and the next float inward lies less than allowed beyond it. */
static bool good_bound(float bound, mpq_t right, int sign, double allowed)
{
    float inner = nextafterf(bound, sign > 0 ? -INFINITY : INFINITY);
    return beyond(bound, 0, right, sign) >= 0 && beyond(inner, allowed, right, sign) < 0;
}

static void check_item(enum shape shape, enum kind kind, const float *item, const float box[6])
{
    const char *name = shape_info(shape)->name;
    if (abut_is_invalid(shape, item)) {
        for (unsigned k = 0; k < 6; k++)
            check_that(isnan(box[k]), "%s, %s input: a box of invalid input", name, kind_names[kind]);
        return;
    }
    for (unsigned k = 0; k < 3; k++) {
        enum extent extent = extent_of(shape, item, k);
        double centre = fabs((double)item[k]), reach = mpq_get_d(high) - (double)item[k];
        double allowed = shape == shape_obb ? 0x1p-38 * (centre + fabs(reach)) : 0;
        bool endless = box[k] == -INFINITY && box[k + 3] == INFINITY;
        bool good = extent == FINITE ? good_bound(box[k], low, -1, allowed) && good_bound(box[k + 3], high, 1, allowed)
                                     : endless;
        if (!check_that(good, "%s, %s input, axis %u: %a to %a, which is %a to %a", name, kind_names[kind], k,
                        (double)box[k], (double)box[k + 3], mpq_get_d(low), mpq_get_d(high)))
            for (unsigned m = 0; m < shape_info(shape)->fields; m++)
                printf("    %s=%a\n", shape_info(shape)->field_names[m], (double)item[m]);
    }
}

static void check_shape(enum shape shape, boxes_call *call, enum kind kind, struct random *random)
{
    enum { ITEMS = 50 };
    const struct subject *pairs = subject_of(shape == shape_sphere    ? "sphere_sphere"
                                             : shape == shape_obb     ? "sphere_obb"
                                             : shape == shape_capsule ? "sphere_capsule"
                                                                      : "sphere_triangle");
    struct batch a, b;
    batches_of_pairs(pairs, kind, random, ITEMS, &a, &b);
    float memory[6][ITEMS], *const columns[6] = {memory[0], memory[1], memory[2], memory[3], memory[4], memory[5]};
    struct columns items = batch_columns(&b);
    CHECK(call(&items, columns) == ABUT_OK);
    for (size_t i = 0; i < ITEMS; i++) {
        float item[ABUT_MAX_FIELDS];
        batch_get(&b, i, item);
        const float box[6] = {memory[0][i], memory[1][i], memory[2][i], memory[3][i], memory[4][i], memory[5][i]};
        check_item(shape, kind, item, box);
    }
    items.at[1] = NULL;
    CHECK(call(&items, columns) == ABUT_ERROR_NULL);
    items.n = 0;
    CHECK(call(&items, columns) == ABUT_OK);
    items.n = ABUT_MAX_ITEMS + 1;
    CHECK(call(&items, columns) == ABUT_ERROR_TOO_MANY);
    CHECK(call(&items, NULL) == ABUT_ERROR_NULL);
    batch_free(&a);
    batch_free(&b);
}

static void check_points(struct random *random)
{
    enum { POINTS = 40 };
    float x[POINTS], y[POINTS], z[POINTS], min[3], max[3], least = INFINITY, most = -INFINITY;
    const struct abut_points none = {0}, points = {POINTS, x, y, z};
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = ldexpf(random_between(random, -1, 1), (int)random_below(random, 200) - 100);
        y[i] = i == 7 ? NAN : i == 9 ? INFINITY : 1;
        z[i] = -2;
        least = i != 7 && i != 9 && x[i] < least ? x[i] : least;
        most = i != 7 && i != 9 && x[i] > most ? x[i] : most;
    }
    CHECK(abut_aabb_of_points(&points, min, max) == ABUT_OK && min[0] == least && max[0] == most && min[1] == 1 &&
          max[1] == 1 && min[2] == -2 && max[2] == -2);
    CHECK(abut_aabb_of_points(&none, min, max) == ABUT_OK && min[0] == INFINITY && max[2] == -INFINITY);
    CHECK(abut_aabb_of_points(NULL, min, max) == ABUT_ERROR_NULL);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 31, .rounds = 40});
    struct random random = {options.seed};
    mpq_inits(low, high, number, NULL);
    for (unsigned round = 0; round < options.rounds; round++) {
        for (enum kind kind = 0; kind < kind_tangent_worst; kind++) {
#define BOX(name, plural) check_shape(shape_##name, call_##name, kind, &random);
            BOXED(BOX)
        }
        check_points(&random);
    }
    return finish("boxes");
}
