/* SPDX-License-Identifier: MIT */
/* Pairs as output: lines of text, with distances or without, an array (-o FILE.npy), or only their number (--count). */
#ifndef ABUT_CLI_PAIRS_H
#define ABUT_CLI_PAIRS_H

#include "cli.h"
#include "records.h"

struct picture;

struct pair_output {
    bool count_only, binary;
    const struct names *names[2]; /* of the rows, or NULL: their numbers are written */
    struct records records;
    struct picture *picture; /* or NULL: where pairs are drawn, too */
    uint64_t count;
    struct output output;
};

/* names: of the rows of A and of B, or NULL. On false the reason is reported. */
bool pairs_open(struct pair_output *pairs, const struct options *options, const struct names *a, const struct names *b);

/* Row and each of the items, which are numbered from first. */
void pairs_write(struct pair_output *pairs, size_t row, size_t first, const uint32_t *items, size_t n);

/* One pair with numbers in further columns: a line of text. */
enum { MOST_COLUMNS = 5 };
void pairs_write_numbers(struct pair_output *pairs, size_t row, uint32_t item, const double *numbers, unsigned n);

/* On false the reason is reported, and there is no new file. */
bool pairs_close(struct pair_output *pairs);

/* Reports the status and discards the output. */
void pairs_fail(struct pair_output *pairs, enum abut_status status);

#endif
