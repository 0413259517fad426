/* SPDX-License-Identifier: MIT */
/* The definition of each predicate in rational arithmetic, straight from the formulas of abut.h, slow and simple. */
#ifndef ABUT_TESTS_ORACLE_H
#define ABUT_TESTS_ORACLE_H

#include "dispatch/kernel_table.h"

/* Members have the order of shapes.def. -1: a miss; 0: touching exactly, a hit if closed; 1: a hit. */
typedef int oracle_function(const float *a, const float *b);

#define PREDICATE(name, shape_a, shape_b, relation, function) oracle_function oracle_##name;
#include "tables/predicates.def"

extern oracle_function *const oracles[predicate_count];

#endif
