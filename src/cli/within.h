/* SPDX-License-Identifier: MIT */
/* Pairs of rows within a distance (--within) or in a periodic box (--periodic), for join and self. */
#ifndef ABUT_CLI_WITHIN_H
#define ABUT_CLI_WITHIN_H

#include "broad.h"

/* Whether the options ask for such pairs. */
bool within_asked(const struct options *options);

/* On false the kinds have no such pairs, and that has been reported. */
bool within_applies(const struct options *options, enum abut_set_kind a, enum abut_set_kind b);

/*
 * In a periodic box coordinates are finite, and at most 2^20 periods from 0. If not, that is reported. The rows are
 * those of the first or second input from row first of the file on.
 */
bool within_is_in_range(const struct options *options, const struct rows *rows, unsigned input, size_t first);

/* Sorted pairs of rows; memory is kept for the next search. */
struct found_pairs {
    struct abut_pair *pairs;
    size_t n, capacity;
};

/*
 * All pairs of a row of a and a row of b, which are in range; for self, whose a and b are the same, those with a < b.
 */
enum abut_status within_find(struct broad *broad, const struct options *options, const struct rows *a,
                             const struct rows *b, bool self, struct found_pairs *found);

#endif
