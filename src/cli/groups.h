/* SPDX-License-Identifier: MIT */
/*
 * For --by: the rows of each label side by side, and the pairs that are found label by label back in the order of rows.
 */
#ifndef ABUT_CLI_GROUPS_H
#define ABUT_CLI_GROUPS_H

#include "kinds.h"
#include "pairs.h"

/* Those of label l are starts[l] to starts[l + 1] of the table now, in the order that they had. */
struct grouped {
    size_t *starts;
    uint32_t *order; /* the number that each had */
};

struct groups {
    size_t labels;
    struct grouped a, b; /* of a table with itself they are the same */
    uint64_t *offsets;   /* hits of each row of A as it is now, while they come how many, in the end where */
    uint32_t *hits;      /* rows of B as they were */
    size_t hits_n, capacity;
    bool failed; /* there was no memory for all hits */
};

/* Both tables are put in order of their labels; a table may be given twice. */
enum abut_status groups_open(struct groups *groups, struct table *a, struct table *b);

/* Pairs of a row of A as it is now and some of B, which are numbered from first: label by label, row by row. */
void groups_take(struct groups *groups, size_t row, size_t first, const uint32_t *items, size_t n);

/* What was taken, in the order of the rows as they were. */
void groups_write(struct groups *groups, const struct table *a, struct pair_output *output);

void groups_close(struct groups *groups);

#endif
