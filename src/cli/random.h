/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere (splitmix64), for demo, selftest, the tests and the benchmark. */
#ifndef ABUT_CLI_RANDOM_H
#define ABUT_CLI_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state; /* any seed */
};

/* Two calls need a sequence point between them, or compilers draw different numbers. */
static inline uint64_t random_next(struct random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline unsigned random_below(struct random *random, unsigned n)
{
    return (unsigned)((random_next(random) >> 32) * n >> 32);
}

/* A float of 24 random bits, from low to high. */
static inline float random_between(struct random *random, float low, float high)
{
    const float unit = (float)(random_next(random) >> 40) * 0x1p-24f;
    return low + (high - low) * unit;
}

#endif
