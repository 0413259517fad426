/* SPDX-License-Identifier: MIT */
/*
 * The stages of a pair that no filter in lanes has decided. First the boxes around both items are compared, if there
 * was no such filter. Boxes and segments have a short test next (batch/zonotope.h), and so have neighbours in a mesh
 * and walls in one plane (batch/mesh_pairs.h). Then comes the formula in float64
 * with an error bound by size (exact/sized.h), and then the stages of exact/resolve.h.
 */
#include "batch/resolve_pair.h"

#include "batch/mesh_pairs.h"
#include "batch/zonotope.h"

#include "exact/formula_table.h"

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

typedef void box_function(struct box *box, const float *item);

#define SHAPE(name, plural, fields) box_of_##name,
static box_function *const box_of[] = {
#include "tables/shapes.def"
};

static bool are_apart(enum predicate predicate, const float *a, const float *b)
{
    struct box box_a, box_b;
    box_of[abut_predicate_shapes[predicate][0]](&box_a, a);
    box_of[abut_predicate_shapes[predicate][1]](&box_b, b);
    return boxes_apart(&box_a, &box_b);
}

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

/* Triangles and segments with a vertex in common, or in one plane along the axes: an answer by this rule, or unknown. */
static enum answer mesh_pair(enum predicate predicate, const float *a, const float *b, bool closed)
{
    const enum shape shape_a = (enum shape)abut_predicate_shapes[predicate][0],
                     shape_b = (enum shape)abut_predicate_shapes[predicate][1];
    const unsigned n_a = vertices_of(shape_a), n_b = vertices_of(shape_b);
    if (n_a == 0 || n_b == 0)
        return ANSWER_UNKNOWN;
    const unsigned axis = level_axis(a, n_a, b, n_b);
    const bool level = axis < 3, share = share_vertex(a, n_a, b, n_b);
    if ((!level && !share) || abut_is_invalid(shape_a, a) || abut_is_invalid(shape_b, b))
        return ANSWER_UNKNOWN;
    if (closed ? share : level)
        return ANSWER_TOUCH;
    return level ? level_answer(axis, a, n_a, b, n_b) : sharing_answer(a, n_a, b, n_b);
}

bool abut_resolve_pair(enum predicate predicate, const float *a, const float *b, bool filtered, bool closed,
                       struct abut_stats *stats)
{
    if (!filtered && are_apart(predicate, a, b))
        return false;
    enum answer answer = ANSWER_UNKNOWN;
    if (quick[predicate] != NULL)
        answer = quick[predicate](a, b);
    else
        answer = mesh_pair(predicate, a, b, closed);
    if (answer == ANSWER_UNKNOWN)
        answer = abut_formulas_sized.pairs[predicate](a, b);
    if (answer == ANSWER_UNKNOWN)
        return abut_resolve(predicate, a, b, closed, stats);
    stats->undecided += filtered;
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}
