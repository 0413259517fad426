/* SPDX-License-Identifier: MIT */
/*
 * The loop of searches: query packets descend a tree. Included by instantiate.h, in the vocabulary of the ISA file.
 *
 * A packet's box is tested against the sixteen boxes of a node at a time, level by level (bvh/search/descent.h). The
 * leaves that remain are its candidates. Each query selects its own candidates by its box, and the predicate's filter
 * decides each of their items. No branch depends on a hit: hits are compressed. Boxes are rounded outwards and compared
 * exactly, so the descent drops only misses. The filter's sticky flags are tested once a row; a row with an undecided
 * lane is rechecked lane by lane.
 */
#ifndef ABUT_BVH_SEARCH_SEARCH_H
#define ABUT_BVH_SEARCH_SEARCH_H

#include "bvh/search/descent.h"
#include "bvh/search/labels.h"

/* The predicate of a search and its operands: constants. */
struct traits {
    /* filters one query against WIDTH items */
    void (*lanes)(struct filter_state *p, const float *query, const float *items, const float *more);
    enum predicate predicate;
    unsigned query_fields, item_fields;
    bool swapped;           /* the items are the predicate's a */
    bool undecided_for_nan; /* the filter leaves a lane without an item undecided; else it is a miss */
    bool self;
};

/* With sixteen lanes two leaves fill a vector, else a leaf is one vector or more. */
#if WIDTH == 16
enum { LEAVES_A_TIME = 2, PARTS = 1 };
INLINE v v_load_lanes(const float *at, const float *more)
{
    return v_load_halves(at, more);
}
#else
enum { LEAVES_A_TIME = 1, PARTS = LEAF / WIDTH };
INLINE v v_load_lanes(const float *at, const float *more)
{
    (void)more;
    return v_load_aligned(at);
}
#endif

#define F(member) query.member = v_set1(*item++);
#define SHAPE(name, plural, fields)                                                                                    \
    INLINE struct v_##name v_##name##_query(const float *item)                                                         \
    {                                                                                                                  \
        struct v_##name query;                                                                                         \
        fields return query;                                                                                           \
    }
#include "tables/shapes.def"

#define F(member)                                                                                                      \
    items.member = v_load_lanes(at + k * LEAF, more + k * LEAF);                                                       \
    k++;
#define SHAPE(name, plural, fields)                                                                                    \
    INLINE struct v_##name v_##name##_items(const float *at, const float *more)                                        \
    {                                                                                                                  \
        struct v_##name items;                                                                                         \
        unsigned k = 0;                                                                                                \
        fields return items;                                                                                           \
    }
#include "tables/shapes.def"

/* The inputs of a row, as copies: stores of hits may alias the originals, which would be loaded again. */
struct requested {
    struct leaves items;
    v below;
    float query[ABUT_MAX_FIELDS];
};

INLINE struct requested ask(struct traits traits, const struct search *search, struct leaves items, const float *query)
{
    struct requested requested = {.items = items, .below = below_touch(search->closed)};
    UNROLL_FIELDS for (unsigned k = 0; k < traits.query_fields; k++) requested.query[k] = query[k * LEAF];
    return requested;
}

/* A self join tests each pair once: later lanes of the query's own leaf, and all lanes of later leaves. */
INLINE uint64_t self_lanes(uint64_t bits, size_t leaf, size_t own, unsigned lane)
{
    return leaf > own ? bits : leaf < own ? 0 : bits & ~UINT64_C(1) << lane;
}

/* The candidates that a query tests: those whose bits are set. */
struct wanted {
    const struct node_list *candidates;
    uint64_t bits;
};

/* One leaf, or two if LEAVES_A_TIME is 2, and which of their lanes count. */
struct leaf_pair {
    size_t first, second;
    uint64_t lanes;
};

/* Takes the first wanted leaf. */
INLINE size_t next_leaf(struct wanted *wanted)
{
    const size_t leaf = wanted->candidates->index[__builtin_ctzll(wanted->bits)];
    wanted->bits &= wanted->bits - 1;
    return leaf;
}

/*
 * The empty leaf behind the candidates makes an odd number of leaves even. If that would leave every other row
 * undecided, the last leaf is taken twice instead.
 */
INLINE struct wanted wanted_by(struct traits traits, const struct scratch *scratch, unsigned q)
{
    const struct node_list *candidates = &scratch->candidates;
    uint64_t bits = scratch->wanted[q];
    if (LEAVES_A_TIME == 2 && !traits.undecided_for_nan)
        bits |= (uint64_t)(__builtin_popcountll(bits) & 1) << candidates->n;
    return (struct wanted){candidates, bits};
}

INLINE struct leaf_pair next_leaves(struct traits traits, struct wanted *wanted)
{
    const size_t first = next_leaf(wanted);
    if (LEAVES_A_TIME == 1)
        return (struct leaf_pair){first, first, ~UINT64_C(0)};
    if (traits.undecided_for_nan && wanted->bits == 0)
        return (struct leaf_pair){first, first, 0xff};
    return (struct leaf_pair){first, next_leaf(wanted), ~UINT64_C(0)};
}

/* Filters one query against WIDTH items: part j of the leaves. */
INLINE struct filter_state row_pass(enum mode mode, struct traits traits, const struct requested *requested,
                                    struct leaf_pair leaves, unsigned j, struct sticky sticky)
{
    struct filter_state p = start(mode, requested->below, sticky);
    p.one_a = !traits.swapped;
    p.one_b = traits.swapped;
    const float *at = leaf_of(&requested->items, traits.item_fields, leaves.first) + j * WIDTH;
    traits.lanes(&p, requested->query, at, leaf_of(&requested->items, traits.item_fields, leaves.second));
    return p;
}

/* The bits of the WIDTH items that count. */
INLINE uint64_t row_lanes(struct traits traits, uint64_t bits, struct leaf_pair leaves, unsigned j, size_t own,
                          unsigned lane)
{
    if (!traits.self)
        return bits & leaves.lanes;
    uint64_t all = (bits & leaves.lanes) << j * WIDTH, low = self_lanes(all & 0xff, leaves.first, own, lane);
    uint64_t high = LEAVES_A_TIME == 1 ? 0 : self_lanes(all >> LEAF, leaves.second, own, lane);
    return ((low & 0xff) | high << LEAF) >> j * WIDTH;
}

INLINE size_t row_ids(const struct requested *requested, uint32_t *ids, struct leaf_pair leaves, unsigned j,
                      uint64_t bits)
{
    const uint32_t *from = requested->items.ids;
#if WIDTH == 16
    (void)j;
    return v_compress_halves(ids, from + leaves.first * LEAF, from + leaves.second * LEAF, bits);
#else
    return v_compress(ids, from + leaves.first * LEAF + j * WIDTH, bits);
#endif
}

/* The traits that a recheck needs; its code is the same for all searches. */
struct recheck_traits {
    recheck_function *recheck; /* of 64 pairs */
    unsigned query_fields, item_fields;
    bool swapped, self; /* as in struct traits */
};

/* Copies the items of a leaf to place n. */
INLINE void put_leaf(float items[][64], const struct leaves *leaves, unsigned fields, size_t leaf, unsigned n)
{
    for (unsigned k = 0; k < fields; k++)
        memcpy(items[k] + n * LEAF, leaf_of(leaves, fields, leaf) + k * LEAF, LEAF * sizeof(float));
}

/* Rechecks a row with an undecided lane: its leaves, eight to a word, against copies of the query, lane by lane. */
COLD static size_t recheck_leaves(struct recheck_traits traits, const struct search *search, struct wanted wanted,
                                  size_t own, unsigned lane, uint32_t *ids)
{
    const struct leaves *leaves = &search->tree->leaves;
    const float *query = leaf_of(search->queries, traits.query_fields, own) + lane;
    float queries[ABUT_MAX_FIELDS][64], items[ABUT_MAX_FIELDS][64];
    const float *query_at[ABUT_MAX_FIELDS], *items_at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        query_at[k] = queries[k];
        items_at[k] = items[k];
        for (unsigned j = 0; j < 64 && k < traits.query_fields; j += WIDTH)
            v_store(queries[k] + j, v_set1(query[k * LEAF]));
    }
    const struct kernel_args args = {.a = traits.swapped ? items_at : query_at,
                                     .b = traits.swapped ? query_at : items_at,
                                     .n = 64,
                                     .closed = search->closed,
                                     .stats = search->stats};
    size_t found = 0;
    while (wanted.bits != 0) {
        size_t leaf[64 / LEAF];
        uint64_t lanes = 0;
        unsigned n = 0;
        for (; n < 64 / LEAF && wanted.bits != 0; n++) {
            leaf[n] = next_leaf(&wanted);
            put_leaf(items, leaves, traits.item_fields, leaf[n], n);
            lanes |= ((traits.self ? self_lanes(0xff, leaf[n], own, lane) : 0xff) & 0xff) << n * LEAF;
        }
        if (n % 2 != 0) /* else half a vector of sixteen lanes would be uninitialised */
            put_leaf(items, leaves, traits.item_fields, leaf[n - 1], n);
        for (uint64_t hits = traits.recheck(&args, 0, lanes); hits != 0; hits &= hits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(hits);
            ids[found++] = leaves->ids[leaf[bit / LEAF] * LEAF + bit % LEAF];
        }
    }
    return found;
}

typedef size_t recheck_row_function(const struct search *search, struct wanted wanted, size_t own, unsigned lane,
                                    uint32_t *ids);

/* Lists the items that one query hits in its wanted leaves. any: may stop after the first hits. */
INLINE size_t row(struct traits traits, bool any, const struct search *search, const struct requested *requested,
                  struct wanted wanted, size_t own, unsigned lane, recheck_row_function *recheck, uint32_t *ids)
{
    const struct wanted all = wanted;
    size_t found = 0;
    struct sticky sticky = sticky_start();
    while (wanted.bits != 0) {
        const struct leaf_pair leaves = next_leaves(traits, &wanted);
        for (unsigned j = 0; j < PARTS; j++) {
            struct filter_state p = row_pass(MODE_PREVALIDATED, traits, requested, leaves, j, sticky);
            sticky = p.sticky;
            found += row_ids(requested, ids + found, leaves, j, row_lanes(traits, m_bits(p.hit), leaves, j, own, lane));
        }
        if (any && found > 0 && sticky_ok(sticky))
            return found;
    }
    return UNLIKELY(!sticky_ok(sticky)) ? recheck(search, all, own, lane, ids) : found;
}

/* Counts the leaves that queries want, and fills those of a view. Returns their bits. */
INLINE uint64_t take_leaves(const struct search *search, const struct leaves *items, const struct packet *packet)
{
    const struct scratch *scratch = search->scratch;
    uint64_t tests = 0, some = 0;
    for (unsigned q = packet->begin; q < packet->n; q++) {
        tests += (unsigned)__builtin_popcountll(scratch->wanted[q]);
        some |= scratch->wanted[q];
    }
    search->stats->leaf_tests += tests;
    if (!items->view)
        return some;
    uint32_t list[MAX_CANDIDATES];
    size_t n = 0;
    for (struct wanted wanted = {&scratch->candidates, some}; wanted.bits != 0;)
        list[n++] = (uint32_t)next_leaf(&wanted);
    abut_leaves_gather(items, list, n);
    return some;
}

/* Prefetches leaves while the bits of the queries are computed. */
INLINE void prefetch_leaves(const struct leaves *leaves, unsigned fields, const struct node_list *node_list)
{
    enum { LINE = 64 / sizeof(float) };
    for (size_t i = 0; i < node_list->n; i++) {
        const float *at = leaf_of(leaves, fields, node_list->index[i]);
        UNROLL for (unsigned k = 0; k < fields * LEAF; k += LINE) __builtin_prefetch(at + k);
        __builtin_prefetch(leaves->ids + (size_t)node_list->index[i] * LEAF);
    }
}

INLINE void broadcast_box(v box[6], const struct packet *packet, unsigned q)
{
    UNROLL for (unsigned k = 0; k < 6; k++) box[k] = v_set1(packet->box[k][q]);
}

/*
 * Finds the leaves that each query wants among the candidates, all before the first row: the end of a row is then known
 * before the processor gets there. Returns the bits of those that some query wants.
 */
INLINE uint64_t want_leaves(const struct search *search, unsigned item_fields, const struct packet *packet)
{
    struct scratch *scratch = search->scratch;
    struct node_list *candidates = &scratch->candidates;
    const struct leaves *items = &search->tree->leaves;
    take_boxes(search->tree->level[0], candidates);
    end_boxes(candidates);
    candidates->index[candidates->n] = (uint32_t)items->count;
    prefetch_leaves(items, item_fields, candidates);
    for (unsigned q = packet->begin; q < packet->n; q++) {
        v box[6];
        broadcast_box(box, packet, q);
        scratch->wanted[q] = meeting_bits(candidates, box);
    }
    return take_leaves(search, items, packet);
}

/* A query that has a hit wants no more. */
INLINE void end_query(struct packet *packet, unsigned q)
{
    packet->box[0][q] = NAN;
    packet->done++;
}

/* Tests all queries of a packet against its candidates and emits their hits. False ends the search. */
INLINE bool packet_rows(struct traits traits, const struct search *search, struct packet *packet,
                        recheck_row_function *recheck)
{
    struct scratch *scratch = search->scratch;
    const struct leaves items = search->tree->leaves;
    const float *queries = leaf_of(search->queries, traits.query_fields, packet->first);
    const bool any = search->any;
    struct rows rows;
    size_t found = 0;
    rows.queries = packet->ids + packet->begin;
    rows.n = packet->n - packet->begin;
    rows.ids = scratch->ids;
    want_leaves(search, traits.item_fields, packet);
    for (unsigned q = packet->begin; q < packet->n; q++)
        search->stats->pairs += (uint64_t)__builtin_popcountll(scratch->wanted[q]) * LEAF;
    for (unsigned q = packet->begin; q < packet->n; q++) {
        const size_t own = packet->first + q / LEAF;
        const struct wanted wanted = wanted_by(traits, scratch, q);
        uint32_t *ids = scratch->ids + found;
        const struct requested requested =
            ask(traits, search, items, queries + q / LEAF * traits.query_fields * LEAF + q % LEAF);
        const size_t hits = any ? row(traits, true, search, &requested, wanted, own, q % LEAF, recheck, ids)
                                : row(traits, false, search, &requested, wanted, own, q % LEAF, recheck, ids);
        rows.counts[q - packet->begin] = (uint32_t)hits;
        found += hits;
        if (any && hits > 0)
            end_query(packet, q);
    }
    return search->emit(search->context, &rows);
}

/* The steps that depend on the shapes. The descent is the same code for all. */
struct steps {
    void (*set)(struct packet *packet, const struct search *search, size_t g);
    bool (*rows)(const struct search *search, struct packet *packet);
    bool self; /* the queries are the tree's own items */
};

/* Lists the nodes of level 0 that meet a box; the list is one of the search's two. */
INLINE size_t lowest_nodes(const struct search *search, const struct frontier *frontier, const v own[6], size_t least,
                           uint32_t **lowest)
{
    const size_t first = frontier->first / CHILDREN * CHILDREN;
    uint32_t *list = search->nodes[0], *next = search->nodes[1];
    size_t n = meeting(frontier->nodes, first, own, list);
    search->stats->node_tests += (frontier->nodes->n - first + CHILDREN - 1) / CHILDREN;
    for (unsigned level = frontier->level; level > 0; level--) {
        size_t found = 0;
        for (size_t i = 0; i < n; i++)
            found += node_children(&search->tree->level[level][list[i]], (size_t)list[i] * CHILDREN, own,
                                   least >> 4 * level, next + found);
        search->stats->node_tests += n;
        uint32_t *done = list;
        list = next;
        next = done;
        n = found;
    }
    *lowest = list;
    return n;
}

/*
 * The box around few queries of many items may meet many nodes that no query meets. With more than so many nodes a
 * query, each query descends alone. 16 boxes spread among 100,000 take 4 us, and 150 us together (Zen 4, gcc 12).
 */
enum { NODES_A_QUERY = 2 };

static bool descend_alone(struct steps steps, const struct search *search, const struct frontier *frontier,
                          const struct packet *packet);

/* False ends the search. */
static bool descend(struct steps steps, const struct search *search, const struct frontier *frontier,
                    struct packet *packet)
{
    const struct tree *tree = search->tree;
    const v own[6] = {v_set1(packet->own[0]), v_set1(packet->own[1]), v_set1(packet->own[2]),
                      v_set1(packet->own[3]), v_set1(packet->own[4]), v_set1(packet->own[5])};
    const size_t least = steps.self ? packet->first : 0;
    struct node_list *candidates = &search->scratch->candidates;
    uint32_t *list;
    const size_t n = lowest_nodes(search, frontier, own, least, &list);
    const unsigned queries = packet->n - packet->begin;
    if (!steps.self && queries > 1 && n > (size_t)NODES_A_QUERY * queries)
        return descend_alone(steps, search, frontier, packet);
    search->stats->node_tests += n;
    candidates->n = 0;
    for (size_t i = 0; i < n && packet->done < packet->n; i++) {
        meet_children(&tree->level[0][list[i]], (size_t)list[i] * CHILDREN, own, least, candidates);
        if (candidates->n > MAX_CANDIDATES - CHILDREN) {
            if (!steps.rows(search, packet))
                return false;
            candidates->n = 0;
        }
    }
    return candidates->n == 0 || steps.rows(search, packet);
}

static bool descend_alone(struct steps steps, const struct search *search, const struct frontier *frontier,
                          const struct packet *packet)
{
    struct packet alone = *packet;
    for (unsigned q = 0; q < packet->n; q++) {
        alone.begin = alone.done = q;
        alone.n = q + 1;
        for (unsigned k = 0; k < 6; k++)
            alone.own[k] = packet->box[k][q];
        if (!isnan(alone.own[0]) && !descend(steps, search, frontier, &alone))
            return false;
    }
    return true;
}

/* Shared frontiers and the statistics of a packet do not depend on which packets this call searches. */
static void search_packets(struct steps steps, const struct search *search)
{
    struct packet packets[FRONTIER_PACKETS];
    const size_t all = search->queries->n / PACKET + (search->queries->n % PACKET != 0);
    for (size_t first = search->first / FRONTIER_PACKETS * FRONTIER_PACKETS; first < search->last;
         first += FRONTIER_PACKETS) {
        const size_t n = all - first < FRONTIER_PACKETS ? all - first : FRONTIER_PACKETS;
        for (size_t g = 0; g < n; g++)
            steps.set(&packets[g], search, first + g);
        struct frontier frontier = frontier_of(search, packets, n, steps.self ? packets[0].first : 0);
        for (size_t g = 0; g < n && first + g < search->last; g++) {
            if (first + g < search->first)
                continue;
            const struct abut_stats before = *search->stats;
            if (g == 0)
                search->stats->node_tests += frontier.tests;
            if (steps.self)
                frontier_advance(&frontier, packets[g].first);
            if (!descend(steps, search, &frontier, &packets[g])) {
                /* The caller searches the packet again, or not at all. */
                *search->stats = before;
                return;
            }
        }
    }
}

#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    static void name##_packet(struct packet *packet, const struct search *search, size_t g)                            \
    {                                                                                                                  \
        set_packet(packet, name##_boxes, name##_fields, search, g);                                                    \
    }
#include "tables/shapes.def"

#define forward_FILTER(predicate, query, items) predicate##_filter(p, query, items)
#define swapped_FILTER(predicate, query, items) predicate##_filter(p, items, query)
#define forward_ORDER false
#define swapped_ORDER true

/*
 * Filters among points, spheres and AABBs make a lane without an item a miss (bvh/build/leaves.h). Filters of sums that
 * cancel, hit_if_scaled_negative(), leave it undecided.
 */
#define UNDECIDED_FOR_NAN(query, item) (shape_##query > shape_aabb || shape_##item > shape_aabb)

#define SEARCH_INSTANCE(name, query_shape, item_shape, predicate, order, is_self)                                      \
    INLINE void name##_search_lanes(struct filter_state *p, const float *query, const float *items, const float *more) \
    {                                                                                                                  \
        order##_FILTER(predicate, v_##query_shape##_query(query), v_##item_shape##_items(items, more));                \
    }                                                                                                                  \
    static const struct traits name##_question = {name##_search_lanes,                                                 \
                                                  predicate_##predicate,                                               \
                                                  query_shape##_fields,                                                \
                                                  item_shape##_fields,                                                 \
                                                  order##_ORDER,                                                       \
                                                  UNDECIDED_FOR_NAN(query_shape, item_shape),                          \
                                                  is_self};                                                            \
    COLD static size_t name##_recheck_row(const struct search *search, struct wanted wanted, size_t own,               \
                                          unsigned lane, uint32_t *ids)                                                \
    {                                                                                                                  \
        const struct recheck_traits traits = {predicate##_recheck, query_shape##_fields, item_shape##_fields,          \
                                              order##_ORDER, is_self};                                                 \
        return recheck_leaves(traits, search, wanted, own, lane, ids);                                                 \
    }                                                                                                                  \
    static bool name##_rows(const struct search *search, struct packet *packet)                                        \
    {                                                                                                                  \
        return packet_rows(name##_question, search, packet, name##_recheck_row);                                       \
    }                                                                                                                  \
    static void name##_search(const struct search *search)                                                             \
    {                                                                                                                  \
        search_packets((struct steps){query_shape##_packet, name##_rows, is_self}, search);                            \
    }
#include "bvh/search/block_search.h"

#define BLOCK_SEARCH(query, item, predicate, order)
#define BLOCK_SELF(shape, predicate)
#define SEARCH(query, item, predicate, order) SEARCH_INSTANCE(query##_##item, query, item, predicate, order, false)
#define SELF(shape, predicate) SEARCH_INSTANCE(self_##shape, shape, shape, predicate, forward, true)
#include "tables/searches.def"

#endif
