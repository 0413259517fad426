/* SPDX-License-Identifier: MIT */
/*
 * Hill climbing on the rounding error of a squared distance, computed as the filters do: with and without fused
 * operations, starting at 0 or at minus a nearly equal squared radius. The OBB error is relative to the terms of its
 * bound.
 */
#include "worst.h"

#include <math.h>
#include <string.h>

enum { STEPS = 1500, OBB_STEPS = 8000 /* as there are many more members */ };

struct way {
    bool fused, radius_first;
};

/* The coordinate of an item, along one axis, from which the distance to c counts: a box's nearest, or its farthest. */
static float opposite(const struct shape_info *info, const float *item, unsigned axis, float c, bool farthest)
{
    unsigned k = 0;
    while (info->axes[k] != axis)
        k++;
    float lower = item[k], upper = item[info->partners[k]];
    if (farthest)
        return (double)c - lower > (double)upper - c ? lower : upper;
    return c < lower ? lower : c > upper ? upper : c;
}

static bool is_box(enum shape shape)
{
    return shape_info(shape)->roles[0] == ROLE_LOWER;
}

static bool has_radius(enum shape shape)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++)
        if (info->roles[k] == ROLE_RADIUS)
            return true;
    return false;
}

static bool is_simple(enum shape shape)
{
    const struct shape_info *info = shape_info(shape);
    unsigned bounds = is_box(shape) ? 6 : 3;
    return info->fields == bounds + (has_radius(shape) ? 1 : 0) && info->axes[2] == 2;
}

static bool is_to_obb(const struct subject *subject)
{
    return subject->shape_a == shape_sphere && subject->shape_b == shape_obb &&
           strcmp(subject->question, "touches") == 0;
}

static bool about_distance(const struct subject *subject)
{
    bool touches =
        strcmp(subject->question, "touches") == 0 && (has_radius(subject->shape_a) || has_radius(subject->shape_b));
    bool both_boxes = is_box(subject->shape_a) && is_box(subject->shape_b);
    return is_simple(subject->shape_a) && is_simple(subject->shape_b) && !both_boxes &&
           (touches || has_radius(subject->shape_b));
}

static float add_product(struct way way, float a, float b, float sum)
{
    return way.fused ? fmaf(a, b, sum) : a * b + sum;
}

/* The error of D^2 - R^2 with R^2 close to D^2, relative to the greatest partial sums squared plus the terms of R^2. */
static double obb_error_of(struct way way, const float *sphere, const float *obb)
{
    const float *half = obb + 3;
    float outside[3];
    double exact = 0, greatest = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        float sum = 0, most = 0;
        double along = 0;
        for (unsigned k = 0; k < 3; k++) {
            const float a = obb[6 + 3 * axis + k];
            along += (double)a * ((double)sphere[k] - (double)obb[k]);
            sum = add_product(way, a, sphere[k] - obb[k], sum);
            most = fmaxf(most, fabsf(sum));
        }
        outside[axis] = fmaxf(fabsf(sum) - half[axis], 0);
        const double beyond = fmax(fabs(along) - (double)half[axis], 0);
        exact += beyond * beyond;
        greatest += (double)most * (double)most;
    }
    const float from = -(float)exact;
    float sum = from;
    for (unsigned axis = 0; axis < 3; axis++)
        sum = add_product(way, outside[axis], outside[axis], sum);
    return ((double)sum - (double)from - exact) / (greatest + 16 * exact + 0x1p-118);
}

/* The rounded squared distance less the exact one, in steps between floats of its size; denormals are 2^-149 apart. */
static double error_of(const struct subject *subject, struct way way, const float *a, const float *b)
{
    if (is_to_obb(subject))
        return obb_error_of(way, a, b);
    const bool box_a = is_box(subject->shape_a), farthest = box_a && strcmp(subject->question, "touches") != 0;
    const float *centre = box_a ? b : a, *other = box_a ? a : b;
    const struct shape_info *info = shape_info(box_a ? subject->shape_a : subject->shape_b);
    float d[3];
    double exact = 0;
    int exponent;
    for (unsigned axis = 0; axis < 3; axis++) {
        float from = opposite(info, other, axis, centre[axis], farthest);
        double difference = (double)centre[axis] - (double)from;
        d[axis] = centre[axis] - from;
        exact += difference * difference;
    }
    float sum = way.radius_first ? -(float)exact : 0, from = sum;
    for (unsigned axis = 0; axis < 3; axis++)
        sum = add_product(way, d[axis], d[axis], sum);
    frexp(exact, &exponent);
    return ldexp((double)sum - (double)from - exact, exponent < -125 ? 149 : 24 - exponent);
}

void worsen(const struct subject *subject, enum free_sides sides, struct random *random, float *a, float *b)
{
    if (!about_distance(subject) && !is_to_obb(subject))
        return;
    const struct way way = {random_below(random, 2) == 0, random_below(random, 2) == 0};
    const double sign = random_below(random, 2) == 0 ? 1 : -1;
    double worst = sign * error_of(subject, way, a, b);
    const unsigned steps = is_to_obb(subject) ? OBB_STEPS : STEPS;
    for (unsigned step = 0; step < steps; step++) {
        bool use_b = sides == FREE_B || (sides == FREE_BOTH && random_below(random, 2) == 0);
        enum shape shape = use_b ? subject->shape_b : subject->shape_a;
        float *item = use_b ? b : a;
        unsigned k = random_below(random, shape_info(shape)->fields);
        if (shape_info(shape)->roles[k] == ROLE_RADIUS)
            continue;
        float before = item[k];
        const int exponent = -(int)random_below(random, 28);
        item[k] += ldexpf(random_between(random, -1, 1), exponent) * fabsf(before);
        double error = sign * error_of(subject, way, a, b);
        if (error >= worst && item_valid(shape, item))
            worst = error;
        else
            item[k] = before;
    }
}
