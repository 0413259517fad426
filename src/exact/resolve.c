/* SPDX-License-Identifier: MIT */
/* Resolves pairs that the float32 filter left undecided: the float64 filter first, then exact arithmetic. */
#include "exact/resolve.h"

#include "exact/formula_table.h"
#include "kernels/items.h"

/* Few limbs first, then as many as needed. */
enum answer abut_exact(enum predicate predicate, const float *a, const float *b)
{
    const enum answer answer = abut_formulas_compact.pairs[predicate](a, b);
    return answer != ANSWER_UNKNOWN ? answer : abut_formulas_full.pairs[predicate](a, b);
}

bool abut_resolve(enum predicate predicate, const float *a, const float *b, bool closed, struct abut_stats *stats)
{
    stats->undecided++;
    enum answer answer = abut_formulas_filter64.pairs[predicate](a, b);
    if (answer == ANSWER_UNKNOWN) {
        stats->exact++;
        answer = abut_exact(predicate, a, b);
    }
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}

bool abut_resolve_within(enum shape shape_a, const float *a, enum shape shape_b, const float *b, float distance,
                         bool closed, struct abut_stats *stats)
{
    static const struct measure_table *const stages[] = {&abut_measures_sized, &abut_measures_filter64,
                                                         &abut_measures_compact, &abut_measures_full};
    struct features left = {.apart = false};
    enum answer answer = stages[0]->within(shape_a, a, shape_b, b, distance, &left);
    stats->undecided += answer == ANSWER_UNKNOWN;
    for (unsigned i = 1; answer == ANSWER_UNKNOWN; i++) {
        stats->exact += i == 2;
        answer = stages[i]->within(shape_a, a, shape_b, b, distance, &left);
    }
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}

#define SHAPE(name, plural, fields) name##_item_invalid,
static bool (*const invalid[])(const float *item) = {
#include "tables/shapes.def"
};

bool abut_is_invalid(enum shape shape, const float *item)
{
    return invalid[shape](item);
}
