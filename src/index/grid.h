/* SPDX-License-Identifier: MIT */
/* Centres of items, a grid around them, and the cell of each. */
#ifndef ABUT_INDEX_GRID_H
#define ABUT_INDEX_GRID_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CELLS = 1024, /* an axis */
    BLOCK = 64    /* centres */
};

/* Whose sum stands for the centre of an item: the first members of each shape are points, so many. */
enum {
    point_points = 1,
    sphere_points = 1,
    aabb_points = 2,
    obb_points = 1,
    segment_points = 2,
    capsule_points = 2,
    triangle_points = 3
};

/* An infinite bound counts as the greatest finite one. */
static inline float to_finite(float x)
{
    const float low = x < -FLT_MAX ? -FLT_MAX : x;
    return low > FLT_MAX ? FLT_MAX : low;
}

/*
 * Of BLOCK items; where there is none, or a bad one, all coordinates are NaN. An eighth of the sum of points: neither three
 * of those nor a difference of two sums overflows.
 */
struct centres {
    float at[3][BLOCK];
};

/* In float64 no extent of float32 is too small or too large. */
struct grid {
    double min[3], max[3], scale[3];
};

static inline void grid_begin(struct grid *grid)
{
    for (unsigned k = 0; k < 3; k++) {
        grid->min[k] = INFINITY;
        grid->max[k] = -INFINITY;
    }
}

/* Widens the grid to hold another. */
static inline void grid_join(struct grid *grid, const double min[3], const double max[3])
{
    for (unsigned k = 0; k < 3; k++) {
        grid->min[k] = min[k] < grid->min[k] ? min[k] : grid->min[k];
        grid->max[k] = max[k] > grid->max[k] ? max[k] : grid->max[k];
    }
}

/* False if there is nothing to tell apart. */
static inline bool grid_end(struct grid *grid)
{
    bool any = false;
    for (unsigned k = 0; k < 3; k++) {
        bool wide = grid->max[k] > grid->min[k];
        grid->scale[k] = wide ? CELLS / (grid->max[k] - grid->min[k]) : 0;
        any |= wide;
    }
    return any;
}

/* NaN is in the first cell. */
static inline uint32_t grid_cell(const struct grid *grid, double x, unsigned k)
{
    double cell = (x - grid->min[k]) * grid->scale[k];
    cell = cell > 0 ? cell : 0;
    return (uint32_t)(int32_t)(cell < CELLS - 1 ? cell : CELLS - 1);
}

/* The extents of centres along x, y and z, side by side in as many lanes as the widest vector has. */
enum { SIDE_BY_SIDE = 16 };

struct extents {
    float least[3][SIDE_BY_SIDE], greatest[3][SIDE_BY_SIDE];
};

#endif
