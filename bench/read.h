/* SPDX-License-Identifier: MIT */
/* The yardstick for bytes: reading arrays and doing next to nothing with them. */
#ifndef ABUT_BENCH_READ_H
#define ABUT_BENCH_READ_H

#include <stddef.h>
#include <stdint.h>

/* The sum of all bits, in an order that the compiler can vectorise. Built with -O3 for this machine. */
uint32_t read_columns(const float *const *columns, unsigned count, size_t n);

#endif
