/* SPDX-License-Identifier: MIT */
/* Seeded random numbers (splitmix64) for generated scenes and tests. */
#ifndef ABUT_CLI_SPLITMIX_H
#define ABUT_CLI_SPLITMIX_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline float random_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(random_bits(state) >> 40) * 0x1p-24f);
}

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((random_bits(state) >> 32) * n >> 32);
}

#endif
