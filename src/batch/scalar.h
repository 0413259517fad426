/* SPDX-License-Identifier: MIT */
/* The kernels of scalar predicates, one for all instruction sets. */
#ifndef ABUT_BATCH_SCALAR_H
#define ABUT_BATCH_SCALAR_H

#include "dispatch/kernel_table.h"

/* Like a wide recheck: the hits among the wanted pairs i to i + 63, item by item. */
#define PREDICATE(name, shape_a, shape_b, relation, function)
#define DECLARE_hulls(name) hull_function abut_scalar_##name##_hulls;
#define DECLARE_columns(name)                                                                                          \
    batch_function abut_scalar_##name##_zip, abut_scalar_##name##_one_many, abut_scalar_##name##_many_one,             \
        abut_scalar_##name##_block;                                                                                    \
    uint64_t abut_scalar_##name##_recheck(const struct kernel_args *args, size_t i, uint64_t wanted);
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(DECLARE, shape_b, name)
#include "tables/predicates.def"

#endif
