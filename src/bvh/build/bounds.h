/* SPDX-License-Identifier: MIT */
/* Boxes around the items of a tile, rounded outwards, and their centres: which shapes can be indexed. */
#ifndef ABUT_BVH_BUILD_BOUNDS_H
#define ABUT_BVH_BUILD_BOUNDS_H

#include "api/bounds.h"
#include "bvh/tree.h"

#include <math.h>
#include <string.h>

/*
 * Whatever touches has boxes that meet: for each axis there is a point of one that is at most as far from a point of
 * the other as the radii add up to, and the boxes hold those points and the radii. Not so along the axes of an OBB,
 * which count as they stand: where they are short, a radius counts for more, and that is the margin.
 */
typedef void boxes_function(const float *leaf, struct margin margin, float box[6][LEAF]);

static inline void point_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    memcpy(box, leaf, 3 * sizeof box[0]);
    memcpy(box + 3, leaf, 3 * sizeof box[0]);
}

/*
 * t = c - r is rounded by at most |t| 2^-24, and not at all where |t| 2^-23 is less than the least float. An infinite
 * radius gives an infinite box.
 */
static inline void grow(float low[restrict LEAF], float high[restrict LEAF], const float r[restrict LEAF], float scale)
{
    for (unsigned i = 0; i < LEAF; i++) {
        const float by = r[i] * scale, less = low[i] - by, more = high[i] + by;
        low[i] = less - fabsf(less) * 0x1p-23f;
        high[i] = more + fabsf(more) * 0x1p-23f;
    }
}

/* A denormal radius is scaled to the nearest least float: the boxes of OBBs have one more. */
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

/* Around n points, whose coordinates are the first members. NaN stays. */
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
