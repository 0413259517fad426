/* SPDX-License-Identifier: MIT */
/* Reading a file of shapes, whatever its format, with the strict checks of a loader. */
#ifndef ABUT_CLI_INPUT_H
#define ABUT_CLI_INPUT_H

#include "cli.h"
#include "kinds.h"

/*
 * Reads the first or second input of the options. Invalid rows are an error; with --skip-bad they stay, and touch
 * nothing. If it returns anything but EXIT_DONE, the reason is reported and there is nothing to free.
 */
enum exit_code input_read(struct table *table, const struct options *options, unsigned index);

/* Both. */
enum exit_code input_read_both(struct table tables[2], const struct options *options);

/* Rows of a file that may be larger than memory. */
struct input {
    struct table table; /* all rows, or one block */
    size_t rows;
    struct stream *stream; /* NULL: all rows are in the table */
    size_t block;          /* the most rows of one block, if there is a stream */
};

/* The most rows of one block where B has few, */
enum { INPUT_BLOCK = 1 << 18 };

/* and where B has so many, which are in memory themselves. */
static inline size_t input_block(size_t rows_b)
{
    return rows_b > INPUT_BLOCK ? rows_b : INPUT_BLOCK;
}

/*
 * The same as input_read_both, but if A is a long array in a regular file, its rows are not kept: they are checked
 * here, and read again by input_rows.
 */
enum exit_code input_open_both(struct input *a, struct table *b, const struct options *options);

/* Rows first to first + count - 1, which are there until the next call; count is at most a block. */
struct rows input_rows(struct input *input, size_t first, size_t count);

void input_close(struct input *input);

#endif
