/* SPDX-License-Identifier: MIT */
/* Joins that return compressed rows: hits come in search order, and each row is put into its place and sorted there. */
#include "bvh/search/run.h"
#include "util/float_mode.h"

#include <string.h>

enum {
    AHEAD = 12,    /* rows to prefetch */
    SHORT = 80,    /* rows up to this length are sorted by rank; a radix sort is faster beyond */
    PART_ITEMS = 8 /* items compared at a time */
};

/* The parts of all rows and their items, in search order. */
struct found {
    struct abut_workspace *workspace;
    uint64_t *offsets;
    const uint32_t *queries; /* by position */
    size_t queries_n;
    uint32_t *ids;
    size_t ids_most; /* capacity of ids */
    struct parts parts;
    size_t capacity; /* of the caller's array; ids beyond it are not kept */
    bool failed, excess;
};

/*
 * Growing copies to fresh memory, so it must be rare. The new size is estimated from the queries so far, plus a
 * quarter. It is at least two and at most eight times the present need, and not beyond the caller's capacity.
 */
static size_t room_for(const struct found *found, uint64_t parts, uint64_t ids)
{
    const double all = 1.25 * (double)found->queries_n / (double)(parts + 1), times = all < 2 ? 2 : all > 8 ? 8 : all;
    const double room = times * (double)ids;
    return room < (double)found->capacity ? (size_t)room : found->capacity;
}

static bool found_reserve(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids)
{
    struct found *found = context;
    found->queries = queries;
    found->excess |= ids > found->capacity;
    if (!found->excess && (!found->ids || ids > found->ids_most)) {
        found->ids_most = room_for(found, parts, ids);
        found->ids =
            abut_workspace_grow(found->workspace, SLOT_FOUND, found->ids_most + PART_ITEMS, sizeof *found->ids);
    }
    found->failed = !abut_parts_reserve(&found->parts, found->workspace, parts) || (!found->excess && !found->ids);
    return !found->failed;
}

static bool emit_rows(void *context, const struct hits *hits)
{
    const struct found *found = context;
    size_t n = 0;
    for (size_t p = 0; p < hits->parts_n; p++)
        n += hits->parts[p].count;
    if (!found->excess)
        memcpy(found->ids + hits->ids_before, hits->ids, n * sizeof *hits->ids);
    memcpy(found->parts.at + hits->parts_before, hits->parts, hits->parts_n * sizeof *hits->parts);
    return true;
}

/*
 * Rank sort: the position of an item is the number of lesser items; no two are equal. No branch depends on their order.
 * Ranks are counted side by side, as signed integers, which every instruction set can compare. It reads whole parts of
 * from, beyond its end.
 */
static inline void sort_short(uint32_t *restrict row, const uint32_t *restrict from, uint32_t n)
{
    const uint32_t sign = UINT32_C(1) << 31;
    for (uint32_t first = 0; first < n; first += PART_ITEMS) {
        int32_t part[PART_ITEMS], ranks[PART_ITEMS] = {0};
        for (uint32_t k = 0; k < PART_ITEMS; k++)
            part[k] = (int32_t)(from[first + k] ^ sign);
        for (uint32_t i = 0; i < n; i++) {
            const int32_t item = (int32_t)(from[i] ^ sign);
            for (uint32_t k = 0; k < PART_ITEMS; k++)
                ranks[k] += item < part[k];
        }
        for (uint32_t k = 0; k < PART_ITEMS && first + k < n; k++)
            row[ranks[k]] = from[first + k];
    }
}

/* Radix sort with as few digits of at most eight bits as the greatest index needs, and digits as short as possible. */
static void sort_long(uint32_t *row, uint32_t *spare, uint32_t n, uint32_t greatest)
{
    const unsigned bits = 32 - (unsigned)__builtin_clz(greatest | 1), digits = (bits + 7) / 8;
    const unsigned width = (bits + digits - 1) / digits, last = (1U << width) - 1;
    uint32_t starts[4][256], *from = row, *to = spare;
    for (unsigned d = 0; d < digits; d++)
        memset(starts[d], 0, (last + 1) * sizeof *starts[d]);
    for (uint32_t i = 0; i < n; i++)
        for (unsigned d = 0; d < digits; d++)
            starts[d][row[i] >> d * width & last]++;
    for (unsigned d = 0; d < digits; d++) {
        uint32_t sum = 0;
        for (unsigned digit = 0; digit <= last; digit++) {
            const uint32_t count = starts[d][digit];
            starts[d][digit] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < n; i++)
            to[starts[d][from[i] >> d * width & last]++] = from[i];
        uint32_t *done = from;
        from = to;
        to = done;
    }
    if (from != row)
        memcpy(row, from, n * sizeof *row);
}

/* Sorts a row that has come in parts. spare has PART_ITEMS elements more than the row. */
static void sort_row(uint32_t *row, uint32_t *spare, uint32_t n, uint32_t greatest)
{
    if (n > SHORT) {
        sort_long(row, spare, n, greatest);
        return;
    }
    memcpy(spare, row, n * sizeof *row);
    memset(spare + n, 0, PART_ITEMS * sizeof *row);
    sort_short(row, spare, n);
}

/* The state that the workers share while they put parts into their rows and sort these. */
struct placing {
    const struct found *found;
    uint32_t *indices, *spare;
    size_t longest;
    uint32_t greatest;
    struct parallel parallel;
    size_t ids_first[MOST_WORKERS + 1]; /* of each worker's parts */
};

/* The first part of worker w. It begins a packet, because two threads must not write to one row. */
static size_t first_part(const struct placing *placing, unsigned w)
{
    const struct found *found = placing->found;
    size_t i = parallel_first(&placing->parallel, found->parts.n, w);
    while (i > 0 && i < found->parts.n &&
           found->parts.at[i].position / PACKET == found->parts.at[i - 1].position / PACKET)
        i++;
    return i;
}

/* Adds up the lengths of rows, which begin at 0, and the items of each worker. Queries are far apart in memory. */
static void count_items(void *work, unsigned w)
{
    struct placing *placing = work;
    const struct part *parts = placing->found->parts.at;
    const uint32_t *queries = placing->found->queries;
    uint64_t *lengths = placing->found->offsets + 1;
    const size_t end = first_part(placing, w + 1);
    size_t ids = 0;
    for (size_t i = first_part(placing, w); i < end; i++) {
        if (i + 2 * AHEAD < end)
            __builtin_prefetch(lengths + queries[parts[i + 2 * AHEAD].position], 1);
        lengths[queries[parts[i].position]] += parts[i].count;
        ids += parts[i].count;
    }
    placing->ids_first[w + 1] = ids;
}

/* All parts of a row come within a packet. With the last of them the row is sorted, while it is in the cache. */
static void place_parts(void *work, unsigned w)
{
    const struct placing *placing = work;
    const struct part *parts = placing->found->parts.at;
    const uint32_t *queries = placing->found->queries, *ids = placing->found->ids + placing->ids_first[w];
    const uint64_t *offsets = placing->found->offsets;
    const size_t first = first_part(placing, w), end = first_part(placing, w + 1);
    uint32_t *spare = placing->spare + w * (placing->longest + PART_ITEMS);
    size_t placed[PACKET] = {0};
    for (size_t i = first; i < end; i++) {
        const uint32_t position = parts[i].position, count = parts[i].count;
        if (i + 2 * AHEAD < end)
            __builtin_prefetch(offsets + queries[parts[i + 2 * AHEAD].position]);
        if (i + AHEAD < end) {
            const uint32_t query = queries[parts[i + AHEAD].position];
            __builtin_prefetch(placing->indices + offsets[query], 1);
            __builtin_prefetch(placing->indices + offsets[query + 1], 1);
        }
        if (i > first && position / PACKET != parts[i - 1].position / PACKET)
            memset(placed, 0, sizeof placed);
        uint32_t *row = placing->indices + offsets[queries[position]];
        const size_t length = (size_t)(offsets[queries[position] + 1] - offsets[queries[position]]);
        if (count == length && length <= SHORT) {
            sort_short(row, ids, count);
        } else if (count > 0) {
            memcpy(row + placed[position % PACKET], ids, count * sizeof *ids);
            placed[position % PACKET] += count;
            if (placed[position % PACKET] == length)
                sort_row(row, spare, (uint32_t)length, placing->greatest);
        }
        ids += count;
    }
}

/* Turns offsets[i + 1] from the length of row i into its end. Returns the greatest length. */
static size_t sum_lengths(uint64_t *offsets, size_t n)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        longest = offsets[i + 1] > longest ? offsets[i + 1] : longest;
        offsets[i + 1] += offsets[i];
    }
    return (size_t)longest;
}

static enum abut_status make_rows(struct placing *placing)
{
    const struct found *found = placing->found;
    placing->spare =
        abut_workspace_take(found->workspace, SLOT_PAIRS, (placing->longest + PART_ITEMS) * placing->parallel.workers,
                            sizeof *placing->spare);
    if (!placing->spare)
        return ABUT_ERROR_MEMORY;
    for (unsigned w = 0; w < placing->parallel.workers; w++)
        placing->ids_first[w + 1] += placing->ids_first[w];
    parallel_run(&placing->parallel, place_parts, placing);
    return ABUT_OK;
}

static enum abut_status join_to_rows(struct join *join, const struct rows_to *to)
{
    const size_t n = abut_join_queries(join);
    uint64_t *offsets = to->offsets;
    memset(offsets, 0, (n + 1) * sizeof *offsets);
    struct found found = {.workspace = join->workspace, .offsets = offsets, .queries_n = n, .capacity = to->capacity};
    join->reserve = found_reserve;
    join->emit = emit_rows;
    join->context = &found;
    const enum abut_status status = abut_join_run(join);
    if (status != ABUT_OK || found.failed)
        return status == ABUT_OK ? ABUT_ERROR_MEMORY : status;
    struct placing placing = {.found = &found, .indices = to->indices};
    placing.parallel = parallel_of(join->options, n);
    placing.greatest = (uint32_t)(join->index->tree.leaves.n - 1);
    parallel_run(&placing.parallel, count_items, &placing);
    placing.longest = sum_lengths(offsets, n);
    return offsets[n] > 0 && offsets[n] <= to->capacity ? make_rows(&placing) : ABUT_OK;
}

enum abut_status abut_join_rows_of(struct join *join, const struct rows_to *to)
{
    enum abut_status status = abut_join_check(join);
    if (status != ABUT_OK)
        return status;
    if (!to->offsets || (to->capacity > 0 && !to->indices) ||
        (to->unsorted && !to->rows && abut_join_queries(join) > 0))
        return ABUT_ERROR_NULL;
    struct abut_workspace own;
    join->workspace = abut_workspace_begin(join->options, &own);
    status = to->unsorted ? abut_join_to_unsorted_rows(join, to) : join_to_rows(join, to);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_join_rows(const struct abut_index *index, struct abut_set queries,
                                const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {NULL, offsets, indices, capacity, false};
    struct join join = join_of(options_of_abut_join_rows, index, queries, options);
    return abut_join_rows_of(&join, &to);
}
