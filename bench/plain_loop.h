/* SPDX-License-Identifier: MIT */
/* How a plain loop reads items and writes hits; needs the structs of the shapes. */
#ifndef ABUT_BENCH_PLAIN_LOOP_H
#define ABUT_BENCH_PLAIN_LOOP_H

/* bench/CMakeLists.txt compiles this file a second time, with -O3 -march=native and the prefix compiler. */
#ifndef PLAIN_PREFIX
#define PLAIN_PREFIX plain
#endif
#define JOIN_(prefix, name) prefix##_##name
#define JOIN(prefix, name) JOIN_(prefix, name)
#define PREFIXED(name) JOIN(PLAIN_PREFIX, name)

#define F(member) item.member = (*columns++)[i];
#define SHAPE(name, plural, fields)                                                                                    \
    static inline struct name load_##name(const float *const *columns, size_t i)                                       \
    {                                                                                                                  \
        struct name item;                                                                                              \
        fields return item;                                                                                            \
    }
#include "tables/shapes.def"

/* One word of hits for each 64 pairs (i_a, i_b), which are expressions of i. */
#define PAIRS(name, shape_a, i_a, shape_b, i_b)                                                                        \
    for (size_t first = 0; first < n; first += 64) {                                                                   \
        size_t end = n - first < 64 ? n : first + 64;                                                                  \
        uint64_t word = 0;                                                                                             \
        for (size_t i = first; i < end; ++i) {                                                                         \
            word |= (uint64_t)name(load_##shape_a(a, i_a), load_##shape_b(b, i_b)) << (i - first);                     \
        }                                                                                                              \
        hits[first / 64] = word;                                                                                       \
    }

/* Three loops, so that the compiler knows the constant item in each. */
#define PLAIN_LOOP(name, hit, shape_a, shape_b)                                                                        \
    void PREFIXED(name)(const float *const *a, const float *const *b, size_t n, size_t a_step, size_t b_step,          \
                        uint64_t *hits)                                                                                \
    {                                                                                                                  \
        if (a_step == 0) {                                                                                             \
            PAIRS(hit, shape_a, 0, shape_b, i)                                                                         \
        } else if (b_step == 0) {                                                                                      \
            PAIRS(hit, shape_a, i, shape_b, 0)                                                                         \
        } else {                                                                                                       \
            PAIRS(hit, shape_a, i, shape_b, i)                                                                         \
        }                                                                                                              \
    }

#endif
