/* SPDX-License-Identifier: MIT */
/* The first two lines of an XYZ file. */
#include "xyz.h"

#include "parse_float.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static const char *skip_word(const char *p)
{
    while (*p && !strchr(" \t\r\n", *p))
        p++;
    return p;
}

/* A whole number that is alone in its line. */
static bool read_count(const char *text, size_t *count)
{
    const char *p = skip_blanks(text), *digits = p;
    for (*count = 0; *p >= '0' && *p <= '9' && *count < SIZE_MAX / 100; p++)
        *count = *count * 10 + (size_t)(*p - '0');
    return p > digits && *skip_blanks(p) == '\n';
}

/* How many numbers there are in a line from a word on, 0 being the first, one behind the other. */
static unsigned count_numbers(const char *line, unsigned from)
{
    unsigned found = 0;
    const char *p = skip_blanks(line);
    for (unsigned word = 0; word < from && *p && *p != '\n'; word++)
        p = skip_blanks(skip_word(p));
    for (; found < 3 && *p && *p != '\n'; found++, p = skip_blanks(p)) {
        float unused;
        const char *end = skip_word(p);
        if (parse_float(&p, &unused) == PARSE_UNREADABLE || p != end)
            break;
    }
    return found;
}

static const char *next_line(const char *p, const char *end)
{
    const char *feed = memchr(p, '\n', (size_t)(end - p));
    return feed ? feed + 1 : end;
}

/* Without the blank ones at the end. */
static size_t count_lines(const char *p, const char *end)
{
    size_t lines = 0, blank = 0;
    for (; p < end; p = next_line(p, end), lines++)
        blank = *skip_blanks(p) == '\n' ? blank + 1 : 0;
    return lines - blank;
}

enum counted find_count(const char *text, const char *end, struct problem *problem)
{
    size_t count;
    if (!read_count(text, &count) || count == 0)
        return COUNTED_NOT;
    const char *second = next_line(text, end), *third = next_line(second, end);
    const bool rows = count_numbers(second, 0) == 3, xyz = third < end && count_numbers(third, 1) == 3;
    const size_t lines = rows || xyz ? count_lines(second, end) : 0;
    if (rows && lines == count)
        return COUNTED_ROWS;
    if (!xyz)
        return COUNTED_NOT;
    if (lines == count + 1)
        return COUNTED_XYZ;
    *problem = (struct problem){.line = 1};
    snprintf(problem->what, sizeof problem->what, "%zu rows are promised, and %zu follow: pass on one frame alone",
             count, lines - 1);
    return COUNTED_WRONG;
}

/*
 * One property of extended XYZ, "pos:R:3", as the names of its columns, which are put unless names is NULL. Returns its
 * end, or NULL if it is none.
 */
static const char *put_property(FILE *names, const char *p, bool first)
{
    const size_t length = strcspn(p, ": \t\r\n\",");
    if (p[length] != ':' || length == 0 || p[length + 1] == '\0' || p[length + 2] != ':')
        return NULL;
    char *end;
    const unsigned long columns = strtoul(p + length + 3, &end, 10);
    const bool place = length == 3 && memcmp(p, "pos", 3) == 0 && columns <= 3;
    if (end == p + length + 3 || columns < 1 || columns > 99)
        return NULL;
    for (unsigned long i = 0; i < columns && names; i++) {
        fputs(first && i == 0 ? "" : ",", names);
        if (place)
            fputc("xyz"[i], names);
        else
            fprintf(names, columns > 1 ? "%.*s_%lu" : "%.*s", (int)length, p, i);
    }
    return end;
}

/* The properties of a comment, or NULL if it has none that can be read. */
static const char *find_properties(const char *comment)
{
    static const char mark[] = "Properties=";
    const char *end = comment + strcspn(comment, "\n"), *found = strstr(comment, mark);
    if (!found || found >= end)
        return NULL;
    found += sizeof mark - 1;
    found += *found == '"';
    const char *p = put_property(NULL, found, true);
    while (p && *p == ':')
        p = put_property(NULL, p + 1, false);
    return p ? found : NULL;
}

char *xyz_names(const char *comment, size_t columns)
{
    char *names = NULL;
    size_t length = 0;
    const char *properties = find_properties(comment);
    FILE *stream = open_memstream(&names, &length);
    if (!stream)
        return NULL;
    fputs(properties ? "" : "element,x,y,z", stream);
    for (size_t i = 4; i < columns && !properties; i++)
        fputc(',', stream);
    for (const char *p = properties; p; p = *p == ':' ? p + 1 : NULL)
        p = put_property(stream, p, p == properties);
    const bool good = !ferror(stream);
    if (fclose(stream) == 0 && good)
        return names;
    free(names);
    return NULL;
}
