/* SPDX-License-Identifier: MIT */
/* Joins that return rows in search order: items go straight to the caller's array, then the offsets are found. */
#include "bvh/search/run.h"
#include "util/float_mode.h"

#include <string.h>

/* The parts of all rows. */
struct found {
    struct abut_workspace *workspace;
    const uint32_t *queries; /* by position */
    uint32_t *indices;
    size_t capacity;
    uint64_t ids_n;
    struct parts parts;
    bool failed;
};

static bool found_reserve(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids)
{
    struct found *found = context;
    found->queries = queries;
    found->ids_n = ids;
    found->failed = !abut_parts_reserve(&found->parts, found->workspace, parts);
    return !found->failed;
}

static bool emit_found(void *context, const struct hits *hits)
{
    const struct found *found = context;
    size_t n = 0;
    for (size_t p = 0; p < hits->parts_n; p++)
        n += hits->parts[p].count;
    if (n > 0 && hits->ids_before + n <= found->capacity)
        memcpy(found->indices + hits->ids_before, hits->ids, n * sizeof *hits->ids);
    memcpy(found->parts.at + hits->parts_before, hits->parts, hits->parts_n * sizeof *hits->parts);
    return true;
}

/* The caller's arrays, and the rows in them so far. */
struct rows_out {
    const struct found *found;
    uint32_t *queries;
    uint64_t *offsets;
    size_t n;
    uint64_t *seen; /* one bit a query */
};

/* Makes each row of a packet contiguous, if its parts alternate with those of other rows. False: out of memory. */
static bool join_pieces(const struct found *found, size_t first, size_t end, const uint64_t lengths[PACKET],
                        uint32_t *ids)
{
    uint64_t starts[PACKET], n = 0;
    for (unsigned q = 0; q < PACKET; q++) {
        starts[q] = n;
        n += lengths[q];
    }
    uint32_t *from = abut_workspace_take(found->workspace, SLOT_FOUND, (size_t)n, sizeof *from);
    if (!from)
        return false;
    memcpy(from, ids, (size_t)n * sizeof *from);
    for (size_t i = first; i < end; i++) {
        const struct part part = found->parts.at[i];
        memcpy(ids + starts[part.position % PACKET], from, part.count * sizeof *from);
        starts[part.position % PACKET] += part.count;
        from += part.count;
    }
    return true;
}

static void add_row(struct rows_out *rows, uint32_t query, uint64_t length)
{
    rows->seen[query / 64] |= UINT64_C(1) << query % 64;
    rows->queries[rows->n] = query;
    rows->offsets[rows->n + 1] = rows->offsets[rows->n] + length;
    rows->n++;
}

/* Adds the rows of one packet. False: out of memory. */
static bool add_packet(struct rows_out *rows, size_t first, size_t end)
{
    const struct found *found = rows->found;
    const struct part *parts = found->parts.at;
    uint64_t lengths[PACKET] = {0};
    unsigned there = 0;
    bool in_pieces = false;
    for (size_t i = first; i < end; i++) {
        lengths[parts[i].position % PACKET] += parts[i].count;
        there |= 1u << parts[i].position % PACKET;
        in_pieces |= i > first && parts[i].position < parts[i - 1].position;
    }
    if (in_pieces && found->ids_n <= found->capacity &&
        !join_pieces(found, first, end, lengths, found->indices + rows->offsets[rows->n]))
        return false;
    for (unsigned q = 0; q < PACKET; q++)
        if (there >> q & 1)
            add_row(rows, found->queries[parts[first].position / PACKET * PACKET + q], lengths[q]);
    return true;
}

/* Adds the rows of the queries that have parts, then empty rows for all others. */
static enum abut_status make_rows(const struct found *found, size_t n, uint32_t *queries, uint64_t *offsets)
{
    struct rows_out rows = {found, queries, offsets, 0, NULL};
    const size_t words = abut_mask_words(n);
    rows.seen = abut_workspace_take(found->workspace, SLOT_SEEN, words, sizeof *rows.seen);
    if (!rows.seen)
        return ABUT_ERROR_MEMORY;
    memset(rows.seen, 0, words * sizeof *rows.seen);
    offsets[0] = 0;
    for (size_t first = 0, end; first < found->parts.n; first = end) {
        const uint32_t packet = found->parts.at[first].position / PACKET;
        for (end = first + 1; end < found->parts.n && found->parts.at[end].position / PACKET == packet;)
            end++;
        if (!add_packet(&rows, first, end))
            return ABUT_ERROR_MEMORY;
    }
    for (size_t w = 0; w < words; w++) {
        const uint64_t all = n - w * 64 < 64 ? (UINT64_C(1) << (n - w * 64)) - 1 : ~UINT64_C(0);
        for (uint64_t left = all & ~rows.seen[w]; left != 0; left &= left - 1)
            add_row(&rows, (uint32_t)(w * 64 + (size_t)__builtin_ctzll(left)), 0);
    }
    return ABUT_OK;
}

enum abut_status abut_join_to_unsorted_rows(struct join *join, const struct rows_to *to)
{
    const size_t n = abut_join_queries(join);
    struct found found = {.workspace = join->workspace, .indices = to->indices, .capacity = to->capacity};
    join->reserve = found_reserve;
    join->emit = emit_found;
    join->context = &found;
    const enum abut_status status = abut_join_run(join);
    if (status != ABUT_OK || found.failed)
        return status == ABUT_OK ? ABUT_ERROR_MEMORY : status;
    return make_rows(&found, n, to->rows, to->offsets);
}

enum abut_status abut_join_rows_unsorted(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                         uint32_t *indices, size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {rows, offsets, indices, capacity, true};
    struct join join = join_of(options_of_abut_join_rows_unsorted, index, queries, options);
    return abut_join_rows_of(&join, &to);
}
