/* SPDX-License-Identifier: MIT */
/* The scalar formulas of all predicates in each arithmetic: two of float64, and two sizes of exact integers. */
#ifndef ABUT_EXACT_FORMULA_TABLE_H
#define ABUT_EXACT_FORMULA_TABLE_H

#include "exact/features.h"
#include "exact/resolve.h"
#include "hull/hull.h"

typedef enum answer formula_function(const float *a, const float *b);
typedef enum answer hull_formula_function(const struct hull *hull, const float *item, const struct findings *found);

/* A predicate has one of the two formulas. */
struct formula_table {
    formula_function *pairs[predicate_count];
    hull_formula_function *hulls[predicate_count];
};

/* Formulas of no one predicate. A table of their own lets the linker drop what a program does not reach. */
struct measure_table {
    enum answer (*hull_at)(const struct hull *hull, const float *sphere, const struct active *active, uint32_t among,
                           unsigned *beyond);
    enum answer (*capsule_at)(const struct hull *hull, const float *capsule, const struct active *active, bool *all);
    enum answer (*within)(enum shape shape_a, const float *a, enum shape shape_b, const float *b, float distance,
                          struct features *left);
};

extern const struct formula_table abut_formulas_sized;    /* ANSWER_UNKNOWN where its size bound does not decide */
extern const struct formula_table abut_formulas_filter64; /* ANSWER_UNKNOWN where the error bound does not decide */
extern const struct formula_table abut_formulas_compact;  /* ANSWER_UNKNOWN where its few limbs do not suffice */
extern const struct formula_table abut_formulas_full;     /* always decides */

extern const struct measure_table abut_measures_sized, abut_measures_filter64, abut_measures_compact,
    abut_measures_full;

#endif
