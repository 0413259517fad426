/* SPDX-License-Identifier: MIT */
/* Cutting the polygons of meshes into triangles, concave ones too. */
#ifndef ABUT_CLI_POLYGON_H
#define ABUT_CLI_POLYGON_H

#include <stddef.h>
#include <stdint.h>

/* The most corners of a polygon that is not convex: cutting it takes some 100 bytes for each. */
enum { MOST_CONCAVE_CORNERS = 1 << 16 };

/* What is odd about a polygon, if anything; of the last three there are no triangles. */
enum polygon {
    POLYGON_GOOD,
    POLYGON_NOT_FLAT,
    POLYGON_NOT_SIMPLE,
    POLYGON_TOO_LARGE,
    POLYGON_TOO_COSTLY, /* it was made so that cutting it takes long */
    POLYGON_NO_MEMORY
};

/*
 * Cuts a polygon of n >= 3 corners, which are numbers of vertices (x y z each), into n - 2 triangles of such numbers.
 * A convex polygon is cut around its first corner, any other by its ears. The sides are exact: the signs of areas of
 * the vertices' projection along the axis that the normal is closest to. What is not simple is cut all the same, and
 * covers other points than its outline may suggest. The time is in proportion to n log n.
 */
enum polygon polygon_cut(const float *vertices, const uint32_t *corners, size_t n, uint32_t *triangles);

#endif
