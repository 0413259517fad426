/* SPDX-License-Identifier: MIT */
/* Centres of items, their extents, and the grid around them. */
#ifndef ABUT_BVH_BUILD_GRID_H
#define ABUT_BVH_BUILD_GRID_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CELLS = 1024, /* along the longest axis */
    BLOCK = 64    /* centres */
};

/* The first members of each shape are this many points; their sum stands for its centre. */
enum {
    point_points = 1,
    sphere_points = 1,
    aabb_points = 2,
    obb_points = 1,
    segment_points = 2,
    capsule_points = 2,
    triangle_points = 3,
    MOST_COORDINATES = 9
};

/*
 * An eighth of the sum of the points of each item; NaN for a missing or invalid item. Neither the sum of three eighths
 * nor a difference of two sums overflows.
 */
struct centres {
    float at[3][BLOCK];
};

/*
 * Cells are cubes. With as many cells along each axis, cells would be long along a long axis. Then the order of distant
 * items along it would depend on their positions across it. In float64 no extent of float32 is too small or too large.
 */
struct grid {
    double min[3], max[3], scale;
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

/* Sets the scale. False: no two centres differ. */
static inline bool grid_end(struct grid *grid)
{
    double longest = 0;
    for (unsigned k = 0; k < 3; k++)
        longest = grid->max[k] - grid->min[k] > longest ? grid->max[k] - grid->min[k] : longest;
    grid->scale = longest > 0 ? CELLS / longest : 0;
    return longest > 0;
}

/* The least and greatest coordinates of centres, in as many lanes as the widest vector has. */
enum { SIDE_BY_SIDE = 16 };

struct extents {
    float least[3][SIDE_BY_SIDE], greatest[3][SIDE_BY_SIDE];
};

static inline void extents_begin(struct extents *extents)
{
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            extents->least[k][j] = INFINITY;
            extents->greatest[k][j] = -INFINITY;
        }
}

/* Widens the grid to hold the extents. */
static inline void grid_join_extents(struct grid *grid, const struct extents *extents)
{
    for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
        const double min[3] = {extents->least[0][j], extents->least[1][j], extents->least[2][j]};
        const double max[3] = {extents->greatest[0][j], extents->greatest[1][j], extents->greatest[2][j]};
        grid_join(grid, min, max);
    }
}

#endif
