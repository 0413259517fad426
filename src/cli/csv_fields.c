/* SPDX-License-Identifier: MIT */
/* What closes a quote, and which fields and rows are not closed. */
#include "csv_fields.h"

#include <stdio.h>
#include <string.h>

const char *csv_skip_quoted(const char *p, const char *end)
{
    do {
        p = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!p)
            return NULL;
        p++;
    } while (*p == '"');
    return p;
}

const char *csv_skip_whole_field(const char *p, const char *end)
{
    p = csv_skip_blanks(p);
    if (*p != '"')
        return csv_skip_field(p, end);
    p = csv_skip_quoted(p, end);
    p = p ? csv_skip_blanks(p) : end - 1;
    return csv_at_field_end(p) ? p : NULL;
}

size_t csv_count_fields(const char *p, const char *end)
{
    size_t fields = 1;
    for (p = csv_skip_field(p, end); *p == ','; p = csv_skip_field(p + 1, end))
        fields++;
    return fields;
}

size_t csv_count_lines(const char *from, const char *to)
{
    size_t lines = 0;
    while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
        from++;
        lines++;
    }
    return lines;
}

/* A quote in the row at p that is never closed, or NULL. */
static const char *open_quote(const char *p, const char *end)
{
    for (;; p++) {
        const char *field = csv_skip_blanks(p);
        if (*field == '"' && !csv_skip_quoted(field, end))
            return field;
        p = csv_skip_field(field, end);
        if (*p != ',')
            return NULL;
    }
}

const char *csv_torn_field(const char *p, const char *end)
{
    for (;; p++) {
        const char *field = p;
        if (!csv_skip_whole_field(p, end))
            return field;
        p = csv_skip_field(p, end);
        if (*p != ',')
            return NULL;
    }
}

bool csv_all_in_lines(const char *row, const char *end, const char *start, size_t line, struct problem *problem)
{
    for (const char *p = row;; p++) {
        const char *torn = csv_torn_field(p, end);
        if (!torn)
            return true;
        const size_t lines = csv_count_lines(torn, csv_skip_quoted(csv_skip_blanks(torn), end));
        if (lines > 0) {
            *problem = (struct problem){.line = line + csv_count_lines(start, torn)};
            snprintf(problem->what, sizeof problem->what, "a quote is closed %zu line%s below, and text follows", lines,
                     lines == 1 ? "" : "s");
            return false;
        }
        p = csv_skip_field(torn, end);
        if (*p != ',')
            return true;
    }
}

bool csv_all_closed(const char *row, const char *end, const char *start, size_t line, struct problem *problem)
{
    const char *open = open_quote(row, end);
    if (open)
        *problem = (struct problem){.line = line + csv_count_lines(start, open), .what = "a quote is never closed"};
    return !open;
}

static struct span trimmed(const char *from, const char *to)
{
    while (from < to && csv_is_blank(*from))
        from++;
    while (from < to && csv_is_blank(to[-1]))
        to--;
    return (struct span){from, (size_t)(to - from), false};
}

struct span csv_text_in(const char *from, const char *to)
{
    struct span text = trimmed(from, to);
    if (text.length >= 2 && text.at[0] == '"' && text.at[text.length - 1] == '"')
        text = (struct span){text.at + 1, text.length - 2, true};
    return text;
}

struct span csv_name_in(const char *from, const char *to)
{
    const struct span text = csv_text_in(from, to);
    struct span name = trimmed(text.at, text.at + text.length);
    name.quoted = text.quoted;
    return name;
}
