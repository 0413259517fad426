/* SPDX-License-Identifier: MIT */
/* A grid around centres: its extent, and the cell of each. Loops over whole blocks become vectors. */
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

/* The extent of centres along one axis, side by side. */
enum { SIDE_BY_SIDE = 4 };

struct extent {
    float least[SIDE_BY_SIDE], greatest[SIDE_BY_SIDE];
};

static inline void extent_include(struct extent *extent, const float *centres)
{
    struct extent found = *extent;
    for (unsigned i = 0; i < BLOCK; i += SIDE_BY_SIDE)
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            const float x = centres[i + j];
            found.least[j] = x < found.least[j] ? x : found.least[j];
            found.greatest[j] = x > found.greatest[j] ? x : found.greatest[j];
        }
    *extent = found;
}

/* As grid_cell. An extent too small for float32 is one cell, and what is in it a crowd. */
static inline void block_cells(const struct grid *grid, const float *centres, unsigned k, uint32_t *cells)
{
    const float min = (float)grid->min[k], scale = grid->scale[k] <= FLT_MAX ? (float)grid->scale[k] : 0;
    for (unsigned i = 0; i < BLOCK; i++) {
        float cell = (centres[i] - min) * scale;
        cell = cell > 0 ? cell : 0;
        cells[i] = (uint32_t)(int32_t)(cell < CELLS - 1 ? cell : CELLS - 1);
    }
}

#endif
