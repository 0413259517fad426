/* SPDX-License-Identifier: MIT */
/* Points, spheres and boxes some distance apart, perhaps in a periodic box: bounds in float64, then exact. */
#ifndef ABUT_BVH_SEPARATION_H
#define ABUT_BVH_SEPARATION_H

#include "bvh/search/nearest_formulas.h"
#include "dispatch/kernel_table.h"

#include <abut/abut.h>

/* A point, sphere or AABB as a box around its centre, and its radius. */
struct grown {
    float box[6], r;
    bool round; /* a sphere, even of radius 0 */
};

static inline bool is_round(enum shape shape)
{
    return shape == shape_point || shape == shape_sphere;
}

static inline bool is_grown(enum shape shape)
{
    return is_round(shape) || shape == shape_aabb;
}

struct grown abut_grown_of(enum shape shape, const float *item);

/* Where the images of b are nearest to a, and bounds on that distance without radii. image is b's. */
struct nearest_image {
    struct separated pair;
    int image[3];
    double low, high;
};

/* Whether a box is as long as a period: then it overlaps all others along that axis. */
static inline bool is_wide(const float *box, unsigned k, double period)
{
    return (double)box[k + 3] - (double)box[k] >= period;
}

/*
 * All coordinates are at most 2^20 periods from 0. On each axis the image is the one whose centre is nearest; where one
 * of the two is wide, it is the one that was moved least of those that overlap. It is chosen in float64, by the input
 * alone: where two are almost equally near it may be the farther one.
 */
struct nearest_image abut_nearest_image(const struct grown *a, const struct grown *b, const float period[3]);

/* Whether two valid items are at most that distance apart; for a distance of 0 whether they touch. */
bool abut_is_within(const struct grown *a, const struct grown *b, const struct nearest_image *image, float distance,
                    bool closed, struct abut_stats *stats);

#endif
