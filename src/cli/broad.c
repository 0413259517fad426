/* SPDX-License-Identifier: MIT */
/* The index as the command uses it. */
#include "broad.h"

#include "index/sets.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * So many pairs take as long one by one as an index of their rows, some 700 against 700; twice as many make up for starting the
 * threads. scripts/bench.sh join --crossover measures it.
 */
static const double worth_an_index = 0x1p20;

/* Whether the index answers this predicate. */
static bool answers(const struct relation *relation)
{
#define SEARCH(query, item, name, order)                                                                               \
    if (relation->row == predicate_##name)                                                                             \
        return true;
#include "index/searches.def"
    return false;
}

bool broad_applies(const struct options *options, const struct relation *relation, size_t rows_a, size_t rows_b)
{
    if (!answers(relation) || options->method == METHOD_ALL)
        return false;
    return options->method == METHOD_INDEX || (double)rows_a * (double)rows_b >= worth_an_index;
}

/* The good rows of b and their numbers, ascending. */
static enum abut_status gather_good(struct broad *broad, const struct columns *b)
{
    const struct kind *kind = &kinds[b->shape];
    size_t n = 0;
    enum abut_status status = table_new(&broad->good, kind, b->n);
    broad->numbers = malloc((b->n + 1) * sizeof *broad->numbers);
    if (status == ABUT_OK && !broad->numbers)
        status = ABUT_ERROR_MEMORY;
    for (size_t i = 0; i < b->n && status == ABUT_OK; i++) {
        const struct columns row = columns_slice(b, i, 1);
        struct abut_bad bad;
        if (kind->check(&row, &bad) != ABUT_OK)
            continue;
        for (unsigned k = 0; k < b->fields; k++)
            broad->good.memory[k][n] = row.at[k][0];
        broad->numbers[n++] = (uint32_t)i;
    }
    broad->good.rows.n = n;
    return status;
}

static enum abut_status build(struct broad *broad, const struct columns *b)
{
    union any_batch any;
    enum abut_status status = abut_index_new(set_of_columns(b, &any), &broad->settings, NULL, &broad->index);
    if (status != ABUT_ERROR_BAD_INPUT)
        return status;
    status = gather_good(broad, b);
    if (status == ABUT_OK)
        status = abut_index_new(set_of_columns(&broad->good.rows, &any), &broad->settings, NULL, &broad->index);
    return status;
}

/* Rows of the index as rows of b. */
static void number_rows(const struct broad *broad, uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n && broad->numbers; i++)
        if (rows[i] != UINT32_MAX)
            rows[i] = broad->numbers[rows[i]];
}

enum abut_status broad_open(struct broad *broad, const struct columns *b, size_t rows, const struct options *options)
{
    *broad = (struct broad){.settings = {.touch = options->touch, .stats = &broad->stats}};
    broad->pool = pool_new(options->threads ? options->threads : pool_cores());
    if (!broad->pool)
        return ABUT_ERROR_MEMORY;
    broad->threads = pool_threads(broad->pool);
    broad->settings.threads = &broad->threads;
    double start = now();
    enum abut_status status = abut_workspace_new(NULL, &broad->settings.workspace);
    if (status == ABUT_OK)
        status = build(broad, b);
    broad->offsets = malloc((rows + 1) * sizeof *broad->offsets);
    if (status == ABUT_OK && !broad->offsets)
        status = ABUT_ERROR_MEMORY;
    broad->build_seconds = now() - start;
    return status;
}

static bool make_room(struct broad *broad, uint64_t wanted)
{
    free(broad->indices);
    broad->capacity = wanted <= SIZE_MAX / 2 / sizeof *broad->indices ? (size_t)wanted : 0;
    broad->indices = broad->capacity ? malloc(broad->capacity * sizeof *broad->indices) : NULL;
    return broad->indices != NULL;
}

enum abut_status broad_search(struct broad *broad, const struct columns *a)
{
    union any_batch any;
    const struct abut_set queries = set_of_columns(a, &any);
    double start = now();
    enum abut_status status =
        abut_join_rows(broad->index, queries, &broad->settings, broad->offsets, broad->indices, broad->capacity);
    if (status == ABUT_OK && broad->offsets[a->n] > broad->capacity) {
        if (!make_room(broad, broad->offsets[a->n] + broad->offsets[a->n] / 4))
            return ABUT_ERROR_MEMORY;
        status =
            abut_join_rows(broad->index, queries, &broad->settings, broad->offsets, broad->indices, broad->capacity);
    }
    broad->search_seconds += now() - start;
    if (status == ABUT_OK)
        number_rows(broad, broad->indices, (size_t)broad->offsets[a->n]);
    return status;
}

enum abut_status broad_nearest(struct broad *broad, const struct columns *a, size_t k, uint32_t *indices)
{
    const struct abut_points points = {a->n, a->at[0], a->at[1], a->at[2]};
    double start = now();
    enum abut_status status = abut_nearest(broad->index, &points, k, &broad->settings, indices);
    broad->search_seconds += now() - start;
    if (status == ABUT_OK)
        number_rows(broad, indices, a->n * k);
    return status;
}

void broad_close(struct broad *broad)
{
    abut_index_free(broad->index);
    abut_workspace_free(broad->settings.workspace);
    free(broad->offsets);
    free(broad->indices);
    table_free(&broad->good);
    free(broad->numbers);
    pool_free(broad->pool);
}

void broad_tell(const struct broad *broad)
{
    const struct abut_search_stats *stats = &broad->stats;
    fprintf(stderr,
            "abut: index built in %.3f s, searched in %.3f s, by %u thread%s; %.1f MB of index, %.1f MB of workspace\n"
            "abut: %llu node tests, %llu leaf tests, %llu lanes undecided, %llu judged exactly\n",
            broad->build_seconds, broad->search_seconds, broad->threads.count, broad->threads.count == 1 ? "" : "s",
            (double)abut_index_bytes(broad->index) * 1e-6,
            (double)abut_workspace_bytes(broad->settings.workspace) * 1e-6, (unsigned long long)stats->node_tests,
            (unsigned long long)stats->leaf_tests, (unsigned long long)stats->lanes.undecided,
            (unsigned long long)stats->lanes.judged);
}
