/* SPDX-License-Identifier: MIT */
/* Resolves an item and a hull by the formulas of exact/: float64 with error bounds, and exact arithmetic. */
#include "exact/formula_table.h"
#include "hull/hull.h"

/* The callers take a wrong guess as unknown. */
static enum answer without_guess(enum answer answer)
{
    return answer == ANSWER_ELSEWHERE ? ANSWER_UNKNOWN : answer;
}

enum answer abut_hull_bounded64(enum predicate predicate, const struct hull *hull, const float *item,
                                const struct findings *found)
{
    return without_guess(abut_formulas_filter64.hulls[predicate](hull, item, found));
}

enum answer abut_hull_exact_from(enum predicate predicate, const struct hull *hull, const float *item,
                                 const struct findings *found)
{
    const enum answer answer = abut_formulas_compact.hulls[predicate](hull, item, found);
    return without_guess(answer != ANSWER_UNKNOWN ? answer : abut_formulas_full.hulls[predicate](hull, item, found));
}

enum answer abut_hull_at(const struct hull *hull, const float *sphere, const struct active *active, uint32_t among,
                         unsigned *beyond)
{
    const enum answer answer = abut_measures_compact.hull_at(hull, sphere, active, among, beyond);
    return answer != ANSWER_UNKNOWN ? answer : abut_measures_full.hull_at(hull, sphere, active, among, beyond);
}
