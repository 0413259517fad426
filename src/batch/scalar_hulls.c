/* SPDX-License-Identifier: MIT */
/* The loops of scalar predicates of hulls: item by item, in float64 first. */
#include "batch/scalar.h"

#include "hull/hull.h"

#include <string.h>

static bool hull_hit(enum predicate predicate, struct hull *hull, const float *item, const struct hull_args *args)
{
    struct findings found = NOTHING_FOUND;
    if (hull->invalid)
        return false;
    const enum answer answer = abut_hull_filter64(predicate, hull, item, &found);
    if (answer == ANSWER_UNKNOWN)
        return abut_hull_resolve(predicate, hull, item, args->closed, args->stats);
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

static void hull_rows(enum predicate predicate, unsigned fields, const struct hull_args *args, uint64_t *restrict hits)
{
    args->stats->pairs += args->n * args->rows;
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

#define PREDICATE(name, shape_a, shape_b, relation, function)
#define LOOP_columns(name, shape_a)
#define LOOP_hulls(name, shape_a)                                                                                      \
    void abut_scalar_##name##_hulls(const struct hull_args *args, uint64_t *restrict hits)                             \
    {                                                                                                                  \
        hull_rows(predicate_##name, shape_a##_fields, args, hits);                                                     \
    }
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(LOOP, shape_b, name, shape_a)
#include "tables/predicates.def"
