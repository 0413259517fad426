/* SPDX-License-Identifier: MIT */
/*
 * Items that stay in the caller's arrays. Their boxes have room for movement, so that most of them need not be touched
 * when the items move; what a search looks at is copied to tiles of its own, once a search.
 */
#ifndef ABUT_BVH_BUILD_PADDED_H
#define ABUT_BVH_BUILD_PADDED_H

#include "bvh/parallel.h"
#include "bvh/tree.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/* A box as a record: its upper bounds are negated, so that it is inside of another where no member is less. */
enum { BOX = 6 };

struct view {
    struct columns items;
    float padding;
    bool some_invalid; /* perhaps */
    float *boxes;      /* padded, by item; NaN of bad ones, and of those that fill the last tile */
    uint32_t *leaves;  /* by item, in which tile of the tree it is */
};

struct abut_index;

/* Of an index whose tiles have their ids: boxes and what is above them, as abut_view_renew sets them. */
enum abut_status abut_view_begin(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel);

/*
 * The items where they are now. Boxes of those that have left theirs are set anew, and with them what is above.
 * ABUT_ERROR_INVALID or ABUT_ERROR_MEMORY: nothing has changed.
 */
enum abut_status abut_view_renew(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel);

/*
 * The tree of an index as a search sees it, with members in its tiles. Those of borrowed items are in the workspace:
 * all of them if so many queries come that all will be needed, or none before abut_leaves_gather.
 */
enum abut_status abut_tree_of(const struct abut_index *index, size_t queries, const struct abut_options *options,
                              struct abut_workspace *workspace, enum slot slot, struct tree *tree);

#endif
