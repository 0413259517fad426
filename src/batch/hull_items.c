/* SPDX-License-Identifier: MIT */
/*
 * The loops around block functions of hulls, once for all predicates and instruction sets; and around predicates that
 * have none, item by item, in float64 first.
 */
#include "batch/hull_items.h"

#include "hull/hull.h"

#include <string.h>

static bool hull_hit(enum predicate predicate, struct hull *hull, const float *item, const struct hull_args *args)
{
    struct findings found = NOTHING_FOUND;
    if (hull->invalid)
        return false;
    const enum answer answer = abut_hull_filter64(predicate, hull, item, &found);
    if (answer == ANSWER_UNKNOWN)
        return abut_hull_resolve_from(predicate, hull, item, &found, args->closed, args->stats);
    return answer == ANSWER_HIT || (args->closed && answer == ANSWER_TOUCH);
}

/* Item i: a copy of its members, or a hull made ready. */
static const float *take_item(const struct hull_args *args, unsigned fields, size_t i, float *copy, struct hull *ready)
{
    if (args->offsets != NULL) {
        const float *const *at = args->items;
        abut_hull_prepare(ready, &(struct abut_hulls){args->n, args->offsets, at[0], at[1], at[2], at[3]}, i, false);
        return hull_item(ready);
    }
    for (unsigned k = 0; k < fields; k++)
        copy[k] = args->items[k][i];
    return copy;
}

static void run_items(enum predicate predicate, unsigned fields, const struct hull_args *args, uint64_t *restrict hits)
{
    for (size_t row = 0; row < args->rows; row++)
        memset(hits + row * args->row_words, 0, (args->n + 63) / 64 * sizeof *hits);
    for (size_t i = 0; i < args->n; i++) {
        float copy[ABUT_MAX_FIELDS];
        struct hull ready;
        const float *item = take_item(args, fields, i, copy, &ready);
        for (size_t row = 0; row < args->rows; row++)
            hits[row * args->row_words + i / 64] |= (uint64_t)hull_hit(predicate, &args->hulls[row], item, args)
                                                    << i % 64;
    }
}

/* A chunk of items: one hull after the other reads it from the cache. */
enum { CHUNK_WORDS = 16 };

/* n items of at, padded to whole vectors, against one hull. */
static void run_chunk(const struct isa *isa, enum predicate predicate, const struct hull_args *args, struct hull *hull,
                      const float *const *at, size_t n, size_t padded, uint64_t *restrict hits)
{
    uint64_t undecided[CHUNK_WORDS];
    const struct hull_block_args block = {hull, at, padded};
    isa->kernels[predicate].hull_filter(&block, hits, undecided);
    if (n % 64 != 0) {
        hits[n / 64] &= UINT64_MAX >> (64 - n % 64);
        undecided[n / 64] &= UINT64_MAX >> (64 - n % 64);
    }
    for (size_t w = 0; w < (n + 63) / 64; w++)
        for (uint64_t left = undecided[w]; left != 0; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(left);
            float item[ABUT_MAX_FIELDS];
            for (unsigned k = 0; k < abut_shape_fields[abut_predicate_shapes[predicate][0]]; k++)
                item[k] = at[k][w * 64 + lane];
            hits[w] |= (uint64_t)abut_hull_resolve(predicate, hull, item, args->closed, args->stats) << lane;
        }
}

static void run_blocks(const struct isa *isa, enum predicate predicate, unsigned fields, const struct hull_args *args,
                       uint64_t *restrict hits)
{
    const size_t full = args->n / 64 * 64;
    for (size_t i = 0; i < args->n;) {
        const float *at[ABUT_MAX_FIELDS];
        float copy[ABUT_MAX_FIELDS][64];
        size_t n = full - i < CHUNK_WORDS * 64 ? full - i : CHUNK_WORDS * 64, padded = n;
        if (n == 0) { /* the last, partial word is copied, as vectors read beyond its end */
            n = args->n - i;
            padded = (n + isa->width - 1) / isa->width * isa->width;
        }
        for (unsigned k = 0; k < fields; k++) {
            at[k] = args->items[k] + i;
            if (n == padded && n % 64 == 0)
                continue;
            memcpy(copy[k], at[k], n * sizeof(float));
            for (size_t j = n; j < padded; j++)
                copy[k][j] = copy[k][n - 1];
            at[k] = copy[k];
        }
        for (size_t row = 0; row < args->rows; row++) {
            uint64_t *to = hits + row * args->row_words + i / 64;
            if (args->hulls[row].invalid)
                memset(to, 0, (n + 63) / 64 * sizeof *to);
            else
                run_chunk(isa, predicate, args, &args->hulls[row], at, n, padded, to);
        }
        i += n;
    }
}

void abut_run_hulls(const struct isa *isa, enum predicate predicate, const struct hull_args *args,
                    uint64_t *restrict hits)
{
    const struct kernel *kernel = &isa->kernels[predicate];
    const unsigned fields = abut_shape_fields[abut_predicate_shapes[predicate][0]];
    if (kernel->hulls != NULL) {
        kernel->hulls(args, hits);
        return;
    }
    args->stats->pairs += args->n * args->rows;
    if (kernel->hull_filter != NULL)
        run_blocks(isa, predicate, fields, args, hits);
    else
        run_items(predicate, fields, args, hits);
}
