/* SPDX-License-Identifier: MIT */
/* The boxes above the tiles, from the leaves up, and how large they are. */
#ifndef ABUT_BVH_BUILD_NODES_H
#define ABUT_BVH_BUILD_NODES_H

#include "bvh/tree.h"

/* How many levels there are above so many tiles, and how many nodes each has. */
void abut_nodes_plan(struct tree *tree, size_t leaves);

/*
 * The boxes of node i of the lowest level, from its tiles; and the least ids below it, which movement does not change.
 */
void abut_nodes_set_lowest(struct tree *tree, size_t i);
void abut_nodes_set_least(struct tree *tree, size_t i);

/* The box of one tile, from those of its items. */
void abut_nodes_set_leaf(struct tree *tree, size_t t, float boxes[6][LEAF]);

/* All levels above the lowest, which are small. */
void abut_nodes_set_upper(struct tree *tree);

/*
 * The edges of the boxes of all tiles, three of each. Infinite ones would hide all others, and are counted; surfaces or
 * volumes would let one huge item hide them, and see nothing in a plane or a line.
 */
struct edges {
    double sum;
    size_t infinite;
};

struct edges abut_nodes_edges(const struct tree *tree);

#endif
