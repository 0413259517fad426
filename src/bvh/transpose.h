/* SPDX-License-Identifier: MIT */
/* Transposing 4 x 4 matrices of 32-bit words, between records and leaves, in the compiler's generic vectors. */
#ifndef ABUT_BVH_TRANSPOSE_H
#define ABUT_BVH_TRANSPOSE_H

#include <stdint.h>
#include <string.h>

typedef uint32_t four __attribute__((vector_size(4 * sizeof(uint32_t))));

/* Shuffles two vectors: lanes 0 to 3 are those of a, lanes 4 to 7 those of b. */
#if defined(__clang__) || __GNUC__ >= 12
#define FOUR_OF(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define FOUR_OF(a, b, i, j, k, l) __builtin_shuffle(a, b, (four){i, j, k, l})
#endif

static inline four four_load(const void *at)
{
    four x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void four_store(void *at, four x)
{
    memcpy(at, &x, sizeof x);
}

static inline void transpose(four x[4])
{
    const four a = FOUR_OF(x[0], x[1], 0, 4, 1, 5), b = FOUR_OF(x[2], x[3], 0, 4, 1, 5);
    const four c = FOUR_OF(x[0], x[1], 2, 6, 3, 7), d = FOUR_OF(x[2], x[3], 2, 6, 3, 7);
    x[0] = FOUR_OF(a, b, 0, 1, 4, 5);
    x[1] = FOUR_OF(a, b, 2, 3, 6, 7);
    x[2] = FOUR_OF(c, d, 0, 1, 4, 5);
    x[3] = FOUR_OF(c, d, 2, 3, 6, 7);
}

#endif
