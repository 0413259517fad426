/* SPDX-License-Identifier: MIT */
/* The library's private C headers for C++, and the kernel tables of the `unchecked` and `inexact` builds. */
#ifndef ABUT_BENCH_INTERNALS_H
#define ABUT_BENCH_INTERNALS_H

/* C++ lacks the keyword. */
#define restrict __restrict
extern "C" {
#include "batch/hull_items.h"
#include "batch/pairs.h"
#include "dispatch/dispatch.h"
#include "exact/resolve.h"
#include "hull/hull.h"
#include "plain.h"
#include "read.h"

#define NATIVE(name) extern const struct isa abut_kernels_##name##_unchecked, abut_kernels_##name##_inexact;
#include "tables/isas.def"
}
#undef restrict

/* NAME_batch(columns, n): the public batch of a shape. */
#define F(member) batch.member = *at++;
#define SHAPE(name, plural, fields)                                                                                    \
    inline abut_##plural name##_batch(const float *const *at, size_t n)                                                \
    {                                                                                                                  \
        abut_##plural batch;                                                                                           \
        batch.n = n;                                                                                                   \
        fields return batch;                                                                                           \
    }
#include "tables/shapes.def"

#endif
