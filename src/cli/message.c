/* SPDX-License-Identifier: MIT */
/* Messages to the person at the terminal, endings of names, and the clock. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
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

bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), least = strlen(ending);
    return length >= least && strcasecmp(name + length - least, ending) == 0;
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
