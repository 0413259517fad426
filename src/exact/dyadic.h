/* SPDX-License-Identifier: MIT */
/*
 * The exact reals: integers times a power of two, with dyadic_of, _add, _sub, _mul, _max and _sign.
 *
 * Every finite float32 is an integer times a power of two, and so are sums, differences and products: a polynomial in
 * the inputs is evaluated without any rounding. A product of d float32 values, and any sum of a few thousand of them,
 * is a multiple of 2^(-149 d) and below 2^(128 d + 16), for which LIMBS_OF_DEGREE suffices: 88 limbs for degree 10.
 * A product gets as many limbs as its factors have together before zeros are dropped: 90 for a total degree of 10.
 *
 * Fixed-width integers were chosen over floating-point expansions because those leave the range of float64 at degree 8.
 * Zero limbs are dropped at both ends, so ordinary inputs take one to six limbs. Most of the time goes into copies, so
 * there is a second type with few limbs for them.
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

/* Holds every polynomial of the formulas. */
#define DYADIC dyadic
#define DYADIC_LIMBS 90
_Static_assert(LIMBS_OF_DEGREE(10) < DYADIC_LIMBS && LIMBS_OF_PRODUCT(1, 9) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(2, 8) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(3, 7) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(4, 6) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(5, 5) <= DYADIC_LIMBS,
               "no polynomial of degree 10 fails to fit");
#include "exact/dyadic_limbs.h"

/* 64 bytes; a value that does not fit has an unknown sign. */
#define DYADIC compact
#define DYADIC_LIMBS 13
#include "exact/dyadic_limbs.h"

#endif
