/* SPDX-License-Identifier: MIT */
/* The exact stage on few limbs, enough for ordinary coordinates. */
#include "exact/dyadic.h"

#define ARITHMETIC compact
#define FORMULAS abut_formulas_compact
#define MEASURES abut_measures_compact
#include "exact/arithmetic.h"
