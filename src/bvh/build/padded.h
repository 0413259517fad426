/* SPDX-License-Identifier: MIT */
/*
 * Views: items in the caller's arrays, and padded boxes that hold while the items move a little. A search copies the
 * items that it looks at to leaves of its own, once.
 */
#ifndef ABUT_BVH_BUILD_PADDED_H
#define ABUT_BVH_BUILD_PADDED_H

#include "bvh/parallel.h"
#include "bvh/tree.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/* Floats of a box as a record. Upper bounds are negated, so a box is inside another if none of its members is less. */
enum { BOX = 6 };

struct view {
    struct columns items;
    float padding;
    bool some_invalid; /* some item may be invalid */
    float *boxes;      /* padded, by item; NaN for invalid items and for the lanes that fill the last leaf */
    uint32_t *leaves;  /* by item: its leaf in the tree */
};

struct abut_index;

/* Sets all boxes and nodes of an index whose leaves have their ids. Returns as abut_view_renew(). */
enum abut_status abut_view_begin(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel);

/*
 * Takes the items where they are now: renews the boxes that items have left or that have become far too large, and the
 * nodes above these. ABUT_ERROR_INVALID or ABUT_ERROR_MEMORY: nothing has changed.
 */
enum abut_status abut_view_renew(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel);

/*
 * The same where only the listed items have moved: a bit for each item, eight to a byte. If they are not all valid, the
 * invalid ones are skipped.
 */
enum abut_status abut_view_renew_some(struct abut_index *index, const struct columns *items,
                                      const unsigned char *listed, bool listed_good, struct abut_workspace *workspace,
                                      const struct parallel *parallel);

/*
 * Gets the tree of an index for a search of so many queries. The leaves of a view are in the workspace: all are filled
 * here if there are so many queries that most leaves will be needed, else none before abut_leaves_gather().
 */
enum abut_status abut_tree_of(const struct abut_index *index, size_t queries, const struct abut_options *options,
                              struct abut_workspace *workspace, enum slot slot, struct tree *tree);

#endif
