/* SPDX-License-Identifier: MIT */
/* Filters of searches: groups and masks, the caller's function, and pairs that would come twice. */
#include "bvh/search/filter.h"

#include "bvh/search/cutoffs.h"

#include <string.h>

static inline bool has_bit(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}

struct label_filter abut_label_filter(const struct join *join)
{
    return label_filter_of(join->options->filter, join->self || join->some || join->which != COUNT_ALL);
}

/* Rows are short and of any length: a loop for each would end in a branch that nobody guesses. */
enum { MOST_HITS = PACKET * MAX_CANDIDATES * LEAF, ABREAST = 8 };

/* Writes for each hit of a packet which row it is in. Returns how many hits there are. */
static size_t list_rows(const struct rows *rows, uint8_t row_of[MOST_HITS + ABREAST])
{
    size_t n = 0;
    for (unsigned q = 0; q < rows->n; q++) {
        for (size_t i = 0; i < rows->counts[q]; i += ABREAST)
            memset(row_of + n + i, (int)q, ABREAST);
        n += rows->counts[q];
    }
    return n;
}

/* Drops pairs by labels: the hits that count stay in order. Returns how many. */
static size_t keep_labelled(const struct label_filter *filter, const struct rows *rows, size_t n, uint8_t *row_of)
{
    uint32_t groups[PACKET], masks[PACKET], *ids = rows->ids;
    size_t kept = 0;
    for (unsigned q = 0; q < rows->n; q++) {
        /* A query that is none (UINT32_MAX) has no hits. */
        const uint32_t query = rows->counts[q] > 0 ? rows->queries[q] : 0;
        groups[q] = label(filter->query_groups, query);
        masks[q] = label(filter->query_masks, query);
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids[i];
        const uint8_t q = row_of[i];
        ids[kept] = id;
        row_of[kept] = q;
        const bool of_query = (groups[q] & label(filter->masks, id)) != 0;
        const bool of_item = (label(filter->groups, id) & masks[q]) != 0;
        kept += of_query & of_item;
    }
    return kept;
}

/* Some items are searched for among all: none with itself, and two of them in one order alone. */
static size_t keep_once(const uint64_t *some, const struct rows *rows, size_t n, uint8_t *row_of)
{
    uint32_t *ids = rows->ids;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids[i], query = rows->queries[row_of[i]];
        ids[kept] = id;
        row_of[kept] = row_of[i];
        kept += (id != query) & (!has_bit(some, id) | (query < id));
    }
    return kept;
}

/* All items are searched for among themselves. */
static size_t keep_which(bool above, const struct rows *rows, size_t n, uint8_t *row_of)
{
    uint32_t *ids = rows->ids;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids[i], query = rows->queries[row_of[i]];
        ids[kept] = id;
        row_of[kept] = row_of[i];
        kept += above ? query < id : query != id;
    }
    return kept;
}

/* The caller's function, row after row. */
static void keep_by_caller(const struct abut_filter *filter, const struct rows *rows, uint32_t counts[PACKET])
{
    const uint32_t *ids = rows->ids;
    uint32_t *to = rows->ids;
    for (unsigned q = 0; q < rows->n; q++) {
        const size_t n = counts[q];
        size_t kept = 0;
        memmove(to, ids, n * sizeof *to);
        ids += n;
        if (n > 0)
            kept = filter->keep(filter->context, rows->queries[q], to, n);
        counts[q] = (uint32_t)(kept < n ? kept : n);
        to += counts[q];
    }
}

bool abut_filter_counts(const struct abut_filter *filter, uint32_t query, uint32_t item)
{
    if (!filter)
        return true;
    const struct label_filter labels = label_filter_of(filter, false);
    if (!labels_agree(&labels, query, item))
        return false;
    return !filter->keep || filter->keep(filter->context, query, &item, 1) > 0;
}

void abut_filter_rows(const struct join *join, const struct rows *rows, uint32_t counts[PACKET])
{
    const struct label_filter labels = abut_label_filter(join);
    const struct abut_filter *filter = join->options->filter;
    uint8_t row_of[MOST_HITS + ABREAST];
    size_t n = list_rows(rows, row_of);
    if (join->some)
        n = keep_once(join->some, rows, n, row_of);
    if (join->which != COUNT_ALL)
        n = keep_which(join->which == COUNT_ABOVE, rows, n, row_of);
    if (join->cutoffs)
        n = abut_keep_within(join->cutoffs, join->options->touch, rows, n, row_of);
    if (labels.any)
        n = keep_labelled(&labels, rows, n, row_of);
    memset(counts, 0, PACKET * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[row_of[i]]++;
    if (filter && filter->keep)
        keep_by_caller(filter, rows, counts);
}
