/* SPDX-License-Identifier: MIT */
/* Where the header of a text file is, and what separates its fields. */
#include "csv_text.h"

#include "parse_float.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_separator(char c)
{
    return is_blank(c) || c == ',' || c == ';';
}

/* The text ends with a line feed. */
static char *line_end(char *p, const char *end)
{
    return memchr(p, '\n', (size_t)(end - p));
}

static char *skip_blanks(char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

/* How many words a line has, and whether all are numbers. */
static size_t count_words(const char *p, bool *numbers)
{
    size_t words = 0;
    for (*numbers = true;; words++) {
        while (is_separator(*p))
            p++;
        if (*p == '\n' || *p == '\0')
            break;
        const char *at = p;
        float unused;
        *numbers &= parse_float(&at, &unused) != PARSE_UNREADABLE && (is_separator(*at) || *at == '\n');
        while (!is_separator(*p) && *p != '\n' && *p != '\0')
            p++;
    }
    *numbers &= words > 0;
    return words;
}

struct csv_start csv_find_start(char *text, const char *end)
{
    struct csv_start start = {.header = text, .line = 1};
    char *comment = NULL;
    size_t comment_line = 0;
    for (char *p = text; p < end; p = line_end(p, end) + 1, start.line++) {
        char *at = skip_blanks(p);
        const bool hash = *at == '#', slashes = at[0] == '/' && at[1] == '/';
        start.header = p;
        if (!hash && !slashes && *at != '\n')
            break;
        if (hash || slashes) {
            comment = at + (hash ? 1 : 2);
            comment_line = start.line;
        }
    }
    if (start.header + 1 >= end || *skip_blanks(start.header) == '\n')
        return (struct csv_start){.header = text, .line = 1};
    const size_t words = count_words(start.header, &start.numbers);
    bool comment_numbers = true;
    if (start.numbers && comment && comment_line + 1 == start.line && words > 1 &&
        count_words(comment, &comment_numbers) == words && !comment_numbers)
        start = (struct csv_start){comment, comment_line, false};
    return start;
}

/* The only separator of the line outside of quotes, or 0 if it has a comma or none of these. */
static char find_separator(const char *header, const char *text_end)
{
    const char *end = memchr(header, '\n', (size_t)(text_end - header));
    char found = 0;
    bool quoted = false;
    while (end > header && is_blank(end[-1]))
        end--;
    while (header < end && is_blank(*header))
        header++;
    for (const char *p = header; p < end; p++) {
        quoted ^= *p == '"';
        if (quoted || !is_separator(*p) || *p == '\r')
            continue;
        if (*p == ',')
            return 0;
        if (*p == ';' || (*p == '\t' && found != ';') || !found)
            found = *p;
    }
    return found;
}

/* A comma in place of the first blank of a run between two words. The others stay, as blanks around a field. */
static void join_words(char *p, const char *end)
{
    bool quoted = false, word = false;
    for (; p < end; p++) {
        if (*p == '\n' && !quoted)
            word = false;
        else if (*p == '"')
            word = true;
        else if (quoted || !is_blank(*p))
            word = true;
        else if (word && *skip_blanks(p) != '\n') {
            *p = ',';
            word = false;
        }
        quoted ^= *p == '"';
    }
}

void csv_make_commas(char *header, char *end, bool by_blanks)
{
    const char separator = by_blanks ? ' ' : find_separator(header, end);
    bool quoted = false;
    if (separator == ' ')
        join_words(header, end);
    for (char *p = header; p < end && separator && separator != ' '; p++) {
        quoted ^= *p == '"';
        if (*p == separator && !quoted)
            *p = ',';
    }
}
