/* SPDX-License-Identifier: MIT */
/* Files into tables, through the reader of their format and the strict checks. */
#include "input.h"

#include "bounds.h"
#include "hulls.h"
#include "names.h"
#include "progress.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many rows are invalid, and the problem of the first. */
struct findings {
    size_t invalid, row;
    struct problem problem;
};

/*
 * Names the column of the file. Axes that are made of quaternions or angles are invalid where these are zero, or not
 * finite.
 */
static void describe_invalid(const struct kind *kind, const struct abut_invalid *invalid, struct problem *problem)
{
    if (kind == &vertex_hulls) {
        problem->column = invalid->field;
        snprintf(problem->what, sizeof problem->what, "%s", invalid->what);
        return;
    }
    const unsigned field =
        kind_is_flat(kind) ? kind_field(kind, invalid->field) : kind_field(&kinds[kind->set], invalid->field);
    const bool axes = kind->set == ABUT_SET_OBBS && kind != &kinds[kind->set] && field >= 6;
    problem->column = !axes ? kind->fields[field] : kind == &yaw_obbs ? "yaw" : "qx,qy,qz,qw";
    snprintf(problem->what, sizeof problem->what, "%s",
             !axes               ? invalid->what
             : kind == &yaw_obbs ? "is no finite angle"
                                 : "is not a rotation");
}

/*
 * Adds the invalid rows of a table, which begins with row first of the file. The first one is the reader's, which is
 * unreadable and has that problem, or an earlier one that only the rules of its shape refuse.
 */
static enum abut_status check_rows(const struct source *source, const struct table *table, size_t first,
                                   size_t unreadable, const struct problem *problem, struct findings *findings)
{
    struct abut_invalid invalid;
    const enum abut_status status = source->kind == &vertex_hulls ? hulls_check_vertices(&table->rows, &invalid)
                                                                  : rows_check(&table->rows, &invalid);
    if (status != ABUT_ERROR_INVALID)
        return status;
    if (findings->invalid == 0)
        findings->row = first + invalid.row;
    if (findings->invalid == 0 && invalid.row < unreadable) {
        source->reader->locate(source, findings->row, &findings->problem);
        describe_invalid(source->kind, &invalid, &findings->problem);
    } else if (findings->invalid == 0) {
        findings->problem = *problem;
    }
    findings->invalid += invalid.count;
    return ABUT_OK;
}

static enum exit_code report_findings(const struct source *source, enum abut_status status,
                                      const struct findings *findings, const struct options *options)
{
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (findings->invalid == 0)
        return EXIT_DONE;
    if (options->skip_invalid) {
        if (!options->quiet)
            complain("%s: skipped %zu invalid row%s at %s %zu", source->path, findings->invalid,
                     findings->invalid == 1 ? "," : "s, the first",
                     findings->problem.place == PLACE_ROW ? "row" : "line", findings->problem.line);
        return EXIT_DONE;
    }
    source_report(source, &findings->problem, findings->invalid - 1);
    return EXIT_FAILED;
}

/*
 * Makes NaN of all members of invalid rows, since kernels take planes and axes as they are. hulls_from_planes does so
 * with the planes of hulls.
 */
static void clear_invalid_rows(struct table *table)
{
    struct abut_invalid invalid;
    if (table->kind == &kinds[ABUT_SET_HULLS] || rows_check(&table->rows, &invalid) != ABUT_ERROR_INVALID)
        return;
    for (size_t i = invalid.row; i < table->rows.n; i++) {
        const struct rows row = rows_slice(&table->rows, i, 1);
        struct abut_invalid unused;
        if (rows_check(&row, &unused) == ABUT_ERROR_INVALID)
            for (unsigned k = 0; k < MOST_FIELDS && row.at[k]; k++)
                table->memory[k][i] = NAN;
    }
}

/* After the check of its planes. mixed is the first row of another label than its hull, or the count of rows. */
static enum abut_status gather_hulls(const struct source *source, struct table *table, const struct options *options,
                                     struct findings *findings, size_t *mixed)
{
    struct excess excess;
    const enum abut_status status = source->kind == &vertex_hulls
                                        ? hulls_from_vertices(table, &excess, mixed)
                                        : hulls_from_planes(table, options->inward, &excess, mixed);
    if (status != ABUT_OK || excess.hulls == 0)
        return status;
    if (findings->invalid == 0 || excess.first < findings->row) {
        findings->problem = (struct problem){.column = "volume"};
        snprintf(findings->problem.what, sizeof findings->problem.what, "%s", excess.what);
        source->reader->locate(source, excess.first, &findings->problem);
    }
    findings->invalid += excess.hulls;
    return ABUT_OK;
}

/* From the members in the file to those that the library takes. */
static void convert(struct table *table, const struct source *source, bool inward)
{
    const struct kind *kind = source->kind;
    table->flat = kind_is_flat(kind);
    if (table->flat) /* an origin is subtracted from the heights, too, which are 0 */
        rows_from_flat(kind, table->rows.n, (float)(0 - source->rounding->origin[2]), table->memory);
    /* Quaternions are where the axes will be. */
    if (kind == &quaternion_obbs)
        abut_obbs_axes_from_quaternions(table->rows.n, table->memory + 6, table->memory + 6);
    if (kind == &yaw_obbs)
        obbs_from_yaw(table->rows.n, table->memory);
    if (kind == &kinds[ABUT_SET_PLANES] && inward)
        abut_planes_flip(table->rows.n, table->memory);
}

static bool label_rows(struct table *table, const struct source *source, struct labels *labels, const char *column)
{
    struct problem problem;
    table->labels = malloc((table->rows.n + 1) * sizeof *table->labels);
    if (!table->labels) {
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
        return false;
    }
    if (source->reader->label(source, column, labels, table->labels, &problem))
        return true;
    source_report(source, &problem, 0);
    return false;
}

/* The names of rows; NULL, with a message, if there are none. */
static struct names *read_names(const struct source *source, size_t rows, const char *column)
{
    struct problem problem;
    struct names *names = calloc(1, sizeof *names);
    uint32_t *numbers = malloc((rows + 1) * sizeof *numbers);
    if (!names || !numbers)
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
    else if (source->reader->label(source, column, &names->labels, numbers, &problem)) {
        names->numbers = numbers;
        return names;
    } else
        source_report(source, &problem, 0);
    if (names)
        labels_free(&names->labels);
    free(names);
    free(numbers);
    return NULL;
}

static const struct kind *stored_kind(const struct kind *kind)
{
    return kind_is_ray(kind) ? kind : &kinds[kind->set];
}

/* Fills a new table. On false the reason is reported. */
static bool fill_table(struct table *table, const struct source *source, const struct options *options,
                       struct labels *labels)
{
    struct problem problem = {0};
    struct findings findings = {0};
    struct progress progress;
    size_t unreadable, mixed, rows;
    progress_begin(&progress, source->path, (double)source->size, "B", !options->quiet);
    const bool read = source->reader->read(source, 0, source->capacity, table, &unreadable, &problem, &progress);
    progress_end(&progress);
    if (!read) {
        source_report(source, &problem, 0);
        return false;
    }
    convert(table, source, options->inward);
    rounding_compare_points(source->rounding, table, 0);
    mixed = rows = table->rows.n;
    enum abut_status status = check_rows(source, table, 0, unreadable, &problem, &findings);
    if (status == ABUT_OK && findings.invalid > 0 && options->skip_invalid)
        clear_invalid_rows(table);
    /* Hulls take the labels of rows, and may be invalid themselves. */
    const bool hulls = source->kind->set == ABUT_SET_HULLS;
    if (status == ABUT_OK && hulls && options->by && !label_rows(table, source, labels, options->by))
        return false;
    if (status == ABUT_OK && hulls)
        status = gather_hulls(source, table, options, &findings, &mixed);
    if (report_findings(source, status, &findings, options) != EXIT_DONE)
        return false;
    if (!hulls && options->by && !label_rows(table, source, labels, options->by))
        return false;
    if (mixed == rows)
        return true;
    problem = (struct problem){.column = options->by, .what = "is not that of the volume's first row"};
    source->reader->locate(source, mixed, &problem);
    source_report(source, &problem, 0);
    return false;
}

static enum exit_code read_table(struct table *table, const struct source *source, const struct options *options,
                                 const char *id, struct labels *labels)
{
    if (!source_is_in_proportion(source, true))
        return EXIT_FAILED;
    if (id && source->kind->set == ABUT_SET_HULLS) {
        complain("%s: --id-a and --id-b name rows, and a hull has several: its name is its number", source->path);
        return EXIT_FAILED;
    }
    const enum abut_status status = table_new(table, stored_kind(source->kind), source->capacity);
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    bool read = fill_table(table, source, options, labels);
    if (read && id)
        read = (table->names = read_names(source, table->rows.n, id)) != NULL;
    if (read)
        return EXIT_DONE;
    table_free(table);
    return EXIT_FAILED;
}

/* ---- Rows that are read when a command needs them ---- */

struct stream {
    struct source source;
    struct rounding rounding;
    bool inward;
    bool invalid; /* some rows are invalid, and skipped */
};

/* Not more rows than the table holds. */
static void read_block(const struct source *source, bool inward, size_t first, size_t count, struct table *table,
                       size_t *unreadable, struct problem *problem)
{
    source->reader->read(source, first, count, table, unreadable, problem, NULL);
    convert(table, source, inward);
    rounding_compare_points(source->rounding, table, first);
    source_let_go(source);
}

struct rows input_rows(struct input *input, size_t first, size_t count)
{
    const struct stream *stream = input->stream;
    if (!stream)
        return rows_slice(&input->table.rows, first, count);
    struct problem problem;
    size_t unreadable;
    read_block(&stream->source, stream->inward, first, count, &input->table, &unreadable, &problem);
    if (stream->invalid)
        clear_invalid_rows(&input->table);
    return input->table.rows;
}

/* Whether rows can be found without those before them, and are too many for one block. */
static bool can_stream(const struct source *source)
{
    return source->mapped && source->reader->by_rows && source->kind->set != ABUT_SET_HULLS &&
           source->capacity > INPUT_BLOCK;
}

/* Checks one block after the other. In the end the table has no rows, and holds up to a block. */
static enum exit_code check_stream(struct table *table, const struct source *source, const struct options *options,
                                   struct labels *labels, bool *invalid)
{
    const size_t rows = source->capacity;
    struct findings findings = {0};
    enum abut_status status = table_new(table, stored_kind(source->kind), INPUT_BLOCK);
    struct progress progress;
    progress_begin(&progress, source->path, (double)source->size, "B", !options->quiet);
    for (size_t i = 0; i < rows && status == ABUT_OK; i += INPUT_BLOCK) {
        struct problem problem = {0};
        size_t unreadable, count = rows - i < INPUT_BLOCK ? rows - i : INPUT_BLOCK;
        read_block(source, options->inward, i, count, table, &unreadable, &problem);
        status = check_rows(source, table, i, unreadable, &problem, &findings);
        progress_at(&progress, (double)(i + count) / (double)rows);
    }
    progress_end(&progress);
    enum exit_code code = report_findings(source, status, &findings, options);
    *invalid = findings.invalid > 0;
    if (code == EXIT_DONE && options->by && !label_rows(table, source, labels, options->by))
        code = EXIT_FAILED;
    if (code != EXIT_DONE)
        table_free(table);
    return code;
}

/* What a format cannot have: another kind, or columns with names. */
static bool check_format(const struct source *source, const struct options *options, unsigned index)
{
    const struct reader *reader = source->reader;
    if (options->by && !reader->label) {
        complain("--by does not go with %s, %s", source->path, reader->name);
        return false;
    }
    if (options->id[index] && !reader->label) {
        complain("--id-%c does not go with %s, %s", index ? 'b' : 'a', source->path, reader->name);
        return false;
    }
    const struct kind *wanted = options->kind[index];
    if (reader->kinds[0] && wanted && wanted != reader->kinds[0] && wanted != reader->kinds[1]) {
        const char *other = reader->kinds[1] != reader->kinds[0] ? reader->kinds[1]->name : NULL;
        complain("%s is %s: its kind is %s%s%s", source->path, reader->name, reader->kinds[0]->name,
                 other ? " or " : "", other ? other : "");
        return false;
    }
    return true;
}

/* Reads what is before the rows. On false the reason is reported. */
static bool open_source(struct source *source, const struct options *options, unsigned index)
{
    struct problem problem = {0};
    if (!source->reader->open(source, options->kind[index], index ? "--kind-b" : "--kind-a", &problem)) {
        source_report(source, &problem, 0);
        return false;
    }
    if (*source->remark && !options->quiet)
        complain("%s: %s", source->path, source->remark);
    return true;
}

/* All rows into the table, unless there is a stream for them, which then keeps the source. */
static enum exit_code read_source(struct table *table, struct stream **stream, struct source *source,
                                  const struct options *options, unsigned index, struct labels *labels)
{
    if (!check_format(source, options, index))
        return EXIT_USAGE;
    if (!open_source(source, options, index))
        return EXIT_FAILED;
    if (!stream || options->id[index] || !can_stream(source))
        return read_table(table, source, options, options->id[index], labels);
    bool invalid;
    enum exit_code code = check_stream(table, source, options, labels, &invalid);
    *stream = code == EXIT_DONE ? malloc(sizeof **stream) : NULL;
    if (*stream) {
        **stream = (struct stream){*source, *source->rounding, options->inward, invalid};
        (*stream)->source.rounding = &(*stream)->rounding;
        source->rounding->digests = NULL; /* they belong to the stream now */
    } else if (code == EXIT_DONE) {
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
        table_free(table);
        code = EXIT_FAILED;
    }
    return code;
}

/* ": x 0 to 3, y 1 to 2", of the coordinates in the file; empty if there are none. */
static void describe_bounds(const struct rounding *rounding, char *text, size_t text_size)
{
    size_t length = 0;
    *text = '\0';
    for (unsigned k = 0; k < 3; k++)
        if (rounding->low[k] <= rounding->high[k])
            length += (size_t)snprintf(text + length, text_size - length, "%s%c %.9g to %.9g", length ? ", " : ": ",
                                       "xyz"[k], rounding -> low[k], rounding -> high[k]);
}

/* Remarks and statistics of a file that was read, and has so many rows. */
static void report_source(const struct source *source, size_t rows, double seconds, const struct options *options)
{
    char text[200];
    if (!options->quiet && rounding_remark(source->rounding, text, sizeof text))
        complain("%s: %s", source->path, text);
    if (!options->stats)
        return;
    describe_bounds(source->rounding, text, sizeof text);
    complain("%s: %.1f MB read in %.3f s", source->path, (double)source->size * 1e-6, seconds);
    complain("%s: %zu %s%s%s", source->path, rows, source->kind->name,
             kind_is_flat(source->kind) ? " of the plane" : "", text);
    const struct moved *greatest = &source->rounding->greatest;
    if (greatest->field)
        complain("%s: the greatest rounding to float32 is %.3g, of %s in row %zu", source->path, greatest->by,
                 greatest->field, greatest->row);
}

static struct rounding rounding_of(const struct options *options)
{
    struct rounding rounding = {
        .has_origin = options->origin.given, .outwards = options->outwards, .bounded = options->stats};
    memcpy(rounding.origin, options->origin.at, sizeof rounding.origin);
    rounding_begin(&rounding);
    return rounding;
}

static enum exit_code read_input(struct table *table, struct stream **stream, const struct options *options,
                                 unsigned index, struct labels *labels)
{
    struct rounding rounding = rounding_of(options);
    struct source source = {.path = options->input[index],
                            .names = options->columns[index],
                            .rounding = &rounding,
                            .rays = options->rays && index == 0};
    const double start = now();
    if (!source_load(&source))
        return EXIT_FAILED;
    enum exit_code code = read_source(table, stream, &source, options, index, labels);
    if (code == EXIT_DONE)
        report_source(&source, stream && *stream ? source.capacity : table->rows.n, now() - start, options);
    if (!stream || !*stream)
        source_unload(&source);
    rounding_free(&rounding);
    return code;
}

enum exit_code input_read(struct table *table, const struct options *options, unsigned index)
{
    struct labels labels = {0};
    enum exit_code code = read_input(table, NULL, options, index, &labels);
    labels_free(&labels);
    return code;
}

/* Makes the table as large as a block. On false the reason is reported. */
static bool grow_block(struct input *a, size_t rows_b)
{
    const size_t wanted = input_block(rows_b);
    const struct kind *kind = a->table.kind;
    a->block = wanted < a->rows ? wanted : a->rows;
    if (!a->stream || a->block <= INPUT_BLOCK)
        return true;
    table_free(&a->table);
    const enum abut_status status = table_new(&a->table, kind, a->block);
    if (status != ABUT_OK)
        complain("%s: %s", a->stream->source.path, abut_status_text(status));
    return status == ABUT_OK;
}

/*
 * A remark for two files that are whole in memory, where what was asked needs them to meet: distances do not, unless
 * they are limited, space that repeats brings both together, and segments of cast may go on beyond b.
 */
static void compare_bounds(const struct table *a, const struct table *b, const struct options *options)
{
    char text[160];
    const struct table *flat = a->flat ? a : b;
    if (!options->quiet && a->flat != b->flat && flat->kind->set != ABUT_SET_AABBS)
        complain("%c has no z: it is taken at z = 0, and %c has heights", a->flat ? 'A' : 'B', a->flat ? 'B' : 'A');
    const bool meeting = !options->periodic && options->end <= 1 && (options->limited || !options->measures);
    if (!options->quiet && meeting && bounds_apart(a, b, (double)options->within, text, sizeof text))
        complain("%s", text);
}

enum exit_code input_open_both(struct input *a, struct table *b, const struct options *options)
{
    struct labels labels = {0};
    a->stream = NULL;
    enum exit_code code = read_input(&a->table, &a->stream, options, 0, &labels);
    if (code == EXIT_DONE) {
        a->rows = a->stream ? a->stream->source.capacity : a->table.rows.n;
        code = read_input(b, NULL, options, 1, &labels);
        if (code == EXIT_DONE && !grow_block(a, b->rows.n)) {
            table_free(b);
            code = EXIT_FAILED;
        }
        if (code != EXIT_DONE)
            input_close(a);
        else if (!a->stream)
            compare_bounds(&a->table, b, options);
    }
    labels_free(&labels);
    return code;
}

void input_close(struct input *input)
{
    table_free(&input->table);
    if (input->stream)
        source_unload(&input->stream->source);
    if (input->stream)
        rounding_free(&input->stream->rounding);
    free(input->stream);
}

enum exit_code input_read_both(struct table tables[2], const struct options *options)
{
    struct labels labels = {0};
    enum exit_code code = read_input(&tables[0], NULL, options, 0, &labels);
    if (code == EXIT_DONE) {
        code = read_input(&tables[1], NULL, options, 1, &labels);
        if (code != EXIT_DONE)
            table_free(&tables[0]);
        else
            compare_bounds(&tables[0], &tables[1], options);
    }
    labels_free(&labels);
    return code;
}
