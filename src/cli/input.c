/* SPDX-License-Identifier: MIT */
/* Files into tables, through the reader of their format and the strict checks. */
#include "input.h"
#include <abut/shapes.h>

#include "csv_header.h"
#include "hulls.h"
#include "mesh.h"
#include "progress.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bad rows, and what is wrong with the first. */
struct verdict {
    size_t invalid, row;
    struct problem problem;
};

/* Axes that are made of quaternions are bad where these are zero, or not finite. */
static void describe_invalid(const struct kind *kind, const struct abut_invalid *invalid, struct problem *problem)
{
    const bool there = kind_has(kind, invalid->field);
    problem->column = there ? invalid->field : "qx,qy,qz,qw";
    snprintf(problem->what, sizeof problem->what, "%s", there ? invalid->what : "is not a rotation");
}

/*
 * Adds the bad rows of a table, which begins with row first of the file: the reader's first one, which is its
 * unreadable and has that problem, or an earlier one that only the shape's own rules refuse.
 */
static enum abut_status exact_rows(const struct source *source, const struct table *table, size_t first,
                                   size_t unreadable, const struct problem *problem, struct verdict *verdict)
{
    struct abut_invalid invalid;
    enum abut_status status = rows_check(&table->rows, &invalid);
    if (status != ABUT_ERROR_INVALID)
        return status;
    if (verdict->invalid == 0)
        verdict->row = first + invalid.row;
    if (verdict->invalid == 0 && invalid.row < unreadable) {
        source_locate(source, verdict->row, &verdict->problem);
        describe_invalid(source->kind, &invalid, &verdict->problem);
    } else if (verdict->invalid == 0) {
        verdict->problem = *problem;
    }
    verdict->invalid += invalid.count;
    return ABUT_OK;
}

static enum exit_code tell_verdict(const struct source *source, enum abut_status status, const struct verdict *verdict,
                                   const struct options *options)
{
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (verdict->invalid == 0)
        return EXIT_DONE;
    if (options->skip_invalid) {
        if (!options->quiet)
            complain("%s: skipped %zu bad row%s", source->path, verdict->invalid, verdict->invalid == 1 ? "" : "s");
        return EXIT_DONE;
    }
    source_report(source, &verdict->problem, verdict->invalid - 1);
    return EXIT_FAILED;
}

/*
 * Makes NaN of the rows that the check refuses, throughout: kernels take planes and axes as they are. The planes of
 * hulls are left to hulls_from_planes.
 */
static void spoil_invalid_rows(struct table *table)
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
                                     struct verdict *verdict, size_t *mixed)
{
    struct excess excess;
    enum abut_status status = hulls_from_planes(table, options->inward, &excess, mixed);
    if (status != ABUT_OK || excess.hulls == 0)
        return status;
    if (verdict->invalid == 0 || excess.first < verdict->row) {
        verdict->problem = (struct problem){.column = "volume", .what = "has more than 32 planes"};
        source_locate(source, excess.first, &verdict->problem);
    }
    verdict->invalid += excess.hulls;
    return ABUT_OK;
}

/* What the kernels take, from what the file has. */
static void convert(struct table *table, const struct kind *kind, bool inward)
{
    if (kind == &quaternion_obbs) {
        /* which are where the axes will be */
        abut_obbs_axes_from_quaternions(table->rows.n, table->memory + 6, table->memory + 6);
    }
    if (kind == &kinds[ABUT_SET_PLANES] && inward)
        abut_planes_flip(table->rows.n, table->memory);
}

static bool label_rows(struct table *table, const struct source *source, struct labels *labels, const char *column)
{
    struct problem problem = {.place = PLACE_HEADER, .column = column, .what = "the columns of arrays have no names"};
    table->labels = malloc((table->rows.n + 1) * sizeof *table->labels);
    if (!table->labels) {
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
        return false;
    }
    if (source->format != FORMAT_NPY && csv_label(&source->csv, column, labels, table->labels, &problem))
        return true;
    source_report(source, &problem, 0);
    return false;
}

static const struct kind *stored_kind(const struct kind *kind)
{
    return kind == &quaternion_obbs ? &kinds[ABUT_SET_OBBS] : kind;
}

/* Rows of an array into a table, in the form that kernels take. */
static void read_block(const struct source *source, bool inward, size_t first, size_t count, struct table *table,
                       size_t *unreadable, struct problem *problem)
{
    table->kind = source->kind;
    npy_read(&source->npy, first, count, table, unreadable, problem);
    table->kind = stored_kind(source->kind);
    convert(table, source->kind, inward);
}

static bool read_text(const struct source *source, const struct options *options, struct table *table,
                      size_t *unreadable, struct problem *problem)
{
    struct progress progress;
    progress_begin(&progress, source->path, !options->quiet);
    const struct csv_observer observer = {progress_at, &progress};
    table->kind = source->kind;
    const bool whole = csv_read(&source->csv, table, unreadable, problem, &observer);
    progress_end(&progress);
    table->kind = stored_kind(source->kind);
    convert(table, source->kind, options->inward);
    return whole;
}

/* Fills a new table. False: the reason has been told. */
static bool fill_table(struct table *table, const struct source *source, const struct options *options,
                       struct labels *labels)
{
    const bool array = source->format == FORMAT_NPY;
    struct problem problem = {0};
    struct verdict verdict = {0};
    size_t unreadable, mixed, rows;
    if (array) {
        read_block(source, options->inward, 0, npy_capacity(&source->npy), table, &unreadable, &problem);
    } else if (!read_text(source, options, table, &unreadable, &problem)) {
        source_report(source, &problem, 0);
        return false;
    }
    mixed = rows = table->rows.n;
    enum abut_status status = exact_rows(source, table, 0, unreadable, &problem, &verdict);
    if (status == ABUT_OK && verdict.invalid > 0 && options->skip_invalid)
        spoil_invalid_rows(table);
    /* Hulls take the labels of rows, and may be bad themselves. */
    const bool hulls = source->kind == &kinds[ABUT_SET_HULLS];
    if (status == ABUT_OK && hulls && options->by && !label_rows(table, source, labels, options->by))
        return false;
    if (status == ABUT_OK && hulls)
        status = gather_hulls(source, table, options, &verdict, &mixed);
    if (tell_verdict(source, status, &verdict, options) != EXIT_DONE)
        return false;
    if (!hulls && options->by && !label_rows(table, source, labels, options->by))
        return false;
    if (mixed == rows)
        return true;
    problem = (struct problem){.column = options->by, .what = "is not that of the volume's first row"};
    source_locate(source, mixed, &problem);
    source_report(source, &problem, 0);
    return false;
}

static enum exit_code read_table(struct table *table, const struct source *source, const struct options *options,
                                 struct labels *labels)
{
    const size_t capacity = source->format == FORMAT_NPY ? npy_capacity(&source->npy) : csv_capacity(&source->csv);
    const enum abut_status status = table_new(table, stored_kind(source->kind), capacity);
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (fill_table(table, source, options, labels))
        return EXIT_DONE;
    table_free(table);
    return EXIT_FAILED;
}

/* ---- Rows that are read when they are wanted */

struct stream {
    struct source source;
    bool inward;
    bool spoiled; /* some rows are bad, and skipped */
};

struct rows input_rows(struct input *input, size_t first, size_t count)
{
    const struct stream *stream = input->stream;
    if (!stream)
        return rows_slice(&input->table.rows, first, count);
    struct problem problem;
    size_t unreadable;
    read_block(&stream->source, stream->inward, first, count, &input->table, &unreadable, &problem);
    if (stream->spoiled)
        spoil_invalid_rows(&input->table);
    source_let_go(&stream->source);
    return input->table.rows;
}

/* Whether rows can be found without those before them, and are too many for one block. */
static bool can_stream(const struct source *source)
{
    return source->mapped && source->kind != &kinds[ABUT_SET_HULLS] && npy_capacity(&source->npy) > INPUT_BLOCK;
}

/* A block after the other, in the end none; the table is left with room for one. */
static enum exit_code check_stream(struct table *table, const struct source *source, const struct options *options,
                                   struct labels *labels, bool *invalid)
{
    const size_t rows = npy_capacity(&source->npy);
    struct verdict verdict = {0};
    enum abut_status status = table_new(table, stored_kind(source->kind), INPUT_BLOCK);
    struct progress progress;
    progress_begin(&progress, source->path, !options->quiet);
    for (size_t i = 0; i < rows && status == ABUT_OK; i += INPUT_BLOCK) {
        struct problem problem = {0};
        size_t unreadable, count = rows - i < INPUT_BLOCK ? rows - i : INPUT_BLOCK;
        read_block(source, options->inward, i, count, table, &unreadable, &problem);
        source_let_go(source);
        status = exact_rows(source, table, i, unreadable, &problem, &verdict);
        progress_at(&progress, (double)(i + count) / (double)rows);
    }
    progress_end(&progress);
    enum exit_code code = tell_verdict(source, status, &verdict, options);
    *invalid = verdict.invalid > 0;
    if (code == EXIT_DONE && options->by && !label_rows(table, source, labels, options->by))
        code = EXIT_FAILED;
    if (code != EXIT_DONE)
        table_free(table);
    return code;
}

/* Reads what is before the rows. */
static const struct kind *find_kind(struct source *source, const struct kind *kind, const char *kind_option,
                                    struct problem *problem)
{
    if (source->format == FORMAT_NPY)
        return npy_open(&source->npy, source->text, source->size, problem) ? npy_find_kind(&source->npy, kind, problem)
                                                                           : NULL;
    return csv_open(&source->csv, source->text, source->size, problem)
               ? csv_find_kind(&source->csv, kind, kind_option, problem)
               : NULL;
}

/* Meshes are triangles; what is wrong with one is never skipped. */
static enum exit_code read_mesh(struct table *table, const struct source *source, const struct options *options,
                                unsigned index)
{
    const struct kind *kind = options->kind[index];
    struct problem problem = {0};
    if (options->by || (kind && kind != &kinds[ABUT_SET_TRIANGLES])) {
        complain(options->by ? "--by does not go with %s, a mesh" : "%s is a mesh: its kind is triangles",
                 source->path);
        return EXIT_USAGE;
    }
    if (mesh_read_table(table, source->text, source->size, &problem))
        return EXIT_DONE;
    source_report(source, &problem, 0);
    return EXIT_FAILED;
}

/* Answers would be right, but hardly those to what was meant. */
static void remark_on_radius(const struct source *source)
{
    const struct span *name = csv_lost_radius(&source->csv, source->kind);
    if (name)
        complain("%s: read as %s, without '%.*s': the column of a radius is named r", source->path, source->kind->name,
                 (int)name->length, name->at);
}

/* False: the reason has been told. */
static bool know_kind(struct source *source, const struct options *options, unsigned index)
{
    struct problem problem = {0};
    source->kind = find_kind(source, options->kind[index], index ? "--kind-b" : "--kind-a", &problem);
    if (!source->kind)
        source_report(source, &problem, 0);
    else if (source->format == FORMAT_CSV && !options->kind[index] && !options->quiet)
        remark_on_radius(source);
    return source->kind;
}

/* All rows into the table, unless there is a stream for them, which then keeps the source. */
static enum exit_code read_source(struct table *table, struct stream **stream, struct source *source,
                                  const struct options *options, unsigned index, struct labels *labels)
{
    if (source->format == FORMAT_MESH) {
        source->kind = &kinds[ABUT_SET_TRIANGLES];
        return read_mesh(table, source, options, index);
    }
    if (!know_kind(source, options, index))
        return EXIT_FAILED;
    if (!stream || !can_stream(source))
        return read_table(table, source, options, labels);
    bool invalid;
    enum exit_code code = check_stream(table, source, options, labels, &invalid);
    *stream = code == EXIT_DONE ? malloc(sizeof **stream) : NULL;
    if (*stream) {
        **stream = (struct stream){*source, options->inward, invalid};
    } else if (code == EXIT_DONE) {
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
        table_free(table);
        code = EXIT_FAILED;
    }
    return code;
}

static enum exit_code read_input(struct table *table, struct stream **stream, const struct options *options,
                                 unsigned index, struct labels *labels)
{
    struct source source = {.path = options->input[index]};
    const double start = now();
    if (!source_load(&source))
        return EXIT_FAILED;
    enum exit_code code = read_source(table, stream, &source, options, index, labels);
    const double seconds = now() - start;
    if (code == EXIT_DONE && options->stats)
        fprintf(stderr, "abut: %s: %s, %.1f MB read in %.3f s\n", source.path, source.kind->name,
                (double)source.size * 1e-6, seconds);
    if (!stream || !*stream)
        source_unload(&source);
    return code;
}

enum exit_code input_read(struct table *table, const struct options *options, unsigned index)
{
    struct labels labels = {0};
    enum exit_code code = read_input(table, NULL, options, index, &labels);
    labels_free(&labels);
    return code;
}

enum exit_code input_open_both(struct input *a, struct table *b, const struct options *options)
{
    struct labels labels = {0};
    a->stream = NULL;
    enum exit_code code = read_input(&a->table, &a->stream, options, 0, &labels);
    if (code == EXIT_DONE) {
        a->rows = a->stream ? npy_capacity(&a->stream->source.npy) : a->table.rows.n;
        code = read_input(b, NULL, options, 1, &labels);
        if (code != EXIT_DONE)
            input_close(a);
    }
    labels_free(&labels);
    return code;
}

void input_close(struct input *input)
{
    table_free(&input->table);
    if (input->stream)
        source_unload(&input->stream->source);
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
    }
    labels_free(&labels);
    return code;
}
