/* SPDX-License-Identifier: MIT */
/* nearest: the rows of B that are nearest to each point of A. */
#include "broad.h"
#include "input.h"
#include "pairs.h"
#include "progress.h"
#include "within.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most neighbours to find at a time, and rows to begin with. Their number doubles as long as they take no time. */
enum { BLOCK = 1 << 20, FIRST_ROWS = 1 << 12 };
static const double no_time = 0.1;

/* With --ties some more neighbours are asked for: enough for most vertices of a mesh. */
enum { MORE = 7 };

/* The neighbours of some points, k of each; arrays that are not wanted are NULL. */
struct answers {
    size_t k;
    uint32_t *indices, *ranks;
    float *d2, *closest[3];
};

static bool answers_new(struct answers *answers, const struct options *options, size_t points, size_t k)
{
    *answers = (struct answers){.k = k};
    const bool distances = options->distances || options->squares;
    if (points > SIZE_MAX / sizeof *answers->indices / k)
        return false;
    const size_t n = points * k;
    answers->indices = malloc(n * sizeof *answers->indices);
    answers->ranks = options->ties ? malloc(n * sizeof *answers->ranks) : NULL;
    answers->d2 = distances ? malloc(n * sizeof *answers->d2) : NULL;
    bool closest = true;
    for (unsigned c = 0; c < 3 && options->closest; c++) {
        answers->closest[c] = malloc(n * sizeof(float));
        closest &= answers->closest[c] != NULL;
    }
    return answers->indices && (answers->ranks || !options->ties) && (answers->d2 || !distances) && closest;
}

static void answers_free(struct answers *answers)
{
    free(answers->indices);
    free(answers->ranks);
    free(answers->d2);
    for (unsigned c = 0; c < 3; c++)
        free(answers->closest[c]);
}

struct nearest {
    const struct options *options;
    struct broad *broad;
    struct pair_output *pairs;
    size_t k, items; /* k: at most the number of items */
};

static enum abut_status ask(const struct nearest *nearest, const struct rows *points, size_t first,
                            const struct answers *answers)
{
    const struct options *options = nearest->options;
    struct abut_neighbours question = {.k = answers->k,
                                       .limited = options->limited,
                                       .within = options->within,
                                       .exclude_self = options->exclude_self,
                                       .first = first,
                                       .images = options->images};
    memcpy(question.period, options->period, sizeof question.period);
    const struct abut_neighbours_found found = {
        answers->indices, answers->d2, answers->ranks, {answers->closest[0], answers->closest[1], answers->closest[2]}};
    return broad_nearest(nearest->broad, points, &question, &found);
}

/* The neighbours of one point: those of a rank below k. False: there may be more of them. */
static bool count_found(const struct nearest *nearest, const struct answers *answers, size_t row, size_t *found)
{
    const uint32_t *indices = answers->indices + row * answers->k;
    const uint32_t *ranks = answers->ranks ? answers->ranks + row * answers->k : NULL;
    *found = 0;
    while (*found < answers->k && indices[*found] != UINT32_MAX && (!ranks || ranks[*found] < nearest->k))
        ++*found;
    return !ranks || *found < answers->k || answers->k == nearest->items;
}

static void write_row(const struct nearest *nearest, const struct answers *answers, size_t row, size_t point,
                      size_t found)
{
    const size_t at = row * answers->k;
    double numbers[MOST_COLUMNS];
    unsigned n = 0;
    if (!nearest->options->distances && !nearest->options->squares && !nearest->options->closest) {
        pairs_write(nearest->pairs, point, 0, answers->indices + at, found);
        return;
    }
    for (size_t i = at; i < at + found; i++, n = 0) {
        if (nearest->options->distances)
            numbers[n++] = (double)sqrtf(answers->d2[i]);
        if (nearest->options->squares)
            numbers[n++] = (double)answers->d2[i];
        for (unsigned c = 0; c < 3 && nearest->options->closest; c++)
            numbers[n++] = nearest->options->origin.at[c] + (double)answers->closest[c][i];
        pairs_write_numbers(nearest->pairs, point, answers->indices[i], numbers, n);
    }
}

/* A point with more equally near rows than were asked for: it is asked about alone, for more and more of them. */
static enum abut_status write_ties(const struct nearest *nearest, const struct rows *points, size_t row, size_t point)
{
    const struct rows one = rows_slice(points, row, 1);
    enum abut_status status = ABUT_OK;
    bool all = false;
    for (size_t k = 4 * (nearest->k + MORE); status == ABUT_OK && !all; k *= 4) {
        struct answers answers;
        size_t found;
        status = answers_new(&answers, nearest->options, 1, k < nearest->items ? k : nearest->items)
                     ? ask(nearest, &one, point, &answers)
                     : ABUT_ERROR_MEMORY;
        all = status == ABUT_OK && count_found(nearest, &answers, 0, &found);
        if (all)
            write_row(nearest, &answers, 0, point, found);
        answers_free(&answers);
    }
    return status;
}

static enum abut_status find_block(const struct nearest *nearest, const struct rows *points, size_t first,
                                   const struct answers *answers)
{
    enum abut_status status = ask(nearest, points, first, answers);
    for (size_t i = 0; i < points->n && status == ABUT_OK; i++) {
        size_t found;
        if (count_found(nearest, answers, i, &found))
            write_row(nearest, answers, i, first + i, found);
        else
            status = write_ties(nearest, points, i, first + i);
    }
    return status;
}

static enum abut_status find_neighbours(const struct nearest *nearest, const struct rows *a)
{
    const struct options *options = nearest->options;
    struct progress progress;
    progress_begin(&progress, "comparing", (double)a->n, "rows",
                   !options->quiet && (nearest->pairs->count_only || !output_is_terminal(&nearest->pairs->output)));
    const size_t wanted = options->ties ? nearest->k + MORE : nearest->k;
    const size_t k = wanted < nearest->items ? wanted : nearest->items, most = k < BLOCK ? BLOCK / k : 1;
    size_t rows = most < FIRST_ROWS ? most : FIRST_ROWS;
    struct answers answers;
    enum abut_status status = answers_new(&answers, options, most, k) ? ABUT_OK : ABUT_ERROR_MEMORY;
    for (size_t first = 0; first < a->n && status == ABUT_OK && !nearest->pairs->output.error;) {
        const struct rows block = rows_slice(a, first, a->n - first < rows ? a->n - first : rows);
        const double start = now();
        status = find_block(nearest, &block, first, &answers);
        first += block.n;
        progress_at(&progress, (double)first / (double)a->n);
        rows = now() - start > no_time ? rows : 2 * rows < most ? 2 * rows : most;
    }
    progress_end(&progress);
    answers_free(&answers);
    return status;
}

static enum exit_code write_neighbours(const struct options *options, const struct table tables[2])
{
    const struct rows *a = &tables[0].rows, *b = &tables[1].rows;
    const size_t neighbours = options->neighbours ? options->neighbours : 1;
    struct broad broad;
    struct pair_output pairs;
    if (!pairs_open(&pairs, options, tables[0].names, tables[1].names))
        return EXIT_FAILED;
    enum abut_status status = broad_open(&broad, options, NULL);
    if (status == ABUT_OK)
        status = broad_index(&broad, b, 0);
    const struct nearest nearest = {options, &broad, &pairs, neighbours < b->n ? neighbours : b->n, b->n};
    if (status == ABUT_OK && nearest.k > 0)
        status = find_neighbours(&nearest, a);
    if (status == ABUT_OK && options->stats)
        broad_report(&broad);
    broad_close(&broad);
    const struct placed_rows of_a = {a, 0, NULL}, of_b = {b, 0, NULL};
    if (status != ABUT_OK) {
        if (within_explains(options, status, &of_a, &of_b))
            output_discard(&pairs.output);
        else
            pairs_fail(&pairs, status);
        return EXIT_FAILED;
    }
    return pairs_close(&pairs) ? EXIT_DONE : EXIT_FAILED;
}

enum exit_code command_nearest(const struct options *given)
{
    struct table tables[2];
    struct options flattened = *given;
    const struct options *options = &flattened;
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    within_flatten(&flattened, &tables[0], &tables[1]);
    const enum abut_set_kind a = tables[0].kind->set, b = tables[1].kind->set;
    const struct rows *rows[2] = {&tables[0].rows, &tables[1].rows};
    if (options->periodic && !within_applies(options, a, b)) {
        code = EXIT_USAGE;
    } else if (!within_is_in_range(options, rows[0], 0, 0) || !within_is_in_range(options, rows[1], 1, 0)) {
        code = EXIT_FAILED;
    } else if (a == ABUT_SET_POINTS && b != ABUT_SET_PLANES && b != ABUT_SET_HULLS) {
        code = write_neighbours(options, tables);
    } else {
        complain("nearest takes points (A) and any shapes but planes and hulls (B), not %s and %s%s",
                 tables[0].kind->name, tables[1].kind->name,
                 a == ABUT_SET_SPHERES ? "; --kind-a points reads the centres of spheres" : "");
        code = EXIT_USAGE;
    }
    table_free(&tables[0]);
    table_free(&tables[1]);
    return code;
}
