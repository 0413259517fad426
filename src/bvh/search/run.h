/* SPDX-License-Identifier: MIT */
/* Running one search from beginning to end. Its emit function receives the hits. */
#ifndef ABUT_BVH_SEARCH_RUN_H
#define ABUT_BVH_SEARCH_RUN_H

#include "bvh/index.h"

/* Hits of one query, possibly none; a query may have several parts. */
struct part {
    uint32_t position; /* of the query in search order; a packet has PACKET positions */
    uint32_t count;
};

/* The parts of all rows, in the workspace. */
struct parts {
    struct part *at;
    size_t n, most;
};

/* Grows to n parts and keeps the contents. False: out of memory. */
bool abut_parts_reserve(struct parts *parts, struct abut_workspace *workspace, uint64_t n);

/* Hits in search order; of whole packets if several threads emit. */
struct hits {
    const uint32_t *queries; /* the number of each query, by position */
    const struct part *parts;
    size_t parts_n;
    const uint32_t *ids; /* of all parts, one after the other; NULL with counts_only */
    uint64_t parts_before, ids_before;
};

/* False ends the search. */
typedef bool emit_function(void *context, const struct hits *hits);

/* Receives all totals, those of the next emit included, on the calling thread. False ends the search. */
typedef bool reserve_function(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids);

/* Which pairs count where the queries are the items: all, those of two items, or these from the lesser item alone. */
enum count_which { COUNT_ALL, COUNT_OTHERS, COUNT_ABOVE };

/* Points, and the distances between their types. */
struct cutoffs {
    const struct abut_points *points;
    const struct abut_cutoffs *by_type;
};

/* The arguments of one join. */
struct join {
    unsigned takes; /* which options the caller's function takes (api/options.h) */
    const struct abut_index *index;
    bool self; /* a self join; queries is not used */
    struct abut_set queries;
    /* or NULL: the queries are those of these numbers, below numbers_end; of the other shapes than hulls */
    const uint32_t *numbers;
    size_t numbers_end;
    const struct abut_options *options; /* never NULL */
    struct abut_workspace *workspace;
    const struct isa *isa; /* NULL: the active one */
    bool any;
    bool counts_only;
    const uint64_t *some;          /* or NULL: a bit for each of the queries among the items; each pair counts once */
    enum count_which which;        /* of the pairs count, where the queries are the items */
    const struct cutoffs *cutoffs; /* or NULL: distances by type */
    bool in_order;                 /* emit receives one packet after the other, on the calling thread */
    reserve_function *reserve;     /* or NULL */
    emit_function *emit;
    void *context;
};

static inline struct join join_of(unsigned takes, const struct abut_index *index, struct abut_set queries,
                                  const struct abut_options *options)
{
    return (struct join){.takes = takes, .index = index, .queries = queries, .options = options_or_none(options)};
}

/* The search of hulls. */
void abut_search_hulls(const struct search *search);

/* Checks the arguments of a join. */
enum abut_status abut_join_check(const struct join *join);

/* The number of queries of a join with valid arguments. */
size_t abut_join_queries(const struct join *join);

/* ABUT_OK or ABUT_ERROR_MEMORY. */
enum abut_status abut_join_run(const struct join *join);

/* Runs a join in its workspace, for all pairs: to a buffer, or to memory of the caller's function (join.c). */
enum abut_status abut_join_buffer(struct join *join, struct abut_pair *pairs, size_t capacity, uint64_t *count);
enum abut_status abut_join_collect(struct join *join, abut_pairs_function *get, void *context);

/* The caller's arrays of rows; unsorted: in the order of the search, which rows names. */
struct rows_to {
    uint32_t *rows;
    uint64_t *offsets;
    uint32_t *indices;
    size_t capacity;
    bool unsorted;
};

/* Checks and runs a join for rows, in a workspace (rows.c). */
enum abut_status abut_join_rows_of(struct join *join, const struct rows_to *to);

/* The same with a workspace and checked arguments, for unsorted rows. */
enum abut_status abut_join_to_unsorted_rows(struct join *join, const struct rows_to *to);

#endif
