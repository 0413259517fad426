/* SPDX-License-Identifier: MIT */
/*
 * Some items of a tree as queries. A packet of queries searches with the box around all of them, so its items must be
 * near each other in the tree: where they are few and far apart, the rest of a packet's lanes stay empty.
 */
#ifndef ABUT_BVH_SEARCH_NEAR_H
#define ABUT_BVH_SEARCH_NEAR_H

#include "bvh/tree.h"

enum { NEAR = 2 * CHILDREN * LEAF }; /* lanes */

struct near_list {
    uint32_t *ids; /* UINT32_MAX in lanes that stay empty */
    size_t n, first;
};

/* The most lanes that so many items from so many lanes take: a packet is full, or begins alone in NEAR lanes. */
static inline size_t near_most(size_t items, size_t lanes)
{
    const size_t packets = items / PACKET + lanes / NEAR + 2;
    return (packets < items ? packets : items) * PACKET;
}

/* Completes the last packet. */
static inline void near_end(struct near_list *list)
{
    while (list->n % PACKET != 0)
        list->ids[list->n++] = UINT32_MAX;
}

/* Adds the item of a lane; lanes ascend. Returns its place. */
static inline size_t near_put(struct near_list *list, size_t lane, uint32_t id)
{
    if (list->n % PACKET != 0 && lane - list->first >= NEAR)
        near_end(list);
    list->first = list->n % PACKET == 0 ? lane : list->first;
    list->ids[list->n] = id;
    return list->n++;
}

#endif
