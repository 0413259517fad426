/* SPDX-License-Identifier: MIT */
/* Distances from points by the oracle, at three thousand bits, and items that are often equally near. */
#ifndef ABUT_TESTS_NEAREST_RIGHT_H
#define ABUT_TESTS_NEAREST_RIGHT_H

#include "distance_oracle.h"
#include "report.h"

#include <math.h>

enum { BITS = 3000, SAME = 1200 };

static struct truth truth;

static inline void truth_init(void)
{
    mpq_init(truth.core2);
    for (unsigned k = 0; k < 3; k++)
        mpq_init(truth.point[k]);
}

static inline void truth_clear(void)
{
    mpq_clear(truth.core2);
    for (unsigned k = 0; k < 3; k++)
        mpq_clear(truth.point[k]);
}

/* The distance that each shape is measured with; a point is a box. */
static const struct {
    enum shape shape;
    enum distance_kind kind;
} measured[] = {{shape_point, distance_point_aabb},       {shape_sphere, distance_point_sphere},
                {shape_aabb, distance_point_aabb},        {shape_obb, distance_point_obb},
                {shape_segment, distance_point_segment},  {shape_capsule, distance_point_capsule},
                {shape_triangle, distance_point_triangle}};
enum { SHAPES = sizeof measured / sizeof *measured };

/* Vertices of a small grid, so that most items share vertices and edges, have ends on a line, or are equal. */
static inline void make_shared(struct random *random, enum shape shape, float *item)
{
    for (unsigned k = 0; k < shape_info(shape)->fields; k++)
        item[k] = (float)random_below(random, 4) - 1;
    if (shape == shape_aabb)
        for (unsigned k = 0; k < 3; k++)
            item[k + 3] = item[k] + (float)random_below(random, 2);
    if (shape == shape_sphere || shape == shape_capsule)
        item[shape_info(shape)->fields - 1] = (float)random_below(random, 3) * 0.5f;
    if (shape == shape_obb) {
        static const float turned[9] = {0.6f, 0.8f, 0, -0.8f, 0.6f, 0, 0, 0, -1};
        for (unsigned k = 3; k < 6; k++)
            item[k] = (float)random_below(random, 3) * 0.5f;
        for (unsigned k = 0; k < 9; k++)
            item[6 + k] = random->state % 2 ? turned[k] : k % 4 == 0;
    }
}

static inline void right_distance(mpf_t distance, enum distance_kind kind, const float *point, const float *item)
{
    distance_oracles[kind](point, item, &truth);
    check_that(!truth.invalid, "an item of the test is invalid");
    if (isinf(truth.radius)) {
        mpf_set_ui(distance, 0);
        return;
    }
    mpf_t radius;
    mpf_init2(radius, BITS);
    mpf_set_q(distance, truth.core2);
    mpf_sqrt(distance, distance);
    mpf_set_d(radius, truth.radius);
    mpf_sub(distance, distance, radius);
    if (mpf_sgn(distance) < 0)
        mpf_set_ui(distance, 0);
    mpf_clear(radius);
}

/* The sign of a distance less another, or less a float if that is NULL. */
static inline int order_of(mpf_srcptr a, mpf_srcptr b, float x)
{
    mpf_t difference, least;
    mpf_init2(difference, BITS);
    mpf_init2(least, BITS);
    mpf_set_d(least, x);
    mpf_sub(difference, a, b ? b : least);
    mpf_set_ui(least, 1);
    mpf_div_2exp(least, least, SAME);
    int sign = mpf_sgn(difference);
    mpf_abs(difference, difference);
    if (mpf_cmp(difference, least) < 0)
        sign = 0;
    mpf_clear(difference);
    mpf_clear(least);
    return sign;
}

#endif
