/* SPDX-License-Identifier: MIT */
/* The NPY reader: a header that is a Python dictionary, then values of one type and shape. */
#include "npy.h"

#include "csv_header.h"
#include "hulls.h"
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 6, MOST_DIMENSIONS = 3, PLANE = 4 };
static const char magic[MAGIC] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* float32 or float64 values, of either byte and array order; a view of the bytes of the file. */
struct npy {
    const unsigned char *values;
    size_t rows, planes, columns; /* planes: 1 unless each row is a hull */
    bool hulls, wide, swapped, by_columns;
    unsigned column[MOST_FIELDS]; /* that holds a field of the kind */
};

static bool header_is_invalid(struct problem *problem, const char *what)
{
    *problem = (struct problem){.place = PLACE_HEADER};
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

/* ---- The dictionary: keys and values as NumPy writes them, in any order. */

struct text {
    const char *at, *end;
};

struct header {
    char type, order; /* 'f'; '<' or '>' */
    unsigned size;    /* bytes a value */
    bool has_type, has_order, has_shape, by_columns;
    size_t shape[MOST_DIMENSIONS];
    unsigned dimensions;
};

static void skip_blanks(struct text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t'))
        text->at++;
}

static bool take(struct text *text, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(text);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

/* A quoted string without escapes, shorter than room. */
static bool take_string(struct text *text, char *string, size_t room)
{
    skip_blanks(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return false;
    const char quote = *text->at++;
    const char *end = memchr(text->at, quote, (size_t)(text->end - text->at));
    if (!end || (size_t)(end - text->at) >= room)
        return false;
    memcpy(string, text->at, (size_t)(end - text->at));
    string[end - text->at] = '\0';
    text->at = end + 1;
    return true;
}

static bool take_size(struct text *text, size_t *size)
{
    skip_blanks(text);
    const char *first = text->at;
    for (*size = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        if (*size > (SIZE_MAX - 9) / 10)
            return false;
        *size = *size * 10 + (size_t)(*text->at - '0');
    }
    const bool digits = text->at > first;
    if (digits && text->at < text->end && *text->at == 'L')
        text->at++; /* Python 2 wrote a long so */
    return digits;
}

static bool take_shape(struct text *text, struct header *header)
{
    if (!take(text, "("))
        return false;
    while (!take(text, ")")) {
        if (header->dimensions == MOST_DIMENSIONS || !take_size(text, &header->shape[header->dimensions++]))
            return false;
        if (!take(text, ",")) {
            if (!take(text, ")"))
                return false;
            break;
        }
    }
    return true;
}

static bool take_type(struct text *text, struct header *header)
{
    char type[16];
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    if (!take_string(text, type, sizeof type) || strlen(type) != 3)
        return false;
    header->order = type[0] == '=' ? (little ? '<' : '>') : type[0];
    header->type = type[1];
    header->size = (unsigned)(type[2] - '0');
    return (header->order == '<' || header->order == '>') && header->type == 'f' &&
           (header->size == 4 || header->size == 8);
}

static bool read_dictionary(struct text text, struct header *header, struct problem *problem)
{
    if (!take(&text, "{"))
        return header_is_invalid(problem, "is not a dictionary");
    while (!take(&text, "}")) {
        char key[16] = "";
        if (!take_string(&text, key, sizeof key) || !take(&text, ":"))
            return header_is_invalid(problem, "is not a dictionary");
        if (strcmp(key, "descr") == 0 && !header->has_type) {
            header->has_type = true;
            if (!take_type(&text, header))
                return header_is_invalid(problem, "descr is not that of float32 or float64");
        } else if (strcmp(key, "fortran_order") == 0 && !header->has_order) {
            header->has_order = true;
            header->by_columns = take(&text, "True");
            if (!header->by_columns && !take(&text, "False"))
                return header_is_invalid(problem, "fortran_order is neither True nor False");
        } else if (strcmp(key, "shape") == 0 && !header->has_shape) {
            header->has_shape = true;
            if (!take_shape(&text, header))
                return header_is_invalid(problem, "the shape is not that of two or three dimensions");
        } else {
            return header_is_invalid(problem, "has a key twice, or one that NPY files do not have");
        }
        if (!take(&text, ",")) {
            if (!take(&text, "}"))
                return header_is_invalid(problem, "is not a dictionary");
            break;
        }
    }
    skip_blanks(&text);
    if (text.at != text.end || !header->has_type || !header->has_order || !header->has_shape)
        return header_is_invalid(problem, "lacks descr, fortran_order or shape, or goes on behind them");
    return true;
}

/* ---- The file */

static bool shape_fits(struct npy *npy, const struct header *header, size_t bytes, struct problem *problem)
{
    if (header->dimensions < 2)
        return header_is_invalid(problem, "the shape is not that of two or three dimensions");
    npy->hulls = header->dimensions == 3;
    npy->rows = header->shape[0];
    npy->planes = npy->hulls ? header->shape[1] : 1;
    npy->columns = header->shape[header->dimensions - 1];
    if (npy->hulls && (npy->columns != PLANE || npy->planes < 1 || npy->planes > ABUT_MAX_PLANES))
        return header_is_invalid(problem, "an array of three dimensions holds rows of 1 to 32 planes of 4 members");
    if (npy->columns < 1 || npy->columns > MOST_FIELDS)
        return header_is_invalid(problem, "no kind has so many columns");
    const size_t row = npy->planes * npy->columns * header->size;
    if (npy->rows > bytes / row)
        return header_is_invalid(problem, "promises more values than there are in the file");
    if (npy->rows * row < bytes)
        return header_is_invalid(problem, "promises fewer values than there are in the file");
    if (npy->rows * npy->planes > ABUT_MAX_ITEMS)
        return header_is_invalid(problem, "has too many rows");
    return true;
}

/* Reads the header, and finds all values there. */
static bool read_header(struct npy *npy, const void *bytes, size_t size, struct problem *problem)
{
    const unsigned char *at = bytes;
    const size_t prefix = size > MAGIC && at[MAGIC] > 1 ? 12 : 10;
    if (size < prefix)
        return header_is_invalid(problem, "is not all there");
    if (at[MAGIC] < 1 || at[MAGIC] > 3)
        return header_is_invalid(problem, "is of a format other than 1, 2 and 3");
    size_t length = at[8] | (size_t)at[9] << 8;
    if (prefix == 12)
        length |= (size_t)at[10] << 16 | (size_t)at[11] << 24;
    if (length > size - prefix)
        return header_is_invalid(problem, "is not all there");
    struct header header = {0};
    const char *text = (const char *)at + prefix;
    *npy = (struct npy){.values = at + prefix + length};
    if (!read_dictionary((struct text){text, text + length}, &header, problem) ||
        !shape_fits(npy, &header, size - prefix - length, problem))
        return false;
    const uint16_t one = 1;
    npy->swapped = (header.order == '<') != (*(const unsigned char *)&one == 1);
    npy->wide = header.size == 8;
    npy->by_columns = header.by_columns;
    return true;
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
    header_is_invalid(problem, "");
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
        header_is_invalid(problem, "out of memory");
    } else if (npy->hulls) {
        header_is_invalid(problem, "an array of three dimensions has no columns to name");
    } else if (header.field_count != npy->columns) {
        header_is_invalid(problem, "");
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
    header_is_invalid(problem, "");
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

static inline uint32_t swapped_32(uint32_t x)
{
    x = (x & 0x00FF00FF) << 8 | (x >> 8 & 0x00FF00FF);
    return x << 16 | x >> 16;
}

static inline float narrow_at(const unsigned char *at, bool swapped)
{
    uint32_t word;
    float value;
    memcpy(&word, at, sizeof word);
    word = swapped ? swapped_32(word) : word;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline double wide_at(const unsigned char *at, bool swapped)
{
    uint32_t words[2];
    double value;
    memcpy(words, at, sizeof words);
    if (swapped) {
        const uint32_t low = swapped_32(words[1]);
        words[1] = swapped_32(words[0]);
        words[0] = low;
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* Whether the nearest float32 is infinite and the value is not. */
static inline bool is_too_large(double value)
{
    return isinf((float)value) && !isinf(value);
}

/* The nearest float32, or NaN. */
static inline float value_at(const unsigned char *at, bool wide, bool swapped, bool *too_large)
{
    if (!wide)
        return narrow_at(at, swapped);
    const double value = wide_at(at, swapped);
    const bool invalid = is_too_large(value);
    *too_large |= invalid;
    return invalid ? NAN : (float)value;
}

/* Values at equal distances, of one type and byte order; whether one was too large. */
#define RUN(name, wide, swapped)                                                                                       \
    static bool name(const unsigned char *at, size_t stride, size_t count, float *to)                                  \
    {                                                                                                                  \
        bool too_large = false;                                                                                        \
        for (size_t i = 0; i < count; i++)                                                                             \
            to[i] = value_at(at + i * stride, wide, swapped, &too_large);                                              \
        return too_large;                                                                                              \
    }
RUN(run_narrow, false, false)
RUN(run_narrow_swapped, false, true)
RUN(run_wide, true, false)
RUN(run_wide_swapped, true, true)

static bool (*const runs[2][2])(const unsigned char *at, size_t stride, size_t count,
                                float *to) = {{run_narrow, run_narrow_swapped}, {run_wide, run_wide_swapped}};

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
            invalid |= runs[npy->wide][npy->swapped](at, npy->by_columns ? size : npy->columns * size, n,
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
    return size >= MAGIC && memcmp(text, magic, MAGIC) == 0;
}

static bool open_npy(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    struct npy *npy = source->state = calloc(1, sizeof *npy);
    if (!npy)
        return header_is_invalid(problem, "out of memory");
    if (!read_header(npy, source->text, source->size, problem))
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
    header_is_invalid(problem, "the columns of arrays have no names");
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

void npy_header(char header[NPY_HEADER], uint64_t rows)
{
    char text[NPY_HEADER];
    const int length = snprintf(text, sizeof text, "{'descr': '<u4', 'fortran_order': False, 'shape': (%llu, 2), }",
                                (unsigned long long)rows);
    memset(header, ' ', NPY_HEADER);
    memcpy(header, magic, MAGIC);
    header[6] = 1;
    header[7] = 0;
    header[8] = NPY_HEADER - 10;
    header[9] = 0;
    memcpy(header + 10, text, (size_t)length);
    header[NPY_HEADER - 1] = '\n';
}
