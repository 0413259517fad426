/* SPDX-License-Identifier: MIT */
/* The kernels of scalar predicates of hulls, one for all instruction sets. */
#ifndef ABUT_BATCH_SCALAR_H
#define ABUT_BATCH_SCALAR_H

#include "dispatch/kernel_table.h"

#define PREDICATE(name, shape_a, shape_b, relation, function)
#define DECLARE_hulls(name) hull_function abut_scalar_##name##_hulls;
#define DECLARE_columns(name)
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(DECLARE, shape_b, name)
#include "tables/predicates.def"

#endif
