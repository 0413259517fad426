/* SPDX-License-Identifier: MIT */
/* The CSV reader: one pass over the text in place, numbers read where they stand, other fields skipped. */
#include "cli.h"
#include "csv_fields.h"
#include "csv_header.h"
#include "csv_text.h"
#include "foreign.h"
#include "hulls.h"
#include "parse_float.h"
#include "reader.h"
#include "xyz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each takes some 60 bytes of memory, and one of the file. */
enum { MOST_COLUMNS = 1 << 18 };

/* Blank lines behind the last row are none. The text ends with a line feed. */
static void drop_blank_lines(struct csv *csv)
{
    for (const char *p = csv->end; p > csv->rows; p--) {
        if (p[-1] == '\n')
            csv->end = p;
        else if (!csv_is_blank(p[-1]) && p[-1] != '\r')
            return;
    }
    csv->end = csv->rows;
}

/* The names in the header, which is at text. Sets where it ends. */
static bool read_names(struct csv *csv, const char *text, const char **after, struct problem *problem)
{
    if (!csv_all_closed(text, csv->end, text, csv->header_line, problem))
        return false;
    csv->field_count = csv_count_fields(text, csv->end);
    if (csv->field_count > MOST_COLUMNS) {
        snprintf(problem->what, sizeof problem->what, "has %zu columns, more than %d: leave out those of no shape",
                 csv->field_count, MOST_COLUMNS);
        return false;
    }
    csv->names = calloc(csv->field_count, sizeof *csv->names);
    if (!csv->names) {
        snprintf(problem->what, sizeof problem->what, "out of memory");
        return false;
    }
    const char *p = text;
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *field = p;
        p = csv_skip_field(p, csv->end);
        csv->names[i] = csv_name_in(field, p);
        const char *bare = csv_skip_blanks(field);
        bare = *bare == '"' ? csv_skip_quoted(bare, csv->end) : bare;
        if (memchr(bare, '\r', (size_t)(p - bare))) {
            snprintf(problem->what, sizeof problem->what, "a carriage return alone ends no line");
            return false;
        }
        p += *p == ',';
    }
    *after = csv_next_line(p);
    if (csv_torn_field(text, csv->end))
        snprintf(problem->what, sizeof problem->what, "text follows a closing quote");
    return !*problem->what;
}

/* Takes the names of the option instead of those that the file has, or lacks. */
static bool take_names(struct csv *csv, const char *names, struct problem *problem)
{
    const size_t count = csv->field_count;
    size_t given;
    free(csv->names);
    csv->names = names_in(names, &given);
    if (csv->names && given != count)
        snprintf(problem->what, sizeof problem->what, "there are %zu columns, and names for %zu", count, given);
    else if (!csv->names)
        snprintf(problem->what, sizeof problem->what, "out of memory");
    return csv->names && given == count;
}

/* Passes over the count of an XYZ or PTS file, and over the comment of an XYZ file, which is returned. */
static const char *pass_count(struct csv_start *start, enum counted counted)
{
    const char *comment = counted == COUNTED_XYZ ? strchr(start->header, '\n') + 1 : NULL;
    for (unsigned i = 0; i < (counted == COUNTED_XYZ ? 2u : counted == COUNTED_ROWS); i++) {
        start->header = strchr(start->header, '\n') + 1;
        start->line++;
    }
    return comment;
}

/* names: of the columns, or NULL: they are in the file. */
static bool read_header(struct csv *csv, char *text, size_t size, const char *names, struct problem *problem)
{
    *csv = (struct csv){.end = text + size};
    *problem = (struct problem){.line = 1};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    csv->header = text;
    if (text == csv->end) {
        snprintf(problem->what, sizeof problem->what, "no header line: the file is empty");
        return false;
    }
    struct csv_start start = csv_find_start(text, csv->end);
    const enum counted counted = start.numbers ? find_count(start.header, csv->end, problem) : COUNTED_NOT;
    if (counted == COUNTED_WRONG)
        return false;
    const char *comment = pass_count(&start, counted);
    csv_make_commas(start.header, text + (csv->end - text), counted == COUNTED_XYZ);
    csv->header = start.header;
    csv->header_line = problem->line = start.line;
    const char *after;
    if (!read_names(csv, csv->header, &after, problem))
        return false;
    if (counted == COUNTED_XYZ && !names && !(names = csv->own = xyz_names(comment, csv->field_count))) {
        snprintf(problem->what, sizeof problem->what, "out of memory");
        return false;
    }
    csv->rows = names && start.numbers ? csv->header : after;
    drop_blank_lines(csv);
    csv->first_line = 1 + csv_count_lines(text, csv->rows);
    csv->targets = calloc(csv->field_count, sizeof *csv->targets);
    if (!csv->targets) {
        snprintf(problem->what, sizeof problem->what, "out of memory");
        return false;
    }
    return !names || take_names(csv, names, problem);
}

/* A row as it is read: each member as the nearest float32 and float64. */
struct numbers {
    float values[MOST_FIELDS];
    double wide[MOST_FIELDS];
};

/* Reads a number, quoted or not, that fills its field, into the row. Returns its end, or NULL with what is wrong. */
static const char *read_field(const struct csv *csv, size_t target, const char *p, struct numbers *row,
                              const char **what)
{
    p = csv_skip_blanks(p);
    bool quoted = *p == '"';
    p = csv_skip_blanks(p + quoted);
    if (quoted ? *p == '"' : csv_at_field_end(p)) {
        *what = "is missing";
        return NULL;
    }
    const char *number = p;
    float *value = &row->values[target];
    enum parse_status status = parse_number(&p, value, &row->wide[target]);
    p = csv_skip_blanks(p);
    if (quoted && *p == '"')
        p = csv_skip_blanks(p + 1);
    else if (quoted)
        status = PARSE_UNREADABLE;
    if (status == PARSE_UNREADABLE || !csv_at_field_end(p)) {
        *what = "is not a number";
        return NULL;
    }
    if (status == PARSE_TOO_LARGE) {
        *what = "is too large for a float32";
        return NULL;
    }
    if (target == csv->volume && !(hull_volume((double)*value) && parse_whole_number(number))) {
        *what = no_hull_volume;
        return NULL;
    }
    return p;
}

/*
 * The values of a row that read_row refused. Unreadable ones become NaN, and all if the row has too few or too many
 * fields.
 */
static void read_invalid_row(const struct csv *csv, const char *p, struct numbers *row)
{
    const bool whole = csv_count_fields(p, csv->end) == csv->field_count && !csv_torn_field(p, csv->end);
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *what;
        const size_t target = csv->targets[i];
        if (target < MOST_FIELDS && !(whole && read_field(csv, target, p, row, &what)))
            row->wide[target] = row->values[target] = NAN;
        p = whole ? csv_skip_field(p, csv->end) + 1 : p;
    }
}

/* Reads the row at p. Returns the next row, or NULL if anything is wrong with this one. */
static const char *read_row(const struct csv *csv, const char *p, struct numbers *row)
{
    const char *what;
    for (size_t i = 0; i < csv->field_count; i++) {
        size_t target = csv->targets[i];
        p = target < MOST_FIELDS ? read_field(csv, target, p, row, &what) : csv_skip_whole_field(p, csv->end);
        if (!p || (*p == ',') != (i + 1 < csv->field_count))
            return NULL;
        p += *p == ',';
    }
    return csv_next_line(p);
}

static const char *skip_row(const struct csv *csv, const char *p)
{
    for (p = csv_skip_field(p, csv->end); *p == ','; p = csv_skip_field(p + 1, csv->end))
        continue;
    return csv_next_line(p);
}

/* Why read_row refused the row at p. */
static void describe_row(const struct csv *csv, const struct kind *kind, const char *p, struct problem *problem)
{
    problem->column = NULL;
    if (csv_at_line_end(csv_skip_blanks(p))) {
        snprintf(problem->what, sizeof problem->what, "the line is blank");
        return;
    }
    size_t fields = csv_count_fields(p, csv->end);
    if (fields != csv->field_count) {
        snprintf(problem->what, sizeof problem->what, "the row has %zu field%s, the header has %zu", fields,
                 fields == 1 ? "" : "s", csv->field_count);
        return;
    }
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *what;
        struct numbers unused;
        if (csv->targets[i] < MOST_FIELDS && !read_field(csv, csv->targets[i], p, &unused, &what)) {
            problem->column = kind->fields[csv->targets[i]];
            snprintf(problem->what, sizeof problem->what, "%s", what);
            return;
        }
        if (!csv_skip_whole_field(p, csv->end)) {
            snprintf(problem->what, sizeof problem->what, "text follows the closing quote of field %zu", i + 1);
            return;
        }
        p = csv_skip_field(p, csv->end) + 1;
    }
}

static bool read_csv(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
                     struct problem *problem, struct progress *progress)
{
    (void)count;
    const struct csv *csv = source->state;
    const char *refused = NULL, *last = NULL;
    size_t row = first;
    for (const char *p = csv->rows; p < csv->end; row++) {
        last = p;
        struct numbers numbers = {{0}, {0}};
        const char *next = read_row(csv, p, &numbers);
        if (!next && !csv_all_in_lines(p, csv->end, csv->rows, csv->first_line, problem))
            return false;
        if (!next)
            read_invalid_row(csv, p, &numbers);
        rounding_row(source->rounding, source->kind, row, numbers.wide, numbers.values);
        for (unsigned k = 0; k < source->kind->field_count; k++)
            table->memory[k][row] = numbers.values[k];
        if (!next && !refused) {
            refused = p;
            *unreadable = row;
        }
        p = next ? next : skip_row(csv, p);
        if (row % ROWS_A_REPORT == 0)
            progress_at(progress, (double)(p - csv->rows) / (double)(csv->end - csv->rows));
    }
    table->rows.n = row;
    if (last && !csv_all_closed(last, csv->end, csv->rows, csv->first_line, problem))
        return false;
    if (refused) {
        problem->line = csv->first_line + csv_count_lines(csv->rows, refused);
        describe_row(csv, source->kind, refused, problem);
    } else {
        *unreadable = row;
    }
    return true;
}

/* The number of a text, in which two quotes are one if it stood between quotes; UINT32_MAX if memory runs out. */
static uint32_t number_of(struct labels *labels, struct span text)
{
    if (!text.quoted || !memchr(text.at, '"', text.length))
        return labels_number(labels, text.at, text.length);
    char *plain = malloc(text.length);
    if (!plain)
        return UINT32_MAX;
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        plain[length++] = text.at[i];
        i += text.at[i] == '"';
    }
    const uint32_t number = labels_number(labels, plain, length);
    free(plain);
    return number;
}

static bool label_csv(const struct source *source, const char *column, struct labels *labels, uint32_t *numbers,
                      struct problem *problem)
{
    const struct csv *csv = source->state;
    const size_t at = csv_find_column(csv, column, problem);
    size_t row = 0;
    if (at == csv->field_count)
        return false;
    for (const char *p = csv->rows, *next; p < csv->end; p = next, row++) {
        next = skip_row(csv, p);
        for (size_t i = 0; i < at && p < next;
             i++) /* a row with fewer fields is invalid, and its label means nothing */
            p = csv_skip_field(p, csv->end) + 1;
        const struct span nothing = {p, 0, false};
        numbers[row] = number_of(labels, p < next ? csv_text_in(p, csv_skip_field(p, csv->end)) : nothing);
        if (numbers[row] == UINT32_MAX) {
            *problem = (struct problem){.line = csv->first_line, .column = column, .what = "out of memory"};
            return false;
        }
    }
    return true;
}

/* Quoted fields may span several lines. */
static void locate_csv(const struct source *source, size_t row, struct problem *problem)
{
    const struct csv *csv = source->state;
    const char *p = csv->rows;
    while (row-- > 0)
        p = skip_row(csv, p);
    problem->place = PLACE_LINE;
    problem->line = csv->first_line + csv_count_lines(csv->rows, p);
}

/* Every file that no other reader recognises. */
static bool recognise_csv(const char *path, const char *text, size_t size)
{
    (void)path;
    (void)text;
    (void)size;
    return true;
}

static bool open_csv(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    struct csv *csv = source->state = calloc(1, sizeof *csv);
    if (!csv) {
        *problem = (struct problem){.what = "out of memory"};
        return false;
    }
    if (source->size > 0 && source->text[source->size - 1] != '\n') {
        source->text[source->size++] = '\n';
        source->text[source->size] = '\0';
    }
    const char *foreign = foreign_format(source->text, source->size);
    if (foreign) {
        *problem = (struct problem){0};
        snprintf(problem->what, sizeof problem->what, "%s", foreign);
        return false;
    }
    if (!read_header(csv, source->text, source->size, source->names, problem))
        return false;
    csv->rays = source->rays;
    source->kind = csv_find_kind(csv, kind, kind_option, problem);
    source->capacity = csv_count_lines(csv->rows, csv->end);
    return source->kind;
}

static void close_csv(struct source *source)
{
    struct csv *csv = source->state;
    if (csv) {
        free(csv->names);
        free(csv->named);
        free(csv->own);
        free(csv->targets);
    }
    free(csv);
}

const struct reader csv_reader = {.name = "a CSV file",
                                  .recognise = recognise_csv,
                                  .open = open_csv,
                                  .read = read_csv,
                                  .label = label_csv,
                                  .locate = locate_csv,
                                  .close = close_csv};
