/* SPDX-License-Identifier: MIT */
/* Kernels against the judge, on generated input. */
#ifndef ABUT_CLI_SELFTEST_H
#define ABUT_CLI_SELFTEST_H

#include "splitmix.h"
#include "variant.h"

/* All predicates: those of kernels.def in its order, then those of hulls. */
enum { SELFTEST_ALL = predicate_count + (int)hull_predicate_count, MOST_TOLD = 10 };

/* What hits hold before kernels write them. */
#define SELFTEST_UNTOUCHED UINT64_C(0xA5A5A5A5A5A5A5A5)

struct selftest {
    const struct variant *const *variants; /* ended by NULL */
    size_t first, end;                     /* predicates to test: all of them from 0 to SELFTEST_ALL */
    unsigned rounds;
    double seconds;          /* no round begins after this many */
    bool quiet;              /* no progress */
    uint64_t answers, wrong; /* results */
};

/* Every entry of every kernel, both touch rules. The first wrong answers are told on standard error. */
void selftest_run(struct selftest *selftest);

/* What kernels.def calls a predicate. */
const char *selftest_name(size_t predicate);

/* One round of one predicate of hulls. */
void selftest_hulls(struct selftest *selftest, struct random *random, enum hull_predicate predicate);

#endif
