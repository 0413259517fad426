/* SPDX-License-Identifier: MIT */
/* The sets on which joins are compared: as many boxes as spheres. */
#ifndef ABUT_BENCH_LARGE_H
#define ABUT_BENCH_LARGE_H

#include <abut/abut.h>
#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * join_uniform, evenly spread, and join_clustered, on shells, of sizes by a power law: in any number about eight pairs
 * a sphere.
 */
struct large_sets {
    const char *name;
    void (*fill)(size_t n, float *const sphere[4], float *const box[6]);
    uint64_t pairs, hash; /* of LARGE_USUAL spheres and boxes */
};

enum { LARGE_SETS = 2, LARGE_USUAL = 1000000 };
extern const struct large_sets large_workloads[LARGE_SETS];

/* The same for the same pairs in any order. */
uint64_t large_hash(const struct abut_pair *pairs, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
