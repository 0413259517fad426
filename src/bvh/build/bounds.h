/* SPDX-License-Identifier: MIT */
/* Boxes around the items of a leaf, rounded outwards, by one function for each shape that can be indexed. */
#ifndef ABUT_BVH_BUILD_BOUNDS_H
#define ABUT_BVH_BUILD_BOUNDS_H

#include "api/bounds.h"
#include "bvh/tree.h"

#include <math.h>
#include <string.h>

/*
 * Items that touch have boxes that meet. Each item is a core (a point, a segment, a box, ...) and a radius, perhaps 0.
 * Two points of the cores are at most the sum of the radii apart, so along each axis, too. The boxes contain the cores
 * and extend them by the radii. OBBs are the exception: an OBB measures along its axes as given, and where these are
 * short a sphere reaches further than its radius. The margin covers that.
 */
typedef void boxes_function(const float *leaf, struct margin margin, float box[6][LEAF]);

static inline void point_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    memcpy(box, leaf, 3 * sizeof box[0]);
    memcpy(box + 3, leaf, 3 * sizeof box[0]);
}

/*
 * t = c - r is off by at most |t| 2^-24, and exact where |t| 2^-23 is below the least float. An infinite radius gives
 * an infinite box.
 */
static inline void grow(float low[restrict LEAF], float high[restrict LEAF], const float r[restrict LEAF], float scale)
{
    for (unsigned i = 0; i < LEAF; i++) {
        const float by = r[i] * scale, less = low[i] - by, more = high[i] + by;
        low[i] = less - fabsf(less) * 0x1p-23f;
        high[i] = more + fabsf(more) * 0x1p-23f;
    }
}

/*
 * Scaling a denormal radius rounds by at most half of the least float; the boxes of OBBs are wider by a least float for
 * that (api/bounds.c).
 */
static inline void sphere_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    memcpy(box, leaf, 3 * sizeof box[0]);
    memcpy(box + 3, leaf, 3 * sizeof box[0]);
    for (unsigned axis = 0; axis < 3; axis++)
        grow(box[axis], box[axis + 3], leaf + 3 * LEAF, margin.scale);
}

static inline void aabb_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    memcpy(box, leaf, 6 * sizeof box[0]);
}

static inline void obb_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    _Static_assert((int)LEAF == (int)OBBS, "a tile at once");
    abut_boxes_of_obbs(leaf, margin.radius, box);
    for (unsigned k = 0; k < 6; k++)
        for (unsigned i = 0; i < LEAF; i++)
            box[k][i] = isnan(leaf[i]) ? NAN : box[k][i];
}

/* Boxes around the n points in the first members. Lanes of NaN stay NaN. */
static inline void points_boxes(const float *leaf, unsigned n, float box[6][LEAF])
{
    memcpy(box, leaf, 3 * sizeof box[0]);
    memcpy(box + 3, leaf, 3 * sizeof box[0]);
    for (unsigned k = 3; k < 3 * n; k++)
        for (unsigned i = 0; i < LEAF; i++) {
            const float x = leaf[k * LEAF + i];
            box[k % 3][i] = x < box[k % 3][i] ? x : box[k % 3][i];
            box[k % 3 + 3][i] = x > box[k % 3 + 3][i] ? x : box[k % 3 + 3][i];
        }
}

static inline void segment_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    points_boxes(leaf, 2, box);
}

static inline void capsule_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    points_boxes(leaf, 2, box);
    for (unsigned axis = 0; axis < 3; axis++)
        grow(box[axis], box[axis + 3], leaf + 6 * LEAF, 1);
}

static inline void triangle_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    points_boxes(leaf, 3, box);
}

#endif
