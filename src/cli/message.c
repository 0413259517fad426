/* SPDX-License-Identifier: MIT */
/* Messages to the person at the terminal, endings of names, and the clock. */
#include "cli.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* Control characters as \n, \t, \x1b or \u202e; bytes that are no UTF-8, which some terminals obey, as \x9b. */
void write_shown(FILE *stream, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t length = strlen(text), bytes; length > 0; p += bytes, length -= bytes) {
        const size_t whole = utf8_length(p, length);
        const uint32_t character = whole ? utf8_character(p, whole) : *p;
        bytes = whole ? whole : 1;
        if (*p == '\n')
            fputs("\\n", stream);
        else if (*p == '\t')
            fputs("\\t", stream);
        else if (!whole || utf8_is_control(character))
            fprintf(stream, character < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)character);
        else
            fwrite(p, 1, bytes, stream);
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
