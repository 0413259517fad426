/* SPDX-License-Identifier: MIT */
/* The reader of NPY files: rows of values of one type, which say by their number of columns what shapes they are. */
#include "npy.h"

#include "csv_header.h"
#include "hulls.h"
#include "npy_values.h"
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE = 4 }; /* members of one */

/* float32 or float64 values, of either byte and array order; a view of the bytes of the file. */
struct npy {
    const unsigned char *values;
    size_t rows, planes, columns; /* planes: 1 unless each row is a hull */
    bool hulls, wide, swapped, by_columns;
    unsigned column[MOST_FIELDS]; /* that holds a field of the kind */
};

static bool shape_fits(struct npy *npy, const struct npy_header *header, struct problem *problem)
{
    if (header->dimensions < 2)
        return npy_is_invalid(problem, "the shape is not that of two or three dimensions");
    npy->hulls = header->dimensions == 3;
    npy->rows = header->shape[0];
    npy->planes = npy->hulls ? header->shape[1] : 1;
    npy->columns = header->shape[header->dimensions - 1];
    if (npy->hulls && (npy->columns != PLANE || npy->planes < 1 || npy->planes > ABUT_MAX_PLANES))
        return npy_is_invalid(problem, "an array of three dimensions holds rows of 1 to 32 planes of 4 members");
    if (npy->columns < 1 || npy->columns > MOST_FIELDS)
        return npy_is_invalid(problem, "no kind has so many columns");
    const size_t row = npy->planes * npy->columns * header->size;
    if (npy->rows > header->bytes / row)
        return npy_is_invalid(problem, "promises more values than there are in the file");
    if (npy->rows * row < header->bytes)
        return npy_is_invalid(problem, "promises fewer values than there are in the file");
    if (npy->rows * npy->planes > ABUT_MAX_ITEMS)
        return npy_is_invalid(problem, "has too many rows");
    return true;
}

/* Reads the header, and finds all values there. */
static bool find_values(struct npy *npy, const void *bytes, size_t size, struct problem *problem)
{
    struct npy_header header;
    if (!npy_read_header(&header, bytes, size, problem))
        return false;
    *npy = (struct npy){
        .values = header.values, .wide = header.size == 8, .swapped = header.swapped, .by_columns = header.by_columns};
    return shape_fits(npy, &header, problem);
}

/* Whether rows of so many columns may be of that kind. Points may have more than theirs, such as colours. */
static bool may_be(const struct npy *npy, const struct kind *kind)
{
    return kind == &kinds[ABUT_SET_POINTS] ? npy->columns >= kind->field_count : npy->columns == kind->field_count;
}

/* A form of OBBs by the number of columns, or the kind itself. */
static const struct kind *form_of(const struct npy *npy, const struct kind *kind)
{
    if (kind == &kinds[ABUT_SET_OBBS] && npy->columns == quaternion_obbs.field_count)
        return &quaternion_obbs;
    return kind == &kinds[ABUT_SET_OBBS] && npy->columns == yaw_obbs.field_count ? &yaw_obbs : kind;
}

/*
 * Three columns are points, and ten or fifteen OBBs. Others may be points with colours, intensities or labels, whatever
 * else they may be: the user must say.
 */
static const struct kind *guess_kind(const struct npy *npy, const char *kind_option, struct problem *problem)
{
    char names[80] = "";
    unsigned found = 0;
    const struct kind *only = NULL;
    for (size_t i = 0; i < KINDS; i++) {
        const struct kind *kind = form_of(npy, &kinds[i]);
        if (!may_be(npy, kind))
            continue;
        only = kind;
        strcat(strcat(names, found++ ? ", " : ""), kind->name);
    }
    if (npy->columns == kinds[ABUT_SET_POINTS].field_count || only == &quaternion_obbs || only == &kinds[ABUT_SET_OBBS])
        return only;
    npy_is_invalid(problem, "");
    if (found == 0)
        snprintf(problem->what, sizeof problem->what, "shapes do not have %zu columns", npy->columns);
    else
        snprintf(problem->what, sizeof problem->what, "%zu columns may be %s: choose with %s, or name them with %s",
                 npy->columns, names, kind_option,
                 strcmp(kind_option, "--kind-a") == 0 ? "--columns-a" : "--columns-b");
    return NULL;
}

/* The kind by the names of the columns, as in the header of a CSV file. On NULL problem is set. */
static const struct kind *find_named(struct npy *npy, const char *names, const struct kind *kind,
                                     const char *kind_option, struct problem *problem)
{
    struct csv header = {0};
    size_t *targets = calloc(npy->columns, sizeof *targets);
    header.names = names_in(names, &header.field_count);
    header.targets = targets;
    const size_t length = strlen(names);
    char *line = malloc(length + 1); /* as a message shows it */
    const struct kind *found = NULL;
    if (line)
        memcpy(line, names, length);
    if (line)
        line[length] = '\n';
    header.header = line;
    header.end = line ? line + length + 1 : NULL;
    if (!header.names || !targets || !line) {
        npy_is_invalid(problem, "out of memory");
    } else if (npy->hulls) {
        npy_is_invalid(problem, "an array of three dimensions has no columns to name");
    } else if (header.field_count != npy->columns) {
        npy_is_invalid(problem, "");
        snprintf(problem->what, sizeof problem->what, "there are %zu columns, and names for %zu", npy->columns,
                 header.field_count);
    } else {
        found = csv_find_kind(&header, kind, kind_option, problem);
        problem->place = PLACE_HEADER;
    }
    for (size_t i = 0; i < npy->columns && found; i++)
        if (targets[i] < MOST_FIELDS)
            npy->column[targets[i]] = (unsigned)i;
    free(header.names);
    free(targets);
    free(line);
    return found;
}

/* The kind of the rows, which is kind if that is not NULL. On NULL problem is set. */
static const struct kind *find_kind(const struct npy *npy, const struct kind *kind, const char *kind_option,
                                    struct problem *problem)
{
    if (!kind && !npy->hulls)
        return guess_kind(npy, kind_option, problem);
    if (npy->hulls && (!kind || kind == &kinds[ABUT_SET_HULLS]))
        return &kinds[ABUT_SET_HULLS];
    kind = form_of(npy, kind);
    if (!npy->hulls && may_be(npy, kind))
        return kind;
    npy_is_invalid(problem, "");
    if (npy->hulls)
        snprintf(problem->what, sizeof problem->what, "%s do not have three dimensions", kind->name);
    else
        snprintf(problem->what, sizeof problem->what, "%s do not have %zu columns", kind->name, npy->columns);
    return NULL;
}

static void locate_npy(const struct source *source, size_t row, struct problem *problem)
{
    const struct npy *npy = source->state;
    problem->place = PLACE_ROW;
    problem->line = row / npy->planes;
    problem->in_hull = npy->hulls;
    problem->plane = row % npy->planes;
}

/* Where field k of row i of the table is, in values. */
static size_t place_of(const struct npy *npy, size_t i, unsigned k)
{
    const size_t row = i / npy->planes, plane = i % npy->planes, column = npy->column[k];
    return npy->by_columns ? row + npy->rows * (plane + npy->planes * column) : i * npy->columns + column;
}

/* How many columns are read: of points, not those behind z. */
static unsigned fields_of(const struct npy *npy, const struct kind *kind)
{
    return kind->field_count < npy->columns ? kind->field_count : (unsigned)npy->columns;
}

/*
 * The description of what is wrong with value k of row i in the file, or NULL. NaN in the file is left to the checks.
 */
static const char *fault_at(const struct npy *npy, const struct kind *kind, size_t i, unsigned k)
{
    const unsigned char *at = npy->values + place_of(npy, i, k) * (npy->wide ? 8 : 4);
    const double value = npy->wide ? wide_at(at, npy->swapped) : (double)narrow_at(at, npy->swapped);
    if (kind == &kinds[ABUT_SET_HULLS] && k == HULL_VOLUME && !isnan(value) && !hull_volume(value))
        return no_hull_volume;
    return is_too_large(value) ? "is too large for a float32" : NULL;
}

/* The first row with a value that has a fault; there is one. */
static size_t find_fault(const struct source *source, size_t first, struct problem *problem)
{
    const struct npy *npy = source->state;
    for (size_t i = 0;; i++)
        for (unsigned k = 0; k < fields_of(npy, source->kind); k++) {
            const char *what = fault_at(npy, source->kind, first + i, k);
            if (!what)
                continue;
            *problem = (struct problem){.column = source->kind->fields[k]};
            locate_npy(source, first + i, problem);
            snprintf(problem->what, sizeof problem->what, "%s", what);
            return i;
        }
}

/* Makes NaN of invalid volumes, and returns whether there are some. */
static bool clear_volumes(const struct source *source, size_t first, size_t count, const struct table *table)
{
    bool invalid = false;
    for (size_t i = 0; i < count; i++)
        if (fault_at(source->state, source->kind, first + i, HULL_VOLUME)) {
            table->memory[HULL_VOLUME][i] = NAN;
            invalid = true;
        }
    return invalid;
}

/* Subtracts the origin from rows first + i on, which begin in the table at i, and measures their rounding. */
static void round_rows(const struct source *source, size_t first, size_t i, size_t n, const struct table *table)
{
    const struct npy *npy = source->state;
    const size_t size = npy->wide ? 8 : 4;
    for (size_t row = i; row < i + n; row++) {
        double wide[MOST_FIELDS] = {0};
        float values[MOST_FIELDS] = {0};
        for (unsigned k = 0; k < fields_of(npy, source->kind); k++) {
            const unsigned char *at = npy->values + place_of(npy, first + row, k) * size;
            values[k] = table->memory[k][row];
            wide[k] = npy->wide ? wide_at(at, npy->swapped) : (double)values[k];
        }
        rounding_row(source->rounding, source->kind, first + row, wide, values);
        for (unsigned k = 0; k < fields_of(npy, source->kind); k++)
            table->memory[k][row] = values[k];
    }
}

/* Few enough rows to stay in the cache while each of their columns is picked out. */
enum { TILE = 256 };

static bool read_npy(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
                     struct problem *problem, struct progress *progress)
{
    (void)progress;
    const struct npy *npy = source->state;
    const size_t size = npy->wide ? 8 : 4;
    const unsigned fields = fields_of(npy, source->kind);
    bool invalid = false;
    for (size_t i = 0, n; i < count; i += n) {
        /* Planes of one hull are not at equal distances from those of the next where columns come first. */
        n = npy->by_columns && npy->planes > 1 ? 1 : count - i < TILE ? count - i : TILE;
        for (unsigned k = 0; k < fields; k++) {
            const unsigned char *at = npy->values + place_of(npy, first + i, k) * size;
            invalid |= npy_runs[npy->wide][npy->swapped](at, npy->by_columns ? size : npy->columns * size, n,
                                                         table->memory[k] + i);
        }
        if (npy->wide || source->rounding->has_origin)
            round_rows(source, first, i, n, table);
        /* Planes know their hulls without a volume. */
        if (npy->hulls)
            memset(table->memory[npy->columns] + i, 0, n * sizeof *table->memory[npy->columns]);
    }
    if (source->kind == &kinds[ABUT_SET_HULLS] && !npy->hulls)
        invalid |= clear_volumes(source, first, count, table);
    table->planes = npy->hulls ? npy->planes : 0;
    *unreadable = invalid ? find_fault(source, first, problem) : count;
    table->rows.n = count;
    return true;
}

static bool recognise_npy(const char *path, const char *text, size_t size)
{
    (void)path;
    return npy_begins(text, size);
}

static bool open_npy(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    struct npy *npy = source->state = calloc(1, sizeof *npy);
    if (!npy)
        return npy_is_invalid(problem, "out of memory");
    if (!find_values(npy, source->text, source->size, problem))
        return false;
    for (unsigned k = 0; k < MOST_FIELDS; k++)
        npy->column[k] = k;
    source->kind = source->names ? find_named(npy, source->names, kind, kind_option, problem)
                                 : find_kind(npy, kind, kind_option, problem);
    source->capacity = npy->rows * npy->planes;
    return source->kind;
}

static bool label_npy(const struct source *source, const char *column, struct labels *labels, uint32_t *numbers,
                      struct problem *problem)
{
    (void)source;
    (void)labels;
    (void)numbers;
    npy_is_invalid(problem, "the columns of arrays have no names");
    problem->column = column;
    return false;
}

static void close_npy(struct source *source)
{
    free(source->state);
}

const struct reader npy_reader = {.name = "an array",
                                  .by_rows = true,
                                  .recognise = recognise_npy,
                                  .open = open_npy,
                                  .read = read_npy,
                                  .label = label_npy,
                                  .locate = locate_npy,
                                  .close = close_npy};
