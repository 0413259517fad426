/* SPDX-License-Identifier: MIT */
/*
 * The other loop: groups of queries descend a tree. Included by instantiate.h, in the vocabulary of the ISA file.
 *
 * A group's box is held against the sixteen boxes of a node at a time, level by level (bvh/search/descent.h), and the tiles that are left
 * are candidates; each query picks its own among these, and the predicate's filter decides for each item of them. Nothing
 * branches on a hit: what is found is compressed. Boxes are rounded outwards and compared exactly, so that only misses are left
 * behind. The filter's guard is asked once a row; a row with a doubt is done again, lane by lane.
 */
#ifndef ABUT_BVH_SEARCH_SEARCH_H
#define ABUT_BVH_SEARCH_SEARCH_H

#include "bvh/search/descent.h"

/* How a predicate is asked with queries on one side and items on the other: constants. */
struct question {
    /* pairs one query with WIDTH items */
    void (*lanes)(struct pass *p, const float *query, const float *items, const float *more);
    enum predicate predicate;
    unsigned query_fields, item_fields;
    bool swapped;    /* the items are the predicate's a */
    bool doubts_nan; /* whether what is no item is doubtful, not a miss */
    bool self;
};

/* With sixteen lanes two tiles fill a vector, else one vector or more fill a tile. */
#if WIDTH == 16
enum { TILES_A_TIME = 2, PARTS = 1 };
INLINE v v_load_lanes(const float *at, const float *more)
{
    return v_load_halves(at, more);
}
#else
enum { TILES_A_TIME = 1, PARTS = TILE / WIDTH };
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
    items.member = v_load_lanes(at + k * TILE, more + k * TILE);                                                       \
    k++;
#define SHAPE(name, plural, fields)                                                                                    \
    INLINE struct v_##name v_##name##_items(const float *at, const float *more)                                        \
    {                                                                                                                  \
        struct v_##name items;                                                                                         \
        unsigned k = 0;                                                                                                \
        fields return items;                                                                                           \
    }
#include "tables/shapes.def"

/* What a row is asked with, as copies: stores of hits could change all that they do not, and it would be loaded anew. */
struct asked {
    struct tiles items;
    v below;
    float query[ABUT_MAX_FIELDS];
};

INLINE struct asked ask(struct question question, const struct search *search, struct tiles items, const float *query)
{
    struct asked asked = {.items = items, .below = below_touch(search->closed)};
    for (unsigned k = 0; k < question.query_fields; k++)
        asked.query[k] = query[k * TILE];
    return asked;
}

/* Items of a query's own tile come once in a self join: those behind it. */
INLINE uint64_t self_lanes(uint64_t bits, size_t tile, size_t own, unsigned lane)
{
    return tile > own ? bits : tile < own ? 0 : bits & ~UINT64_C(1) << lane;
}

/* What a query is asked against: of the candidates those whose bits are set. */
struct wanted {
    const struct met *candidates;
    uint64_t bits;
};

/* One tile, or where two are searched at a time two, and which of their lanes count. */
struct tile_pair {
    size_t first, second;
    uint64_t lanes;
};

/* Takes what is wanted first. */
INLINE size_t next_tile(struct wanted *wanted)
{
    const size_t tile = wanted->candidates->index[__builtin_ctzll(wanted->bits)];
    wanted->bits &= wanted->bits - 1;
    return tile;
}

/*
 * An odd number of tiles is made even by the one without items, which stands behind the candidates; but where that would make
 * every other row doubtful, the last one is taken twice.
 */
INLINE struct wanted wanted_by(struct question question, const struct scratch *scratch, unsigned q)
{
    const struct met *candidates = &scratch->candidates;
    uint64_t bits = scratch->wanted[q];
    if (TILES_A_TIME == 2 && !question.doubts_nan)
        bits |= (uint64_t)(__builtin_popcountll(bits) & 1) << candidates->n;
    return (struct wanted){candidates, bits};
}

INLINE struct tile_pair next_tiles(struct question question, struct wanted *wanted)
{
    const size_t first = next_tile(wanted);
    if (TILES_A_TIME == 1)
        return (struct tile_pair){first, first, ~UINT64_C(0)};
    if (question.doubts_nan && wanted->bits == 0)
        return (struct tile_pair){first, first, 0xff};
    return (struct tile_pair){first, next_tile(wanted), ~UINT64_C(0)};
}

/* One query against WIDTH items, beginning with those of part j of the tiles. */
INLINE struct pass row_pass(enum mode mode, struct question question, const struct asked *asked, struct tile_pair tiles,
                            unsigned j, struct guard guard)
{
    struct pass p = start(mode, asked->below, guard);
    p.one_a = !question.swapped;
    p.one_b = question.swapped;
    const float *at = tile_of(&asked->items, question.item_fields, tiles.first) + j * WIDTH;
    question.lanes(&p, asked->query, at, tile_of(&asked->items, question.item_fields, tiles.second));
    return p;
}

/* Which of the WIDTH items count. */
INLINE uint64_t row_lanes(struct question question, uint64_t bits, struct tile_pair tiles, unsigned j, size_t own,
                          unsigned lane)
{
    if (!question.self)
        return bits & tiles.lanes;
    uint64_t all = (bits & tiles.lanes) << j * WIDTH, low = self_lanes(all & 0xff, tiles.first, own, lane);
    uint64_t high = TILES_A_TIME == 1 ? 0 : self_lanes(all >> TILE, tiles.second, own, lane);
    return ((low & 0xff) | high << TILE) >> j * WIDTH;
}

INLINE size_t row_ids(const struct asked *asked, uint32_t *ids, struct tile_pair tiles, unsigned j, uint64_t bits)
{
    const uint32_t *from = asked->items.ids;
#if WIDTH == 16
    (void)j;
    return v_compress_halves(ids, from + tiles.first * TILE, from + tiles.second * TILE, bits);
#else
    return v_compress(ids, from + tiles.first * TILE + j * WIDTH, bits);
#endif
}

/* WIDTH items as decided lane by lane: which of them are hits. */
INLINE uint64_t careful_lanes(struct question question, const struct search *search, const struct asked *asked,
                              struct tile_pair tiles, unsigned j, size_t own, unsigned lane)
{
    struct pass p = row_pass(CAREFUL, question, asked, tiles, j, g_start());
    uint64_t doubts = row_lanes(question, m_bits(m_and(p.valid, p.undecided)), tiles, j, own, lane);
    uint64_t hits = row_lanes(question, m_bits(m_and(p.valid, m_andnot(p.hit, p.undecided))), tiles, j, own, lane);
    for (; doubts != 0; doubts &= doubts - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(doubts), at = j * WIDTH + bit;
        const float *tile = tile_of(&asked->items, question.item_fields, at < TILE ? tiles.first : tiles.second);
        float item[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < question.item_fields; k++)
            item[k] = tile[k * TILE + at % TILE];
        if (abut_settle(question.predicate, question.swapped ? item : asked->query,
                        question.swapped ? asked->query : item, search->closed, &search->stats->lanes))
            hits |= UINT64_C(1) << bit;
    }
    return hits;
}

/* A row of which some tile was in doubt: that alone is decided lane by lane. */
INLINE size_t careful_row(struct question question, const struct search *search, struct wanted wanted, size_t own,
                          unsigned lane, uint32_t *ids)
{
    const struct asked asked =
        ask(question, search, search->tree->tiles, tile_of(search->queries, question.query_fields, own) + lane);
    size_t found = 0;
    while (wanted.bits != 0) {
        const struct tile_pair tiles = next_tiles(question, &wanted);
        for (unsigned j = 0; j < PARTS; j++) {
            const struct pass p = row_pass(MODE_TRUSTED, question, &asked, tiles, j, g_start());
            const uint64_t hits = g_ok(p.guard) ? row_lanes(question, m_bits(p.hit), tiles, j, own, lane)
                                                : careful_lanes(question, search, &asked, tiles, j, own, lane);
            found += row_ids(&asked, ids + found, tiles, j, hits);
        }
    }
    return found;
}

typedef size_t careful_row_function(const struct search *search, struct wanted wanted, size_t own, unsigned lane,
                                    uint32_t *ids);

/* The items that one query hits in the tiles that it wants. any: some of them, if there are some. */
INLINE size_t row(struct question question, bool any, const struct search *search, const struct asked *asked,
                  struct wanted wanted, size_t own, unsigned lane, careful_row_function *careful, uint32_t *ids)
{
    const struct wanted all = wanted;
    size_t found = 0;
    struct guard guard = g_start();
    while (wanted.bits != 0) {
        const struct tile_pair tiles = next_tiles(question, &wanted);
        for (unsigned j = 0; j < PARTS; j++) {
            struct pass p = row_pass(MODE_TRUSTED, question, asked, tiles, j, guard);
            guard = p.guard;
            found += row_ids(asked, ids + found, tiles, j, row_lanes(question, m_bits(p.hit), tiles, j, own, lane));
        }
        if (any && found > 0 && g_ok(guard))
            return found;
    }
    return UNLIKELY(!g_ok(guard)) ? careful(search, all, own, lane, ids) : found;
}

/* Counts the tiles that queries want; of borrowed items, fetches them. */
INLINE void take_tiles(const struct search *search, const struct tiles *items, unsigned queries)
{
    const struct scratch *scratch = search->scratch;
    uint64_t tests = 0, some = 0;
    for (unsigned q = 0; q < queries; q++) {
        tests += (unsigned)__builtin_popcountll(scratch->wanted[q]);
        some |= scratch->wanted[q];
    }
    search->stats->leaf_tests += tests;
    search->stats->lanes.pairs += tests * TILE;
    if (!items->borrow)
        return;
    uint32_t list[MAX_CANDIDATES];
    size_t n = 0;
    for (struct wanted wanted = {&scratch->candidates, some}; wanted.bits != 0;)
        list[n++] = (uint32_t)next_tile(&wanted);
    abut_tiles_fetch(items, list, n);
}

/* Asks for tiles that come while the lists are made. */
INLINE void prefetch_tiles(const struct tiles *tiles, unsigned fields, const struct met *met)
{
    enum { LINE = 64 / sizeof(float) };
    for (size_t i = 0; i < met->n; i++) {
        const float *at = tile_of(tiles, fields, met->index[i]);
        for (unsigned k = 0; k < fields * TILE; k += LINE)
            __builtin_prefetch(at + k);
        __builtin_prefetch(tiles->ids + (size_t)met->index[i] * TILE);
    }
}

/* All queries of a group against its candidates; what they hit is emitted. False ends the search. */
INLINE bool group_rows(struct question question, const struct search *search, struct group *group,
                       careful_row_function *careful)
{
    struct scratch *scratch = search->scratch;
    struct met *candidates = &scratch->candidates;
    const struct tiles items = search->tree->tiles;
    const float *queries = tile_of(search->queries, question.query_fields, group->first);
    const bool any = search->any;
    struct rows rows;
    size_t found = 0;
    rows.queries = group->ids;
    rows.n = group->n;
    rows.ids = scratch->ids;
    take_boxes(search->tree->level[0], candidates);
    end_boxes(candidates);
    candidates->index[candidates->n] = (uint32_t)items.count;
    prefetch_tiles(&items, question.item_fields, candidates);
    /* All bits before the first row, so that the end of a row is known before the processor gets there. */
    for (unsigned q = 0; q < group->n; q++) {
        const v box[6] = {v_set1(group->box[0][q]), v_set1(group->box[1][q]), v_set1(group->box[2][q]),
                          v_set1(group->box[3][q]), v_set1(group->box[4][q]), v_set1(group->box[5][q])};
        scratch->wanted[q] = meeting_bits(candidates, box);
    }
    take_tiles(search, &items, group->n);
    for (unsigned q = 0; q < group->n; q++) {
        const size_t own = group->first + q / TILE;
        const struct wanted wanted = wanted_by(question, scratch, q);
        uint32_t *ids = scratch->ids + found;
        const struct asked asked =
            ask(question, search, items, queries + q / TILE * question.query_fields * TILE + q % TILE);
        const size_t hits = any ? row(question, true, search, &asked, wanted, own, q % TILE, careful, ids)
                                : row(question, false, search, &asked, wanted, own, q % TILE, careful, ids);
        rows.counts[q] = (uint32_t)hits;
        found += hits;
        if (any && hits > 0) {
            group->box[0][q] = NAN;
            group->done++;
        }
    }
    return search->emit(search->context, &rows);
}

/*
 * What of a search depends on the shapes: how a group is set, and what it does with candidates. How it descends does not, and
 * is the same code for all.
 */
struct steps {
    void (*set)(struct group *group, const struct search *search, size_t g);
    bool (*rows)(const struct search *search, struct group *group);
    bool self; /* the queries are the tree's own items */
};

/* False ends the search. */
static bool descend(struct steps steps, const struct search *search, struct front front, struct group *group)
{
    const struct tree *tree = search->tree;
    const v own[6] = {v_set1(group->own[0]), v_set1(group->own[1]), v_set1(group->own[2]),
                      v_set1(group->own[3]), v_set1(group->own[4]), v_set1(group->own[5])};
    const size_t least = steps.self ? group->first : 0, first = front.first / CHILDREN * CHILDREN;
    struct met *candidates = &search->scratch->candidates;
    uint32_t *list = search->nodes[0], *next = search->nodes[1];
    size_t n = meeting(front.nodes, first, own, list);
    search->stats->node_tests += (front.nodes->n - first + CHILDREN - 1) / CHILDREN;
    for (unsigned level = front.level; level > 0; level--) {
        size_t found = 0;
        for (size_t i = 0; i < n; i++)
            found += node_children(&tree->level[level][list[i]], (size_t)list[i] * CHILDREN, own, least >> 4 * level,
                                   next + found);
        search->stats->node_tests += n;
        uint32_t *done = list;
        list = next;
        next = done;
        n = found;
    }
    search->stats->node_tests += n;
    candidates->n = 0;
    for (size_t i = 0; i < n && group->done < group->n; i++) {
        meet_children(&tree->level[0][list[i]], (size_t)list[i] * CHILDREN, own, least, candidates);
        if (candidates->n > MAX_CANDIDATES - CHILDREN) {
            if (!steps.rows(search, group))
                return false;
            candidates->n = 0;
        }
    }
    return candidates->n == 0 || steps.rows(search, group);
}

/* Which groups share a front does not depend on which of them are searched here, nor does what is counted for a group. */
static void search_groups(struct steps steps, const struct search *search)
{
    struct group groups[FRONT_GROUPS];
    const size_t all = search->queries->n / GROUP + (search->queries->n % GROUP != 0);
    for (size_t first = search->first / FRONT_GROUPS * FRONT_GROUPS; first < search->last; first += FRONT_GROUPS) {
        const size_t n = all - first < FRONT_GROUPS ? all - first : FRONT_GROUPS;
        for (size_t g = 0; g < n; g++)
            steps.set(&groups[g], search, first + g);
        struct front front = front_of(search, groups, n, steps.self ? groups[0].first : 0);
        for (size_t g = 0; g < n && first + g < search->last; g++) {
            if (first + g < search->first)
                continue;
            const struct abut_search_stats before = *search->stats;
            if (g == 0)
                search->stats->node_tests += front.tests;
            if (steps.self)
                front_advance(&front, groups[g].first);
            if (!descend(steps, search, front, &groups[g])) {
                /* It is searched again, if at all. */
                *search->stats = before;
                return;
            }
        }
    }
}

#define BOUNDED(name)                                                                                                  \
    static void name##_group(struct group *group, const struct search *search, size_t g)                               \
    {                                                                                                                  \
        set_group(group, name##_boxes, name##_fields, search, g);                                                      \
    }
BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED

#define forward_FILTER(predicate, query, items) predicate##_filter(p, query, items)
#define swapped_FILTER(predicate, query, items) predicate##_filter(p, items, query)
#define forward_ORDER false
#define swapped_ORDER true

/*
 * Of the filters that take points, spheres and AABBs alone none is in doubt about what is no item (bvh/build/leaves.h); those of sums that
 * cancel, scaled_negative(), all are.
 */
#define DOUBTS_NAN(query, item) (shape_##query > shape_aabb || shape_##item > shape_aabb)

#define SEARCH_INSTANCE(name, query_shape, item_shape, predicate, order, is_self)                                      \
    INLINE void name##_search_lanes(struct pass *p, const float *query, const float *items, const float *more)         \
    {                                                                                                                  \
        order##_FILTER(predicate, v_##query_shape##_query(query), v_##item_shape##_items(items, more));                \
    }                                                                                                                  \
    static const struct question name##_question = {name##_search_lanes,                                               \
                                                    predicate_##predicate,                                             \
                                                    query_shape##_fields,                                              \
                                                    item_shape##_fields,                                               \
                                                    order##_ORDER,                                                     \
                                                    DOUBTS_NAN(query_shape, item_shape),                               \
                                                    is_self};                                                          \
    COLD static size_t name##_careful_row(const struct search *search, struct wanted wanted, size_t own,               \
                                          unsigned lane, uint32_t *ids)                                                \
    {                                                                                                                  \
        return careful_row(name##_question, search, wanted, own, lane, ids);                                           \
    }                                                                                                                  \
    static bool name##_rows(const struct search *search, struct group *group)                                          \
    {                                                                                                                  \
        return group_rows(name##_question, search, group, name##_careful_row);                                         \
    }                                                                                                                  \
    static void name##_search(const struct search *search)                                                             \
    {                                                                                                                  \
        search_groups((struct steps){query_shape##_group, name##_rows, is_self}, search);                              \
    }
#define SEARCH(query, item, predicate, order) SEARCH_INSTANCE(query##_##item, query, item, predicate, order, false)
#define SELF(shape, predicate) SEARCH_INSTANCE(self_##shape, shape, shape, predicate, forward, true)
#include "tables/searches.def"

#endif
