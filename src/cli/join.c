/* SPDX-License-Identifier: MIT */
/*
 * join and self, through an index or by testing all pairs: blocks of rows at a time, so that memory stays bounded, or
 * with --by the rows of one label after the other.
 */
#include "adjacent.h"
#include "broad.h"
#include "groups.h"
#include "hull_pairs.h"
#include "input.h"
#include "pairs.h"
#include "picture.h"
#include "progress.h"
#include "relation.h"
#include "within.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 8, MOST_ROWS = 1024, LIST_BITS = 4096 };
static const size_t mask_budget = 1u << 18; /* words: they should stay in the cache */

struct pairs {
    const struct options *options;
    struct relation relation;
    struct input *a;
    size_t first_a, rows_a; /* the rows of A that are compared now: all, or those of one label; */
    size_t first_b;
    struct rows b;         /* with those of B */
    struct groups *groups; /* NULL without --by */
    bool self;             /* only pairs i < j; row 0 of A is then this row of B: */
    size_t self_from;
    bool apart; /* of triangles, only those that share no vertex */
    struct pair_output *output;
    struct progress progress;
    double done, share; /* of all work: what was before, and these rows */
    struct broad broad;
    struct found_pairs found; /* of --within and --periodic */
    struct hull_boxes boxes;  /* of the hulls that are compared now with hulls, if boxed */
    bool boxed;
    bool explained;         /* what failed has been reported */
    bool indexed, compared; /* whether there was an index, and whether rows were compared without */
    double seconds;         /* without an index */
    size_t most_bytes;
    struct abut_stats stats;
};

/* Whether more pairs are wanted. */
static bool goes_on(const struct pairs *pairs)
{
    return !pairs->output->output.error && !(pairs->groups && pairs->groups->crowded);
}

static void write_hits(struct pairs *pairs, size_t row, size_t first, const uint32_t *items, size_t n)
{
    if (pairs->groups && !pairs->output->count_only)
        groups_take(pairs->groups, pairs->first_a + row, pairs->first_b + first, items, n);
    else
        pairs_write(pairs->output, row, first, items, n);
}

/* A row of those that are compared now, and items among them numbered from first. */
static void take_hits(struct pairs *pairs, size_t row, size_t first, const uint32_t *items, size_t n)
{
    if (!pairs->apart) {
        write_hits(pairs, row, first, items, n);
        return;
    }
    for (size_t i = 0; i < n; i += LIST_BITS) {
        uint32_t kept[LIST_BITS];
        const size_t some = n - i < LIST_BITS ? n - i : LIST_BITS;
        write_hits(pairs, row, first, kept,
                   adjacent_leave_out(&pairs->b, pairs->self_from + row, first, items + i, some, kept));
    }
}

/* Bit 0 is row first of B. */
static void take_row(struct pairs *pairs, size_t row, size_t first, const uint64_t *hits, size_t n)
{
    for (size_t from = 0; from < n; from += LIST_BITS) {
        uint32_t list[LIST_BITS];
        size_t found = abut_mask_list(hits + from / 64, n - from < LIST_BITS ? n - from : LIST_BITS, list, LIST_BITS);
        take_hits(pairs, row, first + from, list, found);
    }
}

/* Row i of the block of a that was searched for last; for self only what lies behind it. */
static void take_found(struct pairs *pairs, size_t i, size_t row)
{
    const struct hit_rows *rows = &pairs->broad.rows;
    size_t n = (size_t)(rows->offsets[i + 1] - rows->offsets[i]);
    const uint32_t *hits = n > 0 ? rows->indices + rows->offsets[i] : NULL;
    for (; pairs->self && n > 0 && *hits <= pairs->self_from + row; n--)
        hits++;
    if (n > 0)
        take_hits(pairs, row, 0, hits, n);
}

static void begin_progress(struct pairs *pairs)
{
    bool visible = pairs->options->count || !output_is_terminal(&pairs->output->output);
    progress_begin(&pairs->progress, "comparing", (double)pairs->a->rows, "rows", visible && !pairs->options->quiet);
}

static void show_progress(struct pairs *pairs, double fraction)
{
    progress_at(&pairs->progress, pairs->done + pairs->share * fraction);
}

/* Rows first to end - 1 of A, at most a block, against the index. */
static enum abut_status search_rows(struct pairs *pairs, size_t first, size_t end)
{
    struct rows a;
    enum abut_status status = ABUT_OK;
    for (size_t i = first; i < end && status == ABUT_OK && goes_on(pairs); i += a.n) {
        const size_t at_once = pairs->broad.at_once, left = end - i;
        a = input_rows(pairs->a, pairs->first_a + i, at_once > 0 && at_once < left ? at_once : left);
        status = broad_search(&pairs->broad, &a);
        for (size_t k = 0; k < a.n && status == ABUT_OK; k++)
            take_found(pairs, k, i + k);
        show_progress(pairs, (double)(i + a.n) / (double)pairs->rows_a);
    }
    return status;
}

static void clear_low_bits(uint64_t *hits, size_t bits)
{
    memset(hits, 0, bits / 64 * sizeof *hits);
    if (bits % 64)
        hits[bits / 64] &= ~UINT64_C(0) << bits % 64;
}

/* Some rows of A, from first on, against B, or for self against those behind them. */
static enum abut_status compare_block(struct pairs *pairs, size_t first, size_t rows, uint64_t *hits)
{
    size_t first_b = pairs->self ? pairs->self_from + first : 0, n = pairs->b.n - first_b, words = abut_mask_words(n);
    struct rows a = input_rows(pairs->a, pairs->first_a + first, rows), b = rows_slice(&pairs->b, first_b, n);
    const enum abut_touch touch = pairs->options->touch;
    enum abut_status status = pairs->boxed
                                  ? hull_pairs_all(&pairs->boxes, &a, first, &b, first_b, touch, &pairs->stats, hits)
                                  : relation_all(&pairs->relation, &a, &b, touch, &pairs->stats, hits);
    for (size_t i = 0; i < rows && status == ABUT_OK; i++) {
        uint64_t *row = hits + i * words;
        if (pairs->self)
            clear_low_bits(row, i + 1);
        if (pairs->options->count && !pairs->apart)
            pairs->output->count += abut_mask_count(row, n);
        else
            take_row(pairs, first + i, first_b, row, n);
    }
    return status;
}

/* Makes AABBs of the hulls of both, unless all pairs are to be tested. Hulls are in memory, all at once. */
static enum abut_status box_hulls(struct pairs *pairs)
{
    if (pairs->a->stream || !pairs->b.offsets)
        return ABUT_OK;
    const struct rows a = input_rows(pairs->a, pairs->first_a, pairs->rows_a);
    pairs->boxed = a.offsets && pairs->b.offsets && pairs->options->method != METHOD_ALL;
    return pairs->boxed ? hull_boxes_new(&pairs->boxes, &a, &pairs->b) : ABUT_OK;
}

/* Rows first to end - 1 of A against all. */
static enum abut_status compare_rows(struct pairs *pairs, size_t first, size_t end)
{
    size_t words = abut_mask_words(pairs->b.n), total = pairs->rows_a;
    if (words == 0 || first == end)
        return ABUT_OK;
    size_t rows = mask_budget / words;
    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    rows = rows < end - first ? rows : end - first;
    uint64_t *hits = words <= SIZE_MAX / sizeof *hits / rows ? malloc(rows * words * sizeof *hits) : NULL;
    if (!hits)
        return ABUT_ERROR_MEMORY;

    const double start = now();
    enum abut_status status = box_hulls(pairs);
    for (size_t i = first; i < end && status == ABUT_OK && goes_on(pairs); i += rows) {
        status = compare_block(pairs, i, end - i < rows ? end - i : rows, hits);
        double left = (double)(total - i) / (double)total;
        show_progress(pairs, pairs->self ? 1 - left * left : 1 - left);
    }
    free(hits);
    if (pairs->boxed)
        hull_boxes_free(&pairs->boxes);
    pairs->compared = true;
    pairs->seconds += now() - start;
    if (rows * words * sizeof *hits > pairs->most_bytes)
        pairs->most_bytes = rows * words * sizeof *hits;
    return status;
}

/*
 * How many rows of A to search for at a time. The fewer there are for each row of B, the more nodes each row tests, so
 * a block has as many rows as B. Where B is hulls, each block gets an index that all hulls search: rows in memory are
 * one block.
 */
static size_t block_of(const struct pairs *pairs)
{
    const size_t total = pairs->rows_a;
    const size_t block = pairs->a->stream ? pairs->a->block : pairs->b.offsets ? total : input_block(pairs->b.n);
    return block < total ? block : total;
}

/* Through an index, but for those blocks of A that it does not suit. */
static enum abut_status run_index(struct pairs *pairs)
{
    const size_t total = pairs->rows_a, block = block_of(pairs);
    enum abut_status status = pairs->indexed ? ABUT_OK : broad_open(&pairs->broad, pairs->options, &pairs->relation);
    pairs->indexed = true;
    if (status == ABUT_OK)
        status = broad_index(&pairs->broad, &pairs->b, block);
    for (size_t i = 0; i < total && status == ABUT_OK && goes_on(pairs); i += block) {
        const size_t end = total - i < block ? total : i + block;
        bool dense = false;
        if (pairs->options->method == METHOD_AUTO) {
            const struct rows a = input_rows(pairs->a, pairs->first_a + i, end - i);
            status = broad_is_dense(&pairs->broad, &a, &dense);
        }
        if (status == ABUT_OK)
            status = dense ? compare_rows(pairs, i, end) : search_rows(pairs, i, end);
    }
    return status;
}

/* Sorted pairs of rows, of which a is numbered from first on. */
static void take_pairs(struct pairs *pairs, size_t first)
{
    enum { MOST = 4096 };
    const struct found_pairs *found = &pairs->found;
    for (size_t i = 0; i < found->n;) {
        uint32_t items[MOST];
        const uint32_t row = found->pairs[i].a;
        size_t n = 0;
        for (; i < found->n && found->pairs[i].a == row && n < MOST; i++)
            items[n++] = found->pairs[i].b;
        take_hits(pairs, first + row, 0, items, n);
    }
}

static bool explain(const struct pairs *pairs, enum abut_status status, const struct rows *a, size_t first)
{
    const struct groups *groups = pairs->groups;
    const struct placed_rows of_a = {a, pairs->first_a + first, groups ? groups->a.order : NULL};
    const struct placed_rows of_b = {&pairs->b, pairs->first_b, groups ? groups->b.order : NULL};
    return within_explains(pairs->options, status, &of_a, &of_b);
}

/* Within a distance, or in a periodic box: all of A at once, unless it is a stream or has too many pairs. */
static enum abut_status run_within(struct pairs *pairs)
{
    const size_t total = pairs->rows_a, most = pairs->a->stream ? pairs->a->block : total;
    enum abut_status status = pairs->indexed ? ABUT_OK : broad_open(&pairs->broad, pairs->options, NULL);
    pairs->indexed = true;
    struct rows a;
    for (size_t i = 0; i < total && status == ABUT_OK && goes_on(pairs); i += a.n) {
        a = input_rows(pairs->a, pairs->first_a + i, total - i < most ? total - i : most);
        status =
            within_find(&pairs->broad, pairs->options, &a, pairs->self_from + i, &pairs->b, pairs->self, &pairs->found);
        if (status == ABUT_OK)
            take_pairs(pairs, i);
        else
            pairs->explained = explain(pairs, status, &a, i);
        show_progress(pairs, (double)(i + a.n) / (double)total);
    }
    return status;
}

static enum abut_status run(struct pairs *pairs)
{
    if (within_asked(pairs->options))
        return run_within(pairs);
    return broad_applies(pairs->options, &pairs->relation, pairs->rows_a, pairs->b.n)
               ? run_index(pairs)
               : compare_rows(pairs, 0, pairs->rows_a);
}

/* The rows of a pass, one label after the other, as if each were in files of its own. */
static enum abut_status run_pass(struct pairs *pairs, const struct table *a, const struct table *b)
{
    const struct groups *groups = pairs->groups;
    enum abut_status status = ABUT_OK;
    for (size_t l = 0; l < groups->labels && status == ABUT_OK && goes_on(pairs); l++) {
        pairs->first_a = groups->next[l];
        pairs->rows_a = groups_rows(groups, l);
        pairs->self_from = pairs->first_a - groups->a.starts[l];
        pairs->first_b = groups->b.starts[l];
        pairs->b = rows_slice(&b->rows, pairs->first_b, groups->b.starts[l + 1] - pairs->first_b);
        if (pairs->rows_a == 0 || pairs->b.n == 0)
            continue;
        pairs->done = (double)pairs->first_a / (double)a->rows.n;
        pairs->share = (double)pairs->rows_a / (double)a->rows.n;
        status = run(pairs);
        if (groups->failed)
            status = ABUT_ERROR_MEMORY;
    }
    return status;
}

/*
 * Pairs are kept until those of all labels are there, which may come before them: all rows of A are one pass, or fewer
 * where these have very many pairs.
 */
static enum abut_status run_groups(struct pairs *pairs, struct table *b)
{
    struct groups groups;
    struct table *a = &pairs->a->table;
    const size_t total = a->rows.n;
    enum abut_status status = groups_open(&groups, a, b);
    pairs->groups = &groups;
    for (size_t i = 0, at_once = total; i < total && status == ABUT_OK && !pairs->output->output.error;) {
        const size_t end = total - i < at_once ? total : i + at_once;
        const struct abut_stats before = pairs->stats, searched = pairs->broad.stats;
        groups_begin(&groups, a, i, end);
        status = run_pass(pairs, a, b);
        if (groups.crowded) {
            at_once = (end - i) / 2;
            pairs->stats = before;
            pairs->broad.stats = searched;
            continue;
        }
        if (status == ABUT_OK)
            groups_write(&groups, a, i, pairs->output);
        i = end;
    }
    groups_close(&groups);
    return status;
}

static void report(const struct pairs *pairs)
{
    if (pairs->indexed)
        broad_report(&pairs->broad);
    if (pairs->compared)
        fprintf(stderr,
                "abut: tested all pairs in %.3f s; %.1f MB of masks\n"
                "abut: %llu pairs, %llu of them undecided, %llu decided exactly\n",
                pairs->seconds, (double)pairs->most_bytes * 1e-6, (unsigned long long)pairs->stats.pairs,
                (unsigned long long)pairs->stats.undecided, (unsigned long long)pairs->stats.exact);
}

/* Before any pair is written, and before --by changes the order of rows. */
static bool files_are_in_range(const struct options *options, struct input *a, const struct table *b, bool self)
{
    const size_t most = a->stream ? a->block : a->rows;
    for (size_t i = 0; i < a->rows && options->periodic; i += most) {
        const struct rows rows = input_rows(a, i, a->rows - i < most ? a->rows - i : most);
        if (!within_is_in_range(options, &rows, 0, i))
            return false;
    }
    return self || within_is_in_range(options, &b->rows, 1, 0);
}

static enum exit_code write_pairs(const struct options *given, struct input *a, struct table *b, bool self)
{
    struct options flattened = *given;
    const struct options *options = &flattened;
    within_flatten(&flattened, &a->table, b);
    struct pairs pairs = {.options = options, .a = a, .rows_a = a->rows, .b = b->rows, .self = self, .share = 1};
    pairs.apart = self && !options->adjacent && b->kind->set == ABUT_SET_TRIANGLES;
    const bool has_pairs = within_asked(options)
                               ? within_applies(options, a->table.kind->set, b->kind->set)
                               : relation_find(&pairs.relation, a->table.kind, b->kind, options->question);
    if (!has_pairs)
        return EXIT_USAGE;
    if (!files_are_in_range(options, a, b, self))
        return EXIT_FAILED;
    struct picture picture;
    struct pair_output output;
    if (options->svg && !picture_open(&picture, options, &a->table.rows, a->rows, self ? NULL : &b->rows))
        return EXIT_FAILED;
    if (!pairs_open(&output, options, a->table.names, b->names)) {
        if (options->svg)
            picture_close(&picture);
        return EXIT_FAILED;
    }
    output.picture = options->svg ? &picture : NULL;
    pairs.output = &output;
    begin_progress(&pairs);
    enum abut_status status = options->by ? run_groups(&pairs, b) : run(&pairs);
    progress_end(&pairs.progress);
    if (status == ABUT_OK && options->stats)
        report(&pairs);
    if (pairs.indexed)
        broad_close(&pairs.broad);
    free(pairs.found.pairs);
    if (pairs.explained)
        output_discard(&output.output);
    else if (status != ABUT_OK)
        pairs_fail(&output, status);
    bool done = status == ABUT_OK && pairs_close(&output);
    if (options->svg) {
        done = done && picture_write(&picture);
        picture_close(&picture);
    }
    return done ? EXIT_DONE : EXIT_FAILED;
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
    struct input rows = {.stream = NULL};
    /* Of a pair that is found once, only one order would be asked. */
    if (options->question == QUESTION_INSIDE || options->question == QUESTION_CONTAINS) {
        complain("self finds what touches; join with the same file twice finds what is inside of what");
        return EXIT_USAGE;
    }
    enum exit_code code = input_read(&rows.table, options, 0);
    if (code != EXIT_DONE)
        return code;
    rows.rows = rows.table.rows.n;
    code = write_pairs(options, &rows, &rows.table, true);
    table_free(&rows.table);
    return code;
}
