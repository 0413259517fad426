/* SPDX-License-Identifier: MIT */
/* What is wrong with a file, and where. */
#ifndef ABUT_CLI_PROBLEM_H
#define ABUT_CLI_PROBLEM_H

#include <stddef.h>

/* Where: lines of text count from 1, rows of an array and planes of a row from 0. */
enum place { PLACE_LINE, PLACE_ROW, PLACE_HEADER };

struct problem {
    size_t line;        /* or row */
    size_t plane;       /* in the row, if that is a hull */
    const char *column; /* may be NULL */
    char what[160];
    enum place place;
};

#endif
