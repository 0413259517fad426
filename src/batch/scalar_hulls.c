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

static void hull_rows(enum predicate predicate, unsigned fields, const struct hull_args *args, uint64_t *restrict hits)
{
    args->stats->pairs += args->n * args->rows;
    for (size_t row = 0; row < args->rows; row++) {
        uint64_t *to = hits + row * args->row_words;
        memset(to, 0, (args->n + 63) / 64 * sizeof *to);
        for (size_t i = 0; i < args->n; i++) {
            float item[ABUT_MAX_FIELDS];
            for (unsigned k = 0; k < fields; k++)
                item[k] = args->items[k][i];
            to[i / 64] |= (uint64_t)hull_hit(predicate, &args->hulls[row], item, args) << i % 64;
        }
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
