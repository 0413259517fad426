/* SPDX-License-Identifier: MIT */
/* join and self, through an index or every row against every other; blocks of rows at a time, so that memory stays bounded. */
#include "broad.h"
#include "input.h"
#include "pairs.h"
#include "progress.h"
#include "relation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 8, MOST_ROWS = 1024, LIST_BITS = 4096 };
static const size_t mask_budget = 1u << 18; /* words: they should stay in the cache */

struct pairs {
    const struct options *options;
    struct relation relation;
    struct input *a;
    const struct columns *b;
    const uint32_t *labels_a, *labels_b; /* NULL without --by */
    bool self;                           /* only pairs i < j */
    struct pair_output *output;
    struct abut_stats lanes; /* without an index */
};

/* Bit 0 is row first of B. */
static void write_row(struct pairs *pairs, size_t row, size_t first, const uint64_t *hits, size_t n)
{
    for (size_t from = 0; from < n; from += LIST_BITS) {
        uint32_t list[LIST_BITS];
        size_t found = abut_mask_list(hits + from / 64, n - from < LIST_BITS ? n - from : LIST_BITS, list, LIST_BITS);
        pairs_write(pairs->output, row, first + from, list, found);
    }
}

/* Row i of the block of a that was searched for last; for self only what lies behind it, with --by what has its label. */
static void write_found(struct pairs *pairs, struct broad *broad, size_t i, size_t row)
{
    uint32_t *hits = broad->rows.indices + broad->rows.offsets[i];
    const size_t n = (size_t)(broad->rows.offsets[i + 1] - broad->rows.offsets[i]);
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if ((!pairs->self || hits[k] > row) && (!pairs->labels_a || pairs->labels_a[row] == pairs->labels_b[hits[k]]))
            hits[kept++] = hits[k];
    if (kept > 0)
        pairs_write(pairs->output, row, 0, hits, kept);
}

static void begin_progress(struct progress *progress, const struct pairs *pairs)
{
    bool visible = pairs->options->count || !output_is_terminal(&pairs->output->output);
    progress_begin(progress, "comparing", visible && !pairs->options->quiet);
}

static enum abut_status run_index(struct pairs *pairs)
{
    struct broad broad;
    struct progress progress;
    size_t total = pairs->a->rows;
    begin_progress(&progress, pairs);
    enum abut_status status = broad_open(&broad, pairs->b, INPUT_BLOCK, pairs->options);
    for (size_t i = 0; i < total && status == ABUT_OK && !pairs->output->output.error; i += INPUT_BLOCK) {
        struct columns a = input_rows(pairs->a, i, total - i < INPUT_BLOCK ? total - i : INPUT_BLOCK);
        status = broad_search(&broad, &a);
        for (size_t k = 0; k < a.n && status == ABUT_OK; k++)
            write_found(pairs, &broad, k, i + k);
        progress_at(&progress, (double)(i + a.n) / (double)total);
    }
    progress_end(&progress);
    if (status == ABUT_OK && pairs->options->stats)
        broad_tell(&broad);
    broad_close(&broad);
    return status;
}

static void clear_low_bits(uint64_t *hits, size_t bits)
{
    memset(hits, 0, bits / 64 * sizeof *hits);
    if (bits % 64)
        hits[bits / 64] &= ~UINT64_C(0) << bits % 64;
}

/* Leaves the hits whose rows have equal labels; bit 0 is row first of B. */
static void keep_labelled(const struct pairs *pairs, size_t row, size_t first, uint64_t *hits, size_t n)
{
    for (size_t w = 0; w < abut_mask_words(n); w++)
        for (unsigned lane = 0; lane < 64 && hits[w] >> lane; lane++)
            if ((hits[w] >> lane & 1) && pairs->labels_a[row] != pairs->labels_b[first + 64 * w + lane])
                hits[w] &= ~(UINT64_C(1) << lane);
}

/* Rows first_a on of A against B, or for self against those behind them. */
static enum abut_status run_block(struct pairs *pairs, size_t first_a, size_t rows, uint64_t *hits)
{
    size_t first_b = pairs->self ? first_a : 0, n = pairs->b->n - first_b, words = abut_mask_words(n);
    struct columns a = input_rows(pairs->a, first_a, rows), b = columns_slice(pairs->b, first_b, n);
    enum abut_status status = relation_all(&pairs->relation, &a, &b, pairs->options->touch, &pairs->lanes, hits);
    for (size_t i = 0; i < rows && status == ABUT_OK; i++) {
        uint64_t *row = hits + i * words;
        if (pairs->self)
            clear_low_bits(row, i + 1);
        if (pairs->labels_a)
            keep_labelled(pairs, first_a + i, first_b, row, n);
        if (pairs->options->count)
            pairs->output->count += abut_mask_count(row, n);
        else
            write_row(pairs, first_a + i, first_b, row, n);
    }
    return status;
}

static enum abut_status run_blocks(struct pairs *pairs)
{
    size_t words = abut_mask_words(pairs->b->n), total = pairs->a->rows;
    if (words == 0 || total == 0)
        return ABUT_OK;
    size_t rows = mask_budget / words;
    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    rows = rows < total ? rows : total;
    uint64_t *hits = words <= SIZE_MAX / sizeof *hits / rows ? malloc(rows * words * sizeof *hits) : NULL;
    if (!hits)
        return ABUT_ERROR_MEMORY;

    struct progress progress;
    const double start = now();
    begin_progress(&progress, pairs);
    enum abut_status status = ABUT_OK;
    for (size_t i = 0; i < total && status == ABUT_OK && !pairs->output->output.error; i += rows) {
        status = run_block(pairs, i, total - i < rows ? total - i : rows, hits);
        double left = (double)(total - i) / (double)total;
        progress_at(&progress, pairs->self ? 1 - left * left : 1 - left);
    }
    progress_end(&progress);
    free(hits);
    if (status == ABUT_OK && pairs->options->stats)
        fprintf(stderr,
                "abut: compared all with all in %.3f s; %.1f MB of masks\n"
                "abut: %llu pairs, %llu lanes undecided, %llu judged exactly\n",
                now() - start, (double)(rows * words * sizeof *hits) * 1e-6, (unsigned long long)pairs->lanes.pairs,
                (unsigned long long)pairs->lanes.undecided, (unsigned long long)pairs->lanes.judged);
    return status;
}

static enum exit_code write_pairs(const struct options *options, struct input *a, const struct table *b, bool self)
{
    struct pairs pairs = {
        .options = options, .a = a, .b = &b->rows, .labels_a = a->table.labels, .labels_b = b->labels, .self = self};
    if (!relation_find(&pairs.relation, a->table.kind, b->kind, options->question))
        return EXIT_USAGE;
    struct pair_output output;
    if (!pairs_open(&output, options))
        return EXIT_FAILED;
    pairs.output = &output;
    const bool by_index = broad_applies(options, &pairs.relation, a->rows, b->rows.n);
    enum abut_status status = by_index ? run_index(&pairs) : run_blocks(&pairs);
    if (status != ABUT_OK) {
        pairs_fail(&output, status);
        return EXIT_FAILED;
    }
    return pairs_close(&output) ? EXIT_DONE : EXIT_FAILED;
}

enum exit_code command_join(const struct options *options)
{
    struct input a;
    struct table b;
    enum exit_code code = input_open_both(&a, &b, options);
    if (code != EXIT_DONE)
        return code;
    code = write_pairs(options, &a, &b, false);
    input_close(&a);
    table_free(&b);
    return code;
}

enum exit_code command_self(const struct options *options)
{
    struct table table;
    enum exit_code code = input_read(&table, options, 0);
    if (code != EXIT_DONE)
        return code;
    struct input rows = {.table = table, .rows = table.rows.n};
    code = write_pairs(options, &rows, &table, true);
    table_free(&table);
    return code;
}
