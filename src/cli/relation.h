/* SPDX-License-Identifier: MIT */
/* Which predicate answers a question about two kinds, and calling it on tables of them. */
#ifndef ABUT_CLI_RELATION_H
#define ABUT_CLI_RELATION_H

#include "cli.h"
#include "kinds.h"

struct relation {
    size_t row;   /* of all predicates, those of hulls after the others */
    bool swapped; /* the predicate takes B first */
};

/* False if the kinds have no such predicate: the line that says which they have has been printed. */
bool relation_find(struct relation *relation, const struct kind *a, const struct kind *b, enum question question);

/* Row i of a against row i of b, or one against all, as the public functions broadcast. stats may be NULL. */
enum abut_status relation_zip(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

/* Every row of a against every row of b; a row of a takes abut_mask_words(b->n) words. */
enum abut_status relation_all(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

/* As predicates.def has them. */
extern const char *const predicate_names[predicate_count];
extern const enum shape predicate_shapes[predicate_count][2];

#endif
