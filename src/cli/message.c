/* SPDX-License-Identifier: MIT */
/* Messages to the person at the terminal, and the clock. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("abut: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
