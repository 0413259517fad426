/* SPDX-License-Identifier: MIT */
/*
 * The tree: items in Hilbert order as tiles of eight, and above them nodes of sixteen boxes; and what a search over it
 * is.
 */
#ifndef ABUT_BVH_TREE_H
#define ABUT_BVH_TREE_H

#include "dispatch/kernel_table.h"

#include <abut/index.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEAF = 8,              /* items a tile, which is a leaf */
    CHILDREN = 16,         /* boxes a node */
    PACKET = 16,           /* queries that descend together: two tiles */
    FRONTIER_PACKETS = 16, /* that begin together */
    MAX_LEVELS = 8         /* 8 * 16^8 > 2^32 */
};

struct view;

/*
 * Items in an order where neighbours are close. Tile t holds member k of its items in at[(t * fields + k) * LEAF ...].
 * The lanes after the last item hold no item (bvh/build/leaves.h), which is a miss, or to some filters undecided;
 * and there is a tile more of these, as groups are two.
 */
struct leaves {
    size_t shape; /* enum shape */
    unsigned fields;
    size_t n, count;
    float *at;
    uint32_t *ids;           /* of the callers' items, LEAF a tile */
    const struct view *view; /* not NULL: tiles have members once they were fetched (bvh/build/padded.h) */
    _Atomic(unsigned char) *gathered;
};

/* Fetches the listed tiles of borrowed items; several threads may at once. */
void abut_leaves_gather(const struct leaves *leaves, const uint32_t *list, size_t n);

/*
 * minx miny minz maxx maxy maxz of each child, rounded outwards (of points and AABBs there is nothing to round), and
 * the least of the ids below it; those that do not exist are NaN.
 */
struct node {
    float box[6][CHILDREN];
    uint32_t least[CHILDREN];
};

/*
 * What the boxes of queries leave room for. Axes of indexed OBBs are off by at most 1e-3 (abut_check_obbs), so that the
 * least singular value squared is above 1 - 0.0041, and a radius counts for less than 1.0021 of itself.
 */
struct margin {
    float scale;  /* of the radii of spheres: 1 + 2^-8 if they are searched for among OBBs, else 1 */
    float radius; /* the greatest finite one of spheres that OBBs are searched among */
};

/*
 * Child c of node i is c + CHILDREN * i one level below; the children of level 0 are tiles. The last level is one node.
 */
struct tree {
    struct leaves leaves;
    struct margin margin;
    unsigned levels; /* 0: no items */
    size_t nodes[MAX_LEVELS];
    struct node *level[MAX_LEVELS];
};

/* The hits of up to PACKET consecutive queries: counts[q] of ids in a row, for each query q. */
struct rows {
    const uint32_t *queries; /* ids, n of them */
    unsigned n;
    uint32_t counts[PACKET];
    uint32_t *ids;
};

/*
 * Nodes of one level, or tiles, whose boxes meet that of some queries: in order. SLACK: whole vectors are read and
 * written.
 */
enum { MAX_NODE_LIST = 96, SLACK = 16 };
struct node_list {
    _Alignas(64) float box[6][MAX_NODE_LIST + SLACK];
    uint32_t index[MAX_NODE_LIST + SLACK];
    size_t n;
};

/*
 * Tiles that a group may hit items of are its candidates. No group may assume a bound on how many these are: they are
 * searched before they are too many for a bit each, and for a tile without items behind them.
 */
enum { MAX_CANDIDATES = 63 };

/* Boxes or items that a hull is held against at once. */
enum { ITEM_BLOCK = 512 };
struct item_block {
    float columns[ABUT_MAX_FIELDS][ITEM_BLOCK]; /* of nodes' children, then of items */
    uint32_t numbers[ITEM_BLOCK],
        leaves[ITEM_BLOCK]; /* of the children, or ids of the items; those of the tiles to ask */
};

struct scratch {
    struct node_list frontier[2], candidates;
    uint64_t wanted[PACKET];      /* by each query: bit i is candidate i */
    struct item_block item_block; /* where hulls are searched for */
    uint32_t ids[PACKET * MAX_CANDIDATES * LEAF + SLACK];
};

/* One task: queries of some groups against a tree. */
struct search {
    const struct tree *tree;
    const struct leaves *queries;   /* of hulls the ids alone */
    const struct abut_hulls *hulls; /* or NULL */
    size_t hull_predicate;          /* enum hull_predicate, of these */
    const struct isa *isa;
    size_t first, last; /* groups */
    bool closed;
    bool any; /* one hit a query is enough; further ones may be left out */
    struct abut_stats *stats;
    struct scratch *scratch;
    uint32_t *nodes[2]; /* SLACK more than the tree has nodes of level 0 */
    /* Takes rows, of each group in order, perhaps in several parts. False ends the search. */
    bool (*emit)(void *context, const struct rows *rows);
    void *context;
};

#endif
