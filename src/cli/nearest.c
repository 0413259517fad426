/* SPDX-License-Identifier: MIT */
/* nearest: the rows of B that are nearest to each point of A. */
#include "broad.h"
#include "input.h"
#include "pairs.h"
#include "progress.h"

#include <stdlib.h>

/* The most neighbours to find at a time, and rows to begin with. Their number doubles as long as they take no time. */
enum { BLOCK = 1 << 20, FIRST_ROWS = 1 << 12 };
static const double no_time = 0.1;

static enum abut_status find_neighbours(struct broad *broad, const struct options *options, const struct rows *a,
                                        size_t k, struct pair_output *pairs)
{
    struct progress progress;
    progress_begin(&progress, "comparing",
                   !options->quiet && (pairs->count_only || !output_is_terminal(&pairs->output)));
    const size_t most = k < BLOCK ? BLOCK / k : 1;
    size_t rows = most < FIRST_ROWS ? most : FIRST_ROWS;
    uint32_t *indices = malloc(most * k * sizeof *indices);
    float *d2 = options->distances ? malloc(most * k * sizeof *d2) : NULL;
    enum abut_status status = indices && (d2 || !options->distances) ? ABUT_OK : ABUT_ERROR_MEMORY;
    for (size_t first = 0; first < a->n && status == ABUT_OK && !pairs->output.error;) {
        const struct rows block = rows_slice(a, first, a->n - first < rows ? a->n - first : rows);
        const double start = now();
        status = broad_nearest(broad, &block, k, indices, d2);
        for (size_t i = 0; i < block.n && status == ABUT_OK; i++) {
            size_t found = 0;
            while (found < k && indices[i * k + found] != UINT32_MAX)
                found++;
            if (d2)
                pairs_write_distances(pairs, first + i, indices + i * k, d2 + i * k, found);
            else
                pairs_write(pairs, first + i, 0, indices + i * k, found);
        }
        first += block.n;
        progress_at(&progress, (double)first / (double)a->n);
        rows = now() - start > no_time ? rows : 2 * rows < most ? 2 * rows : most;
    }
    progress_end(&progress);
    free(indices);
    free(d2);
    return status;
}

static enum exit_code write_neighbours(const struct options *options, const struct rows *a, const struct rows *b)
{
    const size_t neighbours = options->neighbours ? options->neighbours : 1;
    struct broad broad;
    struct pair_output pairs;
    if (!pairs_open(&pairs, options))
        return EXIT_FAILED;
    enum abut_status status = broad_open(&broad, options, NULL);
    if (status == ABUT_OK)
        status = broad_index(&broad, b, 0);
    const size_t k = neighbours < b->n ? neighbours : b->n;
    if (status == ABUT_OK && k > 0)
        status = find_neighbours(&broad, options, a, k, &pairs);
    if (status == ABUT_OK && options->stats)
        broad_report(&broad);
    broad_close(&broad);
    if (status != ABUT_OK) {
        pairs_fail(&pairs, status);
        return EXIT_FAILED;
    }
    return pairs_close(&pairs) ? EXIT_DONE : EXIT_FAILED;
}

enum exit_code command_nearest(const struct options *options)
{
    struct table tables[2];
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    const enum abut_set_kind a = tables[0].kind->set, b = tables[1].kind->set;
    if (a == ABUT_SET_POINTS && b != ABUT_SET_PLANES && b != ABUT_SET_HULLS) {
        code = write_neighbours(options, &tables[0].rows, &tables[1].rows);
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
