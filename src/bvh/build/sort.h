/* SPDX-License-Identifier: MIT */
/* Sorting a batch in any order into leaves in Hilbert order. */
#ifndef ABUT_BVH_BUILD_SORT_H
#define ABUT_BVH_BUILD_SORT_H

#include "bvh/build/leaves.h"
#include "bvh/parallel.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/*
 * Sorts the valid items of a batch, or all with keep_invalid. leaves->at and leaves->ids must have space for one leaf
 * more than all items take.
 */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace,
                                 const struct parallel *parallel, bool keep_invalid, struct leaves *leaves);

/* The same for the valid items, with the leaves in the workspace. */
enum abut_status abut_sort_to_workspace(const struct columns *items, struct abut_workspace *workspace,
                                        const struct parallel *parallel, struct leaves *leaves);

#endif
