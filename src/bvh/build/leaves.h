/* SPDX-License-Identifier: MIT */
/* Leaves of items in Hilbert order: filled from records, and refilled after the items have moved. */
#ifndef ABUT_BVH_BUILD_LEAVES_H
#define ABUT_BVH_BUILD_LEAVES_H

#include "bvh/parallel.h"
#include "bvh/tree.h"
#include "bvh/workspace.h"
#include "dispatch/kernel_table.h"

/* The number of leaves that n items take. */
size_t abut_leaves_count(size_t n);

/*
 * The members of a lane without an item or with an invalid one: all NaN, except that the radius of a sphere is 0. A
 * filter that compares NaN with NaN is undecided (kernels/filter.h, hit_if_less()).
 */
const float *abut_no_item(size_t shape);

/* Sets shape and counts for n items, and blanks the lanes after the last one. The arrays at and ids exist already. */
void abut_leaves_begin(struct leaves *leaves, enum shape shape, unsigned fields, size_t n);

/*
 * Puts items first to first + n - 1 of the leaves: the low half of order[i] is the index of the i-th one's labelled
 * record (records.h). Several threads may put disjoint ranges.
 */
void abut_leaves_put(const struct leaves *leaves, size_t first, size_t n, const uint64_t *order, const float *records);

/* Items that are checked for validity together: few enough to be in the cache still when they are read again. */
enum { CHECKED = 1024 };

/* The greatest finite radius of spheres; lanes without one have 0. */
float abut_leaves_radius(const struct leaves *leaves);

/* Whether the wide check finds all of items first to end - 1 valid; first < end. */
bool abut_all_valid(const struct columns *items, size_t first, size_t end);

/* Copies all items to records in the workspace and reports whether all are valid. NULL: out of memory. */
float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace,
                          const struct parallel *parallel, bool *all_good);

/* Fills leaves first to end - 1, whose ids are set, from these records. */
void abut_leaves_refill(const struct leaves *leaves, const float *records, size_t first, size_t end);

#endif
