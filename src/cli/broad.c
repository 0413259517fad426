/* SPDX-License-Identifier: MIT */
/* The index as the command uses it. */
#include "broad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * From about 600 rows against 600 on, an index takes less time than all their pairs one by one (scripts/bench.sh join
 * --crossover). The rest makes up for starting the threads.
 */
static const double worth_an_index = 0x1p20;

/* A search of the tree with one hull takes as long as tests of so many items. */
enum { WORTH_A_TREE = 2048 };

/* Hits of a row to begin with; too few cost a second search. */
enum { USUAL_HITS = 8 };

/*
 * Where rows hit nearly everything, fewer are searched for at a time: hits take 64 MB, or 64 bytes a row where there
 * are many rows, and sorting as much again.
 */
static const uint64_t least_most_hits = 1 << 24;
enum { MOST_HITS_A_ROW = 16 };

/* A thread finds a hit through an index in the time of so many comparisons, with spheres of twice as many. */
enum { PAIRS_A_HIT = 64 };

/* A sample of rows shows how much they hit. It is so large that a few rows that hit everything do not decide. */
enum { SAMPLE = 256 };

static bool of_hulls(const struct relation *relation)
{
    return relation->predicate->b == ABUT_SET_HULLS;
}

/* Whether an index of B answers, or of the items that are tested against hulls. */
static bool answers(const struct relation *relation)
{
    return of_hulls(relation) || relation->swapped ? relation->predicate->search_swapped : relation->predicate->search;
}

bool broad_applies(const struct options *options, const struct relation *relation, size_t rows_a, size_t rows_b)
{
    if (!answers(relation) || options->method == METHOD_ALL)
        return false;
    const bool few = (double)rows_a * (double)rows_b < worth_an_index ||
                     (of_hulls(relation) && (relation->swapped ? rows_b : rows_a) < WORTH_A_TREE);
    return options->method == METHOD_INDEX || !few;
}

static enum abut_status build(struct broad *broad, const struct rows *rows)
{
    const struct abut_options options = {
        .workspace = broad->settings.workspace, .threads = broad->settings.threads, .skip_invalid = true};
    union batch batch;
    const double start = now();
    abut_index_free(broad->index);
    enum abut_status status = abut_index_new(rows_set(rows, &batch), &options, NULL, &broad->index);
    if (abut_index_bytes(broad->index) > broad->most_bytes)
        broad->most_bytes = abut_index_bytes(broad->index);
    broad->build_seconds += now() - start;
    return status;
}

static bool make_offsets(struct hit_rows *rows, size_t n)
{
    free(rows->offsets);
    rows->offsets = malloc((n + 1) * sizeof *rows->offsets);
    return rows->offsets != NULL;
}

enum abut_status broad_open(struct broad *broad, const struct options *options, const struct relation *relation)
{
    /* nearest has no relation. */
    const bool hulls = relation && of_hulls(relation);
    *broad = (struct broad){.settings = {.touch = options->touch,
                                         .stats = &broad->stats,
                                         .relation = hulls ? relation->predicate->relation : ABUT_TOUCHES}};
    broad->pool = pool_new(options->threads ? options->threads : pool_cores());
    if (!broad->pool)
        return ABUT_ERROR_MEMORY;
    broad->threads = pool_threads(broad->pool);
    broad->settings.threads = &broad->threads;
    return abut_workspace_new(NULL, &broad->settings.workspace);
}

enum abut_status broad_index(struct broad *broad, const struct rows *b, size_t rows)
{
    const uint64_t hits = MOST_HITS_A_ROW * (uint64_t)rows;
    broad->most_hits = hits > least_most_hits ? hits : least_most_hits;
    broad->hulls = b->offsets ? b : NULL;
    if (!make_offsets(&broad->rows, rows) || (broad->hulls && !make_offsets(&broad->by_hull, b->n)))
        return ABUT_ERROR_MEMORY;
    return broad->hulls ? ABUT_OK : build(broad, b);
}

static bool enlarge(struct hit_rows *rows, uint64_t capacity)
{
    free(rows->indices);
    rows->capacity = capacity <= SIZE_MAX / 2 / sizeof *rows->indices ? (size_t)capacity : 0;
    rows->indices = rows->capacity ? malloc(rows->capacity * sizeof *rows->indices) : NULL;
    return rows->indices != NULL;
}

/* Leaves out hits that are too many, unless all is true: the last offset is the number of all. */
static enum abut_status search(struct broad *broad, const struct rows *queries, bool all, struct hit_rows *rows)
{
    union batch batch;
    const struct abut_set set = rows_set(queries, &batch);
    const struct abut_stats before = broad->stats;
    if (!rows->indices && !enlarge(rows, USUAL_HITS * (uint64_t)queries->n + 1))
        return ABUT_ERROR_MEMORY;
    enum abut_status status =
        abut_join_rows(broad->index, set, &broad->settings, rows->offsets, rows->indices, rows->capacity);
    if (status == ABUT_OK && rows->offsets[queries->n] > rows->capacity) {
        broad->stats = before;
        if (rows->offsets[queries->n] > broad->most_hits && !all)
            return ABUT_OK;
        if (!enlarge(rows, rows->offsets[queries->n] + rows->offsets[queries->n] / 4))
            return ABUT_ERROR_MEMORY;
        status = abut_join_rows(broad->index, set, &broad->settings, rows->offsets, rows->indices, rows->capacity);
    }
    return status;
}

/* From a row for each of from_n items to one for each of n, ascending again. */
static enum abut_status transpose(const struct hit_rows *from, size_t from_n, struct hit_rows *to, size_t n)
{
    const uint64_t hits = from->offsets[from_n];
    if (hits > to->capacity && !enlarge(to, hits + hits / 4))
        return ABUT_ERROR_MEMORY;
    memset(to->offsets, 0, (n + 1) * sizeof *to->offsets);
    for (uint64_t i = 0; i < hits; i++)
        to->offsets[from->indices[i] + 1]++;
    for (size_t i = 0; i < n; i++)
        to->offsets[i + 1] += to->offsets[i];
    for (size_t row = 0; row < from_n; row++)
        for (uint64_t i = from->offsets[row]; i < from->offsets[row + 1]; i++)
            to->indices[to->offsets[from->indices[i]]++] = (uint32_t)row;
    memmove(to->offsets + 1, to->offsets, n * sizeof *to->offsets);
    to->offsets[0] = 0;
    return ABUT_OK;
}

/* Sets the number of hits, and whether the lists hold them, as they always do if a is one row. */
static enum abut_status search_rows(struct broad *broad, const struct rows *a, uint64_t *hits, bool *there)
{
    const struct rows *queries = broad->hulls ? broad->hulls : a;
    struct hit_rows *rows = broad->hulls ? &broad->by_hull : &broad->rows;
    enum abut_status status = broad->hulls ? build(broad, a) : ABUT_OK;
    const double start = now();
    if (status == ABUT_OK)
        status = search(broad, queries, a->n == 1, rows);
    *hits = status == ABUT_OK ? rows->offsets[queries->n] : 0;
    *there = *hits <= rows->capacity;
    if (status == ABUT_OK && broad->hulls && *there)
        status = transpose(rows, queries->n, &broad->rows, a->n);
    broad->search_seconds += now() - start;
    return status;
}

enum abut_status broad_is_dense(struct broad *broad, const struct rows *a, bool *dense)
{
    const struct rows *queries = broad->hulls ? broad->hulls : a;
    const size_t sample = queries->n < SAMPLE ? queries->n : SAMPLE;
    struct abut_options settings = broad->settings;
    settings.stats = NULL;
    enum abut_status status = broad->hulls ? build(broad, a) : ABUT_OK;
    const double start = now();
    double hits = 0;
    for (size_t i = 0; i < sample && status == ABUT_OK; i++) {
        union batch batch;
        uint32_t count = 0;
        const struct rows row = rows_slice(queries, i * queries->n / sample, 1);
        status = abut_join_counts(broad->index, rows_set(&row, &batch), &settings, &count);
        hits += count;
    }
    broad->search_seconds += now() - start;
    *dense = hits * PAIRS_A_HIT > (double)sample * (double)abut_index_count(broad->index) * broad->threads.count;
    return status;
}

enum abut_status broad_search(struct broad *broad, struct rows *a)
{
    uint64_t hits;
    bool there;
    if (broad->at_once > 0 && broad->at_once < a->n)
        *a = rows_slice(a, 0, broad->at_once);
    enum abut_status status = search_rows(broad, a, &hits, &there);
    while (status == ABUT_OK && !there) {
        /* Half of the capacity, if all rows hit as much. */
        broad->at_once = (size_t)((double)a->n / (double)hits * (double)broad->most_hits / 2) + 1;
        *a = rows_slice(a, 0, broad->at_once < a->n ? broad->at_once : a->n / 2);
        status = search_rows(broad, a, &hits, &there);
    }
    if (hits < broad->most_hits / 4 && broad->at_once < a->n * 2)
        broad->at_once *= 2;
    return status;
}

enum abut_status broad_nearest(struct broad *broad, const struct rows *a, const struct abut_neighbours *question,
                               const struct abut_neighbours_found *found)
{
    const struct abut_points points = {a->n, a->at[0], a->at[1], a->at[2]};
    double start = now();
    enum abut_status status = abut_find_neighbours(broad->index, &points, question, &broad->settings, found);
    broad->search_seconds += now() - start;
    return status;
}

enum abut_status broad_within(struct broad *broad, const struct rows *queries, const struct rows *items,
                              const struct abut_reach *reach, abut_block_function *take, void *context)
{
    union batch batch;
    enum abut_status status = ABUT_OK;
    if (!broad->index || broad->indexed != items->at[0] || abut_index_count(broad->index) != items->n)
        status = build(broad, items);
    broad->indexed = items->at[0];
    const double start = now();
    if (status == ABUT_OK)
        status =
            abut_join_within_blocks(broad->index, rows_set(queries, &batch), reach, &broad->settings, take, context);
    broad->search_seconds += now() - start;
    return status;
}

void broad_close(struct broad *broad)
{
    abut_index_free(broad->index);
    abut_workspace_free(broad->settings.workspace);
    free(broad->rows.offsets);
    free(broad->rows.indices);
    free(broad->by_hull.offsets);
    free(broad->by_hull.indices);
    pool_free(broad->pool);
}

void broad_report(const struct broad *broad)
{
    const struct abut_stats *stats = &broad->stats;
    fprintf(stderr,
            "abut: index built in %.3f s, searched in %.3f s, by %u thread%s; %.1f MB of index, %.1f MB of workspace\n"
            "abut: %llu node tests, %llu leaf tests, %llu pairs undecided, %llu decided exactly\n",
            broad->build_seconds, broad->search_seconds, broad->threads.count, broad->threads.count == 1 ? "" : "s",
            (double)broad->most_bytes * 1e-6, (double)abut_workspace_bytes(broad->settings.workspace) * 1e-6,
            (unsigned long long)stats->node_tests, (unsigned long long)stats->leaf_tests,
            (unsigned long long)stats->undecided, (unsigned long long)stats->exact);
}
