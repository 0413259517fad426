/* SPDX-License-Identifier: MIT */
/* Fields of CSV text: quotes, blanks and line ends. The text ends with a line feed. */
#ifndef ABUT_CLI_CSV_FIELDS_H
#define ABUT_CLI_CSV_FIELDS_H

#include "csv.h"
#include "problem.h"

static inline bool csv_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *csv_skip_blanks(const char *p)
{
    while (csv_is_blank(*p))
        p++;
    return p;
}

static inline bool csv_at_line_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

static inline bool csv_at_field_end(const char *p)
{
    return *p == ',' || csv_at_line_end(p);
}

/* Behind the quote that closes the one at p; NULL if none does. */
const char *csv_skip_quoted(const char *p, const char *end);

/* Behind the field at p: at its comma or line end. A quote that is never closed runs to the end of the text. */
static inline const char *csv_skip_field(const char *p, const char *end)
{
    p = csv_skip_blanks(p);
    if (*p == '"')
        p = csv_skip_quoted(p, end);
    if (!p)
        return end - 1;
    while (!csv_at_field_end(p))
        p++;
    return p;
}

static inline const char *csv_next_line(const char *line_end)
{
    return line_end + (*line_end == '\r' ? 2 : 1);
}

/* As csv_skip_field, but NULL if text follows the quote that closes the field. */
const char *csv_skip_whole_field(const char *p, const char *end);

/* How many fields the row at p has. */
size_t csv_count_fields(const char *p, const char *end);

size_t csv_count_lines(const char *from, const char *to);

/* A field of the row at p of which text follows the closing quote, or NULL. */
const char *csv_torn_field(const char *p, const char *end);

/*
 * Whether every field with text behind its closing quote is within a line. Over several lines its first quote hardly
 * opens a field, and rows would be lost in it. On false problem is set. Lines are counted from the one at start.
 */
bool csv_all_in_lines(const char *row, const char *end, const char *start, size_t line, struct problem *problem);

/* Whether the quotes of a row are closed. On false problem is set. */
bool csv_all_closed(const char *row, const char *end, const char *start, size_t line, struct problem *problem);

/* The text of a field without its quotes. */
struct span csv_text_in(const char *from, const char *to);

/* The same without blanks at its ends. */
struct span csv_name_in(const char *from, const char *to);

#endif
