/* SPDX-License-Identifier: MIT */
/* The loop of the numbers: up to four floats a pair, in the broadcasts of batch.h. Included by instantiate.h. */
#ifndef ABUT_NUMBER_BATCH_H
#define ABUT_NUMBER_BATCH_H

#include "batch.h"
#include "kernels/distances.h"

/* Computes pairs i to i + WIDTH - 1. */
typedef struct number numbers_function(const struct side *a, const struct side *b, size_t i);

/* An output that is not wanted is NULL. */
INLINE void numbers_store(struct number number, float *const *to, size_t i)
{
    const v values[ABUT_NUMBERS] = {number.d2, number.at.x, number.at.y, number.at.z};
    UNROLL for (unsigned k = 0; k < ABUT_NUMBERS; k++) if (to[k] != NULL)
        v_store(to[k] + i, canonical(number.valid, values[k]));
}

INLINE void numbers_run(numbers_function *numbers, unsigned fields_a, unsigned fields_b, const struct number_job *job,
                        bool a_is_one, bool b_is_one)
{
    struct side a, b;
    side_set(&a, job->a, fields_a, a_is_one);
    side_set(&b, job->b, fields_b, b_is_one);
    size_t full = job->n / WIDTH * WIDTH;
    for (size_t i = 0; i < full; i += WIDTH)
        numbers_store(numbers(&a, &b, i), job->out, i);
    if (full < job->n) {
        unsigned n = (unsigned)(job->n - full);
        float copy_a[ABUT_MAX_FIELDS][64], copy_b[ABUT_MAX_FIELDS][64], rest[ABUT_NUMBERS][WIDTH];
        const float *at_a[ABUT_MAX_FIELDS], *at_b[ABUT_MAX_FIELDS];
        float *const to[ABUT_NUMBERS] = {rest[0], rest[1], rest[2], rest[3]};
        pad(copy_a, at_a, &a, full, n, WIDTH);
        pad(copy_b, at_b, &b, full, n, WIDTH);
        side_set(&a, at_a, fields_a, a_is_one);
        side_set(&b, at_b, fields_b, b_is_one);
        numbers_store(numbers(&a, &b, 0), to, 0);
        for (unsigned k = 0; k < ABUT_NUMBERS; k++)
            for (unsigned j = 0; j < n && job->out[k] != NULL; j++)
                job->out[k][full + j] = rest[k][j];
    }
}

#endif
