/* SPDX-License-Identifier: MIT */
/* For --by: the rows of each label side by side, and the pairs of all labels back in the order of rows. */
#ifndef ABUT_CLI_GROUPS_H
#define ABUT_CLI_GROUPS_H

#include "kinds.h"
#include "pairs.h"

/* The rows of label l are now starts[l] to starts[l + 1] of the table, in their old order. */
struct grouped {
    size_t *starts;
    uint32_t *order; /* the old number of each */
};

struct groups {
    size_t labels;
    struct grouped a, b; /* of a table with itself they are the same */
    uint64_t *offsets;   /* of each row of A as it is now: first the number of its hits, in the end where they begin */
    uint32_t *hits;      /* old numbers of rows of B */
    size_t hits_n, capacity;
    size_t *next;    /* of each label, its first row of A that no pass has written */
    size_t pass_end; /* rows of A before this one, as they were, are those of the pass */
    bool several;    /* the pass has several rows */
    bool crowded;    /* they have so many hits that fewer rows are to be taken at a time */
    bool failed;     /* out of memory for hits */
};

/* Puts both tables in order of their labels. a and b may be one table. */
enum abut_status groups_open(struct groups *groups, struct table *a, struct table *b);

/* Begins a pass, whose pairs are kept until it ends: rows of A from first to end - 1, as they were. */
void groups_begin(struct groups *groups, const struct table *a, size_t first, size_t end);

/* The rows of a label in the pass: how many, from groups->next[label] on. */
size_t groups_rows(const struct groups *groups, size_t label);

/* Takes pairs of a row of A as it is now and rows of B, numbered from first: label by label, row by row. */
void groups_take(struct groups *groups, size_t row, size_t first, const uint32_t *items, size_t n);

/* Writes the pairs of the pass, which began at row first, in the old order of the rows. */
void groups_write(struct groups *groups, const struct table *a, size_t first, struct pair_output *output);

void groups_close(struct groups *groups);

#endif
