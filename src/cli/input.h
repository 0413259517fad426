/* SPDX-License-Identifier: MIT */
/* Reading a file of shapes, whatever its format, with the strict checks of a loader. */
#ifndef ABUT_CLI_INPUT_H
#define ABUT_CLI_INPUT_H

#include "cli.h"
#include "kinds.h"

/*
 * Reads the first or second input of the options. Bad rows are an error; with --skip-bad they stay, and touch
 * nothing. Otherwise than EXIT_DONE the reason has been told and there is nothing to free.
 */
enum exit_code input_read(struct table *table, const struct options *options, unsigned index);

/* All that the options name, one or two. */
enum exit_code input_read_both(struct table tables[2], const struct options *options);

#endif
