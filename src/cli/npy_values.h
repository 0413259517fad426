/* SPDX-License-Identifier: MIT */
/* Values of NPY files: float32 or float64 in either byte order, as the nearest float32. */
#ifndef ABUT_CLI_NPY_VALUES_H
#define ABUT_CLI_NPY_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t swapped_32(uint32_t x)
{
    x = (x & 0x00FF00FF) << 8 | (x >> 8 & 0x00FF00FF);
    return x << 16 | x >> 16;
}

static inline float narrow_at(const unsigned char *at, bool swapped)
{
    uint32_t word;
    float value;
    memcpy(&word, at, sizeof word);
    word = swapped ? swapped_32(word) : word;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline double wide_at(const unsigned char *at, bool swapped)
{
    uint32_t words[2];
    double value;
    memcpy(words, at, sizeof words);
    if (swapped) {
        const uint32_t low = swapped_32(words[1]);
        words[1] = swapped_32(words[0]);
        words[0] = low;
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* Whether the nearest float32 is infinite and the value is not. */
static inline bool is_too_large(double value)
{
    return isinf((float)value) && !isinf(value);
}

/* The nearest float32, or NaN. */
static inline float value_at(const unsigned char *at, bool wide, bool swapped, bool *too_large)
{
    if (!wide)
        return narrow_at(at, swapped);
    const double value = wide_at(at, swapped);
    const bool invalid = is_too_large(value);
    *too_large |= invalid;
    return invalid ? NAN : (float)value;
}

/* Values at equal distances, of one type and byte order; whether one was too large. */
#define RUN(name, wide, swapped)                                                                                       \
    static bool name(const unsigned char *at, size_t stride, size_t count, float *to)                                  \
    {                                                                                                                  \
        bool too_large = false;                                                                                        \
        for (size_t i = 0; i < count; i++)                                                                             \
            to[i] = value_at(at + i * stride, wide, swapped, &too_large);                                              \
        return too_large;                                                                                              \
    }
RUN(run_narrow, false, false)
RUN(run_narrow_swapped, false, true)
RUN(run_wide, true, false)
RUN(run_wide_swapped, true, true)

static bool (*const npy_runs[2][2])(const unsigned char *at, size_t stride, size_t count,
                                    float *to) = {{run_narrow, run_narrow_swapped}, {run_wide, run_wide_swapped}};

#endif
