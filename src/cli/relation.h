/* SPDX-License-Identifier: MIT */
/* The predicate of the library that answers a question about two kinds, and calling it on rows of them. */
#ifndef ABUT_CLI_RELATION_H
#define ABUT_CLI_RELATION_H

#include "cli.h"
#include "kinds.h"

struct relation {
    const struct abut_predicate *predicate;
    bool swapped; /* the predicate takes B first */
};

/* False if the kinds have no such predicate: the message that lists those that they have has been printed. */
bool relation_find(struct relation *relation, const struct kind *a, const struct kind *b, enum question question);

/* Row i of a against row i of b, or one against all, as the library broadcasts. stats may be NULL. */
enum abut_status relation_zip(const struct relation *relation, const struct rows *a, const struct rows *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

/* Every row of a against every row of b; a row of a takes abut_mask_words(b->n) words. */
enum abut_status relation_all(const struct relation *relation, const struct rows *a, const struct rows *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

#endif
