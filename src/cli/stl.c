/* SPDX-License-Identifier: MIT */
/* The reader of binary STL: 80 bytes of anything, a count, and 50 bytes a triangle. Its normals are not read. */
#include "cli.h"
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum { COUNT_AT = 80, FIRST_AT = 84, TRIANGLE = 50, NORMAL = 12, CORNERS = 9 };

/* Little-endian, on any machine. */
static uint32_t word_at(const char *at)
{
    uint32_t word = 0;
    for (unsigned i = 4; i-- > 0;)
        word = word << 8 | (unsigned char)at[i];
    return word;
}

static bool has_size_of_its_count(const char *text, size_t size)
{
    return size >= FIRST_AT && (size - FIRST_AT) % TRIANGLE == 0 &&
           (size - FIRST_AT) / TRIANGLE == word_at(text + COUNT_AT);
}

/* There is no mark: the size tells, or the name. ASCII files were recognised before. */
static bool recognise_stl(const char *path, const char *text, size_t size)
{
    return has_size_of_its_count(text, size) || has_ending(path, ".stl") || has_ending(path, ".stl.gz");
}

static bool open_stl(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    (void)kind;
    (void)kind_option;
    const size_t size = source->size;
    *problem = (struct problem){0};
    if (size < FIRST_AT)
        snprintf(problem->what, sizeof problem->what,
                 "is no STL file: it does not begin with 'solid', and has fewer than %d bytes", FIRST_AT);
    else if (!has_size_of_its_count(source->text, size))
        snprintf(problem->what, sizeof problem->what,
                 "has %zu bytes, but a binary STL file of %lu triangles, as it says, has %llu", size,
                 (unsigned long)word_at(source->text + COUNT_AT),
                 FIRST_AT + (unsigned long long)TRIANGLE * word_at(source->text + COUNT_AT));
    if (*problem->what)
        return false;
    source->kind = &kinds[ABUT_SET_TRIANGLES];
    source->capacity = word_at(source->text + COUNT_AT);
    return true;
}

/* Corners that are not finite are refused by the check of triangles. */
static bool read_stl(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
                     struct problem *problem, struct progress *progress)
{
    (void)problem;
    for (size_t row = 0; row < count; row++) {
        const char *at = source->text + FIRST_AT + (first + row) * TRIANGLE + NORMAL;
        float values[CORNERS];
        double wide[CORNERS];
        for (unsigned k = 0; k < CORNERS; k++) {
            const uint32_t word = word_at(at + 4 * k);
            memcpy(&values[k], &word, sizeof word);
            wide[k] = (double)values[k];
        }
        rounding_row(source->rounding, source->kind, first + row, wide, values);
        for (unsigned k = 0; k < CORNERS; k++)
            table->memory[k][row] = values[k];
        if (row % ROWS_A_REPORT == 0)
            progress_at(progress, (double)row / (double)count);
    }
    table->rows.n = *unreadable = count;
    return true;
}

static void locate_stl(const struct source *source, size_t row, struct problem *problem)
{
    (void)source;
    problem->place = PLACE_ROW;
    problem->line = row;
}

static void close_stl(struct source *source)
{
    (void)source;
}

const struct reader stl_reader = {.name = "a binary STL file",
                                  .kinds = {&kinds[ABUT_SET_TRIANGLES], &kinds[ABUT_SET_TRIANGLES]},
                                  .recognise = recognise_stl,
                                  .open = open_stl,
                                  .read = read_stl,
                                  .locate = locate_stl,
                                  .close = close_stl};
