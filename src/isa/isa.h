/* SPDX-License-Identifier: MIT */
/* What every ISA file shares before its vocabulary: SIMDe's mode, the name of the table, and the width of doubt. */
#ifndef ABUT_ISA_ISA_H
#define ABUT_ISA_ISA_H

/* The emulated twins run any ISA's logic on any machine, for the tests only. */
#ifdef ABUT_EMULATED
#define SIMDE_NO_NATIVE
#endif

#include "dispatch/kernel_table.h"

#include <stdbool.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

/*
 * Two sides of a comparison within this many floats of each other are undecided. The rooms in kernels/ prove that 10 is
 * enough; one more is for the second-order terms.
 */
#define ULPS 11u

/* 2 ULPS as the bits of a float. */
#define APART v_set1(ULPS * 0x1p-148f)

#endif
