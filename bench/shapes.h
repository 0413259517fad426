/* SPDX-License-Identifier: MIT */
/* Joins of shapes of every kind. */
#ifndef ABUT_BENCH_SHAPES_H
#define ABUT_BENCH_SHAPES_H

#include <stdbool.h>

/* Milliseconds of a search with each instruction set, one thread, memory that is kept; the medians of some repetitions. */
void print_shapes(unsigned repetitions);

/* Of n numbers, which are sorted. */
double median(double *values, unsigned n);

double now(void); /* milliseconds */

/* Ends the program with a message unless ok. */
void need(bool ok, const char *what);

#endif
