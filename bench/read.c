/* SPDX-License-Identifier: MIT */
/* Reads arrays side by side, as kernels do, and only sums them. */
#include "read.h"

#include <string.h>

/* Short runs keep all arrays active in the hardware prefetchers: longer ones read main memory more slowly. */
enum { LANES = 32, RUN = 64 };

/* 32 independent sums, so that no addition waits for another. */
static void add_run(uint32_t sums[restrict LANES], const float *restrict run)
{
    for (size_t i = 0; i < RUN; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            uint32_t bits;
            memcpy(&bits, &run[i + k], sizeof bits);
            sums[k] += bits;
        }
}

uint32_t read_columns(const float *const *columns, unsigned count, size_t n)
{
    uint32_t sums[LANES] = {0}, sum = 0;
    for (size_t i = 0; i + RUN <= n; i += RUN)
        for (unsigned c = 0; c < count; c++)
            add_run(sums, columns[c] + i);
    for (size_t k = 0; k < LANES; k++)
        sum += sums[k];
    return sum;
}
