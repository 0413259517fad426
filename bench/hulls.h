/* SPDX-License-Identifier: MIT */
/* Benchmarks of hulls: frustum_culling (view frusta against spheres and boxes) and, if the data are there, brushes. */
#ifndef ABUT_BENCH_HULLS_H
#define ABUT_BENCH_HULLS_H

#include <cstddef>
#include <vector>

/* No sizes: the usual ones. */
void register_hulls(const std::vector<size_t> &sizes);

/* Whether any answer was wrong. */
bool hulls_failed();

#endif
