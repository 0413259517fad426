/* SPDX-License-Identifier: MIT */
/* The float64 filter: every formula in float64 with a running error bound. */
#include "exact/bounded.h"

#define ARITHMETIC bounded
#define FORMULAS abut_formulas_filter64
#define MEASURES abut_measures_filter64
#include "exact/arithmetic.h"
