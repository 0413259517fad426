/* SPDX-License-Identifier: MIT */
/* What an index is made of. */
#ifndef ABUT_BVH_INDEX_H
#define ABUT_BVH_INDEX_H

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

/* NULL is all zeros. */
static inline const struct abut_settings *settings_or_none(const struct abut_settings *settings)
{
    static const struct abut_settings none = {0};
    return settings ? settings : &none;
}

/* The shape of a set that can be indexed; shape_count for hulls, an index and what is none. */
enum shape abut_shape_of(enum abut_set_kind kind);

/* The batch of a set that is no index. */
struct columns abut_columns_of(struct abut_set set);

/* Lanes of what the strict check finds bad become no item, in tiles first to end - 1. */
void abut_skip_invalid(const struct leaves *leaves, size_t first, size_t end);

/* The wide check (abut_all_good) knows nothing of axes that are off. */
static inline bool may_be_invalid(const struct columns *items, bool all_good)
{
    return !all_good || items->shape == shape_obb;
}

/* Null pointers and counts that no batch may have; ABUT_ERROR_ARGUMENT for a kind that is none. Not the items themselves. */
enum abut_status abut_check_set(struct abut_set set);

#endif
