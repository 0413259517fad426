/* SPDX-License-Identifier: MIT */
/* Before a CSV file is read: comments above its header, and separators other than commas. */
#ifndef ABUT_CLI_CSV_TEXT_H
#define ABUT_CLI_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct csv_start {
    char *header; /* where the header begins, or the first row if there is none */
    size_t line;  /* its line */
    bool numbers; /* it holds numbers alone, so it is no header */
};

/*
 * Passes over comments (# or //) and blank lines. If numbers follow, and the last comment has as many words, that
 * comment is the header.
 */
struct csv_start csv_find_start(char *text, const char *end);

/*
 * Where the line at header has no comma: makes commas of semicolons, else of tabs, else of runs of blanks, here and in
 * all lines that follow, outside of quotes. by_blanks: runs of blanks and tabs in any case.
 */
void csv_make_commas(char *header, char *end, bool by_blanks);

#endif
