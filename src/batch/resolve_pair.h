/* SPDX-License-Identifier: MIT */
/* Resolves one pair of columns that no filter in lanes has decided. */
#ifndef ABUT_BATCH_RESOLVE_PAIR_H
#define ABUT_BATCH_RESOLVE_PAIR_H

#include "dispatch/kernel_table.h"

/*
 * filtered: the float32 filter left the pair undecided, and it counts as such. A pair of a predicate without such a
 * filter counts if the first float64 filter leaves it undecided.
 */
bool abut_resolve_pair(enum predicate predicate, const float *a, const float *b, bool filtered, bool closed,
                       struct abut_stats *stats);

#endif
