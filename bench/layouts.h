/* SPDX-License-Identifier: MIT */
/* Whether another layout than columns would be faster: the same loop on three of them. */
#ifndef ABUT_BENCH_LAYOUTS_H
#define ABUT_BENCH_LAYOUTS_H

#include <cstddef>
#include <vector>

/* Empty: the usual sizes. */
void register_layouts(const std::vector<size_t> &sizes);

/* Whether any answer was wrong. */
bool layouts_failed();

#endif
