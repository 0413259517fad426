/* SPDX-License-Identifier: MIT */
/* The exact stage on as many limbs as any input needs. */
#include "exact/dyadic.h"

#define ARITHMETIC dyadic
#define FORMULAS abut_formulas_full
#define MEASURES abut_measures_full
#include "exact/arithmetic.h"
