/* SPDX-License-Identifier: MIT */
/* What the library says of itself and of its surroundings: status texts, version, floating-point environment. */
#include <abut/abut.h>

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error "abut needs float arithmetic in float (FLT_EVAL_METHOD 0): on 32-bit x86, -msse2 -mfpmath=sse"
#endif
#ifdef __FAST_MATH__
#error "abut cannot be exact under -ffast-math"
#endif

const char *abut_status_text(enum abut_status status)
{
    switch (status) {
    case ABUT_OK:
        return "no error";
    case ABUT_ERROR_NULL:
        return "a null pointer where data is needed";
    case ABUT_ERROR_LENGTHS:
        return "the batches have lengths that do not broadcast";
    case ABUT_ERROR_TOO_MANY:
        return "too many items";
    case ABUT_ERROR_ARGUMENT:
        return "an argument has no such value";
    case ABUT_ERROR_ISA:
        return "this machine lacks that instruction set";
    case ABUT_ERROR_MEMORY:
        return "out of memory";
    case ABUT_ERROR_INVALID:
        return "bad input";
    }
    return "unknown status";
}

const char *abut_version(void)
{
    return ABUT_VERSION;
}

/* volatile: the operations must happen here, in the mode of this thread. */
bool abut_environment_ok(void)
{
    volatile float one = 1, half_ulp = 0x1p-24f, least = 0x1p-149f, normal = FLT_MIN, half = 0.5f;
    volatile float up = one + half_ulp, down = -one - half_ulp, above = one + 3 * half_ulp;
    bool nearest = up == 1 && down == -1 && above == 1 + 0x1p-22f;
    volatile float sum = least + least, quotient = normal * half;
    bool denormals = sum == 0x1p-148f && quotient == 0x1p-127f && quotient > 0;
    return nearest && denormals;
}
