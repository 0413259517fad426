/* SPDX-License-Identifier: MIT */
/* Tiles of items in Hilbert order: made of a batch, and made anew where the items have moved. */
#ifndef ABUT_BVH_BUILD_LEAVES_H
#define ABUT_BVH_BUILD_LEAVES_H

#include "bvh/parallel.h"
#include "bvh/tree.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/* Tiles that n items take. */
size_t abut_leaves_count(size_t n);

/*
 * The members of what is no item, or a bad one: all NaN, but that the radius of a sphere is 0, since a filter that
 * compares NaN with NaN is undecided (kernels/filter.h, hit_if_less).
 */
const float *abut_no_item(size_t shape);

/* What tiles hold, of n items, but for the arrays at and ids, which are there; what is behind the last item is set. */
void abut_leaves_begin(struct leaves *leaves, const struct columns *items, size_t n);

/*
 * Items first to first + n - 1 of the tiles: the low half of order[i] says which labelled record (records.h) is the
 * i-th of them. Several threads may put some each.
 */
void abut_leaves_put(const struct leaves *leaves, size_t first, size_t n, const uint64_t *order, const float *records);

/*
 * As many items as are asked at once whether one is bad: few, so that they are still in the cache when they are read
 * again.
 */
enum { CHECKED = 1024 };

/* Whether the wide check finds no bad one among some items, at least one. */
bool abut_all_good(const struct columns *items, size_t first, size_t end);

/* All items as records, in the workspace, and whether none is bad; NULL if there is no memory. */
float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace,
                          const struct parallel *parallel, bool *all_good);

/* The members of some tiles, whose ids are there, from such records. */
void abut_leaves_refill(const struct leaves *leaves, const float *records, size_t first, size_t end);

#endif
