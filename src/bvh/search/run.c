/* SPDX-License-Identifier: MIT */
/* One search: arguments checked, queries sorted, and the active variant's loop called, on one thread or several. */
#include "bvh/search/run.h"

#include "dispatch/dispatch.h"

#include <stdatomic.h>
#include <string.h>

static const struct abut_hulls *hulls_of(const struct join *join)
{
    return !join->self && join->queries.kind == ABUT_SET_HULLS ? join->queries.items : NULL;
}

static const struct tiles *tiles_of_index(const struct join *join)
{
    if (join->self)
        return &join->index->tree.tiles;
    return join->queries.kind == ABUT_SET_INDEX ? &((const struct abut_index *)join->queries.items)->tree.tiles : NULL;
}

static enum hull_predicate hull_predicate_of(const struct join *join)
{
    return abut_hull_predicate_of((enum shape)join->index->tree.tiles.shape, join->settings->hulls);
}

/* The search by the shapes of both sides; NULL where there is none. */
static search_function *function_of(const struct join *join)
{
    const struct variant *variant = join->variant ? join->variant : abut_active_variant();
    const enum shape item = (enum shape)join->index->tree.tiles.shape;
    if (hulls_of(join))
        return hull_predicate_of(join) != hull_predicate_count ? abut_search_hulls : NULL;
    const struct tiles *tiles = tiles_of_index(join);
    const enum shape query = tiles ? (enum shape)tiles->shape : abut_shape_of(join->queries.kind);
#define SEARCH(query_shape, item_shape, predicate, order)                                                              \
    if (!join->self && query == shape_##query_shape && item == shape_##item_shape)                                     \
        return variant->searches[search_##query_shape##_##item_shape];
#define SELF(shape, predicate)                                                                                         \
    if (join->self && item == shape_##shape)                                                                           \
        return variant->searches[search_self_##shape];
#include "tables/searches.def"
    return NULL;
}

enum abut_status abut_join_check(const struct join *join)
{
    if (!join->index)
        return ABUT_ERROR_NULL;
    if (join->settings->touch != ABUT_CLOSED && join->settings->touch != ABUT_OPEN)
        return ABUT_ERROR_ARGUMENT;
    if ((unsigned)join->settings->hulls > ABUT_HULL_INSIDE)
        return ABUT_ERROR_ARGUMENT;
    enum abut_status status = join->self ? ABUT_OK : abut_check_set(join->queries);
    return status == ABUT_OK && !function_of(join) ? ABUT_ERROR_ARGUMENT : status;
}

size_t abut_join_queries(const struct join *join)
{
    const struct tiles *tiles = tiles_of_index(join);
    return tiles ? tiles->n : hulls_of(join) ? hulls_of(join)->n : abut_columns_of(join->queries).n;
}

/*
 * Several threads search chunks of groups, each into a stage of its own, as many chunks at a time as there are stages. How
 * many hits come before each chunk is known then, and the stages are emitted, by several threads again where the order of
 * the calls does not matter. Stages are of one size, so that memory is bounded: a chunk that finds more is emitted as far
 * as it got and searched to its end by the calling thread, and smaller chunks follow.
 */
enum {
    STAGES = 16, /* a worker */
    STAGED_PARTS = 1 << 13,
    STAGED_IDS = 1 << 16, /* more than the hits of one part of a group */
    MOST_GROUPS = 128     /* a chunk: threads wait for each other after each round of them */
};

struct stage {
    const uint32_t *queries;
    bool counts_only;
    size_t first, last; /* groups */
    size_t done;        /* those before it are here whole */
    struct part *parts;
    uint32_t *ids;
    size_t parts_n; /* of whole groups */
    uint64_t hits_n;
    size_t parts_all; /* with those of group done */
    uint64_t hits_all;
    uint64_t parts_before, hits_before;
    bool full; /* and ended before last */
    struct abut_search_stats stats;
};

struct run {
    const struct join *join;
    struct search search; /* as every worker begins */
    search_function *function;
    size_t groups, nodes; /* nodes: in each of a worker's two lists */
    struct scratch *scratch;
    uint32_t *lists;
    struct team team;
    struct stage *stages;
    unsigned staged, emit_end; /* stages in use, and to emit now */
    _Atomic(unsigned) next;    /* the stage that the next free worker takes */
    uint64_t parts_n, hits_n;  /* emitted */
    bool ended;                /* by emit or reserve */
    struct abut_search_stats stats;
};

static struct abut_search_stats run_search(struct run *run, unsigned w, size_t first, size_t last,
                                           bool (*emit)(void *context, const struct rows *rows), void *context)
{
    struct abut_search_stats stats = {0};
    struct search search = run->search;
    search.first = first;
    search.last = last;
    search.stats = &stats;
    search.scratch = &run->scratch[w];
    search.nodes[0] = run->lists + 2 * run->nodes * w;
    search.nodes[1] = search.nodes[0] + run->nodes;
    search.emit = emit;
    search.context = context;
    run->function(&search);
    return stats;
}

/* Parts of one group; returns the number of hits. */
static size_t parts_of(const struct rows *rows, const uint32_t *queries, struct part parts[GROUP])
{
    size_t hits = 0;
    for (unsigned q = 0; q < rows->n; q++) {
        parts[q] = (struct part){(uint32_t)(rows->queries - queries) + q, rows->counts[q]};
        hits += rows->counts[q];
    }
    return hits;
}

static bool emit_now(void *context, const struct rows *rows)
{
    struct run *run = context;
    const struct join *join = run->join;
    struct part parts[GROUP];
    const uint32_t *queries = run->search.queries->ids;
    const size_t n = parts_of(rows, queries, parts);
    const struct hits hits = {queries, parts, rows->n, join->counts_only ? NULL : rows->ids, run->parts_n, run->hits_n};
    run->parts_n += rows->n;
    run->hits_n += n;
    run->ended = (join->reserve && !join->reserve(join->context, queries, run->parts_n, run->hits_n)) ||
                 !join->emit(join->context, &hits);
    return !run->ended;
}

/* False, and the search of this stage ends, where there is no room. */
static bool emit_stage(void *context, const struct rows *rows)
{
    struct stage *stage = context;
    const size_t group = (size_t)(rows->queries - stage->queries) / GROUP;
    if (group != stage->done) {
        stage->done = group;
        stage->parts_n = stage->parts_all;
        stage->hits_n = stage->hits_all;
    }
    stage->full = stage->parts_all + GROUP > STAGED_PARTS;
    if (stage->full)
        return false;
    const size_t n = parts_of(rows, stage->queries, stage->parts + stage->parts_all);
    if (!stage->counts_only) {
        stage->full = stage->hits_all + n > STAGED_IDS;
        if (stage->full)
            return false;
        memcpy(stage->ids + stage->hits_all, rows->ids, n * sizeof *rows->ids);
    }
    stage->parts_all += rows->n;
    stage->hits_all += n;
    return true;
}

static void search_stages(void *work, unsigned w)
{
    struct run *run = work;
    for (unsigned i; (i = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed)) < run->staged;) {
        struct stage *stage = &run->stages[i];
        stage->stats = run_search(run, w, stage->first, stage->last, emit_stage, stage);
        if (!stage->full) {
            stage->done = stage->last;
            stage->parts_n = stage->parts_all;
            stage->hits_n = stage->hits_all;
        }
    }
}

static bool emit_one(const struct run *run, const struct stage *stage)
{
    const struct hits hits = {stage->queries,      stage->parts,
                              stage->parts_n,      stage->counts_only ? NULL : stage->ids,
                              stage->parts_before, stage->hits_before};
    return run->join->emit(run->join->context, &hits);
}

static void emit_some(void *work, unsigned w)
{
    struct run *run = work;
    (void)w;
    for (unsigned i; (i = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed)) < run->emit_end;)
        emit_one(run, &run->stages[i]);
}

static void emit_stages(struct run *run, unsigned first, unsigned end)
{
    const struct join *join = run->join;
    for (unsigned i = first; i < end; i++) {
        struct stage *stage = &run->stages[i];
        stage->parts_before = run->parts_n;
        stage->hits_before = run->hits_n;
        run->parts_n += stage->parts_n;
        run->hits_n += stage->hits_n;
        stats_add(&run->stats, &stage->stats);
    }
    run->ended = join->reserve && !join->reserve(join->context, run->search.queries->ids, run->parts_n, run->hits_n);
    if (run->ended)
        return;
    if (join->in_order) {
        for (unsigned i = first; i < end && !run->ended; i++)
            run->ended = !emit_one(run, &run->stages[i]);
    } else {
        run->next = first;
        run->emit_end = end;
        team_run(&run->team, emit_some, run);
    }
}

/* All stages in order, each that was too small followed by the rest of its chunk. Returns whether one was. */
static bool emit_round(struct run *run)
{
    bool full = false;
    for (unsigned first = 0, end; first < run->staged && !run->ended; first = end) {
        for (end = first + 1; end < run->staged && !run->stages[end - 1].full;)
            end++;
        const struct stage *last = &run->stages[end - 1];
        emit_stages(run, first, end);
        full |= last->full;
        if (last->full && !run->ended) {
            const struct abut_search_stats stats = run_search(run, 0, last->done, last->last, emit_now, run);
            stats_add(&run->stats, &stats);
        }
    }
    return full;
}

static bool make_stages(struct run *run)
{
    struct abut_workspace *workspace = run->join->workspace;
    const size_t n = (size_t)STAGES * run->team.workers;
    struct part *parts = abut_workspace_take(workspace, SLOT_STAGED_PARTS, n * STAGED_PARTS, sizeof *parts);
    uint32_t *ids = abut_workspace_take(workspace, SLOT_STAGED_IDS, n * STAGED_IDS, sizeof *ids);
    run->stages = abut_workspace_take(workspace, SLOT_STAGES, n, sizeof *run->stages);
    if (!parts || !ids || !run->stages)
        return false;
    for (size_t i = 0; i < n; i++)
        run->stages[i] = (struct stage){.queries = run->search.queries->ids,
                                        .counts_only = run->join->counts_only,
                                        .parts = parts + i * STAGED_PARTS,
                                        .ids = ids + i * STAGED_IDS};
    return true;
}

static void stage_begin(struct stage *stage, size_t first, size_t last)
{
    stage->first = stage->done = first;
    stage->last = last;
    stage->parts_n = stage->parts_all = 0;
    stage->hits_n = stage->hits_all = 0;
    stage->full = false;
}

static enum abut_status run_together(struct run *run)
{
    if (!make_stages(run))
        return ABUT_ERROR_MEMORY;
    const unsigned most = STAGES * run->team.workers;
    /* Groups that share a front stay together, unless they find too much. */
    size_t chunk = (run->groups / most / FRONT_GROUPS + 1) * FRONT_GROUPS;
    for (size_t group = 0; group < run->groups && !run->ended;) {
        chunk = chunk < MOST_GROUPS ? chunk : MOST_GROUPS;
        for (run->staged = 0; run->staged < most && group < run->groups; run->staged++) {
            const size_t last = run->groups - group < chunk ? run->groups : group + chunk;
            stage_begin(&run->stages[run->staged], group, last);
            group = last;
        }
        run->next = 0;
        team_run(&run->team, search_stages, run);
        chunk = emit_round(run) ? chunk / 4 + 1 : chunk * 2;
    }
    return ABUT_OK;
}

/* The good queries of a batch in an order where neighbours are close; hulls as they come. */
static enum abut_status sort_queries(const struct join *join, struct tiles *sorted)
{
    const struct abut_hulls *hulls = hulls_of(join);
    if (!hulls) {
        const struct columns items = abut_columns_of(join->queries);
        const struct team team = team_of(join->settings, items.n);
        return abut_sort_to_workspace(&items, join->workspace, &team, sorted);
    }
    *sorted = (struct tiles){.n = hulls->n};
    sorted->ids = abut_workspace_take(join->workspace, SLOT_IDS, hulls->n, sizeof *sorted->ids);
    for (size_t i = 0; sorted->ids && i < hulls->n; i++)
        sorted->ids[i] = (uint32_t)i;
    return sorted->ids ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* A hull is as much work as so many queries of other shapes. */
enum { HULL_QUERIES = 64 };

bool abut_parts_reserve(struct parts *parts, struct abut_workspace *workspace, uint64_t n)
{
    parts->n = (size_t)n;
    if (!parts->at || n > parts->most) {
        parts->most = 2 * (size_t)n + GROUP;
        parts->at = abut_workspace_grow(workspace, SLOT_PARTS, parts->most, sizeof *parts->at);
    }
    return parts->at != NULL;
}

/* Both sides of the join: the tree, and the queries in its order or one of their own. */
static enum abut_status make_sides(const struct join *join, struct tree *tree, struct tiles *queries)
{
    const bool of_index = !join->self && join->queries.kind == ABUT_SET_INDEX;
    const size_t n = join->self ? SIZE_MAX : abut_join_queries(join) * (hulls_of(join) ? HULL_QUERIES : 1);
    enum abut_status status = of_index || join->self ? ABUT_OK : sort_queries(join, queries);
    if (status == ABUT_OK)
        status = abut_tree_of(join->index, n, join->settings, join->workspace, SLOT_ITEMS, tree);
    if (status == ABUT_OK && of_index) {
        struct tree other;
        status = abut_tree_of(join->queries.items, SIZE_MAX, join->settings, join->workspace, SLOT_TILES, &other);
        *queries = other.tiles;
    }
    if (join->self)
        *queries = tree->tiles;
    return status;
}

enum abut_status abut_join_run(const struct join *join)
{
    const size_t n = abut_join_queries(join);
    if (join->index->tree.tiles.n == 0 || n == 0)
        return ABUT_OK;
    struct tree tree;
    struct tiles queries;
    enum abut_status status = make_sides(join, &tree, &queries);
    if (status != ABUT_OK)
        return status;
    struct run run = {
        .join = join,
        .search = {.tree = &tree,
                   .queries = &queries,
                   .hulls = hulls_of(join),
                   .hull_predicate = hull_predicate_of(join),
                   .variant = join->variant ? join->variant : abut_active_variant(),
                   .closed = join->settings->touch == ABUT_CLOSED,
                   .any = join->any},
        .function = function_of(join),
        .groups = queries.n / GROUP + (queries.n % GROUP != 0),
        .nodes = tree.nodes[0] + SLACK,
        .team = team_of(join->settings, hulls_of(join) ? n * HULL_QUERIES : n),
    };
    run.scratch = abut_workspace_take(join->workspace, SLOT_SCRATCH, run.team.workers, sizeof *run.scratch);
    run.lists = abut_workspace_take(join->workspace, SLOT_NODES, 2 * run.nodes * run.team.workers, sizeof *run.lists);
    if (!run.scratch || !run.lists)
        return ABUT_ERROR_MEMORY;
    if (run.team.workers > 1)
        status = run_together(&run);
    else
        run.stats = run_search(&run, 0, 0, run.groups, emit_now, &run);
    if (join->settings->stats)
        stats_add(join->settings->stats, &run.stats);
    return status;
}
