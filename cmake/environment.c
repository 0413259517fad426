/* SPDX-License-Identifier: MIT */
/* Compiles only where float arithmetic is IEEE arithmetic; configuring depends on it. */
#include <float.h>

#if !defined(__GNUC__)
#error "the flags are those of gcc and clang"
#endif
#if defined(__FAST_MATH__)
#error "-ffast-math (or -Ofast) is on"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "-ffinite-math-only is on"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "-funsafe-math-optimizations, or part of it, is on"
#endif
#if FLT_EVAL_METHOD != 0
#error "FLT_EVAL_METHOD is not 0: float expressions are computed in a wider type (32-bit x86: -msse2 -mfpmath=sse)"
#endif

int main(void)
{
    return 0;
}
