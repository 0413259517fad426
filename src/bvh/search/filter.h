/* SPDX-License-Identifier: MIT */
/* Which of the pairs that a search finds count. */
#ifndef ABUT_BVH_SEARCH_FILTER_H
#define ABUT_BVH_SEARCH_FILTER_H

#include "bvh/search/labels.h"
#include "bvh/search/run.h"

static inline bool abut_is_filtered(const struct join *join)
{
    return join->some || join->which != COUNT_ALL || join->cutoffs || join->options->filter;
}

/* The groups and masks of a join. Searches of dear predicates ask them before the predicate. */
struct label_filter abut_label_filter(const struct join *join);

/* Moves the items that count to the front, row after row, and counts those of each row. */
void abut_filter_rows(const struct join *join, const struct rows *rows, uint32_t counts[PACKET]);

/* Whether one pair counts by the caller's filter, which may be NULL. */
bool abut_filter_counts(const struct abut_filter *filter, uint32_t query, uint32_t item);

#endif
