/* SPDX-License-Identifier: MIT */
/* Shapes of any kind as seen along an axis: a dot, a disc, a line, a capsule or a convex polygon. */
#ifndef ABUT_CLI_OUTLINE_H
#define ABUT_CLI_OUTLINE_H

#include "kinds.h"

/* The part of space that is drawn. Half spaces, hulls and infinite boxes are cut off where it ends. */
struct extent {
    double low[3], high[3];
};

/* The least extent of all bounded rows of two sets (b may be NULL), with a margin. */
struct extent extent_of(const struct rows *a, const struct rows *b);

/* A hull of 32 planes, and the sides of the extent, have at most so many corners. */
enum { MOST_CORNERS = 80 };

/* All points within r of the convex hull of n points. No corner: nothing can be drawn. */
struct outline {
    unsigned n;
    double at[MOST_CORNERS][2], r;
};

/* One row, seen along the third axis: the other two are those of at. Polygons have their corners in order. */
void outline_of(struct outline *outline, const struct rows *rows, size_t row, const struct extent *extent,
                unsigned across, unsigned up);

#endif
