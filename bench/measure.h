/* SPDX-License-Identifier: MIT */
/* Wall clock, medians and fatal errors of abut_bench_join. */
#ifndef ABUT_BENCH_MEASURE_H
#define ABUT_BENCH_MEASURE_H

#include <stdbool.h>

double now(void); /* milliseconds */

/* The median of n values; sorts them. */
double median(double *values, unsigned n);

/* Ends the program with a message unless ok. */
void need(bool ok, const char *what);

#endif
