/* SPDX-License-Identifier: MIT */
/*
 * Any hit in groups of queries. A search has no order in which it could leave a group. So the queries come in rounds:
 * the first one of each group, then more and more of the groups that have no hit yet.
 */
#include "api/groups.h"
#include "bvh/search/run.h"

#include "util/float_mode.h"

#include <string.h>

/* Queries of the first round, how many times as many follow in each, and how many are worth no further round. */
enum { FIRST = 1, GROWTH = 4, LAST_QUERIES = 256 };

struct rounds {
    struct join *join;
    const struct abut_groups *groups;
    uint64_t *mask;
    uint32_t *group_of; /* by query */
    uint32_t *numbers;  /* of the queries of this round */
};

static bool emit_groups(void *context, const struct hits *hits)
{
    const struct rounds *rounds = context;
    for (size_t p = 0; p < hits->parts_n; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position];
        if (hits->parts[p].count > 0 && query >= rounds->groups->offsets[0])
            group_set(rounds->mask, rounds->group_of[query]);
    }
    return true;
}

/* Lists up to take queries from the done-th on of each group without a hit. Returns how many; rest: all left. */
static size_t list_round(const struct rounds *rounds, size_t done, size_t take, size_t *rest)
{
    const uint32_t *offsets = rounds->groups->offsets;
    size_t n = 0;
    *rest = 0;
    for (size_t g = 0; g < rounds->groups->n; g++) {
        const size_t size = offsets[g + 1] - offsets[g], left = size > done ? size - done : 0;
        if (left == 0 || group_hits(rounds->mask, g))
            continue;
        *rest += left;
        for (size_t i = 0; i < left && i < take; i++)
            rounds->numbers[n++] = (uint32_t)(offsets[g] + done + i);
    }
    return n;
}

/* Searches for the listed queries alone. */
static enum abut_status run_round(const struct rounds *rounds, struct abut_set queries, size_t n)
{
    struct columns all = abut_columns_of(queries), some = all;
    float *members = abut_workspace_take(rounds->join->workspace, SLOT_MEMBERS, n, all.fields * sizeof *members);
    if (!members)
        return ABUT_ERROR_MEMORY;
    for (unsigned k = 0; k < all.fields; k++) {
        for (size_t i = 0; i < n; i++)
            members[k * n + i] = all.at[k][rounds->numbers[i]];
        some.at[k] = members + k * n;
    }
    some.n = n;
    union any_batch any;
    struct join join = *rounds->join;
    join.queries = set_of_columns(&some, &any);
    join.numbers = rounds->numbers;
    join.numbers_end = all.n;
    return abut_join_run(&join);
}

static enum abut_status run_rounds(const struct rounds *rounds)
{
    const struct abut_set queries = rounds->join->queries;
    enum abut_status status = ABUT_OK;
    /* Hulls are searched for one by one, and an index is in order already. */
    if (queries.kind == ABUT_SET_HULLS || queries.kind == ABUT_SET_INDEX)
        return abut_join_run(rounds->join);
    for (size_t done = 0, take = FIRST; status == ABUT_OK; take *= GROWTH) {
        size_t rest, n = list_round(rounds, done, take, &rest);
        if (n < rest && rest <= LAST_QUERIES)
            n = list_round(rounds, done, take = rest, &rest);
        if (n == 0)
            break;
        status = run_round(rounds, queries, n);
        done += take;
    }
    return status;
}

/* Queries before those of the first group are in none. */
static void put_group_of(const struct abut_groups *groups, uint32_t *group_of)
{
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            group_of[i] = (uint32_t)g;
}

enum abut_status abut_join_groups(const struct abut_index *index, struct abut_set queries,
                                  const struct abut_groups *groups, const struct abut_options *options,
                                  uint64_t *restrict mask)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_groups, index, queries, options);
    join.any = join.counts_only = join.in_order = true;
    enum abut_status status = abut_join_check(&join);
    if (status == ABUT_OK)
        status = abut_groups_check(groups, abut_join_queries(&join));
    if (status != ABUT_OK || groups->n == 0)
        return status;
    if (!mask)
        return ABUT_ERROR_NULL;
    memset(mask, 0, abut_mask_words(groups->n) * sizeof *mask);
    struct abut_workspace own;
    const size_t n = abut_join_queries(&join);
    join.workspace = abut_workspace_begin(join.options, &own);
    struct rounds rounds = {&join, groups, mask, NULL, NULL};
    rounds.group_of = abut_workspace_take(join.workspace, SLOT_GROUPS, n, sizeof *rounds.group_of);
    rounds.numbers = abut_workspace_take(join.workspace, SLOT_NUMBERS, n, sizeof *rounds.numbers);
    status = rounds.group_of && rounds.numbers ? ABUT_OK : ABUT_ERROR_MEMORY;
    join.emit = emit_groups;
    join.context = &rounds;
    if (status == ABUT_OK) {
        put_group_of(groups, rounds.group_of);
        status = run_rounds(&rounds);
    }
    abut_workspace_end(&own);
    return status;
}
