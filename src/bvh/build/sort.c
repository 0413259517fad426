/* SPDX-License-Identifier: MIT */
/*
 * Items to leaves, by Hilbert keys of their centres: buckets by the first bits, then a radix sort of each bucket. A
 * bucket lies in the cache and becomes leaves before the next one begins. Cells with too many items get a finer grid.
 */
#include "bvh/build/sort.h"

#include "bvh/build/grid.h"
#include "bvh/build/hilbert.h"
#include "bvh/build/records.h"
#include "bvh/radix_sort.h"
#include "dispatch/dispatch.h"
#include "kernels/items.h"

#include <stdatomic.h>

enum {
    BUCKET_BITS = 8, /* the TLB covers the pages that so many buckets write to */
    BUCKETS = 1 << BUCKET_BITS,
    /* Longer runs of one key are sorted by a grid of their own: outliers may have stretched the first one. */
    DENSE_CELL = 64
};

/* The key of invalid items that are left out. */
static const uint32_t NO_KEY = UINT32_MAX;

static inline unsigned bucket_of(uint32_t key)
{
    return key >> (KEY_BITS - BUCKET_BITS);
}

/*
 * The place of the next item with this key. Its bucket is prefetched two lines ahead: no hardware prefetcher follows so
 * many streams.
 */
static inline float *next_record(float *records, unsigned fields, uint32_t key, uint32_t *starts, float *left_out)
{
    float *to = key == NO_KEY ? left_out : records + (size_t)starts[bucket_of(key)]++ * (fields + LABELS);
    __builtin_prefetch((const void *)((uintptr_t)to + 2 * LINE), 1);
    return to;
}

/* The steps that depend on the shape. */
struct shape_steps {
    unsigned points;
    /* Writes the labelled records of items first to end - 1 that have a key, each to its bucket. */
    void (*place)(const float *const *at, const uint32_t *keys, size_t first, size_t end, uint32_t *starts,
                  float *records);
};

#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    static void name##_place(const float *const *at, const uint32_t *keys, size_t first, size_t end, uint32_t *starts, \
                             float *records)                                                                           \
    {                                                                                                                  \
        float left_out[name##_fields + LABELS];                                                                        \
        size_t i = first;                                                                                              \
        for (; i + 4 <= end; i += 4) {                                                                                 \
            float *to[4];                                                                                              \
            for (unsigned j = 0; j < 4; j++)                                                                           \
                to[j] = next_record(records, name##_fields, keys[i + j], starts, left_out);                            \
            put_records(at, name##_fields, LABELS, i, keys, to);                                                       \
        }                                                                                                              \
        for (; i < end; i++)                                                                                           \
            put_record(at, name##_fields, LABELS, i, keys,                                                             \
                       next_record(records, name##_fields, keys[i], starts, left_out));                                \
    }
#include "tables/shapes.def"

#define INDEXED_SHAPE(name, plural, fields) [shape_##name] = {name##_points, name##_place},
static const struct shape_steps steps[shape_count] = {
#include "tables/shapes.def"
};

/* The state of one worker. */
struct share {
    struct grid grid;
    bool clean;                  /* all its items are valid */
    unsigned bucket, bucket_end; /* it sorts buckets bucket to bucket_end - 1 */
    uint64_t *entries, *spare;   /* buffers for one bucket after the other */
    uint32_t starts[DIGITS];     /* counts of digits, then the next place of each */
};

_Static_assert((int)BUCKETS <= (int)DIGITS, "buckets are counted like digits");

/* The state that the workers share. */
struct sort {
    const struct columns *items;
    const struct shape_steps *steps;
    const struct parallel *parallel;
    const struct isa *isa;
    bool keep_invalid;
    struct share *shares;
    const struct hilbert *hilbert;
    struct grid grid;
    uint32_t *keys;              /* in the order of the batch */
    float *records;              /* labelled, in buckets */
    size_t buckets[BUCKETS + 1]; /* the first record of each */
    struct leaves *leaves;
};

_Static_assert((int)CHECKED % (int)BLOCK == 0, "a block is of one answer");

/*
 * Computes the centres of the block at i of items first to end - 1, and returns its size. *clean keeps the result of
 * one validity check for all blocks of CHECKED items. The extent and the keys use the same
 * check: in another floating-point mode the wide check may differ from the scalar one.
 */
static inline unsigned block_centres(const struct sort *sort, size_t first, size_t end, size_t i, bool all_clean,
                                     bool *clean, struct centres *centres)
{
    const unsigned n = end - i < BLOCK ? (unsigned)(end - i) : BLOCK;
    if ((i - first) % CHECKED == 0)
        *clean = all_clean || abut_all_valid(sort->items, i, end - i < CHECKED ? end : i + CHECKED);
    sort->isa->centres[sort->items->shape](sort->items->at, i, n, *clean, centres);
    return n;
}

static void find_extent(void *work, unsigned w)
{
    const struct sort *sort = work;
    struct share *share = &sort->shares[w];
    const struct columns *items = sort->items;
    const size_t first = parallel_first(sort->parallel, items->n, w),
                 end = parallel_first(sort->parallel, items->n, w + 1);
    struct extents extents;
    extents_begin(&extents);
    share->clean = true;
    bool clean = true;
    for (size_t i = first; i < end; i += BLOCK) {
        struct centres centres;
        block_centres(sort, first, end, i, false, &clean, &centres);
        share->clean &= clean;
        sort->isa->extent(&centres, &extents);
    }
    grid_begin(&share->grid);
    grid_join_extents(&share->grid, &extents);
}

/* The grid around the centres of all workers. */
static void gather_extent(struct sort *sort)
{
    grid_begin(&sort->grid);
    for (unsigned w = 0; w < sort->parallel->workers; w++)
        grid_join(&sort->grid, sort->shares[w].grid.min, sort->shares[w].grid.max);
    grid_end(&sort->grid);
}

/* Hardware prefetchers start too late where a cache line is several vectors. */
static inline void prefetch_ahead(const struct sort *sort, size_t i, size_t end)
{
    enum { AHEAD = 4 * BLOCK };
    if (end - i >= AHEAD + BLOCK)
        for (unsigned k = 0; k < 3 * sort->steps->points; k++)
            for (unsigned j = 0; j < BLOCK; j += LINE / sizeof(float))
                __builtin_prefetch(sort->items->at[k] + i + AHEAD + j);
}

static void make_keys(void *work, unsigned w)
{
    const struct sort *sort = work;
    const struct columns *items = sort->items;
    struct share *share = &sort->shares[w];
    const size_t first = parallel_first(sort->parallel, items->n, w),
                 end = parallel_first(sort->parallel, items->n, w + 1);
    memset(share->starts, 0, BUCKETS * sizeof *share->starts);
    bool clean = true;
    for (size_t i = first; i < end; i += BLOCK) {
        struct centres centres;
        uint32_t keys[BLOCK];
        prefetch_ahead(sort, i, end);
        const unsigned n = block_centres(sort, first, end, i, share->clean, &clean, &centres);
        sort->isa->keys(&sort->grid, &centres, sort->hilbert, keys);
        for (unsigned j = 0; j < n; j++)
            if (clean || sort->keep_invalid || !isnan(centres.at[0][j])) {
                sort->keys[i + j] = keys[j];
                share->starts[bucket_of(keys[j])]++;
            } else {
                sort->keys[i + j] = NO_KEY;
            }
    }
}

/* Within a bucket, items keep their order. */
static void plan_buckets(struct sort *sort)
{
    uint32_t sum = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        sort->buckets[bucket] = sum;
        for (unsigned w = 0; w < sort->parallel->workers; w++) {
            const uint32_t count = sort->shares[w].starts[bucket];
            sort->shares[w].starts[bucket] = sum;
            sum += count;
        }
    }
    sort->buckets[BUCKETS] = sum;
}

static void fill_buckets(void *work, unsigned w)
{
    const struct sort *sort = work;
    const size_t first = parallel_first(sort->parallel, sort->items->n, w),
                 end = parallel_first(sort->parallel, sort->items->n, w + 1);
    sort->steps->place(sort->items->at, sort->keys, first, end, sort->shares[w].starts, sort->records);
}

/* The centres of the records of up to BLOCK entries. */
static void record_centres(const struct sort *sort, const uint64_t *entries, size_t n, struct centres *centres)
{
    const unsigned coordinates = 3 * sort->steps->points, some = n < BLOCK ? (unsigned)n : BLOCK;
    const size_t stride = sort->items->fields + LABELS;
    float columns[MOST_COORDINATES][BLOCK];
    const float *at[MOST_COORDINATES];
    for (unsigned k = 0; k < coordinates; k++)
        at[k] = columns[k];
    for (unsigned j = 0; j < some; j++)
        for (unsigned k = 0; k < coordinates; k++)
            columns[k][j] = sort->records[(uint32_t)entries[j] * stride + k];
    sort->isa->centres[sort->items->shape](at, 0, some, true, centres);
}

/* The grid around the centres of n records. Not inlined: its caller is recursive, and stacks may be small. */
__attribute__((noinline)) static struct grid grid_of_records(const struct sort *sort, const uint64_t *entries, size_t n)
{
    struct extents extents;
    struct centres centres;
    extents_begin(&extents);
    for (size_t i = 0; i < n; i += BLOCK) {
        record_centres(sort, entries + i, n - i, &centres);
        sort->isa->extent(&centres, &extents);
    }
    struct grid grid;
    grid_begin(&grid);
    grid_join_extents(&grid, &extents);
    return grid;
}

/* Replaces the keys of n entries by those in a grid. Not inlined, either. */
__attribute__((noinline)) static void renew_keys(const struct sort *sort, const struct grid *grid, uint64_t *entries,
                                                 size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        struct centres centres;
        uint32_t keys[BLOCK];
        record_centres(sort, entries + i, n - i, &centres);
        sort->isa->keys(grid, &centres, sort->hilbert, keys);
        for (size_t j = i; j < n && j < i + BLOCK; j++)
            entries[j] = entry(keys[j - i], (uint32_t)entries[j]);
    }
}

/*
 * Sorts each run of equal keys that is longer than DENSE_CELL by a finer grid, recursively. Each grid separates the
 * least and the greatest centre of its longest axis. Centres in one cell are a thousand times closer, so float32 allows
 * no more than about 28 grids.
 */
static void sort_dense_cells(const struct sort *sort, uint32_t *starts, uint64_t *entries, uint64_t *spare, size_t n)
{
    for (size_t first = 0, end; first + DENSE_CELL < n; first = end) {
        end = first + DENSE_CELL;
        if (entries[end] >> 32 != entries[first] >> 32) {
            /* Moves back to where the run of entries[end] begins; all runs before it are short enough. */
            while (entries[end - 1] >> 32 == entries[end] >> 32)
                end--;
            continue;
        }
        while (end < n && entries[end] >> 32 == entries[first] >> 32)
            end++;
        struct grid grid = grid_of_records(sort, entries + first, end - first);
        if (!grid_end(&grid))
            continue;
        renew_keys(sort, &grid, entries + first, end - first);
        sort_entries(starts, entries + first, spare + first, end - first, KEY_BITS);
        /* In a mode that flushes small differences to 0, all may share one cell again. */
        if (entries[first] >> 32 != entries[end - 1] >> 32)
            sort_dense_cells(sort, starts, entries + first, spare + first, end - first);
    }
}

/* Gives worker w the buckets that begin in its share of the items. Returns the length of the longest. */
static size_t share_buckets(const struct sort *sort, unsigned w)
{
    struct share *share = &sort->shares[w];
    const size_t end = parallel_first(sort->parallel, sort->buckets[BUCKETS], w + 1);
    size_t longest = 0;
    share->bucket = w == 0 ? 0 : sort->shares[w - 1].bucket_end;
    for (share->bucket_end = share->bucket; share->bucket_end < BUCKETS; share->bucket_end++) {
        const size_t *bucket = &sort->buckets[share->bucket_end];
        if (bucket[0] >= end)
            break;
        longest = bucket[1] - bucket[0] > longest ? bucket[1] - bucket[0] : longest;
    }
    return longest;
}

/* Allocates buffers. They stay in the cache, because a worker uses the same for all its buckets. */
static bool give_shares(const struct sort *sort, struct abut_workspace *workspace)
{
    size_t longest[MOST_WORKERS], sum = 0;
    for (unsigned w = 0; w < sort->parallel->workers; w++) {
        longest[w] = share_buckets(sort, w);
        sum += longest[w];
    }
    uint64_t *spare = abut_workspace_take(workspace, SLOT_SPARE, 2 * sum, sizeof *spare);
    if (!spare)
        return false;
    for (unsigned w = 0; w < sort->parallel->workers; w++) {
        sort->shares[w].entries = spare;
        sort->shares[w].spare = spare + longest[w];
        spare += 2 * longest[w];
    }
    return true;
}

static void sort_buckets(void *work, unsigned w)
{
    const struct sort *sort = work;
    struct share *share = &sort->shares[w];
    uint64_t *entries = share->entries;
    const unsigned fields = sort->items->fields;
    for (unsigned bucket = share->bucket; bucket < share->bucket_end; bucket++) {
        const size_t first = sort->buckets[bucket], n = sort->buckets[bucket + 1] - first;
        for (size_t i = 0; i < n; i++)
            entries[i] = entry(record_key(sort->records + (first + i) * (fields + LABELS), fields), first + i);
        sort_entries(share->starts, entries, share->spare, n, KEY_BITS - BUCKET_BITS);
        sort_dense_cells(sort, share->starts, entries, share->spare, n);
        abut_leaves_put(sort->leaves, first, n, entries, sort->records);
    }
}

/*
 * The table of all sorts, which the first one makes: it takes 3 us, as long as sorting a hundred items. A sort that
 * begins meanwhile makes its own.
 */
static const struct hilbert *hilbert_table(struct hilbert *own)
{
    enum { NOT_MADE, BEING_MADE, MADE };
    static struct hilbert shared;
    static _Atomic(int) state = NOT_MADE;
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (now == NOT_MADE && atomic_compare_exchange_strong(&state, &now, BEING_MADE)) {
        hilbert_make(&shared);
        atomic_store_explicit(&state, MADE, memory_order_release);
        now = MADE;
    }
    if (now == MADE)
        return &shared;
    hilbert_make(own);
    return own;
}

enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace,
                                 const struct parallel *parallel, bool keep_invalid, struct leaves *leaves)
{
    /* The keys use the memory of the leaves, at least 12 bytes an item: they are not read after the leaves begin. */
    struct sort sort = {.items = items,
                        .steps = &steps[items->shape],
                        .parallel = parallel,
                        .isa = abut_active_isa(),
                        .keep_invalid = keep_invalid,
                        .keys = (void *)leaves->at,
                        .leaves = leaves};
    sort.records =
        abut_workspace_take(workspace, SLOT_RECORDS, items->n, (items->fields + LABELS) * sizeof *sort.records);
    sort.shares = abut_workspace_take(workspace, SLOT_SHARES, parallel->workers, sizeof *sort.shares);
    if (!sort.records || !sort.shares)
        return ABUT_ERROR_MEMORY;
    struct hilbert own;
    sort.hilbert = hilbert_table(&own);
    parallel_run(parallel, find_extent, &sort);
    gather_extent(&sort);
    parallel_run(parallel, make_keys, &sort);
    plan_buckets(&sort);
    if (!give_shares(&sort, workspace))
        return ABUT_ERROR_MEMORY;
    parallel_run(parallel, fill_buckets, &sort);
    abut_leaves_begin(leaves, items->shape, items->fields, sort.buckets[BUCKETS]);
    parallel_run(parallel, sort_buckets, &sort);
    return ABUT_OK;
}

enum abut_status abut_sort_to_workspace(const struct columns *items, struct abut_workspace *workspace,
                                        const struct parallel *parallel, struct leaves *leaves)
{
    const size_t count = abut_leaves_count(items->n) + 1;
    leaves->at = abut_workspace_take(workspace, SLOT_LEAVES, count * items->fields * LEAF, sizeof *leaves->at);
    leaves->ids = abut_workspace_take(workspace, SLOT_IDS, count * LEAF, sizeof *leaves->ids);
    return leaves->at && leaves->ids ? abut_sort_items(items, workspace, parallel, false, leaves) : ABUT_ERROR_MEMORY;
}
