/* SPDX-License-Identifier: MIT */
/* The pairs that a box owns: those whose reference point it holds (Tiles in index.h). */
#ifndef ABUT_BVH_SEARCH_OWNED_H
#define ABUT_BVH_SEARCH_OWNED_H

#include "bvh/search/nearest_formulas.h"
#include "bvh/search/run.h"

/* Lower corners of the AABBs of queries and of items, by number. They are the same for both in a self join. */
struct owned {
    struct abut_own box;
    const float (*queries)[3], (*items)[3];
};

/* Whether no bound is NaN. */
bool abut_own_is_box(const struct abut_own *own);

/* Computes the corners, in the workspace. All leaves are filled. ABUT_OK or ABUT_ERROR_MEMORY. */
enum abut_status abut_owned_begin(const struct join *join, const struct leaves *queries, const struct leaves *items,
                                  struct owned *owned);

/* The rows without the pairs that are another's. Moves the ids within their array. Returns kept. */
const struct rows *abut_owned_rows(const struct owned *owned, const struct rows *rows, struct rows *kept);

/* Whether the box owns the pair of a query and an item. */
bool abut_owned_pair(const struct abut_own *own, struct measured query, struct measured item);

#endif
