/* SPDX-License-Identifier: MIT */
/* The box of an OBB as an index needs it. */
#ifndef ABUT_BOXES_H
#define ABUT_BOXES_H

/*
 * The AABB around an OBB that is not bad, however it is asked: around its points, around its centre plus its axes times up
 * to their half extents, which is what hulls are held against, and so wide that it meets that of every sphere of a
 * radius up to the one given, or infinite, that touches it. Rounded outwards.
 */
void abut_box_of_obb(const float obb[15], float radius, float box[6]);

#endif
