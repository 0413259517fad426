/* SPDX-License-Identifier: MIT */
/* Distances from points, compared on few limbs, enough for ordinary coordinates. */
#include "exact/dyadic.h"

#define DYADIC short_dyadic
#define DYADIC_LIMBS 20
#include "exact/dyadic_limbs.h"

#define ARITHMETIC short_dyadic
#define FORMULAS abut_nearest_compact
#include "bvh/search/nearest_arithmetic.h"
