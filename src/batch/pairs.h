/* SPDX-License-Identifier: MIT */
/* Runs a predicate of columns on a batch, whatever its kernel has: loops of its own, block functions, or neither. */
#ifndef ABUT_BATCH_PAIRS_H
#define ABUT_BATCH_PAIRS_H

#include "dispatch/kernel_table.h"

/* Which items make the pairs, as in struct kernel. */
enum broadcast { BROADCAST_ZIP, BROADCAST_ONE_MANY, BROADCAST_MANY_ONE, BROADCAST_MANY_MANY };

void abut_run_batch(const struct isa *isa, enum predicate predicate, enum broadcast broadcast,
                    const struct kernel_args *args, uint64_t *restrict hits);

/*
 * The hits among the wanted ones of at most 64 pairs, item by item, of a predicate without loops of its own. args->n is
 * a multiple of 16. The pairs are not counted.
 */
uint64_t abut_run_wanted(const struct isa *isa, enum predicate predicate, const struct kernel_args *args,
                         uint64_t wanted);

#endif
