/* SPDX-License-Identifier: MIT */
/* The boxes of OBBs as an index needs them. */
#ifndef ABUT_API_BOUNDS_H
#define ABUT_API_BOUNDS_H

enum { OBBS = 8 }; /* how many at once */

/*
 * The AABBs around valid OBBs, rounded outwards. Member k of OBB i is obbs[k * OBBS + i], as in a leaf. Each box holds
 * the OBB of every predicate: the points between its slabs, and the points that its edges span. It also meets the AABB
 * of every sphere that touches the OBB and has a radius up to the one given, or an infinite one.
 */
void abut_boxes_of_obbs(const float *obbs, float radius, float boxes[6][OBBS]);

#endif
