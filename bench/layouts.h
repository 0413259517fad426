/* SPDX-License-Identifier: MIT */
/* Benchmarks of data layouts: the same loop over three of them. */
#ifndef ABUT_BENCH_LAYOUTS_H
#define ABUT_BENCH_LAYOUTS_H

#include <cstddef>
#include <vector>

/* No sizes: the usual ones. */
void register_layouts(const std::vector<size_t> &sizes);

/* Whether any answer was wrong. */
bool layouts_failed();

#endif
