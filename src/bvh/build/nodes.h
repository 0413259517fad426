/* SPDX-License-Identifier: MIT */
/* The boxes above the leaves, set from the leaves up, and the sum of their edges. */
#ifndef ABUT_BVH_BUILD_NODES_H
#define ABUT_BVH_BUILD_NODES_H

#include "bvh/tree.h"

/* Sets the number of levels above the leaves, and the number of nodes of each. */
void abut_nodes_plan(struct tree *tree, size_t leaves);

/* Set the boxes of node i of level 0 from its leaves, and the least ids below it, which do not change in a refit. */
void abut_nodes_set_lowest(struct tree *tree, size_t i);
void abut_nodes_set_least(struct tree *tree, size_t i);

/* The boxes of the items of a leaf, rounded outwards; NaN for lanes without an item. */
void abut_nodes_leaf_boxes(const struct leaves *leaves, size_t t, float boxes[6][LEAF]);

/* Sets the box of one leaf from those of its items. */
void abut_nodes_set_leaf(struct tree *tree, size_t t, float boxes[6][LEAF]);

/* Sets the boxes of node i of one level from the level below. */
void abut_nodes_set_one(struct tree *tree, unsigned level, size_t i);

/* Sets all levels above level 0; they are small. */
void abut_nodes_set_upper(struct tree *tree);

/*
 * The sum of the three edges of the box of each leaf. Boxes with infinite edges are only counted: they would hide all
 * others. Surfaces or volumes would let one huge item hide the others, and are 0 in a plane or on a line.
 */
struct edges {
    double sum;
    size_t infinite;
};

struct edges abut_nodes_edges(const struct tree *tree);

#endif
