/* SPDX-License-Identifier: MIT */
/* From a batch in any order to tiles in Hilbert order. */
#ifndef ABUT_BVH_BUILD_SORT_H
#define ABUT_BVH_BUILD_SORT_H

#include "bvh/build/leaves.h"
#include "bvh/parallel.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/*
 * The good items of a batch in order, or with keep_invalid all of them. tiles->at and ->ids are there, with room for
 * one tile more than all items take.
 */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace,
                                 const struct parallel *parallel, bool keep_invalid, struct leaves *leaves);

/* The good ones, in tiles that live in the workspace, too. */
enum abut_status abut_sort_to_workspace(const struct columns *items, struct abut_workspace *workspace,
                                        const struct parallel *parallel, struct leaves *leaves);

#endif
