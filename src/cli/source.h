/* SPDX-License-Identifier: MIT */
/* Files in memory, and messages about them. */
#ifndef ABUT_CLI_SOURCE_H
#define ABUT_CLI_SOURCE_H

#include "reader.h"

/* Whether the path is that of a regular file, or of none, which source_load reports. */
bool source_can_be_read_again(const struct source *source);

/*
 * Reads or maps the whole file of the path and finds its reader. On false the reason is reported and there is nothing
 * to unload.
 */
bool source_load(struct source *source);

/* Pages of a mapped file that have been read need not stay in memory. */
void source_let_go(const struct source *source);

/*
 * Whether the rows, when they are read, take no more memory than a file of its size may: most bytes are those of rows
 * in any file but one that was made of blank or short lines. On false that is reported, if it is to be.
 */
bool source_is_in_proportion(const struct source *source, bool report);

/* Closes the reader, too. */
void source_unload(struct source *source);

/* Reports the problem in one line on standard error. more is the number of further invalid rows. */
void source_report(const struct source *source, const struct problem *problem, size_t more);

#endif
