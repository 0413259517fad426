/* SPDX-License-Identifier: MIT */
/* Kernels against the judge, on generated input. */
#ifndef ABUT_CLI_SELFTEST_H
#define ABUT_CLI_SELFTEST_H

#include "variant.h"

struct selftest {
    const struct variant *const *variants; /* ended by NULL */
    size_t first, end;                     /* predicates to test: all of them from 0 to predicate_count */
    unsigned rounds;
    double seconds;          /* no round begins after this many */
    bool quiet;              /* no progress */
    uint64_t answers, wrong; /* results */
};

/* Every entry of every kernel, both touch rules. The first wrong answers are told on standard error. */
void selftest_run(struct selftest *selftest);

#endif
