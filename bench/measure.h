/* SPDX-License-Identifier: MIT */
/* Times, their medians, and what ends a benchmark. */
#ifndef ABUT_BENCH_MEASURE_H
#define ABUT_BENCH_MEASURE_H

#include <stdbool.h>

double now(void); /* milliseconds */

/* Of n numbers, which are sorted. */
double median(double *values, unsigned n);

/* Ends the program with a message unless ok. */
void need(bool ok, const char *what);

#endif
