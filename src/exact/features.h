/* SPDX-License-Identifier: MIT */
/* What the stages of one question hand on: which features of a convex body may still be near (convex_distance.h). */
#ifndef ABUT_EXACT_FEATURES_H
#define ABUT_EXACT_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

/* Features have numbers: six generators with three choices make the most. */
enum { MOST_FEATURES = 729 };

/* All zeros: nothing is known. */
struct features {
    uint64_t out[(MOST_FEATURES + 63) / 64]; /* those that are certainly not near */
    bool apart;                              /* the body certainly does not hold 0 */
};

static inline bool features_out(const struct features *left, unsigned i)
{
    return left->out[i / 64] >> i % 64 & 1;
}

static inline void features_leave_out(struct features *left, unsigned i)
{
    left->out[i / 64] |= UINT64_C(1) << i % 64;
}

#endif
