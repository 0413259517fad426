/* SPDX-License-Identifier: MIT */
/* Joins of shapes of every kind. */
#ifndef ABUT_BENCH_SHAPES_H
#define ABUT_BENCH_SHAPES_H

/*
 * Milliseconds of a search with each instruction set, one thread, memory that is kept; the medians of some repetitions.
 */
void print_shapes(unsigned repetitions);

#endif
