/* SPDX-License-Identifier: MIT */
/*
 * The part that all ISA files share before their vocabulary: SIMDe's mode, INLINE, and the width of undecided compares.
 */
#ifndef ABUT_ISA_ISA_H
#define ABUT_ISA_ISA_H

/* Emulated builds run the logic of any ISA on any machine, for the tests only. */
#ifdef ABUT_EMULATED
#define SIMDE_NO_NATIVE
#endif

#include "dispatch/kernel_table.h"

#include <stdbool.h>
#include <stdint.h>

/* ABUT_SHARED_LOOPS: one loop calls all kernels, so that code is less than half as long. */
#ifdef ABUT_SHARED_LOOPS
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

/*
 * The two sides of a compare within this many floats of each other are undecided. The pages in kernels/ prove that 10
 * is enough; one more covers second-order terms.
 */
#define ULPS 11u

/* 2 ULPS as the bits of a float. */
#define APART v_set1(ULPS * 0x1p-148f)

#endif
