/* SPDX-License-Identifier: MIT */
/* Joins as compressed rows: found in the order of the search, then each put into its place and sorted there. */
#include "run.h"

#include <string.h>

enum {
    AHEAD = 24,    /* rows to prefetch */
    SHORT = 32,    /* rows that are sorted by rank */
    PART_ITEMS = 8 /* compared at a time */
};

struct part {
    uint32_t query, count;
};

struct found {
    struct abut_workspace *workspace;
    uint64_t *offsets;
    uint32_t *ids;
    struct part *parts;
    size_t ids_n, ids_capacity, parts_n, parts_capacity;
    bool failed;
};

static bool found_reserve(struct found *found, size_t ids)
{
    if (!found->ids || found->ids_n + ids > found->ids_capacity) {
        found->ids_capacity = 2 * (found->ids_n + ids);
        found->ids = abut_workspace_grow(found->workspace, SLOT_FOUND, found->ids_capacity, sizeof *found->ids);
    }
    if (!found->parts || found->parts_n + GROUP > found->parts_capacity) {
        found->parts_capacity = 2 * (found->parts_n + GROUP);
        found->parts = abut_workspace_grow(found->workspace, SLOT_PARTS, found->parts_capacity, sizeof *found->parts);
    }
    return found->ids && found->parts;
}

static bool emit_rows(void *context, const struct rows *rows)
{
    struct found *found = context;
    size_t n = 0;
    for (unsigned q = 0; q < rows->n; q++)
        n += rows->counts[q];
    if (!found_reserve(found, n)) {
        found->failed = true;
        return false;
    }
    memcpy(found->ids + found->ids_n, rows->ids, n * sizeof *rows->ids);
    found->ids_n += n;
    for (unsigned q = 0; q < rows->n; q++) {
        found->parts[found->parts_n++] = (struct part){rows->queries[q], rows->counts[q]};
        found->offsets[rows->queries[q] + 1] += rows->counts[q];
    }
    return true;
}

/* Each item goes where as many as are less come before it; no two are equal. Nothing branches on their order. */
static void sort_short(uint32_t *row, size_t n)
{
    uint32_t padded[SHORT + PART_ITEMS];
    memcpy(padded, row, n * sizeof *row);
    for (size_t i = n; i < n + PART_ITEMS; i++)
        padded[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t item = padded[i], rank = 0;
        for (size_t j = 0; j < n; j += PART_ITEMS)
            for (unsigned k = 0; k < PART_ITEMS; k++)
                rank += padded[j + k] < item;
        row[rank] = item;
    }
}

/* Radix sort by bytes, as many as the greatest index has. */
static void sort_long(uint32_t *row, uint32_t *spare, size_t n, uint32_t greatest)
{
    uint32_t *from = row, *to = spare;
    for (unsigned shift = 0; shift < 32 && greatest >> shift != 0; shift += 8) {
        size_t starts[256] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++)
            starts[from[i] >> shift & 255]++;
        for (unsigned digit = 0; digit < 256; digit++) {
            size_t count = starts[digit];
            starts[digit] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        uint32_t *done = from;
        from = to;
        to = done;
    }
    if (from != row)
        memcpy(row, from, n * sizeof *row);
}

/* Puts the parts of each row into its place. offsets[i] is where row i begins, and is again when this is done. */
static void place_parts(const struct found *found, uint64_t *offsets, size_t n, uint32_t *indices)
{
    const uint32_t *ids = found->ids;
    for (size_t i = 0; i < found->parts_n; i++) {
        if (i + AHEAD < found->parts_n)
            __builtin_prefetch(indices + offsets[found->parts[i + AHEAD].query], 1);
        const struct part part = found->parts[i];
        uint32_t *to = indices + offsets[part.query];
        for (uint32_t k = 0; k < part.count; k++)
            to[k] = ids[k];
        ids += part.count;
        offsets[part.query] += part.count;
    }
    memmove(offsets + 1, offsets, n * sizeof *offsets);
    offsets[0] = 0;
}

static enum abut_status make_rows(struct found *found, uint64_t *offsets, size_t n, uint32_t *indices, size_t capacity,
                                  uint32_t greatest)
{
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        longest = offsets[i + 1] > longest ? (size_t)offsets[i + 1] : longest;
        offsets[i + 1] += offsets[i];
    }
    if (offsets[n] > capacity)
        return ABUT_OK;
    uint32_t *spare = abut_workspace_take(found->workspace, SLOT_PAIRS, longest > SHORT ? longest : 0, sizeof *spare);
    if (!spare)
        return ABUT_ERROR_MEMORY;
    place_parts(found, offsets, n, indices);
    for (size_t i = 0; i < n; i++) {
        size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        if (length > SHORT)
            sort_long(indices + offsets[i], spare, length, greatest);
        else
            sort_short(indices + offsets[i], length);
    }
    return ABUT_OK;
}

enum abut_status abut_join_rows(const struct abut_index *index, struct abut_set queries,
                                const struct abut_settings *settings, uint64_t *offsets, uint32_t *indices,
                                size_t capacity)
{
    static const struct abut_settings none = {0};
    struct join join = {.index = index, .queries = queries, .settings = settings ? settings : &none};
    enum abut_status status = queries.items ? abut_join_check(&join) : ABUT_ERROR_NULL;
    if (status != ABUT_OK)
        return status;
    if (!offsets || (capacity > 0 && !indices))
        return ABUT_ERROR_NULL;
    const size_t n = abut_join_queries(&join);
    memset(offsets, 0, (n + 1) * sizeof *offsets);
    struct abut_workspace own;
    join.workspace = abut_workspace_begin(join.settings, &own);
    struct found found = {.workspace = join.workspace, .offsets = offsets};
    join.emit = emit_rows;
    join.context = &found;
    status = abut_join_run(&join);
    if (status == ABUT_OK && found.failed)
        status = ABUT_ERROR_MEMORY;
    if (status == ABUT_OK)
        status = make_rows(&found, offsets, n, indices, capacity, (uint32_t)(index->tree.tiles.n - 1));
    abut_workspace_end(&own);
    return status;
}
