/* SPDX-License-Identifier: MIT */
/* Progress on a terminal, at most ten times a second. */
#include "progress.h"

#include "cli.h"

#include <stdio.h>
#include <unistd.h>

static const double silent_for = 1, redraw_after = 0.1;

void progress_begin(struct progress *progress, const char *task, double total, const char *unit, bool visible)
{
    *progress =
        (struct progress){.task = task, .unit = unit, .total = total, .enabled = visible && isatty(STDERR_FILENO)};
    if (progress->enabled)
        progress->began = progress->last = now();
}

/* ", 3.2 M rows/s, 1:05 left" */
static void show_rate(const struct progress *progress, double fraction, double seconds)
{
    static const char prefixes[] = " kMGT";
    const double left = seconds / fraction - seconds;
    double rate = progress->total * fraction / seconds;
    unsigned prefix = 0;
    for (; rate >= 1000 && prefixes[prefix + 1]; prefix++)
        rate /= 1000;
    fprintf(stderr, ", %.3g %.*s%s/s", rate, prefix > 0, prefixes + prefix, progress->unit);
    if (left < 360000)
        fprintf(stderr, ", %d:%02d left", (int)left / 60, (int)left % 60);
    else
        fprintf(stderr, ", days left");
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
    if (fraction > 0)
        show_rate(progress, fraction, t - progress->began);
    fputs("\033[K", stderr);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
}
