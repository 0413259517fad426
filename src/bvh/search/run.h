/* SPDX-License-Identifier: MIT */
/* Running one search from beginning to end; what becomes of the hits is up to its emit function. */
#ifndef ABUT_BVH_SEARCH_RUN_H
#define ABUT_BVH_SEARCH_RUN_H

#include "bvh/index.h"

/* Some of the hits of one query, or none; a query may have several parts. */
struct part {
    uint32_t position; /* of the query in the order of the search; PACKET of them make a group */
    uint32_t count;
};

/* Those of all rows, kept in the workspace. */
struct parts {
    struct part *at;
    size_t n, most;
};

/* Room for n of them; those that are there stay. */
bool abut_parts_reserve(struct parts *parts, struct abut_workspace *workspace, uint64_t n);

/* Hits in the order of the search, of whole groups where several threads search. */
struct hits {
    const uint32_t *queries; /* the number of each query, by position */
    const struct part *parts;
    size_t parts_n;
    const uint32_t *ids; /* of all parts in a row; NULL if the join wants counts only */
    uint64_t parts_before, ids_before;
};

/* False ends the search. */
typedef bool emit_function(void *context, const struct hits *hits);

/* So many there are in all with those that are emitted next; called on the calling thread. False ends the search. */
typedef bool reserve_function(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids);

/* One join: what is searched, for what and how. */
struct join {
    const struct abut_index *index;
    bool self; /* the index is searched for its own items */
    struct abut_set queries;
    const struct abut_options *options; /* never NULL */
    struct abut_workspace *workspace;
    const struct isa *isa; /* NULL: the active one */
    bool any;
    bool counts_only;
    bool in_order;             /* emit is called for one group after the other, on the calling thread */
    reserve_function *reserve; /* or NULL */
    emit_function *emit;
    void *context;
};

static inline struct join join_of(const struct abut_index *index, struct abut_set queries,
                                  const struct abut_options *options)
{
    return (struct join){.index = index, .queries = queries, .options = options_or_none(options)};
}

/*
 * The searches of hulls, and the predicate that gives this answer for the shape that is indexed; hull_predicate_count:
 * none.
 */
enum hull_predicate abut_hull_predicate_of(enum shape item, enum abut_relation relation);
void abut_search_hulls(const struct search *search);

/* What is wrong with the arguments of a join, if anything. */
enum abut_status abut_join_check(const struct join *join);

/* How many queries there are; the arguments are right. */
size_t abut_join_queries(const struct join *join);

/* ABUT_OK or ABUT_ERROR_MEMORY. */
enum abut_status abut_join_run(const struct join *join);

#endif
