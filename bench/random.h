/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere: splitmix64, and floats made of its upper 24 bits. */
#ifndef ABUT_BENCH_RANDOM_H
#define ABUT_BENCH_RANDOM_H

#include <cstdint>

class Random
{
  public:
    explicit Random(uint64_t seed) : state_(seed)
    {
    }

    uint64_t next()
    {
        uint64_t x = state_ += UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        return x ^ (x >> 31);
    }

    float uniform(float low, float high)
    {
        float u = static_cast<float>(next() >> 40) * 0x1p-24f;
        return low + (high - low) * u;
    }

    /* A whole number from low to high. */
    int whole(int low, int high)
    {
        return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1));
    }

  private:
    uint64_t state_;
};

#endif
