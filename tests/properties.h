/* SPDX-License-Identifier: MIT */
/* One scene on which properties are tested: what properties.c and relations.c share. */
#ifndef ABUT_TESTS_PROPERTIES_H
#define ABUT_TESTS_PROPERTIES_H

#include "batches.h"

enum { PAIRS = 300 };

/* One property on one set of pairs. Many items are with one hull, which is what its kernels take. */
struct scene {
    const struct subject *subject;
    enum kind kind;
    enum abut_touch touch;
    uint64_t seed;
    struct random *random;
    struct batch a, b;
    uint64_t *hits;
};

/* The item of pair i. */
void scene_item(const struct batch *batch, size_t i, float *item);

/* Fails unless it holds of pair i: prints the pair, and what became of it in a and b unless these are NULL. */
bool property(const struct scene *scene, const char *name, bool holds, const struct batch *a, const struct batch *b,
              size_t i);

/* Whether that is the relation of a predicate, as predicates.def has it. */
bool is(const char *question, const struct subject *subject);

bool same_words(const uint64_t *x, const uint64_t *y, size_t n);

/* What one predicate says follows from what another says of the same or of other shapes. */
void check_relations(const struct scene *scene);

#endif
