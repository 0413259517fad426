/* SPDX-License-Identifier: MIT */
/* The contents of an index. */
#ifndef ABUT_BVH_INDEX_H
#define ABUT_BVH_INDEX_H

#include "api/sets.h"
#include "bvh/build/nodes.h"
#include "bvh/build/padded.h"
#include "bvh/build/sort.h"

struct abut_index {
    struct abut_allocator allocator;
    void *block; /* the one allocation: the index and all its arrays */
    size_t bytes;
    struct tree tree;
    struct edges built; /* those of the tree when it was built */
    struct view view;   /* boxes is NULL, and the rest unused, if the index owns its items */
};

/* Blanks the lanes of leaves first to end - 1 whose items abut_check() finds invalid (abut_no_item()). */
void abut_skip_invalid(const struct leaves *leaves, size_t first, size_t end);

/* The wide check (abut_all_valid()) does not check the axes of OBBs. */
static inline bool may_be_invalid(const struct columns *items, bool all_good)
{
    return !all_good || items->shape == shape_obb;
}

#endif
