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
 * Space does not repeat in z where all shapes of one table go through all heights, or those of both have one: its
 * images would be what is there already. Sets that period to 0.
 */
void within_flatten(struct options *options, const struct table *a, const struct table *b);

/*
 * In a periodic box coordinates are finite, and at most 2^20 periods from 0. If not, that is reported. The rows are
 * those of the first or second input from row first of the file on.
 */
bool within_is_in_range(const struct options *options, const struct rows *rows, unsigned input, size_t first);

/* Rows of a file from the first on; order: the numbers of all, where they are not those in the file, or NULL. */
struct placed_rows {
    const struct rows *rows;
    size_t first;
    const uint32_t *order;
};

/*
 * Whether the status says that rows in a periodic box have too many images. That is reported, with the two rows that
 * are farthest apart.
 */
bool within_explains(const struct options *options, enum abut_status status, const struct placed_rows *a,
                     const struct placed_rows *b);

/* Sorted pairs of rows; memory is kept for the next search. */
struct found_pairs {
    struct abut_pair *pairs;
    size_t n, capacity;
    size_t at_once; /* how many rows of a are searched for together; 0: as many as there are */
};

/*
 * All pairs of a row of a and a row of b, which are in range. For self row 0 of a is row first of b, and a pair is
 * found once. Where the rows have too many pairs, only the first of them are searched for and left in a.
 */
enum abut_status within_find(struct broad *broad, const struct options *options, struct rows *a, size_t first,
                             const struct rows *b, bool self, struct found_pairs *found);

#endif
