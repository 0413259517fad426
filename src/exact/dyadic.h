/* SPDX-License-Identifier: MIT */
/*
 * Exact numbers for the judge, integers times a power of two, which dyadic_of, _add, _sub, _mul and _sign compute with.
 *
 * Every finite float32 is such a number, and sums, differences and products of them stay such numbers, so a
 * polynomial in the inputs is evaluated without any rounding. A product of d float32 values, and any sum of a few
 * thousand of them, is a multiple of 2^(-149 d) and below 2^(128 d + 16), which LIMBS_OF_DEGREE holds: 71 limbs for
 * degree 8. A product is given as many limbs as its factors have together, before zeros are dropped: 72, whichever
 * factors make that degree. Fixed-width integers were chosen over floating-point expansions because those leave the
 * range of float64 at degree 8; zero limbs are dropped at both ends, so ordinary inputs take one to six limbs. For
 * those there is a kind with few limbs, since most of the time goes into copies of what holds a number.
 */
#ifndef ABUT_EXACT_DYADIC_H
#define ABUT_EXACT_DYADIC_H

#include "exact/sign.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From the limb of the least bit, rounded down, to that of the greatest. */
#define LIMBS_OF_DEGREE(d) ((149 * (d) + 31) / 32 + (128 * (d) + 16) / 32 + 1)
#define LIMBS_OF_PRODUCT(a, b) (LIMBS_OF_DEGREE(a) + LIMBS_OF_DEGREE(b))

/* Any polynomial that a judge asks for. */
#define DYADIC dyadic
#define DYADIC_LIMBS 72
_Static_assert(LIMBS_OF_DEGREE(8) < DYADIC_LIMBS && LIMBS_OF_PRODUCT(1, 7) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(2, 6) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(3, 5) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(4, 4) <= DYADIC_LIMBS,
               "no polynomial of degree 8 fails to fit");
#include "exact/dyadic_limbs.h"

/* 64 bytes; the sign of what does not fit is unknown. */
#define DYADIC compact
#define DYADIC_LIMBS 13
#include "exact/dyadic_limbs.h"

#endif
