/* SPDX-License-Identifier: MIT */
/* The definition of each hull predicate in rational arithmetic, straight from the formulas of abut.h. */
#ifndef ABUT_TESTS_HULL_ORACLE_H
#define ABUT_TESTS_HULL_ORACLE_H

#include "dispatch/kernel_table.h"

/* One hull of count planes nx ny nz d, outward. -1: a miss; 0: touching exactly, a hit if closed; 1: a hit. */
typedef int hull_oracle_function(const float *item, const float (*planes)[4], unsigned count);

#define HULL_PREDICATE(name, shape, relation, function) hull_oracle_function oracle_##name;
#include "tables/predicates.def"

extern hull_oracle_function *const hull_oracles[hull_predicate_count];

#endif
