/* SPDX-License-Identifier: MIT */
/*
 * The loops of scalar predicates, pair by pair. First the boxes around both items are compared. Boxes and segments have
 * a short test next (batch/zonotope.h). Then comes the formula in float64 with an error bound by size (exact/sized.h),
 * and then the stages that follow every filter.
 */
#include "batch/scalar.h"

#include "batch/zonotope.h"

#include "exact/formula_table.h"
#include "kernels/items.h"

#include <string.h>

/* The ends of a shape along the axes of space. They hold it for certain; NaN is no end. */
struct box {
    double low[3], high[3];
};

static void box_around(struct box *box, const float *points, unsigned n)
{
    for (unsigned k = 0; k < 3; k++) {
        box->low[k] = box->high[k] = (double)points[k];
        for (unsigned i = 1; i < n; i++) {
            const double x = (double)points[3 * i + k];
            box->low[k] = x < box->low[k] ? x : box->low[k];
            box->high[k] = x > box->high[k] ? x : box->high[k];
        }
    }
}

/* Moves the ends outwards, by more than the roundings of these sums and of the reach. */
static void box_widen(struct box *box, unsigned axis, double reach)
{
    const double low = box->low[axis], high = box->high[axis];
    box->low[axis] = low - reach - (fabs(low) + reach) * 0x1p-48;
    box->high[axis] = high + reach + (fabs(high) + reach) * 0x1p-48;
}

static void box_of_ends(struct box *box, const float *points, unsigned n, float r)
{
    box_around(box, points, n);
    for (unsigned k = 0; k < 3; k++)
        box_widen(box, k, (double)r);
}

static void box_of_point(struct box *box, const float *item)
{
    box_around(box, item, 1);
}

static void box_of_sphere(struct box *box, const float *item)
{
    box_of_ends(box, item, 1, item[3]);
}

static void box_of_aabb(struct box *box, const float *item)
{
    for (unsigned k = 0; k < 3; k++) {
        box->low[k] = (double)item[k];
        box->high[k] = (double)item[3 + k];
    }
}

static void box_of_plane(struct box *box, const float *item)
{
    (void)item;
    for (unsigned k = 0; k < 3; k++)
        box->low[k] = box->high[k] = NAN;
}

static void box_of_obb(struct box *box, const float *item)
{
    box_around(box, item, 1);
    for (unsigned k = 0; k < 3; k++) {
        double reach = 0;
        for (unsigned i = 0; i < 3; i++)
            reach += (double)item[3 + i] * fabs((double)item[6 + 3 * i + k]);
        box_widen(box, k, reach);
    }
}

static void box_of_segment(struct box *box, const float *item)
{
    box_around(box, item, 2);
}

static void box_of_capsule(struct box *box, const float *item)
{
    box_of_ends(box, item, 2, item[6]);
}

static void box_of_triangle(struct box *box, const float *item)
{
    box_around(box, item, 3);
}

static bool boxes_apart(const struct box *a, const struct box *b)
{
    bool apart = false;
    for (unsigned k = 0; k < 3; k++)
        apart |= (a->high[k] < b->low[k]) | (b->high[k] < a->low[k]);
    return apart;
}

/* A scalar predicate: valid shapes whose boxes are apart miss, and so do invalid ones. */
struct scalar {
    enum predicate predicate;
    unsigned fields_a, fields_b;
    void (*box_a)(struct box *box, const float *item);
    void (*box_b)(struct box *box, const float *item);
};

ZONOTOPES(segment_aabb, segment, aabb)
ZONOTOPES(segment_obb, segment, obb)
ZONOTOPES(aabb_obb, aabb, obb)
ZONOTOPES(obb_obb, obb, obb)

/* NULL: none. */
static enum answer (*const quick[predicate_count])(const float *a, const float *b) = {
    [predicate_segment_aabb] = segment_aabb_quick,
    [predicate_segment_obb] = segment_obb_quick,
    [predicate_aabb_obb] = aabb_obb_quick,
    [predicate_obb_obb] = obb_obb_quick,
};

/* Steps of 0 take the first item for all pairs. */
struct places {
    const struct kernel_args *args;
    size_t first_a, first_b, step_a, step_b;
};

static bool scalar_hit(const struct scalar *scalar, const struct places *places, size_t i)
{
    const struct kernel_args *args = places->args;
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    struct box box_a, box_b;
    for (unsigned k = 0; k < scalar->fields_a; k++)
        a[k] = args->a[k][places->first_a + i * places->step_a];
    for (unsigned k = 0; k < scalar->fields_b; k++)
        b[k] = args->b[k][places->first_b + i * places->step_b];
    scalar->box_a(&box_a, a);
    scalar->box_b(&box_b, b);
    if (boxes_apart(&box_a, &box_b))
        return false;
    enum answer answer = ANSWER_UNKNOWN;
    if (quick[scalar->predicate] != NULL)
        answer = quick[scalar->predicate](a, b);
    if (answer == ANSWER_UNKNOWN)
        answer = abut_formulas_sized.pairs[scalar->predicate](a, b);
    if (answer == ANSWER_UNKNOWN)
        return abut_resolve(scalar->predicate, a, b, args->closed, args->stats);
    return answer == ANSWER_HIT || (args->closed && answer == ANSWER_TOUCH);
}

static void scalar_run(const struct scalar *scalar, const struct places *places, uint64_t *restrict hits)
{
    const size_t n = places->args->n;
    places->args->stats->pairs += n;
    memset(hits, 0, (n + 63) / 64 * sizeof *hits);
    for (size_t i = 0; i < n; i++)
        hits[i / 64] |= (uint64_t)scalar_hit(scalar, places, i) << i % 64;
}

static void scalar_rows(const struct scalar *scalar, const struct kernel_args *args, uint64_t *restrict hits)
{
    for (size_t row = 0; row < args->rows; row++) {
        const struct places places = {args, row, 0, 0, 1};
        scalar_run(scalar, &places, hits + row * args->row_words);
    }
}

static uint64_t scalar_wanted(const struct scalar *scalar, const struct kernel_args *args, size_t i, uint64_t wanted)
{
    const struct places places = {args, i, i, 1, 1};
    uint64_t hits = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(wanted);
        hits |= (uint64_t)scalar_hit(scalar, &places, lane) << lane;
    }
    return hits;
}

#define PREDICATE(name, shape_a, shape_b, relation, function)
#define SCALAR_RUN(name, broadcast, step_a, step_b)                                                                    \
    void abut_scalar_##name##_##broadcast(const struct kernel_args *args, uint64_t *restrict hits)                     \
    {                                                                                                                  \
        const struct places places = {args, 0, 0, step_a, step_b};                                                     \
        scalar_run(&name##_scalar, &places, hits);                                                                     \
    }
#define LOOPS_hulls(name, shape_a, shape_b)
#define LOOPS_columns(name, shape_a, shape_b)                                                                          \
    static const struct scalar name##_scalar = {predicate_##name, shape_a##_fields, shape_b##_fields,                  \
                                                box_of_##shape_a, box_of_##shape_b};                                   \
    SCALAR_RUN(name, zip, 1, 1)                                                                                        \
    SCALAR_RUN(name, one_many, 0, 1)                                                                                   \
    SCALAR_RUN(name, many_one, 1, 0)                                                                                   \
    void abut_scalar_##name##_block(const struct kernel_args *args, uint64_t *restrict hits)                           \
    {                                                                                                                  \
        scalar_rows(&name##_scalar, args, hits);                                                                       \
    }                                                                                                                  \
    uint64_t abut_scalar_##name##_recheck(const struct kernel_args *args, size_t i, uint64_t wanted)                   \
    {                                                                                                                  \
        return scalar_wanted(&name##_scalar, args, i, wanted);                                                         \
    }
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(LOOPS, shape_b, name, shape_a, shape_b)
#include "tables/predicates.def"
