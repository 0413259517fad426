/* SPDX-License-Identifier: MIT */
/* The contents of an index. */
#ifndef ABUT_BVH_INDEX_H
#define ABUT_BVH_INDEX_H

#include "api/sets.h"
#include "bvh/build/nodes.h"
#include "bvh/build/padded.h"
#include "bvh/build/sort.h"
#include "bvh/workspace.h"

struct abut_index {
    struct abut_allocator allocator;
    void *block; /* the index and all its arrays but places */
    size_t bytes;
    struct tree tree;
    struct edges built;        /* those of the tree when it was built */
    struct view view;          /* boxes is NULL, and the rest unused, if the index owns its items */
    struct slot_memory places; /* of an owner: by item, its lane in the leaves; without memory until one is wanted */
};

/* How much the leaves have grown since the index was built (abut_index_refit()). */
double abut_index_growth(const struct abut_index *index);

/* Takes all items of an owner from records, and sets its nodes. blank: some item may be invalid. */
void abut_index_refill(struct abut_index *index, const float *records, bool blank, const struct parallel *parallel);

/* Whether these items may take the place of those of the index. */
static inline enum abut_status abut_refit_check(const struct abut_index *index, const struct columns *items)
{
    return items->n != index->tree.leaves.n           ? ABUT_ERROR_LENGTHS
           : items->shape != index->tree.leaves.shape ? ABUT_ERROR_ARGUMENT
                                                      : ABUT_OK;
}

/* Blanks the lanes of leaves first to end - 1 whose items abut_check() finds invalid (abut_no_item()). */
void abut_skip_invalid(const struct leaves *leaves, size_t first, size_t end);

/* The wide check (abut_all_valid()) does not check the axes of OBBs. */
static inline bool may_be_invalid(const struct columns *items, bool all_good)
{
    return !all_good || items->shape == shape_obb;
}

#endif
