/* SPDX-License-Identifier: MIT */
/* The NPY reader: rows of numbers of one type, or structures whose members have names. */
#include "npy.h"

#include "csv_header.h"
#include "hulls.h"
#include "npy_label.h"
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE = 4 };

/* A view of the bytes of the file. */
struct npy {
    size_t rows, planes, columns; /* planes: 1 unless each row is a hull */
    size_t row_stride, plane_stride;
    bool hulls, rays;                     /* rays: the rows may be some */
    bool exact;                           /* every number that is read is a float32 */
    struct npy_column field[MOST_FIELDS]; /* where a field of the kind is, behind the beginning of its row */
    struct npy_header header;
};

/* ---- Shapes ---- */

/* The rows, and where the values of each are. */
static bool place_values(struct npy *npy, struct problem *problem)
{
    const struct npy_header *header = &npy->header;
    const size_t item = header->item, row = npy->planes * npy->columns * item;
    const size_t row_bytes = header->structured ? item : row;
    if (npy->rows > header->bytes / row_bytes)
        return npy_is_invalid(problem, "promises more values than there are in the file");
    if (npy->rows * row_bytes < header->bytes)
        return npy_is_invalid(problem, "promises fewer values than there are in the file");
    if (npy->rows * npy->planes > ABUT_MAX_ITEMS)
        return npy_is_invalid(problem, "has too many rows");
    const bool by_columns = header->by_columns && !header->structured;
    npy->row_stride = by_columns ? item : row_bytes;
    npy->plane_stride = by_columns ? npy->rows * item : npy->columns * item;
    return true;
}

static bool shape_fits(struct npy *npy, struct problem *problem)
{
    const struct npy_header *header = &npy->header;
    if (header->structured ? header->dimensions != 1 : header->dimensions < 2)
        return npy_is_invalid(problem, header->structured ? "the shape of structures is not that of one dimension"
                                                          : "the shape is not that of two or three dimensions");
    npy->hulls = header->dimensions == 3;
    npy->rows = header->shape[0];
    npy->planes = npy->hulls ? header->shape[1] : 1;
    npy->columns = header->structured ? header->column_count : header->shape[header->dimensions - 1];
    if (npy->hulls && (npy->columns != PLANE || npy->planes < 1 || npy->planes > ABUT_MAX_PLANES))
        return npy_is_invalid(problem, "an array of three dimensions holds rows of 1 to 32 planes of 4 members");
    if (npy->columns < 1 || (npy->columns > MOST_FIELDS && !header->structured))
        return npy_is_invalid(problem, "no kind has so many columns");
    return place_values(npy, problem);
}

/* ---- Kinds ---- */

/* Whether rows of so many columns may be of that kind. Points may have more than theirs, such as colours. */
static bool may_be(const struct npy *npy, const struct kind *kind)
{
    return kind == &kinds[ABUT_SET_POINTS] ? npy->columns >= kind->field_count : npy->columns == kind->field_count;
}

/*
 * A form of OBBs or of shapes of the plane by the number of columns, or the kind itself. Three columns are hardly
 * circles: these need names.
 */
static const struct kind *form_of(const struct npy *npy, const struct kind *kind)
{
    if (kind == &kinds[ABUT_SET_OBBS] && npy->columns == quaternion_obbs.field_count)
        return &quaternion_obbs;
    if (kind == &kinds[ABUT_SET_OBBS] && npy->columns == yaw_obbs.field_count)
        return &yaw_obbs;
    for (size_t i = 0; i < FLAT_KINDS; i++)
        if (flat_kinds[i].set == kind->set && npy->columns == flat_kinds[i].field_count &&
            kind->set != ABUT_SET_SPHERES)
            return &flat_kinds[i];
    return kind;
}

/*
 * Two or three columns are points, and ten or fifteen OBBs. Others may be points with colours, intensities or labels,
 * whatever else they may be: the user must say.
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
    if (npy->columns <= kinds[ABUT_SET_POINTS].field_count && found > 0)
        return form_of(npy, &kinds[ABUT_SET_POINTS]);
    if (only == &quaternion_obbs || only == &kinds[ABUT_SET_OBBS])
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

/* The names of the columns of a structure, with commas between them. NULL: out of memory. */
static char *names_of(const struct npy_header *header)
{
    char *names = calloc(header->column_count, NPY_NAME + 1);
    for (size_t i = 0, length = 0; i < header->column_count && names; i++)
        length += (size_t)sprintf(names + length, "%s%s", i ? "," : "", header->columns[i].name);
    return names;
}

/* Column i of the file, from the beginning of its row on. */
static struct npy_column column_at(const struct npy *npy, size_t i)
{
    const struct npy_header *header = &npy->header;
    if (header->structured)
        return header->columns[i];
    const size_t stride = header->by_columns ? npy->rows * npy->planes : 1;
    return (struct npy_column){.offset = i * stride * header->item, .type = header->type};
}

/* Finds the field of each column, which has a target. */
static bool take_targets(struct npy *npy, const struct csv *header, const struct kind *kind, struct problem *problem)
{
    for (size_t i = 0; i < npy->columns; i++) {
        const size_t target = header->targets[i];
        if (target >= MOST_FIELDS)
            continue;
        npy->field[target] = column_at(npy, i);
        if (!npy->field[target].type.number) {
            npy_is_invalid(problem, "is of neither integers nor floats of up to 8 bytes");
            problem->column = kind->fields[target];
            return false;
        }
    }
    return true;
}

/* The kind by the names of the columns, as in the header of a CSV file. On NULL problem is set. */
static const struct kind *find_named(struct npy *npy, const char *names, const struct kind *kind,
                                     const char *kind_option, struct problem *problem)
{
    struct csv header = {0};
    const size_t length = strlen(names);
    const struct kind *found = NULL;
    header.targets = calloc(npy->columns, sizeof *header.targets);
    header.rays = npy->rays;
    header.names = names_in(names, &header.field_count);
    char *line = malloc(length + 2); /* as a message shows it */
    if (line)
        strcat(strcpy(line, names), "\n");
    header.header = line;
    header.end = line ? line + length + 1 : NULL;
    if (!header.names || !header.targets || !line) {
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
        found = found && take_targets(npy, &header, found, problem) ? found : NULL;
    }
    free(header.names);
    free(header.named);
    free(header.targets);
    free(line);
    return found;
}

/* The kind of the rows, which is kind if that is not NULL. On NULL problem is set. */
static const struct kind *find_by_shape(const struct npy *npy, const struct kind *kind, const char *kind_option,
                                        struct problem *problem)
{
    if (!kind && !npy->hulls)
        return guess_kind(npy, kind_option, problem);
    if (npy->hulls && (!kind || kind == &kinds[ABUT_SET_HULLS]))
        return &kinds[ABUT_SET_HULLS];
    kind = form_of(npy, kind);
    if (kind == &kinds[ABUT_SET_HULLS] && npy->columns == vertex_hulls.field_count)
        kind = &vertex_hulls;
    if (!npy->hulls && may_be(npy, kind))
        return kind;
    npy_is_invalid(problem, "");
    if (npy->hulls)
        snprintf(problem->what, sizeof problem->what, "%s do not have three dimensions", kind->name);
    else
        snprintf(problem->what, sizeof problem->what, "%s do not have %zu columns", kind->name, npy->columns);
    return NULL;
}

/* By the names of the option, those of a structure, or the shape. */
static const struct kind *find_kind(struct npy *npy, const char *names, const struct kind *kind,
                                    const char *kind_option, struct problem *problem)
{
    if (names || npy->header.structured) {
        char *own = names ? NULL : names_of(&npy->header);
        const struct kind *found = NULL;
        if (names || own)
            found = find_named(npy, names ? names : own, kind, kind_option, problem);
        else
            npy_is_invalid(problem, "out of memory");
        free(own);
        return found;
    }
    for (unsigned k = 0; k < npy->columns; k++)
        npy->field[k] = column_at(npy, k);
    return find_by_shape(npy, kind, kind_option, problem);
}

/* How many columns are read: of points, not those behind z; of hulls in three dimensions, no volume. */
static unsigned fields_of(const struct npy *npy, const struct kind *kind)
{
    return npy->hulls ? PLANE : kind->field_count;
}

/* ---- Values ---- */

static void locate_npy(const struct source *source, size_t row, struct problem *problem)
{
    const struct npy *npy = source->state;
    problem->place = PLACE_ROW;
    problem->line = row / npy->planes;
    problem->in_hull = npy->hulls;
    problem->plane = row % npy->planes;
}

/* Where field k of row i of the table is. */
static const unsigned char *place_of(const struct npy *npy, size_t i, unsigned k)
{
    return npy->header.values + i / npy->planes * npy->row_stride + i % npy->planes * npy->plane_stride +
           npy->field[k].offset;
}

static double wide_at(const struct npy *npy, size_t i, unsigned k)
{
    const struct npy_type *type = &npy->field[k].type;
    return type->number->wide[type->swapped](place_of(npy, i, k));
}

/*
 * The description of what is wrong with value k of row i in the file, or NULL. NaN in the file is left to the checks.
 */
static const char *fault_at(const struct npy *npy, const struct kind *kind, size_t i, unsigned k)
{
    const double value = wide_at(npy, i, k);
    if (k == volume_field(kind) && !isnan(value) && !hull_volume(value))
        return no_hull_volume;
    return npy_is_too_large(value) ? "is too large for a float32" : NULL;
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
    const unsigned volume = volume_field(source->kind);
    bool invalid = false;
    for (size_t i = 0; i < count; i++)
        if (fault_at(source->state, source->kind, first + i, volume)) {
            table->memory[volume][i] = NAN;
            invalid = true;
        }
    return invalid;
}

/* Subtracts the origin from rows first + i on, which begin in the table at i, and measures their rounding. */
static void round_rows(const struct source *source, size_t first, size_t i, size_t n, const struct table *table)
{
    const struct npy *npy = source->state;
    for (size_t row = i; row < i + n; row++) {
        double wide[MOST_FIELDS] = {0};
        float values[MOST_FIELDS] = {0};
        for (unsigned k = 0; k < fields_of(npy, source->kind); k++) {
            values[k] = table->memory[k][row];
            wide[k] = wide_at(npy, first + row, k);
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
    const unsigned fields = fields_of(npy, source->kind);
    /* Planes of one hull are not at equal distances from those of the next where columns come first. */
    const bool equal = npy->planes == 1 || npy->row_stride == npy->planes * npy->plane_stride;
    const size_t stride = npy->planes == 1 ? npy->row_stride : npy->plane_stride;
    bool invalid = false;
    for (size_t i = 0, n; i < count; i += n) {
        n = !equal ? 1 : count - i < TILE ? count - i : TILE;
        for (unsigned k = 0; k < fields; k++) {
            const struct npy_type *type = &npy->field[k].type;
            invalid |= type->number->run[type->swapped](place_of(npy, first + i, k), stride, n, table->memory[k] + i);
        }
        if (!npy->exact || source->rounding->has_origin)
            round_rows(source, first, i, n, table);
        else if (source->rounding->bounded)
            rounding_widen(source->rounding, source->kind, table, i, n);
        /* Planes know their hulls without a volume. */
        if (npy->hulls)
            memset(table->memory[HULL_VOLUME] + i, 0, n * sizeof *table->memory[HULL_VOLUME]);
    }
    if (source->kind->set == ABUT_SET_HULLS && !npy->hulls)
        invalid |= clear_volumes(source, first, count, table);
    table->planes = npy->hulls ? npy->planes : 0;
    *unreadable = invalid ? find_fault(source, first, problem) : count;
    table->rows.n = count;
    return true;
}

/* ---- The reader ---- */

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
    if (!npy_read_header(&npy->header, source->text, source->size, problem) || !shape_fits(npy, problem))
        return false;
    npy->rays = source->rays;
    source->kind = find_kind(npy, source->names, kind, kind_option, problem);
    source->capacity = npy->rows * npy->planes;
    npy->exact = true;
    for (unsigned k = 0; source->kind && k < fields_of(npy, source->kind); k++)
        npy->exact &= npy->field[k].type.number->exact;
    return source->kind;
}

static bool label_npy(const struct source *source, const char *column, struct labels *labels, uint32_t *numbers,
                      struct problem *problem)
{
    const struct npy *npy = source->state;
    const struct npy_column *found = npy_find_label(&npy->header, column, problem);
    if (!found)
        return false;
    char *text = malloc(npy_label_size(&found->type));
    bool done = text;
    for (size_t i = 0; i < npy->rows && done; i++) {
        const size_t length = npy_label(&found->type, npy->header.values + i * npy->row_stride + found->offset, text);
        numbers[i] = labels_number(labels, text, length);
        done = numbers[i] != UINT32_MAX;
    }
    free(text);
    if (!done)
        npy_is_invalid(problem, "out of memory");
    return done;
}

static void close_npy(struct source *source)
{
    struct npy *npy = source->state;
    if (npy)
        free(npy->header.columns);
    free(npy);
}

const struct reader npy_reader = {.name = "an array",
                                  .by_rows = true,
                                  .recognise = recognise_npy,
                                  .open = open_npy,
                                  .read = read_npy,
                                  .label = label_npy,
                                  .locate = locate_npy,
                                  .close = close_npy};
