/* SPDX-License-Identifier: MIT */
/* The formulas of all predicates in the arithmetic of the including file, which defines ARITHMETIC, its prefix. */
#ifndef ABUT_EXACT_REALS_H
#define ABUT_EXACT_REALS_H

#include "exact/features.h"
#include "hull/hull.h"
#include "kernels/items.h"

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
typedef struct ARITHMETIC real;
#define real_of PASTE(ARITHMETIC, of)
#define real_add PASTE(ARITHMETIC, add)
#define real_sub PASTE(ARITHMETIC, sub)
#define real_mul PASTE(ARITHMETIC, mul)
#define real_max PASTE(ARITHMETIC, max)
#define real_sign PASTE(ARITHMETIC, sign)

#include "kernels/formulas.h"

#endif
