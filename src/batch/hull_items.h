/* SPDX-License-Identifier: MIT */
/* Runs a predicate of hulls on items, whatever its kernel has: a loop of its own, a block function, or neither. */
#ifndef ABUT_BATCH_HULL_ITEMS_H
#define ABUT_BATCH_HULL_ITEMS_H

#include "dispatch/kernel_table.h"

void abut_run_hulls(const struct isa *isa, enum predicate predicate, const struct hull_args *args,
                    uint64_t *restrict hits);

#endif
