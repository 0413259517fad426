/* SPDX-License-Identifier: MIT */
/* A line on the terminal that tells how far long work has come. */
#ifndef ABUT_CLI_PROGRESS_H
#define ABUT_CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
    const char *task;
    bool enabled, drawn;
    double began, last;
};

/* Stays silent for the first second, and altogether unless wanted and standard error is a terminal. */
void progress_begin(struct progress *progress, const char *task, bool wanted);

/* Writers of rows tell of it once in so many. */
enum { ROWS_A_REPORT = 8192 };

/* The context is the struct progress. */
void progress_at(void *context, double fraction);

/* Takes the line away again. */
void progress_end(struct progress *progress);

#endif
