/* SPDX-License-Identifier: MIT */
/* Rows of results for zip and distance: the names of both rows, where they have names, and then values. */
#ifndef ABUT_CLI_ZIP_H
#define ABUT_CLI_ZIP_H

#include "cli.h"
#include "kinds.h"
#include "records.h"

/* Adds the columns of names. */
void zip_records_open(struct records *records, struct output *output, const struct options *options,
                      const struct table *a, const struct table *b);

/* Writes the names of row i, or of the only row. */
void zip_records_names(struct records *records, const struct table *a, const struct table *b, size_t i);

#endif
