/* SPDX-License-Identifier: MIT */
/* The baselines: one readable float32 loop a predicate, without any checks, built twice from plain.c. */
#ifndef ABUT_BENCH_PLAIN_H
#define ABUT_BENCH_PLAIN_H

#include "dispatch/kernel_table.h"

/* Columns in the order of shapes.def. A step is 1, or 0 to pair one item with all of the other batch. */
typedef void plain_loop(const float *const *a, const float *const *b, size_t n, size_t a_step, size_t b_step,
                        uint64_t *hits);

/* Tests items against one hull of count planes with unit normals. */
typedef void plain_hull_loop(const float *const *items, size_t n, const float (*planes)[4], unsigned count,
                             uint64_t *hits);

/* plain_* is built with -O2 and not vectorised; compiler_* with -O3 -march=native: the compiler may vectorise it. */
#define LOOPS_columns(name) plain_loop plain_##name, compiler_##name;
#define LOOPS_hulls(name) plain_hull_loop plain_##name, compiler_##name;
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(LOOPS, shape_b, name)
#include "tables/predicates.def"

/* A predicate has a loop of one of the two types. */
extern plain_loop *const plain_loops[predicate_count], *const compiler_loops[predicate_count];
extern plain_hull_loop *const plain_hull_loops[predicate_count], *const compiler_hull_loops[predicate_count];

/* Squared distances and closest points (out: d2 x y z) of n pairs: one point (a_step 0) with all, or item by item. */
typedef void plain_distance_loop(const float *const *a, const float *const *b, size_t n, size_t a_step,
                                 float *const *out);

#define DISTANCE(name, shape_a, shape_b, function) plain_distance_loop plain_##name, compiler_##name;
#include "tables/predicates.def"

extern plain_distance_loop *const plain_distance_loops[distance_count], *const compiler_distance_loops[distance_count];

#endif
