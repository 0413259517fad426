/* SPDX-License-Identifier: MIT */
/* Kernels and searches against the judge, and numbers against the scalar kernels, on generated input. */
#ifndef ABUT_CLI_SELFTEST_H
#define ABUT_CLI_SELFTEST_H

#include "dispatch/kernel_table.h"
#include "util/splitmix.h"

/*
 * What is tested: the predicates of predicates.def in its order, those of hulls, the numbers, and the searches of
 * searches.def.
 */
enum {
    SELFTEST_PREDICATES = predicate_count + (int)hull_predicate_count,
    SELFTEST_DISTANCES = SELFTEST_PREDICATES + (int)distance_count,
    SELFTEST_ALL = SELFTEST_DISTANCES + (int)search_count,
    MOST_REPORTED = 10
};

/* What hits hold before kernels write them. */
#define SELFTEST_UNTOUCHED UINT64_C(0xA5A5A5A5A5A5A5A5)

struct selftest {
    const struct isa *const *isas; /* ended by NULL */
    size_t first, end;             /* what to test: all from 0 to SELFTEST_ALL */
    unsigned rounds;
    double seconds;                     /* no round begins after this many */
    bool quiet;                         /* no progress */
    uint64_t answers, distances, wrong; /* results */
};

/*
 * Every entry of every kernel and every search, both touch rules. The first wrong answers are told on standard error.
 */
void selftest_run(struct selftest *selftest);

/* What is tested by this number. */
const char *selftest_name(size_t number);

/* One round of one predicate of hulls. */
void selftest_hulls(struct selftest *selftest, struct random *random, enum hull_predicate predicate);
const char *selftest_hull_name(enum hull_predicate predicate);

/* One round of one kind of number. */
void selftest_distances(struct selftest *selftest, struct random *random, enum distance_kind kind);
const char *selftest_distance_name(enum distance_kind kind);

/* One round of one search. */
void selftest_searches(struct selftest *selftest, struct random *random, enum search_kind kind);
const char *selftest_search_name(enum search_kind kind);

#endif
