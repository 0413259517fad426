/* SPDX-License-Identifier: MIT */
/* frustum_culling: the view frusta of cameras against spheres and boxes; and level brushes, where the data are. */
#ifndef ABUT_BENCH_HULLS_H
#define ABUT_BENCH_HULLS_H

#include <cstddef>
#include <vector>

/* Empty: the usual sizes. */
void register_hulls(const std::vector<size_t> &sizes);

/* Whether any answer was wrong. */
bool hulls_failed();

#endif
