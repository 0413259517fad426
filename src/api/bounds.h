/* SPDX-License-Identifier: MIT */
/* The boxes of OBBs as an index needs them. */
#ifndef ABUT_API_BOUNDS_H
#define ABUT_API_BOUNDS_H

enum { OBBS = 8 }; /* how many at once */

/*
 * The AABBs around OBBs that are not bad, given as a tile is: member k of OBB i is obbs[k * OBBS + i]. They hold
 * however one is asked: around its points, around its centre plus its axes times up to their half extents, which is
 * what hulls are held against, and so wide that they meet that of every sphere of a radius up to the one given, or
 * infinite, that touches it. Rounded outwards.
 */
void abut_boxes_of_obbs(const float *obbs, float radius, float boxes[6][OBBS]);

#endif
