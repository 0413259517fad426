/* SPDX-License-Identifier: MIT */
/* The random number generator of the workloads, for C++. */
#ifndef ABUT_BENCH_GENERATOR_H
#define ABUT_BENCH_GENERATOR_H

#include "cli/random.h"

class Random
{
  public:
    explicit Random(uint64_t seed) : random_{seed}
    {
    }

    uint64_t next()
    {
        return random_next(&random_);
    }

    float uniform(float low, float high)
    {
        return random_between(&random_, low, high);
    }

    /* An integer from low to high, both included. */
    int whole(int low, int high)
    {
        return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1));
    }

  private:
    struct random random_;
};

#endif
