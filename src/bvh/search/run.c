/* SPDX-License-Identifier: MIT */
/* Running a join: checked arguments, sorted queries, the search of the instruction set, one thread or several. */
#include "bvh/search/run.h"

#include "api/predicate_of.h"
#include "bvh/search/few.h"
#include "bvh/search/filter.h"
#include "bvh/search/owned.h"
#include "dispatch/dispatch.h"

#include <stdatomic.h>
#include <string.h>

static const struct abut_hulls *hulls_of(const struct join *join)
{
    return !join->self && join->queries.kind == ABUT_SET_HULLS ? join->queries.items : NULL;
}

static const struct leaves *leaves_of_index(const struct join *join)
{
    if (join->self)
        return &join->index->tree.leaves;
    return join->queries.kind == ABUT_SET_INDEX ? &((const struct abut_index *)join->queries.items)->tree.leaves : NULL;
}

/* 1 + the predicate of the indexed shape and hulls; 0 if there is none. */
static unsigned hull_predicate_number(const struct join *join)
{
    return abut_predicate_numbers[join->options->relation][join->index->tree.leaves.shape][ABUT_SET_HULLS];
}

/* 1 + the search for the shapes of query and item, and of an item with itself; 0 if there is none, or no shape. */
#define SEARCH(query, item, predicate, order) [shape_##query][shape_##item] = 1 + search_##query##_##item,
static const unsigned char numbers[shape_count + 1][shape_count] = {
    [shape_count] = {0},
#include "tables/searches.def"
};
#define SELF(shape, predicate) [shape_##shape] = 1 + search_self_##shape,
static const unsigned char self_numbers[shape_count + 1] = {
    [shape_count] = 0,
#include "tables/searches.def"
};

/* By search, what the one function of predicates without loops of their own has to know; else of no use. */
#define forward false
#define swapped true
#define SEARCH(query, item, predicate, order)
#define BLOCK_SEARCH(query, item, predicate, order)                                                                    \
    [search_##query##_##item] = {predicate_##predicate, shape_##query, shape_##item, order, false},
#define SELF(shape, predicate)
#define BLOCK_SELF(shape, predicate)                                                                                   \
    [search_self_##shape] = {predicate_##predicate, shape_##shape, shape_##shape, false, true},
static const struct block_search block_searches[search_count + 1] = {
    [search_count] = {0},
#include "tables/searches.def"
};
#undef forward
#undef swapped

/* Whether a touches b and a is inside b are one question: of points, with the volume on either side. */
static bool touching_is_inside(enum shape a, enum shape b)
{
    const unsigned number = abut_predicate_numbers[ABUT_INSIDE][a][b];
    return number > 0 && number == abut_predicate_numbers[ABUT_TOUCHES][a][b];
}

/* 1 + the search for the shapes of both operands, which are no hulls; or 0. */
static unsigned search_number(const struct join *join)
{
    const enum shape item = (enum shape)join->index->tree.leaves.shape;
    const struct leaves *leaves = leaves_of_index(join);
    const enum shape query = leaves ? (enum shape)leaves->shape : abut_indexed_shape(join->queries.kind);
    const bool inside =
        join->options->relation == ABUT_INSIDE && (touching_is_inside(query, item) || touching_is_inside(item, query));
    if (join->options->relation != ABUT_TOUCHES && !inside)
        return 0;
    return join->self ? self_numbers[item] : numbers[query][item];
}

/* The search for the shapes of both operands, or NULL. */
static search_function *function_of(const struct join *join)
{
    const struct isa *isa = join->isa ? join->isa : abut_active_isa();
    if (hulls_of(join))
        return hull_predicate_number(join) > 0 ? abut_search_hulls : NULL;
    const unsigned number = search_number(join);
    return number > 0 ? isa->searches[number - 1] : NULL;
}

enum abut_status abut_join_check(const struct join *join)
{
    if (!join->index)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(join->takes, join->options);
    if (status != ABUT_OK)
        return status;
    if (join->options->own && (hulls_of(join) || !abut_own_is_box(join->options->own)))
        return ABUT_ERROR_ARGUMENT;
    status = join->self ? ABUT_OK : abut_check_set(join->queries);
    return status == ABUT_OK && !function_of(join) ? ABUT_ERROR_PREDICATE : status;
}

size_t abut_join_queries(const struct join *join)
{
    const struct leaves *leaves = leaves_of_index(join);
    return leaves ? leaves->n : batch_length(join->queries.items);
}

/*
 * Several threads search chunks of packets, each into a stage of its own, as many chunks in a round as there are
 * stages. After a round the number of hits before each chunk is known. The stages are then emitted, again by several
 * threads if the order of the calls does not matter. The fixed size of stages bounds memory. If a chunk does not fit,
 * its stage is emitted, the calling thread searches the rest of the chunk, and smaller chunks follow.
 */
enum {
    STAGES = 16, /* per worker */
    STAGED_PARTS = 1 << 13,
    STAGED_IDS = 1 << 16, /* more than the hits of one call of a search's emit */
    MOST_PACKETS = 128,   /* per chunk: threads wait for each other after each round */
    MOST_TESTS = 1 << 23  /* of leaves in a round, about: a caller who may end the join is asked after each */
};

struct stage {
    const struct join *join;
    const struct owned *owned; /* or NULL: all pairs are */
    const uint32_t *queries;
    size_t first, last; /* packets first to last - 1 */
    size_t done;        /* packets before it are complete */
    struct part *parts;
    uint32_t *ids;
    size_t parts_n; /* of complete packets */
    uint64_t hits_n;
    size_t parts_all; /* with those of packet done */
    uint64_t hits_all;
    uint64_t parts_before, hits_before;
    bool full; /* its search ended before last */
    struct abut_stats stats;
};

struct run {
    const struct join *join;
    struct search search; /* as every worker begins it */
    search_function *function;
    size_t packets, nodes; /* nodes: the length of each of a worker's two lists */
    struct scratch *scratch;
    uint32_t *lists;
    struct parallel parallel;
    struct stage *stages;
    unsigned staged, emit_end; /* stages in use, and the end of those to emit */
    _Atomic(unsigned) next;    /* the stage that the next free worker takes */
    uint64_t parts_n, hits_n;  /* emitted */
    bool ended;                /* by emit, reserve or proceed */
    bool stopped;              /* by proceed */
    const struct owned *owned; /* or NULL: all pairs are */
    struct abut_stats stats;
};

static struct abut_stats run_search(struct run *run, unsigned w, size_t first, size_t last,
                                    bool (*emit)(void *context, const struct rows *rows), void *context)
{
    struct abut_stats stats = {0};
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

/* Makes the parts of one packet, of the pairs that count, whose ids it moves to the front; returns their number. */
static size_t parts_of(const struct join *join, const struct rows *rows, const uint32_t *queries,
                       struct part parts[PACKET])
{
    const uint32_t *counts = rows->counts;
    uint32_t kept[PACKET];
    size_t hits = 0;
    if (abut_is_filtered(join)) {
        abut_filter_rows(join, rows, kept);
        counts = kept;
    }
    for (unsigned q = 0; q < rows->n; q++) {
        parts[q] = (struct part){(uint32_t)(rows->queries - queries) + q, counts[q]};
        hits += counts[q];
    }
    return hits;
}

/* Whether the caller wants the join to go on. */
static bool proceeds(struct run *run)
{
    const struct abut_options *options = run->join->options;
    if (!run->ended && options->proceed && !options->proceed(options->proceed_context))
        run->ended = run->stopped = true;
    return !run->ended;
}

static bool emit_now(void *context, const struct rows *rows)
{
    struct run *run = context;
    const struct join *join = run->join;
    struct rows kept;
    if (!proceeds(run))
        return false;
    if (run->owned)
        rows = abut_owned_rows(run->owned, rows, &kept);
    struct part parts[PACKET];
    const uint32_t *queries = run->search.queries->ids;
    const size_t n = parts_of(join, rows, queries, parts);
    const struct hits hits = {queries, parts, rows->n, join->counts_only ? NULL : rows->ids, run->parts_n, run->hits_n};
    run->parts_n += rows->n;
    run->hits_n += n;
    run->ended = (join->reserve && !join->reserve(join->context, queries, run->parts_n, run->hits_n)) ||
                 !join->emit(join->context, &hits);
    return !run->ended;
}

/* False if the stage is full; its search ends. */
static bool emit_stage(void *context, const struct rows *rows)
{
    struct stage *stage = context;
    struct rows kept;
    if (stage->owned)
        rows = abut_owned_rows(stage->owned, rows, &kept);
    const size_t packet = (size_t)(rows->queries - stage->queries) / PACKET;
    if (packet != stage->done) {
        stage->done = packet;
        stage->parts_n = stage->parts_all;
        stage->hits_n = stage->hits_all;
    }
    stage->full = stage->parts_all + PACKET > STAGED_PARTS;
    if (stage->full)
        return false;
    const size_t n = parts_of(stage->join, rows, stage->queries, stage->parts + stage->parts_all);
    if (!stage->join->counts_only) {
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
                              stage->parts_n,      run->join->counts_only ? NULL : stage->ids,
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
        parallel_run(&run->parallel, emit_some, run);
    }
}

/* Emits all stages in order, and after each full one the rest of its chunk. Returns whether one was full. */
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
            const struct abut_stats stats = run_search(run, 0, last->done, last->last, emit_now, run);
            stats_add(&run->stats, &stats);
        }
    }
    return full;
}

static bool make_stages(struct run *run)
{
    struct abut_workspace *workspace = run->join->workspace;
    const size_t n = (size_t)STAGES * run->parallel.workers;
    struct part *parts = abut_workspace_take(workspace, SLOT_STAGED_PARTS, n * STAGED_PARTS, sizeof *parts);
    uint32_t *ids = abut_workspace_take(workspace, SLOT_STAGED_IDS, n * STAGED_IDS, sizeof *ids);
    run->stages = abut_workspace_take(workspace, SLOT_STAGES, n, sizeof *run->stages);
    if (!parts || !ids || !run->stages)
        return false;
    for (size_t i = 0; i < n; i++)
        run->stages[i] = (struct stage){.join = run->join,
                                        .owned = run->owned,
                                        .queries = run->search.queries->ids,
                                        .parts = parts + i * STAGED_PARTS,
                                        .ids = ids + i * STAGED_IDS};
    return true;
}

/* How many leaves the stages tested. */
static uint64_t staged_tests(const struct run *run)
{
    uint64_t tests = 0;
    for (unsigned i = 0; i < run->staged; i++)
        tests += run->stages[i].stats.leaf_tests;
    return tests;
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
    const unsigned most = STAGES * run->parallel.workers;
    /* Packets that share a frontier stay together, unless they have too many hits. */
    const bool asks = run->join->options->proceed != NULL;
    size_t chunk = asks ? 1 : (run->packets / most / FRONTIER_PACKETS + 1) * FRONTIER_PACKETS;
    for (size_t packet = 0; packet < run->packets && proceeds(run);) {
        chunk = chunk < MOST_PACKETS ? chunk : MOST_PACKETS;
        for (run->staged = 0; run->staged < most && packet < run->packets; run->staged++) {
            const size_t last = run->packets - packet < chunk ? run->packets : packet + chunk;
            stage_begin(&run->stages[run->staged], packet, last);
            packet = last;
        }
        run->next = 0;
        parallel_run(&run->parallel, search_stages, run);
        const bool full = emit_round(run), long_round = asks && staged_tests(run) > MOST_TESTS;
        chunk = full || long_round ? chunk / 4 + 1 : chunk * 2;
    }
    return ABUT_OK;
}

/* Sorts the valid queries of a batch so that neighbours are close. Hulls, and few queries, keep their order. */
static enum abut_status sort_queries(const struct join *join, struct few *few, struct leaves *sorted)
{
    const struct abut_hulls *hulls = hulls_of(join);
    if (!hulls && batch_length(join->queries.items) <= FEW) {
        uint32_t *ids = abut_workspace_take(join->workspace, SLOT_IDS, FEW_LANES, sizeof *ids);
        if (ids)
            abut_leaves_of_few(join->queries, few, ids, sorted);
        return ids ? ABUT_OK : ABUT_ERROR_MEMORY;
    }
    if (!hulls) {
        const struct columns items = abut_columns_of(join->queries);
        const struct parallel parallel = parallel_of(join->options, items.n);
        return abut_sort_to_workspace(&items, join->workspace, &parallel, sorted);
    }
    *sorted = (struct leaves){.n = hulls->n};
    sorted->ids = abut_workspace_take(join->workspace, SLOT_IDS, hulls->n, sizeof *sorted->ids);
    for (size_t i = 0; sorted->ids && i < hulls->n; i++)
        sorted->ids[i] = (uint32_t)i;
    return sorted->ids ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* A hull takes as much work as this many queries of other shapes. */
enum { HULL_QUERIES = 64 };

bool abut_parts_reserve(struct parts *parts, struct abut_workspace *workspace, uint64_t n)
{
    parts->n = (size_t)n;
    if (!parts->at || n > parts->most) {
        parts->most = 2 * (size_t)n + PACKET;
        parts->at = abut_workspace_grow(workspace, SLOT_PARTS, parts->most, sizeof *parts->at);
    }
    return parts->at != NULL;
}

/* Prepares the tree, and the queries in an order where neighbours are close. */
static enum abut_status make_sides(const struct join *join, struct few *few, struct tree *tree, struct leaves *queries)
{
    const bool of_index = !join->self && join->queries.kind == ABUT_SET_INDEX;
    const bool all_leaves = join->self || join->options->own;
    const size_t n = all_leaves ? SIZE_MAX : abut_join_queries(join) * (hulls_of(join) ? HULL_QUERIES : 1);
    enum abut_status status = of_index || join->self ? ABUT_OK : sort_queries(join, few, queries);
    if (status == ABUT_OK && join->numbers)
        for (size_t i = 0; i < queries->n; i++)
            queries->ids[i] = join->numbers[queries->ids[i]];
    if (status == ABUT_OK)
        status = abut_tree_of(join->index, n, join->options, join->workspace, SLOT_ITEMS, tree);
    if (status == ABUT_OK && of_index) {
        struct tree other;
        status = abut_tree_of(join->queries.items, SIZE_MAX, join->options, join->workspace, SLOT_LEAVES, &other);
        *queries = other.leaves;
    }
    if (join->self)
        *queries = tree->leaves;
    return status;
}

enum abut_status abut_join_run(const struct join *join)
{
    const size_t n = abut_join_queries(join);
    search_function *const function = function_of(join);
    if (join->index->tree.leaves.n == 0 || n == 0)
        return ABUT_OK;
    if (!function)
        return ABUT_ERROR_PREDICATE;
    struct tree tree;
    struct leaves queries = {0};
    struct few few;
    enum abut_status status = make_sides(join, &few, &tree, &queries);
    struct owned owned;
    if (status == ABUT_OK && join->options->own)
        status = abut_owned_begin(join, &queries, &tree.leaves, &owned);
    if (status != ABUT_OK)
        return status;
    const struct label_filter labels = abut_label_filter(join);
    struct run run = {
        .join = join,
        .owned = join->options->own ? &owned : NULL,
        .search = {.tree = &tree,
                   .block = hulls_of(join) ? NULL : &block_searches[search_number(join) - 1],
                   .labels = labels.any ? &labels : NULL,
                   .queries = &queries,
                   .hulls = hulls_of(join),
                   .hull_predicate = (enum predicate)(hull_predicate_number(join) - 1),
                   .isa = join->isa ? join->isa : abut_active_isa(),
                   .closed = join->options->touch == ABUT_CLOSED,
                   .any = join->any && !join->options->own && !abut_is_filtered(join)},
        .function = function,
        .packets = queries.n / PACKET + (queries.n % PACKET != 0),
        .nodes = tree.nodes[0] + SLACK,
        .parallel = parallel_of(join->options, hulls_of(join) ? n * HULL_QUERIES : n),
    };
    run.scratch = abut_workspace_take(join->workspace, SLOT_SCRATCH, run.parallel.workers, sizeof *run.scratch);
    run.lists =
        abut_workspace_take(join->workspace, SLOT_NODES, 2 * run.nodes * run.parallel.workers, sizeof *run.lists);
    if (!run.scratch || !run.lists)
        return ABUT_ERROR_MEMORY;
    if (run.parallel.workers > 1)
        status = run_together(&run);
    else
        run.stats = run_search(&run, 0, 0, run.packets, emit_now, &run);
    if (join->options->stats)
        stats_add(join->options->stats, &run.stats);
    return status == ABUT_OK && run.stopped ? ABUT_ERROR_STOPPED : status;
}
