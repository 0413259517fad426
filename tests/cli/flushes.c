/* SPDX-License-Identifier: MIT */
/* Denormal numbers count as 0, and become it. */
#include <xmmintrin.h>

__attribute__((constructor)) static void flush(void)
{
    enum { DENORMALS_ARE_ZERO = 0x40, FLUSH_TO_ZERO = 0x8000 };
    _mm_setcsr(_mm_getcsr() | DENORMALS_ARE_ZERO | FLUSH_TO_ZERO);
}
