/* SPDX-License-Identifier: MIT */
/* Benchmarks of squared distances and closest points. */
#ifndef ABUT_BENCH_DISTANCES_H
#define ABUT_BENCH_DISTANCES_H

#include <cstddef>
#include <vector>

/* No sizes: the usual ones. */
void register_distances(const std::vector<size_t> &sizes);

/* Whether any answer was wrong. */
bool distances_failed();

#endif
