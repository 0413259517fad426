/* SPDX-License-Identifier: MIT */
/* The workloads of joins: n spheres and n boxes. */
#ifndef ABUT_BENCH_LARGE_H
#define ABUT_BENCH_LARGE_H

#include <abut/abut.h>
#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * join_uniform: spread evenly. join_clustered: on shells, with sizes by a power law. Both scale with n so that a sphere
 * has about eight pairs.
 */
struct large_sets {
    const char *name;
    void (*fill)(size_t n, float *const sphere[4], float *const box[6]);
    uint64_t pairs, hash; /* for n = LARGE_USUAL */
};

enum { LARGE_SETS = 2, LARGE_USUAL = 1000000 };
extern const struct large_sets large_workloads[LARGE_SETS];

/* A hash of pairs that does not depend on their order. */
uint64_t large_hash(const struct abut_pair *pairs, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
