/* SPDX-License-Identifier: MIT */
/* What an index is made of. */
#ifndef ABUT_BVH_INDEX_H
#define ABUT_BVH_INDEX_H

#include "api/sets.h"
#include "bvh/build/nodes.h"
#include "bvh/build/padded.h"
#include "bvh/build/sort.h"

struct abut_index {
    struct abut_allocator allocator;
    void *block; /* what holds the index and all arrays of it */
    size_t bytes;
    struct tree tree;
    struct edges built; /* when the tree was */
    struct view view;   /* boxes: NULL, and all else 0, if the items are in the tree */
};

/* Lanes of what the strict check finds bad become no item, in tiles first to end - 1. */
void abut_skip_invalid(const struct leaves *leaves, size_t first, size_t end);

/* The wide check (abut_all_good) knows nothing of axes that are off. */
static inline bool may_be_invalid(const struct columns *items, bool all_good)
{
    return !all_good || items->shape == shape_obb;
}

#endif
