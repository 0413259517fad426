/* SPDX-License-Identifier: MIT */
/* Progress on a terminal, at most ten times a second. */
#include "progress.h"

#include "cli.h"

#include <stdio.h>
#include <unistd.h>

static const double silent_for = 1, redraw_after = 0.1;

void progress_begin(struct progress *progress, const char *task, bool visible)
{
    *progress = (struct progress){.task = task, .enabled = visible && isatty(STDERR_FILENO)};
    if (progress->enabled)
        progress->began = progress->last = now();
}

void progress_at(struct progress *progress, double fraction)
{
    if (!progress->enabled)
        return;
    double t = now();
    if (t - progress->began < silent_for || t - progress->last < redraw_after)
        return;
    progress->last = t;
    progress->drawn = true;
    fputc('\r', stderr);
    write_shown(stderr, progress->task);
    fprintf(stderr, " %3d %%", (int)(fraction * 100));
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
}
