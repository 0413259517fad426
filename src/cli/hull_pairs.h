/* SPDX-License-Identifier: MIT */
/* All pairs of two sets of hulls: those whose AABBs touch, one by one. */
#ifndef ABUT_CLI_HULL_PAIRS_H
#define ABUT_CLI_HULL_PAIRS_H

#include "kinds.h"

/* Makes a table of the AABBs of rows of hulls. table_free must follow, whatever the status. */
enum abut_status boxes_of_hulls(struct table *boxes, const struct rows *hulls);

/* The AABBs of rows of hulls: of A, and of B. */
struct hull_boxes {
    struct table a, b;
};

/* hull_boxes_free must follow, whatever the status. */
enum abut_status hull_boxes_new(struct hull_boxes *boxes, const struct rows *a, const struct rows *b);
void hull_boxes_free(struct hull_boxes *boxes);

/* Some rows of A and of B, from first_a and first_b on; hits as those of relation_all. */
enum abut_status hull_pairs_all(const struct hull_boxes *boxes, const struct rows *a, size_t first_a,
                                const struct rows *b, size_t first_b, enum abut_touch touch, struct abut_stats *stats,
                                uint64_t *hits);

#endif
