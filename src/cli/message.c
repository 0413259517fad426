/* SPDX-License-Identifier: MIT */
/* Messages to the person at the terminal, endings of names, and the clock. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* Control characters as \n, \t or \x1b; those beyond ASCII take two bytes in UTF-8. */
void write_shown(FILE *stream, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        const bool wide = *p == 0xC2 && (p[1] & 0xE0) == 0x80;
        if (*p == '\n')
            fputs("\\n", stream);
        else if (*p == '\t')
            fputs("\\t", stream);
        else if (wide || *p < ' ' || *p == 127)
            fprintf(stream, "\\x%02x", wide ? p[1] : *p);
        else
            fputc(*p, stream);
        p += wide;
    }
}

/* It allocates nothing, as memory may have run out. */
void complain(const char *format, ...)
{
    enum { LONGEST = 10240 }; /* two names of files, and the words around them */
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("abut: ", stderr);
    write_shown(stderr, text);
    fputc('\n', stderr);
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
