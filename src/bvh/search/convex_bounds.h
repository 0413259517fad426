/* SPDX-License-Identifier: MIT */
/* AABBs, OBBs, segments, capsules and triangles some distance apart: bounds in float64, then exact. */
#ifndef ABUT_BVH_CONVEX_BOUNDS_H
#define ABUT_BVH_CONVEX_BOUNDS_H

#include "bvh/search/nearest_formulas.h"
#include "dispatch/kernel_table.h"

/* Whether two valid items of these shapes are at most a distance above 0 apart; under the open rule, less. */
bool abut_convex_is_within(struct measured a, struct measured b, float distance, bool closed, struct abut_stats *stats);

#endif
