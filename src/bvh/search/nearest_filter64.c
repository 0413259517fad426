/* SPDX-License-Identifier: MIT */
/* Distances from points, compared in float64 with error bounds. */
#include "exact/bounded.h"

#define ARITHMETIC bounded
#define FORMULAS abut_nearest_filter64
#include "bvh/search/nearest_arithmetic.h"
