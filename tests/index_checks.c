/* SPDX-License-Identifier: MIT */
/* Compares every search of an index with right answers. */
#include "index_checks.h"
#include <abut/index.h>

#include "bvh/search/run.h"
#include "dispatch/dispatch.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 2400, MOST_PAIRS = MOST_ITEMS * MOST_ITEMS, MOST_BLOCK = 8192 }; /* some_size() returns less */

static struct abut_pair listed[MOST_PAIRS + MOST_BLOCK];

static bool right_bit(const struct answers *right, size_t query, size_t item)
{
    return query < right->queries && item < right->items && hit_at(right->bits + query * right->words, item);
}

struct answers answers_of(uint64_t *hits, bool turned, bool self, size_t queries, size_t items)
{
    struct answers right = {.queries = queries, .items = items, .words = abut_mask_words(items), .self = self};
    right.bits = calloc(queries * right.words + 1, sizeof *right.bits);
    for (size_t q = 0; q < queries; q++)
        for (size_t i = 0; i < items; i++) {
            bool hit = turned ? hit_at(hits + i * abut_mask_words(queries), q) : hit_at(hits + q * right.words, i);
            if (hit && (!self || q < i)) {
                right.bits[q * right.words + i / 64] |= UINT64_C(1) << i % 64;
                right.count++;
            }
        }
    free(hits);
    return right;
}

void answers_free(struct answers *right)
{
    free(right->bits);
}

struct collected {
    struct abut_pair *pairs;
    size_t n;
    bool self;
};

static bool collect(void *context, const struct hits *hits)
{
    struct collected *found = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++)
        for (uint32_t i = 0; i < hits->parts[p].count; i++, ids++) {
            uint32_t query = hits->queries[hits->parts[p].position];
            bool swap = found->self && *ids < query;
            if (found->n < MOST_PAIRS)
                found->pairs[found->n] = swap ? (struct abut_pair){*ids, query} : (struct abut_pair){query, *ids};
            found->n++;
        }
    return true;
}

/* The pairs found are distinct, right and complete. */
static bool same_pairs(const struct answers *right, const struct abut_pair *pairs, uint64_t n)
{
    uint64_t *seen = calloc(right->queries * right->words + 1, sizeof *seen);
    bool same = n == right->count;
    for (uint64_t i = 0; i < n && same; i++) {
        struct abut_pair p = pairs[i];
        same = right_bit(right, p.a, p.b) && !hit_at(seen + p.a * right->words, p.b);
        if (same)
            seen[p.a * right->words + p.b / 64] |= UINT64_C(1) << p.b % 64;
    }
    free(seen);
    return same;
}

static void check_scene(bool ok, const struct scene *scene, const char *isa, const char *what)
{
    check_that(ok, "%s, %s, %s, %zu %s queries in %zu items, %s: %s; seed %llu", scene->search, isa, scene->layout,
               scene->queries, scene->touch == ABUT_CLOSED ? "closed" : "open", scene->items, "wrong", what,
               (unsigned long long)scene->seed);
}

/*
 * All counts agree but undecided: rounding depends on the ISA's width and on FMA, and may leave other lanes undecided,
 * though few. Hulls are exempt, because NEON's minimum keeps a NaN.
 */
static bool same_work(const struct abut_stats *a, const struct abut_stats *b, bool hulls)
{
    const uint64_t x = a->undecided, y = b->undecided, pairs = a->pairs;
    return a->node_tests == b->node_tests && a->leaf_tests == b->leaf_tests && pairs == b->pairs &&
           (hulls || (x > y ? x - y : y - x) <= pairs / 100 + 8);
}

void check_isas(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                struct abut_set queries)
{
    struct tested list[MAX_TESTED];
    unsigned n = tested_isas(list);
    uint64_t first_order = 0;
    struct abut_stats first = {0};
    for (unsigned i = 0; i < n; i++) {
        if (list[i].build && (scene->seed + i) % BUILD_SHARE != 0)
            continue;
        struct abut_stats stats = {0};
        struct abut_options options = {.touch = scene->touch, .relation = scene->relation, .stats = &stats};
        struct abut_workspace own, *workspace = abut_workspace_begin(&options, &own);
        struct collected found = {listed, 0, right->self};
        struct join join = {.takes = options_of_abut_join,
                            .index = index,
                            .self = right->self,
                            .queries = queries,
                            .options = &options,
                            .workspace = workspace,
                            .isa = list[i].isa,
                            .in_order = true,
                            .emit = collect,
                            .context = &found};
        check_scene(abut_join_check(&join) == ABUT_OK && abut_join_run(&join) == ABUT_OK, scene, list[i].name,
                    "status");
        abut_workspace_end(&own);
        check_scene(same_pairs(right, listed, found.n), scene, list[i].name, "pairs");
        uint64_t order = 1;
        for (size_t k = 0; k < found.n; k++)
            order = order * UINT64_C(0x9E3779B97F4A7C15) + ((uint64_t)listed[k].a << 32 | listed[k].b);
        first_order = i == 0 ? order : first_order;
        check_scene(order == first_order, scene, list[i].name, "order");
        first = i == 0 ? stats : first;
        check_scene(same_work(&stats, &first, queries.kind == ABUT_SET_HULLS), scene, list[i].name, "statistics");
    }
}

struct blocks {
    size_t n;
};

static bool take_block(void *context, const struct abut_pair *pairs, size_t n)
{
    struct blocks *blocks = context;
    memcpy(listed + blocks->n, pairs, n * sizeof *pairs);
    blocks->n += n;
    return true;
}

static void check_rows(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                       struct abut_set queries, const struct abut_options *options)
{
    const size_t n = right->queries;
    uint64_t *offsets = malloc((n + 1) * sizeof *offsets);
    uint32_t *indices = malloc((right->count + 1) * sizeof *indices);
    bool ok = abut_join_rows(index, queries, options, offsets, indices, right->count) == ABUT_OK && offsets[0] == 0 &&
              offsets[n] == right->count;
    for (size_t q = 0; q < n && ok; q++)
        for (uint64_t i = offsets[q]; i < offsets[q + 1] && ok; i++)
            ok = right_bit(right, q, indices[i]) && (i == offsets[q] || indices[i - 1] < indices[i]);
    check_scene(ok, scene, abut_isa(), "rows");
    if (right->count > 0) {
        indices[0] = 12345;
        ok = abut_join_rows(index, queries, options, offsets, indices, right->count - 1) == ABUT_OK &&
             offsets[n] == right->count && indices[0] == 12345;
        check_scene(ok, scene, abut_isa(), "rows beyond the capacity");
    }
    free(offsets);
    free(indices);
}

/* Whether the array is a permutation of 0 .. n-1. */
static bool all_numbered(const uint32_t *numbers, size_t n)
{
    uint64_t *seen = calloc(abut_mask_words(n) + 1, sizeof *seen);
    bool all = true;
    for (size_t i = 0; i < n && all; i++) {
        all = numbers[i] < n && !hit_at(seen, numbers[i]);
        if (all)
            seen[numbers[i] / 64] |= UINT64_C(1) << numbers[i] % 64;
    }
    free(seen);
    return all;
}

/* Compares rows as pairs. */
static bool same_rows(const struct answers *right, const uint32_t *rows, const uint64_t *offsets,
                      const uint32_t *indices)
{
    for (size_t i = 0; i < right->queries; i++)
        for (uint64_t k = offsets[i]; k < offsets[i + 1] && k < MOST_PAIRS; k++)
            listed[k] = (struct abut_pair){rows[i], indices[k]};
    return same_pairs(right, listed, offsets[right->queries]);
}

static void check_unsorted(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                           struct abut_set queries, const struct abut_options *options)
{
    const size_t n = right->queries, part = (size_t)right->count / 2;
    uint64_t *offsets = malloc((n + 1) * sizeof *offsets);
    uint32_t *rows = malloc((n + 1) * sizeof *rows), *indices = malloc((right->count + 1) * sizeof *indices);
    bool ok = abut_join_rows_unsorted(index, queries, options, rows, offsets, indices, right->count) == ABUT_OK &&
              offsets[0] == 0 && offsets[n] == right->count && all_numbered(rows, n);
    check_scene(ok && same_rows(right, rows, offsets, indices), scene, abut_isa(), "unsorted rows");
    indices[part] = 12345;
    ok = abut_join_rows_unsorted(index, queries, options, rows, offsets, indices, part) == ABUT_OK &&
         offsets[n] == right->count && all_numbered(rows, n) && (right->count == 0 || indices[part] == 12345);
    for (size_t i = 0; i < n && ok; i++)
        ok = offsets[i + 1] - offsets[i] == abut_mask_count(right->bits + rows[i] * right->words, right->items);
    check_scene(ok, scene, abut_isa(), "unsorted rows at half the capacity");
    free(offsets);
    free(rows);
    free(indices);
}

static void check_counts(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                         struct abut_set queries, const struct abut_options *options)
{
    const size_t n = right->queries;
    uint32_t *counts = malloc((n + 1) * sizeof *counts);
    uint64_t *mask = malloc((abut_mask_words(n) + 1) * sizeof *mask);
    bool ok = abut_join_counts(index, queries, options, counts) == ABUT_OK;
    bool any_ok = abut_join_any(index, queries, options, mask) == ABUT_OK;
    for (size_t q = 0; q < n; q++) {
        uint64_t count = abut_mask_count(right->bits + q * right->words, right->items);
        ok &= counts[q] == count;
        any_ok &= hit_at(mask, q) == (count > 0);
    }
    check_scene(ok, scene, abut_isa(), "counts");
    check_scene(any_ok, scene, abut_isa(), "any");
    free(counts);
    free(mask);
}

void check_public(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                  struct abut_set queries, struct abut_workspace *workspace)
{
    struct abut_stats stats = {0};
    struct abut_options options = {
        .touch = scene->touch, .stats = &stats, .workspace = workspace, .relation = scene->relation};
    uint64_t count = 77;
    enum abut_status status = right->self ? abut_self_join(index, &options, listed, MOST_PAIRS, &count)
                                          : abut_join(index, queries, &options, listed, MOST_PAIRS, &count);
    check_scene(status == ABUT_OK && same_pairs(right, listed, count), scene, abut_isa(), "public pairs");
    struct abut_pair guard = {1, 2};
    size_t part = (size_t)right->count / 2;
    listed[part] = guard;
    status = right->self ? abut_self_join(index, &options, part ? listed : NULL, part, &count)
                         : abut_join(index, queries, &options, part ? listed : NULL, part, &count);
    check_scene(status == ABUT_OK && count == right->count && memcmp(&listed[part], &guard, sizeof guard) == 0, scene,
                abut_isa(), "pairs at half the capacity");
    struct blocks blocks = {0};
    status = right->self ? abut_self_join_blocks(index, &options, take_block, &blocks)
                         : abut_join_blocks(index, queries, &options, take_block, &blocks);
    check_scene(status == ABUT_OK && same_pairs(right, listed, blocks.n), scene, abut_isa(), "blocks");
    if (!right->self) {
        check_rows(scene, right, index, queries, &options);
        check_unsorted(scene, right, index, queries, &options);
        check_counts(scene, right, index, queries, &options);
    }
}
