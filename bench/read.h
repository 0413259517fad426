/* SPDX-License-Identifier: MIT */
/* The loop that measures read bandwidth. */
#ifndef ABUT_BENCH_READ_H
#define ABUT_BENCH_READ_H

#include <stddef.h>
#include <stdint.h>

/* Sums the bits of all floats, in an order that the compiler can vectorise. Built with -O3 -march=native. */
uint32_t read_columns(const float *const *columns, unsigned count, size_t n);

#endif
