/* SPDX-License-Identifier: MIT */
/*
 * Query packets and the nodes that they meet: the part of search.h above the leaves. Neighbouring packets meet nearly
 * the same nodes, so they find the upper ones together: the frontier, where each of them begins.
 */
#ifndef ABUT_BVH_SEARCH_DESCENT_H
#define ABUT_BVH_SEARCH_DESCENT_H

#include "bvh/build/bounds.h"

INLINE const float *leaf_of(const struct leaves *leaves, unsigned fields, size_t leaf)
{
    return leaves->at + leaf * fields * LEAF;
}

/* A query packet: its leaves of queries, and their boxes. */
struct packet {
    size_t first;      /* its first leaf */
    unsigned begin, n; /* queries begin to n - 1 are searched for; begin is 0, unless a query is searched for alone */
    unsigned done;     /* queries that want no more hits; their boxes are NaN */
    float own[6];      /* the box around all of them */
    float box[6][PACKET];
    const uint32_t *ids;
};

/* Which of WIDTH boxes meet the query's; NaN does not. box is aligned to a vector. */
INLINE uint64_t meet(const v query[6], const float *box, size_t stride)
{
    m x = m_both(m_le(v_load_aligned(box), query[3]), m_le(query[0], v_load_aligned(box + 3 * stride)));
    m y = m_both(m_le(v_load_aligned(box + stride), query[4]), m_le(query[1], v_load_aligned(box + 4 * stride)));
    m z = m_both(m_le(v_load_aligned(box + 2 * stride), query[5]), m_le(query[2], v_load_aligned(box + 5 * stride)));
    return m_bits(m_both(x, m_both(y, z)));
}

/* The bits of lanes first, first + 1, ... without those of lanes below least. */
INLINE uint64_t from_lane(uint64_t bits, size_t first, size_t least)
{
    return first >= least ? bits : least - first >= WIDTH ? 0 : bits & ~UINT64_C(0) << (least - first);
}

/* Writes first + i for each lane i of lanes to to[0], to[1], ... and returns their number. */
INLINE size_t put_indices(uint32_t *to, size_t first, uint64_t lanes)
{
#if WIDTH == 4
    /* One load instead of a compress, which is many instructions in SSE2. */
    static const struct {
        _Alignas(16) uint32_t lanes[WIDTH];
        size_t n;
    } listed[1 << WIDTH] = {{{0}, 0},    {{0}, 1},       {{1}, 1},       {{0, 1}, 2},      {{2}, 1},    {{0, 2}, 2},
                            {{1, 2}, 2}, {{0, 1, 2}, 3}, {{3}, 1},       {{0, 3}, 2},      {{1, 3}, 2}, {{0, 1, 3}, 3},
                            {{2, 3}, 2}, {{0, 2, 3}, 3}, {{1, 2, 3}, 3}, {{0, 1, 2, 3}, 4}};
    const size_t n = listed[lanes].n;
    memcpy(to, listed[lanes].lanes, sizeof listed[lanes].lanes);
#else
    static const uint32_t indices[CHILDREN] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const size_t n = v_compress(to, indices, lanes);
#endif
    for (unsigned i = 0; i < WIDTH; i++)
        to[i] += (uint32_t)first;
    return n;
}

/* Lists the children of one node that meet the packet. A self join has seen those below least already. */
INLINE size_t node_children(const struct node *node, size_t first, const v own[6], size_t least, uint32_t *list)
{
    size_t n = 0;
    UNROLL for (unsigned i = 0; i < CHILDREN; i += WIDTH) n +=
        put_indices(list + n, first + i, from_lane(meet(own, &node->box[0][i], CHILDREN), first + i, least));
    return n;
}

/* meet_children() appends to a node list, with boxes at once or by take_boxes() at the end. */
INLINE void meet_children(const struct node *node, size_t first, const v own[6], size_t least, struct node_list *to)
{
    if (!COMPRESSES_BOXES) {
        to->n += node_children(node, first, own, least, to->index + to->n);
        return;
    }
    UNROLL for (unsigned i = 0; i < CHILDREN; i += WIDTH)
    {
        uint64_t bits = from_lane(meet(own, &node->box[0][i], CHILDREN), first + i, least);
        UNROLL for (unsigned k = 0; k < 6; k++) v_compress(to->box[k] + to->n, &node->box[k][i], bits);
        to->n += put_indices(to->index + to->n, first + i, bits);
    }
}

/* Copies the boxes of children of nodes on one level. */
INLINE void take_boxes(const struct node *level, struct node_list *node_list)
{
    for (size_t i = 0; !COMPRESSES_BOXES && i < node_list->n; i++)
        UNROLL for (unsigned k = 0; k < 6; k++) node_list->box[k][i] =
            level[node_list->index[i] / CHILDREN].box[k][node_list->index[i] % CHILDREN];
}

/* Lists the nodes of from, beginning at position first, that meet a box. Boxes of NaN follow the last one. */
INLINE size_t meeting(const struct node_list *from, size_t first, const v own[6], uint32_t *list)
{
    const size_t end = from->n;
    size_t n = 0;
    for (size_t i = first; i < end; i += WIDTH)
        n += v_compress(list + n, from->index + i, meet(own, &from->box[0][i], MAX_NODE_LIST + SLACK));
    return n;
}

/* The same for candidates, as bits: bit i is the i-th. */
INLINE uint64_t meeting_bits(const struct node_list *from, const v own[6])
{
    const size_t end = from->n;
    uint64_t bits = 0;
    for (size_t i = 0; i < end; i += WIDTH)
        bits |= meet(own, &from->box[0][i], MAX_NODE_LIST + SLACK) << i;
    return bits;
}

INLINE void end_boxes(struct node_list *node_list)
{
    for (unsigned i = 0; i < SLACK; i++)
        node_list->box[0][node_list->n + i] = NAN;
}

/* Sets the packet of leaves 2 g and 2 g + 1. */
INLINE void set_packet(struct packet *packet, boxes_function *boxes, unsigned fields, const struct search *search,
                       size_t g)
{
    const struct leaves *queries = search->queries;
    packet->first = g * (PACKET / LEAF);
    packet->ids = queries->ids + g * PACKET;
    packet->begin = packet->done = 0;
    packet->n = queries->n - g * PACKET < PACKET ? (unsigned)(queries->n - g * PACKET) : PACKET;
    float box[6][LEAF];
    UNROLL for (unsigned t = 0; t < PACKET / LEAF; t++)
    {
        boxes(leaf_of(queries, fields, packet->first + t), search->tree->margin, box);
        UNROLL for (unsigned k = 0; k < 6; k++) memcpy(packet->box[k] + t * LEAF, box[k], sizeof box[k]);
    }
    for (unsigned k = 0; k < 6; k++)
        for (unsigned q = packet->n; q < PACKET; q++)
            packet->box[k][q] = packet->box[k][0];
    UNROLL for (unsigned k = 0; k < 6; k++)
    {
        const v none = v_set1(INFINITY);
        v least = none;
        UNROLL for (unsigned q = 0; q < PACKET; q += WIDTH)
        {
            /* Queries of an index may be invalid, with boxes of NaN. */
            const v x = v_load(packet->box[k] + q), low = k < 3 ? x : v_sub(v_set1(0), x);
            least = v_min(least, v_select(m_le(x, x), low, none));
        }
        packet->own[k] = k < 3 ? v_least(least) : -v_least(least);
    }
}

/*
 * The nodes where neighbouring packets begin: the deepest level at which the box around all of them meets at most
 * FRONTIER_NODES. A self join has passed the nodes before first; their boxes are NaN.
 */
enum { FRONTIER_NODES = 64 };
struct frontier {
    struct node_list *nodes;
    unsigned level;
    size_t first;
    size_t tests; /* node tests spent on it */
};

INLINE struct frontier frontier_of(const struct search *search, const struct packet *packets, size_t n, size_t least)
{
    const struct tree *tree = search->tree;
    struct node_list *nodes = &search->scratch->frontier[0], *below = &search->scratch->frontier[1];
    unsigned level = tree->levels - 1;
    size_t tests = 0;
    v own[6];
    for (unsigned k = 0; k < 6; k++) {
        float most = packets[0].own[k];
        for (size_t g = 1; g < n; g++)
            most = (k < 3 ? packets[g].own[k] < most : packets[g].own[k] > most) ? packets[g].own[k] : most;
        own[k] = v_set1(most);
        nodes->box[k][0] = k < 3 ? -INFINITY : INFINITY;
    }
    nodes->index[0] = 0;
    for (nodes->n = 1; level > 0; level--) {
        below->n = 0;
        for (size_t i = 0; i < nodes->n && below->n <= FRONTIER_NODES; i++) {
            const size_t node = nodes->index[i];
            meet_children(&tree->level[level][node], node * CHILDREN, own, least >> 4 * level, below);
            tests++;
        }
        if (below->n > FRONTIER_NODES)
            break;
        take_boxes(tree->level[level], below);
        struct node_list *done = nodes;
        nodes = below;
        below = done;
    }
    end_boxes(nodes);
    return (struct frontier){nodes, level, 0, tests};
}

/* Passes the nodes whose leaves are all before leaf least. */
INLINE void frontier_advance(struct frontier *frontier, size_t least)
{
    while (frontier->first < frontier->nodes->n &&
           frontier->nodes->index[frontier->first] < least >> 4 * (frontier->level + 1))
        frontier->nodes->box[0][frontier->first++] = NAN;
}

#endif
