/* SPDX-License-Identifier: MIT */
/* Cutting the ears off a polygon. */
#ifndef ABUT_CLI_EARS_H
#define ABUT_CLI_EARS_H

#include "signs.h"

#include <stddef.h>
#include <stdint.h>

enum clipping {
    CLIPPING_DONE,
    CLIPPING_UNFINISHED, /* no ears were left: the rest is cut around its first corner */
    CLIPPING_TOO_COSTLY, /* the triangles are not all there */
    CLIPPING_NO_MEMORY
};

/* A polygon: its corners in its plane, and the vertices that they are, x y z each. */
struct flat_polygon {
    size_t n;
    const struct spot *spots;
    const float *vertices;
    const uint32_t *corners; /* numbers of vertices */
};

/*
 * Cuts a polygon of at least 4 corners, whose area is not negative, into n - 2 triangles of numbers of vertices.
 * Corners of one place in space do not block each other. The time is in proportion to n log n: one that needs more than
 * most_looks at the boxes around corners, for each corner and each level of their tree, is too costly.
 */
enum clipping cut_ears(const struct flat_polygon *polygon, size_t most_looks, uint32_t *triangles);

#endif
