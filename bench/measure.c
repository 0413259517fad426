/* SPDX-License-Identifier: MIT */
/* Wall clock, medians and fatal errors of abut_bench_join. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "abut_bench_join: %s\n", what);
        exit(1);
    }
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, by_number);
    return values[n / 2];
}
