/* SPDX-License-Identifier: MIT */
/* Few queries: leaves in the order of the caller. Sorting them would take longer than searching for them. */
#ifndef ABUT_BVH_SEARCH_FEW_H
#define ABUT_BVH_SEARCH_FEW_H

#include "bvh/tree.h"

/* One packet: a sort could not make its queries closer to each other. */
enum { FEW = PACKET };

/* The leaves, and the one without items that follows them. */
enum { FEW_LANES = FEW + LEAF };
struct few {
    _Alignas(64) float at[FEW_LANES * ABUT_MAX_FIELDS];
};

/*
 * Makes leaves of the valid items of a set of at most FEW, which has been checked. Members are in few; ids, which
 * outlive the search, have FEW_LANES elements.
 */
void abut_leaves_of_few(struct abut_set set, struct few *few, uint32_t *ids, struct leaves *leaves);

#endif
