/* SPDX-License-Identifier: MIT */
/* The loops that speed is told against: one readable, unchecked float32 loop a predicate, built twice from plain.c. */
#ifndef ABUT_BENCH_PLAIN_H
#define ABUT_BENCH_PLAIN_H

#include "dispatch/kernel_table.h"

/* Columns in the order of shapes.def; a step of 0 pairs one item with all of the other batch, else it is 1. */
typedef void plain_loop(const float *const *a, const float *const *b, size_t n, size_t a_step, size_t b_step,
                        uint64_t *hits);

/* plain_* is scalar code from -O2; compiler_* the same source vectorised as the compiler sees fit. */
#define PREDICATE(name, shape_a, shape_b, relation, function) plain_loop plain_##name, compiler_##name;
#include "tables/predicates.def"

extern plain_loop *const plain_loops[predicate_count], *const compiler_loops[predicate_count];

/* Items against one hull of count planes with unit normals. */
typedef void plain_hull_loop(const float *const *items, size_t n, const float (*planes)[4], unsigned count,
                             uint64_t *hits);

#define HULL_PREDICATE(name, shape, relation, function) plain_hull_loop plain_##name, compiler_##name;
#include "tables/predicates.def"

extern plain_hull_loop *const plain_hull_loops[hull_predicate_count], *const compiler_hull_loops[hull_predicate_count];

/* Squared distances and closest points of n pairs, d2 x y z, from one point to all shapes or item by item. */
typedef void plain_distance_loop(const float *const *a, const float *const *b, size_t n, size_t a_step,
                                 float *const *out);

#define DISTANCE(name, shape_a, shape_b, function) plain_distance_loop plain_##name, compiler_##name;
#include "tables/predicates.def"

extern plain_distance_loop *const plain_distance_loops[distance_count], *const compiler_distance_loops[distance_count];

#endif
