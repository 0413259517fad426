/* SPDX-License-Identifier: MIT */
/* Joins that return pairs, blocks of pairs, counts or masks. */
#include "bvh/search/run.h"
#include "bvh/transpose.h"
#include "util/float_mode.h"

#include <string.h>

static struct join self_of(unsigned takes, const struct abut_index *index, const struct abut_options *options)
{
    return (struct join){.takes = takes, .index = index, .self = true, .options = options_or_none(options)};
}

static inline struct abut_pair pair_of(bool self, uint32_t query, uint32_t item)
{
    const bool turned = self & (item < query);
    return (struct abut_pair){turned ? item : query, turned ? query : item};
}

/* Runs a join, with a temporary workspace if the options have none. */
static enum abut_status run(struct join *join)
{
    struct abut_workspace own;
    join->workspace = abut_workspace_begin(join->options, &own);
    enum abut_status status = abut_join_run(join);
    abut_workspace_end(&own);
    return status;
}

/*
 * Begins a join that writes to given places: checks both, and takes a workspace, which is own if the options have none
 * and for abut_workspace_end() in any case where it returns ABUT_OK.
 */
static enum abut_status begin(struct join *join, bool given, struct abut_workspace *own)
{
    const enum abut_status status = abut_join_check(join);
    if (status != ABUT_OK)
        return status;
    if (!given)
        return ABUT_ERROR_NULL;
    join->workspace = abut_workspace_begin(join->options, own);
    return ABUT_OK;
}

/* Pairs that are written together. */
enum { ABREAST = 8 };

/* The caller's array, and the number of all pairs, which may be more. */
struct buffer {
    struct abut_pair *pairs;
    size_t capacity;
    uint64_t count;
    bool self;
};

static bool count_pairs(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids)
{
    struct buffer *buffer = context;
    (void)queries;
    (void)parts;
    buffer->count = ids;
    return true;
}

/* pair_of() for ABREAST items, four at a time. */
static inline void put_abreast(bool self, uint32_t query, const uint32_t *ids, struct abut_pair *to)
{
    const four queries = {query, query, query, query};
    for (unsigned k = 0; k < ABREAST; k += 4) {
        const four items = four_load(ids + k), turned = self ? (four)(items < queries) : (four){0};
        const four a = (items & turned) | (queries & ~turned), b = (queries & turned) | (items & ~turned);
        four_store(to + k, FOUR_OF(a, b, 0, 4, 1, 5));
        four_store(to + k + 2, FOUR_OF(a, b, 2, 6, 3, 7));
    }
}

/*
 * Parts are short and of any length, so a loop of single pairs would mispredict once a part. Pairs are written ABREAST
 * at a time instead, and the next part overwrites the excess. The last pairs are written one by one: those of other
 * threads may follow them.
 */
static inline void put_pairs(bool self, const struct hits *hits, struct abut_pair *to, size_t room)
{
    const uint32_t *ids = hits->ids;
    size_t all = 0;
    for (size_t p = 0; p < hits->parts_n; p++)
        all += hits->parts[p].count;
    room = all < room ? all : room;
    for (size_t p = 0; p < hits->parts_n && room > 0; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position], n = hits->parts[p].count;
        const uint32_t fit = n <= room ? n : (uint32_t)room;
        if (room - fit >= ABREAST)
            for (size_t i = 0; i < n; i += ABREAST)
                put_abreast(self, query, ids + i, to + i);
        else
            for (uint32_t i = 0; i < fit; i++)
                to[i] = pair_of(self, query, ids[i]);
        to += fit;
        room -= fit;
        ids += n;
    }
}

static bool emit_pairs(void *context, const struct hits *hits)
{
    const struct buffer *buffer = context;
    const size_t room = hits->ids_before < buffer->capacity ? buffer->capacity - (size_t)hits->ids_before : 0;
    if (room == 0)
        return true;
    if (buffer->self)
        put_pairs(true, hits, buffer->pairs + hits->ids_before, room);
    else
        put_pairs(false, hits, buffer->pairs + hits->ids_before, room);
    return true;
}

enum abut_status abut_join_buffer(struct join *join, struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    struct buffer buffer = {pairs, capacity, 0, join->self || join->some};
    join->reserve = count_pairs;
    join->emit = emit_pairs;
    join->context = &buffer;
    const enum abut_status status = abut_join_run(join);
    *count = status == ABUT_OK ? buffer.count : 0;
    return status;
}

static enum abut_status join_pairs(struct join *join, struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    struct abut_workspace own;
    enum abut_status status = begin(join, count && (capacity == 0 || pairs), &own);
    if (status != ABUT_OK)
        return status;
    status = abut_join_buffer(join, pairs, capacity, count);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_join(const struct abut_index *index, struct abut_set queries, const struct abut_options *options,
                           struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join, index, queries, options);
    return join_pairs(&join, pairs, capacity, count);
}

enum abut_status abut_self_join(const struct abut_index *index, const struct abut_options *options,
                                struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = self_of(options_of_abut_self_join, index, options);
    return join_pairs(&join, pairs, capacity, count);
}

/* Pairs in the workspace, until their number is known. */
struct collected {
    struct buffer buffer;
    struct abut_workspace *workspace;
    bool failed;
};

static bool grow_buffer(void *context, const uint32_t *queries, uint64_t parts, uint64_t ids)
{
    struct collected *collected = context;
    struct buffer *buffer = &collected->buffer;
    (void)queries;
    (void)parts;
    if (ids > buffer->capacity && ids < SIZE_MAX / 4 / sizeof *buffer->pairs) {
        buffer->pairs = abut_workspace_grow(collected->workspace, SLOT_FOUND, 2 * (size_t)ids, sizeof *buffer->pairs);
        buffer->capacity = buffer->pairs ? 2 * (size_t)ids : 0;
    }
    buffer->count = ids;
    collected->failed = ids > buffer->capacity;
    return !collected->failed;
}

static bool emit_collected(void *context, const struct hits *hits)
{
    return emit_pairs(&((struct collected *)context)->buffer, hits);
}

/* The workspace is the join's. */
enum abut_status abut_join_collect(struct join *join, abut_pairs_function *get, void *context)
{
    struct collected collected = {.buffer.self = join->self || join->some, .workspace = join->workspace};
    join->reserve = grow_buffer;
    join->emit = emit_collected;
    join->context = &collected;
    const enum abut_status status = abut_join_run(join);
    const struct buffer *buffer = &collected.buffer;
    if (status != ABUT_OK || collected.failed || buffer->count == 0)
        return collected.failed ? ABUT_ERROR_MEMORY : status;
    struct abut_pair *pairs = get(context, (size_t)buffer->count);
    if (pairs)
        memcpy(pairs, buffer->pairs, (size_t)buffer->count * sizeof *pairs);
    return pairs ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static enum abut_status join_to(struct join *join, abut_pairs_function *get, void *context)
{
    struct abut_workspace own;
    enum abut_status status = begin(join, get != NULL, &own);
    if (status != ABUT_OK)
        return status;
    status = abut_join_collect(join, get, context);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_join_to(const struct abut_index *index, struct abut_set queries,
                              const struct abut_options *options, abut_pairs_function *get, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_to, index, queries, options);
    return join_to(&join, get, context);
}

enum abut_status abut_self_join_to(const struct abut_index *index, const struct abut_options *options,
                                   abut_pairs_function *get, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = self_of(options_of_abut_self_join_to, index, options);
    return join_to(&join, get, context);
}

enum { BLOCK = 8192 };

struct blocks {
    struct abut_pair *pairs;
    size_t n;
    bool self;
    abut_block_function *take;
    void *context;
};

static bool emit_blocks(void *context, const struct hits *hits)
{
    struct blocks *blocks = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++)
        for (uint32_t i = 0; i < hits->parts[p].count; i++) {
            const uint32_t query = hits->queries[hits->parts[p].position];
            blocks->pairs[blocks->n++] = pair_of(blocks->self, query, *ids++);
            if (blocks->n == BLOCK) {
                blocks->n = 0;
                if (!blocks->take(blocks->context, blocks->pairs, BLOCK))
                    return false;
            }
        }
    return true;
}

static enum abut_status join_blocks(struct join *join, abut_block_function *take, void *context)
{
    struct abut_workspace own;
    enum abut_status status = begin(join, take != NULL, &own);
    if (status != ABUT_OK)
        return status;
    struct blocks blocks = {NULL, 0, join->self, take, context};
    blocks.pairs = abut_workspace_take(join->workspace, SLOT_PAIRS, BLOCK, sizeof *blocks.pairs);
    join->in_order = true;
    join->emit = emit_blocks;
    join->context = &blocks;
    status = blocks.pairs ? abut_join_run(join) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK && blocks.n > 0)
        take(context, blocks.pairs, blocks.n);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_join_blocks(const struct abut_index *index, struct abut_set queries,
                                  const struct abut_options *options, abut_block_function *take, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_blocks, index, queries, options);
    return join_blocks(&join, take, context);
}

enum abut_status abut_self_join_blocks(const struct abut_index *index, const struct abut_options *options,
                                       abut_block_function *take, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = self_of(options_of_abut_self_join_blocks, index, options);
    return join_blocks(&join, take, context);
}

static bool emit_counts(void *context, const struct hits *hits)
{
    uint32_t *counts = context;
    for (size_t p = 0; p < hits->parts_n; p++)
        counts[hits->queries[hits->parts[p].position]] += hits->parts[p].count;
    return true;
}

enum abut_status abut_join_counts(const struct abut_index *index, struct abut_set queries,
                                  const struct abut_options *options, uint32_t *counts)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_counts, index, queries, options);
    join.counts_only = true;
    enum abut_status status = abut_join_check(&join);
    if (status != ABUT_OK)
        return status;
    if (!counts && abut_join_queries(&join) > 0)
        return ABUT_ERROR_NULL;
    if (counts)
        memset(counts, 0, abut_join_queries(&join) * sizeof *counts);
    join.emit = emit_counts;
    join.context = counts;
    return run(&join);
}

/* Queries of different packets share a word, hence in_order. */
static bool emit_any(void *context, const struct hits *hits)
{
    uint64_t *mask = context;
    for (size_t p = 0; p < hits->parts_n; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position];
        mask[query / 64] |= (uint64_t)(hits->parts[p].count > 0) << query % 64;
    }
    return true;
}

enum abut_status abut_join_any(const struct abut_index *index, struct abut_set queries,
                               const struct abut_options *options, uint64_t *mask)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_any, index, queries, options);
    join.any = join.counts_only = join.in_order = true;
    enum abut_status status = abut_join_check(&join);
    if (status != ABUT_OK)
        return status;
    if (!mask && abut_join_queries(&join) > 0)
        return ABUT_ERROR_NULL;
    if (mask)
        memset(mask, 0, abut_mask_words(abut_join_queries(&join)) * sizeof *mask);
    join.emit = emit_any;
    join.context = mask;
    return run(&join);
}
