/* SPDX-License-Identifier: MIT */
/* A problem of a file: its place and its description. */
#ifndef ABUT_CLI_PROBLEM_H
#define ABUT_CLI_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

/* Lines of text count from 1, rows of an array and planes of a row from 0. */
enum place { PLACE_LINE, PLACE_ROW, PLACE_HEADER };

struct problem {
    enum place place;
    size_t line;  /* or row; line 0 stands for the whole file */
    bool in_hull; /* the row is a hull, and the problem in this plane of it */
    size_t plane;
    const char *column; /* may be NULL */
    char what[160];
};

#endif
