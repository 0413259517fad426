/* SPDX-License-Identifier: MIT */
/* The loop of distances: up to four floats a pair, in the broadcasts of batch/elementwise.h. */
#ifndef ABUT_BATCH_DISTANCE_H
#define ABUT_BATCH_DISTANCE_H

#include "batch/elementwise.h"
#include "kernels/distance.h"

/* Computes pairs i to i + WIDTH - 1. */
typedef struct distance distances_function(const struct operand *a, const struct operand *b, size_t i);

/* An output that is not wanted is NULL. */
INLINE void distances_store(struct distance distance, float *const *to, size_t i)
{
    const v values[DISTANCE_OUTPUTS] = {distance.d2, distance.at.x, distance.at.y, distance.at.z};
    UNROLL for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++) if (to[k] != NULL)
        v_store(to[k] + i, canonical(distance.valid, values[k]));
}

/* Whole vectors: the number of pairs is a multiple of WIDTH. */
INLINE void distances_whole(distances_function *distances, unsigned fields_a, unsigned fields_b, bool a_is_one,
                            bool b_is_one, const struct distance_args *args)
{
    struct operand a, b;
    operand_set(&a, args->a, fields_a, a_is_one);
    operand_set(&b, args->b, fields_b, b_is_one);
    for (size_t i = 0; i < args->n; i += WIDTH)
        distances_store(distances(&a, &b, i), args->out, i);
}

/* Whole vectors in place, and the rest as one more vector, from padded copies. */
static void distances_run(const struct distance_args *args, struct operand_at a, struct operand_at b,
                          void (*whole)(const struct distance_args *args))
{
    const size_t full = args->n / WIDTH * WIDTH;
    const unsigned n = (unsigned)(args->n - full);
    struct distance_args part = *args;
    part.n = full;
    whole(&part);
    if (n == 0)
        return;
    float copy_a[ABUT_MAX_FIELDS][64], copy_b[ABUT_MAX_FIELDS][64], rest[DISTANCE_OUTPUTS][WIDTH];
    const float *at_a[ABUT_MAX_FIELDS], *at_b[ABUT_MAX_FIELDS];
    pad(copy_a, at_a, a, full, n, WIDTH);
    pad(copy_b, at_b, b, full, n, WIDTH);
    part = (struct distance_args){at_a, at_b, WIDTH, {rest[0], rest[1], rest[2], rest[3]}};
    whole(&part);
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
        for (unsigned j = 0; j < n && args->out[k] != NULL; j++)
            args->out[k][full + j] = rest[k][j];
}

#endif
