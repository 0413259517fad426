/* SPDX-License-Identifier: MIT */
/* Boxes around the items of a tile, rounded outwards, and their centres: which shapes can be indexed. */
#ifndef ABUT_INDEX_BOUNDS_H
#define ABUT_INDEX_BOUNDS_H

#include "tree.h"

#include <math.h>
#include <string.h>

#define BOUNDED_SHAPES(BOUNDED) BOUNDED(point) BOUNDED(sphere) BOUNDED(aabb)

static inline void point_boxes(const float *tile, float box[6][TILE])
{
    memcpy(box, tile, 3 * sizeof box[0]);
    memcpy(box + 3, tile, 3 * sizeof box[0]);
}

/*
 * t = c - r is rounded by at most |t| 2^-24, and not at all where |t| 2^-23 is less than the least float. An infinite radius
 * gives an infinite box.
 */
static inline void sphere_boxes(const float *tile, float box[6][TILE])
{
    const float *r = tile + 3 * TILE;
    for (unsigned axis = 0; axis < 3; axis++)
        for (unsigned i = 0; i < TILE; i++) {
            float low = tile[axis * TILE + i] - r[i], high = tile[axis * TILE + i] + r[i];
            box[axis][i] = low - fabsf(low) * 0x1p-23f;
            box[axis + 3][i] = high + fabsf(high) * 0x1p-23f;
        }
}

static inline void aabb_boxes(const float *tile, float box[6][TILE])
{
    memcpy(box, tile, 6 * sizeof box[0]);
}

#endif
