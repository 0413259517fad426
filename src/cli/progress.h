/* SPDX-License-Identifier: MIT */
/* A line on the terminal that shows the progress of long work. */
#ifndef ABUT_CLI_PROGRESS_H
#define ABUT_CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
    const char *task, *unit;
    double total;
    bool enabled, drawn;
    double began, last;
};

/*
 * Shows nothing in the first second, nor at all unless visible is true and standard error is a terminal. The rate is
 * shown in that unit, of which all the work has so many, and the time that is left.
 */
void progress_begin(struct progress *progress, const char *task, double total, const char *unit, bool visible);

/* Readers and writers of rows call progress_at once in so many. */
enum { ROWS_A_REPORT = 8192 };

void progress_at(struct progress *progress, double fraction);

/* Removes the line. */
void progress_end(struct progress *progress);

#endif
