/* SPDX-License-Identifier: MIT */
/* Rows of named values as output: CSV with a header, or JSON lines, an object a row. */
#ifndef ABUT_CLI_RECORDS_H
#define ABUT_CLI_RECORDS_H

#include "names.h"
#include "output.h"

enum { MOST_VALUES = 9 };

struct records {
    struct output *output;
    bool lines; /* of JSON */
    const char *columns[MOST_VALUES];
    unsigned n, at; /* how many columns, and the next one */
};

/* No columns as yet. */
void records_open(struct records *records, struct output *output, bool lines);
void records_column(struct records *records, const char *name);

/* Writes the header of CSV. */
void records_begin(struct records *records);

/* The values of a row, column by column. */
void records_integer(struct records *records, uint64_t value);
void records_number(struct records *records, double value);   /* null in JSON if it is not finite */
void records_word(struct records *records, const char *word); /* of the command's own, without quotes in CSV */
void records_text(struct records *records, const char *text, size_t length);

/* The name of a row, or its number where names are NULL. */
void records_row(struct records *records, const struct names *names, size_t row);

#endif
