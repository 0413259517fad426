/* SPDX-License-Identifier: MIT */
/* Distances by a table of types, in a search for points with spheres of the greatest distance of each type. */
#ifndef ABUT_BVH_SEARCH_CUTOFFS_H
#define ABUT_BVH_SEARCH_CUTOFFS_H

#include "bvh/search/run.h"

#include <abut/engine.h>

/* Keeps those of n hits of a packet that are within the distance of their types, in order. Returns how many. */
size_t abut_keep_within(const struct cutoffs *cutoffs, enum abut_touch touch, const struct rows *rows, size_t n,
                        uint8_t *row_of);

#endif
