/* SPDX-License-Identifier: MIT */
/* The tree (leaves of eight items in Hilbert order, nodes of sixteen boxes above them) and the state of a search. */
#ifndef ABUT_BVH_TREE_H
#define ABUT_BVH_TREE_H

#include "dispatch/kernel_table.h"

#include <abut/index.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEAF = 8,              /* items a leaf */
    CHILDREN = 16,         /* boxes a node */
    PACKET = 16,           /* queries that descend together: two leaves of them */
    FRONTIER_PACKETS = 16, /* that share a frontier */
    MAX_LEVELS = 8         /* 8 * 16^8 > 2^32 */
};

struct view;
struct label_filter;

/*
 * Items in an order where neighbours are close. Leaf t holds member k of its items in at[(t * fields + k) * LEAF ...].
 * The lanes after the last item hold none (bvh/build/leaves.h): a miss, or in some filters undecided. One more leaf
 * without items follows, because a packet spans two leaves.
 */
struct leaves {
    size_t shape; /* enum shape */
    unsigned fields;
    size_t n, count;
    float *at;
    uint32_t *ids;           /* numbers of the caller's items, LEAF a leaf */
    const struct view *view; /* not NULL: a leaf has members only after abut_leaves_gather() */
    _Atomic(unsigned char) *gathered;
};

/* Fills those of the listed leaves of a view that are not filled yet. Several threads may call it at once. */
void abut_leaves_gather(const struct leaves *leaves, const uint32_t *list, size_t n);

/*
 * minx miny minz maxx maxy maxz of each child, rounded outwards (points and AABBs need no rounding), and the least id
 * below it. The box of a missing child is NaN, and its id UINT32_MAX.
 */
struct node {
    float box[6][CHILDREN];
    uint32_t least[CHILDREN];
};

/*
 * Margins of the boxes of queries where spheres meet OBBs: an OBB measures along its axes as given. Axes of indexed
 * OBBs are off by at most 1e-3 (abut_check_obbs()), so their least singular value squared is above 1 - 0.0041. A sphere
 * then reaches less than 1.0021 radii. OBBs that are queries may have any axes (abut_boxes_of_obbs()).
 */
struct margin {
    float scale;  /* of the radii of sphere queries: 1 + 2^-8 against OBBs, else 1 */
    float radius; /* greatest finite radius of indexed spheres, else 0 */
};

/* Child c of node i is c + CHILDREN * i one level below; on level 0 it is a leaf. The last level has one node. */
struct tree {
    struct leaves leaves;
    struct margin margin;
    unsigned levels; /* 0: no items */
    size_t nodes[MAX_LEVELS];
    struct node *level[MAX_LEVELS];
};

/* The hits of up to PACKET consecutive queries: for each query q in turn, counts[q] ids. */
struct rows {
    const uint32_t *queries; /* n ids */
    unsigned n;
    uint32_t counts[PACKET];
    uint32_t *ids;
};

/*
 * Nodes of one level, or leaves, whose boxes meet that of some queries, in ascending order. SLACK: whole vectors are
 * read and written at the end.
 */
enum { MAX_NODE_LIST = 96, SLACK = 16 };
struct node_list {
    _Alignas(64) float box[6][MAX_NODE_LIST + SLACK];
    uint32_t index[MAX_NODE_LIST + SLACK];
    size_t n;
};

/*
 * The candidates of a packet are the leaves whose boxes meet its own. Their number has no bound, so they are searched
 * in batches: one bit each in a 64-bit mask, and one for the leaf without items that follows them.
 */
enum { MAX_CANDIDATES = 63 };

/* A block of boxes or items to test against one hull; or the boxes of the items of all candidates. */
enum { ITEM_BLOCK = 512 };
_Static_assert((int)ITEM_BLOCK >= (MAX_CANDIDATES + 1) * LEAF, "a box for each item of the candidates");
struct item_block {
    /* Of hulls: boxes of children of nodes, then members of items. */
    _Alignas(64) float columns[ABUT_MAX_FIELDS][ITEM_BLOCK];
    uint32_t numbers[ITEM_BLOCK],
        leaves[ITEM_BLOCK]; /* numbers: of the children, or ids of the items; leaves: those to test */
};

struct scratch {
    struct node_list frontier[2], candidates;
    uint64_t wanted[PACKET]; /* by query: bit i is set if candidate i is wanted */
    struct item_block item_block;
    uint32_t ids[PACKET * MAX_CANDIDATES * LEAF + SLACK];
};

/* A search of a predicate without loops of its own: one function runs all of them. */
struct block_search {
    enum predicate predicate;
    enum shape query, item;
    bool swapped, self; /* the items are the predicate's a; the queries are the items */
};

/* One task: the queries of some packets against a tree. */
struct search {
    const struct tree *tree;
    const struct block_search *block;  /* of a predicate without loops of its own */
    const struct label_filter *labels; /* groups and masks, for predicates dearer than these; or NULL */
    const struct leaves *queries;      /* only the ids if they are hulls */
    const struct abut_hulls *hulls;    /* or NULL */
    enum predicate hull_predicate;     /* if hulls is not NULL */
    const struct isa *isa;
    size_t first, last; /* packets first to last - 1 */
    bool closed;
    bool any; /* one hit per query is enough; others may be left out */
    struct abut_stats *stats;
    struct scratch *scratch;
    uint32_t *nodes[2]; /* each SLACK longer than level 0 has nodes */
    /* Takes the rows of each packet in order, possibly in several calls. Returning false ends the search. */
    bool (*emit)(void *context, const struct rows *rows);
    void *context;
};

#endif
