/* SPDX-License-Identifier: MIT */
/* The kernels of scalar predicates, one for all instruction sets. */
#ifndef ABUT_BATCH_SCALAR_H
#define ABUT_BATCH_SCALAR_H

#include "dispatch/kernel_table.h"

/* Like a wide recheck: the hits among the wanted pairs i to i + 63, item by item. */
#define PREDICATE(name, shape_a, shape_b, relation, function)
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function)                                                   \
    batch_function abut_scalar_##name##_zip, abut_scalar_##name##_one_many, abut_scalar_##name##_many_one,             \
        abut_scalar_##name##_block;                                                                                    \
    uint64_t abut_scalar_##name##_recheck(const struct kernel_args *args, size_t i, uint64_t wanted);
#include "tables/predicates.def"

#endif
