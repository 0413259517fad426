/* SPDX-License-Identifier: MIT */
/* Searches of an index of B, or of A if B has hulls: rows of hits for join and self, and neighbours. */
#ifndef ABUT_CLI_BROAD_H
#define ABUT_CLI_BROAD_H

#include "pool.h"
#include "relation.h"

#include <abut/index.h>

/* Row i: indices[offsets[i] .. offsets[i + 1]). */
struct hit_rows {
    uint64_t *offsets;
    uint32_t *indices;
    size_t capacity;
};

struct broad {
    struct abut_options settings;
    struct abut_stats stats;
    struct abut_threads threads;
    struct pool *pool;
    const struct rows *hulls; /* B, if it is hulls, which no index holds: each block of A is indexed */
    struct abut_index *index;
    const float *indexed; /* of broad_within: the first column of the items in the index */
    size_t most_bytes;    /* of an index */
    size_t at_once;       /* rows to search for, or 0: all */
    uint64_t most_hits;   /* of one search */
    double build_seconds, search_seconds;
    struct hit_rows rows;    /* of the last search */
    struct hit_rows by_hull; /* the same with a row for each hull */
};

/* Whether an index can answer, and whether there are so many pairs that it is faster. */
bool broad_applies(const struct options *options, const struct relation *relation, size_t rows_a, size_t rows_b);

/* Without an index as yet. relation is NULL for broad_nearest. */
enum abut_status broad_open(struct broad *broad, const struct options *options, const struct relation *relation);

/*
 * Builds the index of b in place of the last one, or later of a, for searches of so many rows. Invalid rows, which
 * --skip-bad keeps, touch nothing. b stays the caller's.
 */
enum abut_status broad_index(struct broad *broad, const struct rows *b, size_t rows);
/* Whether rows of a hit so much that testing all pairs takes less time. */
enum abut_status broad_is_dense(struct broad *broad, const struct rows *a, bool *dense);
/* Searches for the first rows of a, as many as have hits that the lists hold, and leaves a with these. */
enum abut_status broad_search(struct broad *broad, struct rows *a);
/* Finds neighbours of points a among the rows of b (index.h). */
enum abut_status broad_nearest(struct broad *broad, const struct rows *a, const struct abut_neighbours *question,
                               const struct abut_neighbours_found *found);

/*
 * Finds the pairs of queries with items within reach (index.h). The index of the items is built anew where they are in
 * other memory than those of the last call.
 */
enum abut_status broad_within(struct broad *broad, const struct rows *queries, const struct rows *items,
                              const struct abut_reach *reach, abut_block_function *take, void *context);
void broad_close(struct broad *broad);

/* Reports times, memory and statistics on standard error. */
void broad_report(const struct broad *broad);

#endif
