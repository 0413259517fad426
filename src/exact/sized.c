/* SPDX-License-Identifier: MIT */
/* The first scalar filter of pairs without a wide one: every formula in float64, with an error bound by size. */
#include "exact/sized.h"

#define ARITHMETIC sized
#define FORMULAS abut_formulas_sized
#define MEASURES abut_measures_sized
#include "exact/arithmetic.h"
