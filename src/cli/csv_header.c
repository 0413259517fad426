/* SPDX-License-Identifier: MIT */
/* Kinds by the columns of a file: the longest set that is here wins. */
#include "csv_header.h"

#include "hulls.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool span_is(struct span span, const char *text)
{
    size_t i = 0;
    for (; i < span.length && *text && span.at[i] == *text; i++, text++)
        i += span.quoted && *text == '"';
    return i == span.length && *text == '\0';
}

static size_t columns_named(const struct csv *csv, const char *name, size_t *last)
{
    size_t found = 0;
    for (size_t i = 0; i < csv->field_count; i++) {
        if (span_is(csv->names[i], name)) {
            *last = i;
            found++;
        }
    }
    return found;
}

size_t csv_find_column(const struct csv *csv, const char *name, struct problem *problem)
{
    size_t at = csv->field_count;
    const size_t found = columns_named(csv, name, &at);
    if (found == 1)
        return at;
    *problem = (struct problem){.line = 1, .column = name};
    snprintf(problem->what, sizeof problem->what, found ? "the column is here %zu times" : "the column is missing",
             found);
    return csv->field_count;
}

static const char *missing_field(const struct csv *csv, const struct kind *kind)
{
    size_t at;
    for (unsigned k = 0; k < kind->field_count; k++)
        if (columns_named(csv, kind->fields[k], &at) == 0)
            return kind->fields[k];
    return NULL;
}

static bool includes(const struct kind *kind, const struct kind *part)
{
    for (unsigned k = 0; k < part->field_count; k++)
        if (!kind_has(kind, part->fields[k]))
            return false;
    return true;
}

/*
 * The first line of the header, cut where a message has no room for more: it shows a wrong separator or a comment.
 * Invisible bytes except tabs become question marks, and so do the controls beyond ASCII, in UTF-8.
 */
static void show_header(const struct csv *csv, char *shown, size_t room)
{
    static const char more[] = "...";
    const char *p = csv->header, *end = memchr(p, '\n', (size_t)(csv->end - p));
    end -= end > p && end[-1] == '\r';
    size_t length = 0;
    for (; p < end && length + sizeof more < room; p++) {
        const bool control = *p == '\xC2' && p + 1 < end && (p[1] & 0xE0) == 0x80;
        shown[length++] = control || ((unsigned char)*p < ' ' && *p != '\t') || *p == 127 ? '?' : *p;
        p += control;
    }
    for (; length > 0 && (*p & 0xC0) == 0x80; p--) /* in the middle of a character of UTF-8 */
        length--;
    strcpy(shown + length, p == end ? "" : more);
}

static const struct kind *guess_kind(const struct csv *csv, const char *kind_option, struct problem *problem)
{
    *problem = (struct problem){.line = 1};
    const struct kind *best = NULL;
    for (size_t i = 0; i < KINDS; i++)
        if (!missing_field(csv, &kinds[i]) && (!best || kinds[i].field_count > best->field_count))
            best = &kinds[i];
    if (!missing_field(csv, &quaternion_obbs) && (!best || best->field_count < quaternion_obbs.field_count))
        best = &quaternion_obbs;
    if (!best) {
        char shown[80];
        show_header(csv, shown, sizeof shown);
        snprintf(problem->what, sizeof problem->what, "the columns of no kind are all in '%s' (abut --help lists them)",
                 shown);
        return NULL;
    }
    const struct kind *other = NULL;
    for (size_t i = 0; i < KINDS; i++)
        if (!missing_field(csv, &kinds[i]) && !includes(best, &kinds[i]) &&
            (!other || kinds[i].field_count > other->field_count))
            other = &kinds[i];
    if (!other)
        return best;
    snprintf(problem->what, sizeof problem->what, "the columns of %s and of %s are here: choose with %s", best->name,
             other->name, kind_option);
    return NULL;
}

const struct kind *csv_find_kind(struct csv *csv, const struct kind *kind, const char *kind_option,
                                 struct problem *problem)
{
    if (!kind)
        kind = guess_kind(csv, kind_option, problem);
    if (kind == &kinds[ABUT_SET_OBBS] && missing_field(csv, kind) && !missing_field(csv, &quaternion_obbs))
        kind = &quaternion_obbs;
    if (!kind)
        return NULL;
    for (size_t i = 0; i < csv->field_count; i++)
        csv->targets[i] = MOST_FIELDS;
    for (unsigned k = 0; k < kind->field_count; k++) {
        const size_t column = csv_find_column(csv, kind->fields[k], problem);
        if (column == csv->field_count)
            return NULL;
        csv->targets[column] = k;
    }
    csv->volume = kind == &kinds[ABUT_SET_HULLS] ? HULL_VOLUME : MOST_FIELDS;
    return kind;
}

const struct span *csv_lost_radius(const struct csv *csv, const struct kind *kind)
{
    static const char *const names[] = {"r", "rad", "radius"};
    if (kind != &kinds[ABUT_SET_POINTS] && kind != &kinds[ABUT_SET_SEGMENTS])
        return NULL;
    for (size_t i = 0; i < csv->field_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strlen(names[k]) == csv->names[i].length &&
                strncasecmp(csv->names[i].at, names[k], csv->names[i].length) == 0)
                return &csv->names[i];
    return NULL;
}
