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

#define LEFT_OUT(name) +1
enum {
    left_out = 0
#include "tables/predicates.def"
};

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
        return "too many items, or images of them in a periodic box: wrap their coordinates into one";
    case ABUT_ERROR_ARGUMENT:
        return "an argument has no such value";
    case ABUT_ERROR_PREDICATE:
        return left_out > 0 ? "this build has no such predicate of these shapes: ABUT_PREDICATES left some out"
                            : "these shapes have no such predicate";
    case ABUT_ERROR_ISA:
        return "this machine lacks that instruction set";
    case ABUT_ERROR_MEMORY:
        return "out of memory";
    case ABUT_ERROR_INVALID:
        return "invalid input";
    case ABUT_ERROR_STOPPED:
        return "stopped by the caller";
    }
    return "unknown status";
}

const char *abut_version(void)
{
    return ABUT_VERSION;
}
