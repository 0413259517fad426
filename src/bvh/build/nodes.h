/* SPDX-License-Identifier: MIT */
/* The boxes above the leaves, set from the leaves up, and the sum of their edges. */
#ifndef ABUT_BVH_BUILD_NODES_H
#define ABUT_BVH_BUILD_NODES_H

#include "bvh/tree.h"

#include <string.h>

/* Sets the number of levels above the leaves, and the number of nodes of each. */
void abut_nodes_plan(struct tree *tree, size_t leaves);

/* Set the boxes of node i of level 0 from its leaves, and the least ids below it, which do not change in a refit. */
void abut_nodes_set_lowest(struct tree *tree, size_t i);
void abut_nodes_set_least(struct tree *tree, size_t i);

/* The boxes of the items of a leaf, rounded outwards; NaN for lanes without an item. */
void abut_nodes_leaf_boxes(const struct leaves *leaves, size_t t, float boxes[6][LEAF]);

/* Sets the box of one leaf from those of its items. */
void abut_nodes_set_leaf(struct tree *tree, size_t t, float boxes[6][LEAF]);

/* Sets all levels above level 0; they are small. */
void abut_nodes_set_upper(struct tree *tree);

/* Nodes above changed leaves, which come in ascending order: the last one of each level waits for more leaves. */
struct node_path {
    size_t at[MAX_LEVELS];
    bool any;
};

/* Sets the boxes of nodes that no leaf from t on is below, in those above; and, at the end, of those that wait. */
void abut_nodes_path_to(struct node_path *path, struct tree *tree, size_t t);
void abut_nodes_path_end(const struct node_path *path, struct tree *tree);

/* Sets the boxes of all nodes that are above leaves with a mark, which is not 0. Those of these leaves are set. */
void abut_nodes_set_above(struct tree *tree, const unsigned char *marks);

static inline bool any_marked(const unsigned char *marks, unsigned words)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, marks + i * sizeof word, sizeof word);
        all |= word;
    }
    return all != 0;
}

/* The first place from t on, below end, that has a mark; or end, or t if it is beyond that. */
static inline size_t next_marked(const unsigned char *marks, size_t t, size_t end)
{
    if (t < end && marks[t] != 0)
        return t;
    while (t + 64 <= end && !any_marked(marks + t, 8))
        t += 64;
    while (t + 8 <= end && !any_marked(marks + t, 1))
        t += 8;
    while (t < end && marks[t] == 0)
        t++;
    return t;
}

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
