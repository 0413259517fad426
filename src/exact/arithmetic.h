/* SPDX-License-Identifier: MIT */
/*
 * The formulas of all predicates in one arithmetic, for exact/sized.c, exact/filter64.c, exact/compact.c and
 * exact/full.c. Each of them defines ARITHMETIC, the prefix of its operations (sized, bounded, compact, dyadic), and
 * FORMULAS and MEASURES, the names of its tables.
 */
#ifndef ABUT_EXACT_ARITHMETIC_H
#define ABUT_EXACT_ARITHMETIC_H

#include "exact/formula_table.h"
#include "exact/reals.h"

#define FORMULA_columns(name, shape_a, shape_b)                                                                        \
    static enum answer name##_formula(const float *a, const float *b)                                                  \
    {                                                                                                                  \
        return name(shape_a##_of(a), shape_b##_of(b));                                                                 \
    }
#define FORMULA_hulls(name, shape_a, shape_b)                                                                          \
    static enum answer name##_formula(const struct hull *hull, const float *item, const struct findings *found)        \
    {                                                                                                                  \
        return name(shape_a##_of(item), hull, found);                                                                  \
    }
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(FORMULA, shape_b, name, shape_a, shape_b)
#include "tables/predicates.def"

static enum answer hull_at_formula(const struct hull *hull, const float *sphere, const struct active *active,
                                   uint32_t among, unsigned *beyond)
{
    return hull_at(sphere_of(sphere), hull, active, among, beyond);
}

static enum answer capsule_at_formula(const struct hull *hull, const float *capsule, const struct active *active,
                                      bool *all)
{
    return capsule_at(capsule_of(capsule), hull, active, all);
}

#define ENTRY_columns(name) .pairs[predicate_##name] = name##_formula,
#define ENTRY_hulls(name) .hulls[predicate_##name] = name##_formula,
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(ENTRY, shape_b, name)
const struct formula_table FORMULAS = {
#include "tables/predicates.def"
};

const struct measure_table MEASURES = {
    .hull_at = hull_at_formula,
    .capsule_at = capsule_at_formula,
    .within = convex_within,
};

#endif
