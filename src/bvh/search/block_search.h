/* SPDX-License-Identifier: MIT */
/*
 * Searches of predicates without loops of their own: one instance for all. Such a predicate is dear to one pair at a
 * time, so fewer pairs reach it: where several queries share a packet, those whose own boxes meet; and always those of
 * groups and masks that agree. They are gathered, 64 at a time, for the block function. Included by search.h.
 */
#ifndef ABUT_BVH_SEARCH_BLOCK_SEARCH_H
#define ABUT_BVH_SEARCH_BLOCK_SEARCH_H

/*
 * Boxes around the set that the edges of OBBs span, as these predicates mean OBBs. obb_boxes() holds the set that points
 * and spheres meet, too, in float64: with it, a self join of 100,000 OBBs takes twice as long. The sum t of three
 * products is off by less than 4 t 2^-24 + 2^-140, and centre less t by at most half an ulp. What is not a number bounds
 * nothing.
 */
static inline void obb_edge_boxes(const float *leaf, struct margin margin, float box[6][LEAF])
{
    (void)margin;
    for (unsigned axis = 0; axis < 3; axis++)
        for (unsigned i = 0; i < LEAF; i++) {
            const float *at = leaf + i, c = at[axis * LEAF];
            const float t = fabsf(at[(6 + axis) * LEAF]) * at[3 * LEAF] + fabsf(at[(9 + axis) * LEAF]) * at[4 * LEAF] +
                            fabsf(at[(12 + axis) * LEAF]) * at[5 * LEAF];
            const float half = t * (1 + 0x1p-20f) + 0x1p-100f, low = c - half, high = c + half;
            const float below = low - fabsf(low) * 0x1p-23f, above = high + fabsf(high) * 0x1p-23f;
            const bool lacks = isnan(c), unbounded = isnan(t);
            box[axis][i] = lacks ? NAN : unbounded ? -INFINITY : below;
            box[axis + 3][i] = lacks ? NAN : unbounded ? INFINITY : above;
        }
}

/* Sets the boxes of the items of candidates whose bits are set; others, up to a multiple of eight, have none. */
static void set_item_boxes(const struct search *search, uint64_t some)
{
#define INDEXED_SHAPE(name, plural, fields) [shape_##name] = name##_boxes,
#define obb_boxes obb_edge_boxes
    static boxes_function *const boxes_of[shape_count] = {
#include "tables/shapes.def"
    };
#undef obb_boxes
    static const struct margin none = {1, 0};
    const struct leaves *items = &search->tree->leaves;
    const struct node_list *candidates = &search->scratch->candidates;
    float(*columns)[ITEM_BLOCK] = search->scratch->item_block.columns;
    for (size_t i = 0; i < (candidates->n + 7) / 8 * 8; i++) {
        const bool wanted = i < candidates->n && (some >> i & 1) != 0;
        float box[6][LEAF];
        if (wanted)
            boxes_of[items->shape](leaf_of(items, items->fields, candidates->index[i]), none, box);
        for (unsigned k = 0; k < 6; k++)
            for (unsigned lane = 0; lane < LEAF; lane++)
                columns[k][i * LEAF + lane] = wanted ? box[k][lane] : NAN;
    }
}

/* Of the 64 items of eight candidates from first on: those whose boxes meet that of the query. */
INLINE uint64_t meeting_items(const struct scratch *scratch, const v query[6], size_t first)
{
    uint64_t bits = 0;
    UNROLL for (unsigned j = 0; j < 64; j += WIDTH) bits |=
        meet(query, &scratch->item_block.columns[0][first * LEAF + j], ITEM_BLOCK) << j;
    return bits;
}

/* Pairs for the block function: their members, and where they come from. */
struct block_pairs {
    float queries[ABUT_MAX_FIELDS][64], items[ABUT_MAX_FIELDS][64];
    unsigned n;
    uint8_t query[64];
    uint32_t item[64]; /* its place in the leaves */
};

/* The rows of a packet, and the pairs that wait for the block function, in the order of queries and candidates. */
struct block_rows {
    const struct search *search;
    const struct packet *packet;
    struct rows rows;
    size_t found;
    bool boxes; /* of the items are set */
    struct block_pairs waiting;
};

/* Decides the wanted of some pairs, whose members are set up to a multiple of ABUT_WIDEST, and lists the hits. */
static void decide_pairs(struct block_rows *to, const struct block_pairs *pairs, unsigned padded, uint64_t wanted)
{
    const struct search *search = to->search;
    const struct block_search *of = search->block;
    const float *query_at[ABUT_MAX_FIELDS], *items_at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        query_at[k] = pairs->queries[k];
        items_at[k] = pairs->items[k];
    }
    const struct kernel_args args = {.a = of->swapped ? items_at : query_at,
                                     .b = of->swapped ? query_at : items_at,
                                     .n = padded,
                                     .closed = search->closed,
                                     .stats = search->stats};
    search->stats->pairs += (unsigned)__builtin_popcountll(wanted);
    for (uint64_t hits = abut_run_wanted(&TABLE, of->predicate, &args, wanted); hits != 0; hits &= hits - 1) {
        const unsigned pair = (unsigned)__builtin_ctzll(hits);
        to->rows.ids[to->found++] = search->tree->leaves.ids[pairs->item[pair]];
        to->rows.counts[pairs->query[pair] - to->packet->begin]++;
    }
}

INLINE void copy_item(float columns[][64], unsigned i, const struct leaves *leaves, unsigned fields, size_t place)
{
    const float *item = leaf_of(leaves, fields, place / LEAF) + place % LEAF;
    for (unsigned k = 0; k < fields; k++)
        columns[k][i] = item[k * LEAF];
}

static void decide_waiting(struct block_rows *to)
{
    const struct search *search = to->search;
    const unsigned query_fields = abut_shape_fields[search->block->query],
                   item_fields = abut_shape_fields[search->block->item], n = to->waiting.n;
    const unsigned padded = (n + ABUT_WIDEST - 1) / ABUT_WIDEST * ABUT_WIDEST;
    for (unsigned i = 0; i < padded; i++) {
        const unsigned pair = i < n ? i : n - 1;
        copy_item(to->waiting.queries, i, search->queries, query_fields,
                  to->packet->first * LEAF + to->waiting.query[pair]);
        copy_item(to->waiting.items, i, &search->tree->leaves, item_fields, to->waiting.item[pair]);
    }
    to->waiting.n = 0;
    if (n > 0)
        decide_pairs(to, &to->waiting, padded, UINT64_MAX >> (64 - n));
}

/* Decides a query and items of eight candidates from first on, whose leaves are copied as they are. */
static void decide_leaves(struct block_rows *to, unsigned q, unsigned first, uint64_t bits)
{
    const struct search *search = to->search;
    const struct leaves *leaves = &search->tree->leaves;
    const uint32_t *candidates = search->scratch->candidates.index + first;
    const uint32_t some = candidates[__builtin_ctzll(bits) / LEAF];
    const unsigned query_fields = abut_shape_fields[search->block->query];
    const float *query = leaf_of(search->queries, query_fields, to->packet->first + q / LEAF) + q % LEAF;
    struct block_pairs pairs;
    for (unsigned k = 0; k < query_fields; k++)
        for (unsigned i = 0; i < 64; i++)
            pairs.queries[k][i] = query[k * LEAF];
    for (unsigned t = 0; t < 64 / LEAF; t++) {
        const uint32_t leaf = (bits >> t * LEAF & 0xff) != 0 ? candidates[t] : some;
        put_leaf(pairs.items, leaves, abut_shape_fields[search->block->item], leaf, t);
        for (unsigned i = 0; i < LEAF; i++)
            pairs.item[t * LEAF + i] = leaf * LEAF + i;
    }
    memset(pairs.query, (int)q, sizeof pairs.query);
    decide_pairs(to, &pairs, 64, bits);
}

/* Of items whose boxes meet that of the query: those that have not met it yet, of groups and masks that agree. */
INLINE uint64_t counting_items(const struct block_rows *to, unsigned q, const uint32_t *candidates, uint64_t bits)
{
    const struct search *search = to->search;
    const size_t own = to->packet->first * LEAF + q;
    uint64_t counting = bits;
    if (!search->block->self && !search->labels)
        return bits;
    for (; bits != 0; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        const size_t place = (size_t)candidates[bit / LEAF] * LEAF + bit % LEAF;
        const bool counts =
            !(search->block->self && place <= own) &&
            (!search->labels || labels_agree(search->labels, to->packet->ids[q], search->tree->leaves.ids[place]));
        counting &= ~((uint64_t)!counts << bit);
    }
    return counting;
}

/* With at least so many of 64 items, whole leaves are copied: an item alone takes five times as long. */
enum { DENSE = 12 };

/* All items of those of eight candidates that a query wants. Lanes without an item, in a world anywhere, have no id. */
static uint64_t wanted_items(const struct search *search, unsigned q, unsigned first)
{
    const uint32_t *candidates = search->scratch->candidates.index + first;
    uint64_t bits = 0;
    for (uint64_t left = search->scratch->wanted[q] >> first & 0xff; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        const uint32_t *ids = search->tree->leaves.ids + (size_t)candidates[t] * LEAF;
        for (unsigned i = 0; i < LEAF; i++)
            bits |= (uint64_t)(ids[i] != UINT32_MAX) << (t * LEAF + i);
    }
    return bits;
}

/* Takes the pairs of a query and eight candidates from first on. */
INLINE void take_pairs(struct block_rows *to, const v box[6], unsigned q, unsigned first)
{
    const uint32_t *candidates = to->search->scratch->candidates.index + first;
    uint64_t bits =
        counting_items(to, q, candidates,
                       to->boxes ? meeting_items(to->search->scratch, box, first) : wanted_items(to->search, q, first));
    if (__builtin_popcountll(bits) >= DENSE) {
        decide_waiting(to);
        decide_leaves(to, q, first, bits);
        return;
    }
    for (; bits != 0; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        to->waiting.query[to->waiting.n] = (uint8_t)q;
        to->waiting.item[to->waiting.n++] = candidates[bit / LEAF] * LEAF + bit % LEAF;
        if (to->waiting.n == 64)
            decide_waiting(to);
    }
}

/* Tests all queries of a packet against its candidates and emits their hits. False ends the search. */
static bool block_rows(const struct search *search, struct packet *packet)
{
    struct scratch *scratch = search->scratch;
    struct block_rows to;
    to.search = search;
    to.packet = packet;
    to.rows = (struct rows){packet->ids + packet->begin, packet->n - packet->begin, {0}, scratch->ids};
    to.found = to.waiting.n = 0;
    const uint64_t some = want_leaves(search, abut_shape_fields[search->block->item], packet);
    /* Boxes of items pay where several queries meet them. 200 long segments take 1.8 ms without, and 4.8 with them. */
    to.boxes = to.rows.n > 1;
    if (to.boxes)
        set_item_boxes(search, some);
    for (unsigned q = packet->begin; q < packet->n; q++) {
        const uint32_t *hits = &to.rows.counts[q - packet->begin];
        v box[6];
        broadcast_box(box, packet, q);
        for (unsigned first = 0; first < 64 && scratch->wanted[q] >> first != 0; first += 8)
            if ((scratch->wanted[q] >> first & 0xff) != 0 && !(search->any && *hits > 0))
                take_pairs(&to, box, q, first);
    }
    decide_waiting(&to);
    for (unsigned q = packet->begin; search->any && q < packet->n; q++)
        if (to.rows.counts[q - packet->begin] > 0)
            end_query(packet, q);
    return search->emit(search->context, &to.rows);
}

static void block_search(const struct search *search)
{
#define INDEXED_SHAPE(name, plural, fields) [shape_##name] = name##_packet,
    static void (*const set[shape_count])(struct packet * packet, const struct search *search, size_t g) = {
#include "tables/shapes.def"
    };
    search_packets((struct steps){set[search->block->query], block_rows, search->block->self}, search);
}

#endif
