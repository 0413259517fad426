/* SPDX-License-Identifier: MIT */
/* CSV text (RFC 4180, LF or CRLF, optional byte-order mark) to a table of float columns. */
#ifndef ABUT_CLI_CSV_H
#define ABUT_CLI_CSV_H

#include "kinds.h"
#include "labels.h"
#include "problem.h"

struct span {
    const char *at;
    size_t length;
    bool quoted; /* it stood between quotes, and a quote in it is two */
};

struct csv {
    const char *end;    /* of the text, behind its last line feed */
    const char *header; /* behind a byte-order mark */
    const char *rows;   /* behind the header */
    size_t first_line;  /* that rows begins on */
    size_t field_count;
    struct span *names; /* of the columns */
    size_t *targets;    /* which field of the kind a column holds, or MOST_FIELDS */
    size_t volume;      /* that field of the kind, or MOST_FIELDS */
};

/* Called now and then while reading. */
struct csv_observer {
    void (*at)(void *context, double fraction);
    void *context;
};

/*
 * Reads the header. The text must be empty or end with a line feed, and a zero byte must follow. False, with the
 * problem told, if there is no header or memory runs out; csv_close is due either way.
 */
bool csv_open(struct csv *csv, const char *text, size_t size, struct problem *problem);

/* No more than this many rows follow. */
size_t csv_capacity(const struct csv *csv);

/*
 * Reads all rows into the table, which has room for them. What cannot be read of a row becomes NaN: a field, or all of
 * them if there are too many or too few, or text behind a quote. first_invalid is the first such row, with its problem;
 * the count of rows if there is none. False, with the problem told, if a quote is never closed, or on a later line with
 * text behind it: nobody knows what is a row behind it.
 */
bool csv_read(const struct csv *csv, struct table *table, size_t *first_invalid, struct problem *problem,
              const struct csv_observer *observer);

/*
 * Numbers the texts of a column, row by row; false if the column is not here once, or memory runs out: the problem is
 * told.
 */
bool csv_label(const struct csv *csv, const char *column, struct labels *labels, uint32_t *numbers,
               struct problem *problem);

/* The line that a row begins on: quoted fields may span several. */
size_t csv_line_of(const struct csv *csv, size_t row);

void csv_close(struct csv *csv);

#endif
