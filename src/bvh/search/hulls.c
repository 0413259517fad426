/* SPDX-License-Identifier: MIT */
/*
 * Hulls that are searched for, one after the other: down the tree with what is beyond no plane, then the predicate itself.
 *
 * No box around a hull is needed, nor any error bound. An item that touches, or is inside, is beyond no plane: for each plane,
 * some point of it is not outside of that one. The boxes above it hold these points, so that they are beyond no plane,
 * exactly, far from the hull as they may be.
 */
#include "bvh/search/run.h"

#include "hull/hull.h"

#include <math.h>
#include <string.h>

struct descent {
    const struct search *search;
    struct hull hull;
    struct rows rows;
    struct lot *lot;
    bool ended; /* by emit */
};

/* The answers that a question of predicates.def gives, one bit each. */
enum {
    ANSWERS_touches = 1 << ABUT_HULL_TOUCHES,
    ANSWERS_planes = 1 << ABUT_HULL_PLANES,
    ANSWERS_inside = 1 << ABUT_HULL_INSIDE,
    ANSWERS_in = ANSWERS_touches | ANSWERS_inside
};

enum hull_predicate abut_hull_predicate_of(enum shape item, enum abut_hull_answer answer)
{
#define HULL_PREDICATE(name, shape, question, function)                                                                \
    if (item == shape_##shape && (ANSWERS_##question >> answer & 1) != 0)                                              \
        return hull_predicate_##name;
#include "tables/predicates.def"
    return hull_predicate_count;
}

/* Of the shapes in columns, which a job asks about, the numbers of those that hit, into list. */
static size_t ask(struct descent *descent, enum hull_predicate predicate, struct hull_job job, uint32_t *list)
{
    const float *at[ABUT_MAX_FIELDS];
    uint64_t hits[LOT / 64];
    size_t found = 0;
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at[k] = descent->lot->columns[k];
    job.hulls = &descent->hull;
    job.items = at;
    job.rows = 1;
    descent->search->variant->hulls[predicate](&job, hits);
    for (size_t w = 0; w < abut_mask_words(job.n); w++)
        for (uint64_t bits = hits[w]; bits != 0; bits &= bits - 1)
            list[found++] = descent->lot->numbers[w * 64 + (size_t)__builtin_ctzll(bits)];
    return found;
}

/* Asks whether boxes are beyond a plane; that is no question of the caller's, and "perhaps not" will do. */
static size_t ask_boxes(struct descent *descent, size_t n, uint32_t *list)
{
    struct abut_stats unwanted = {0};
    const struct hull_job job = {.n = n, .closed = true, .stats = &unwanted, .perhaps = true};
    return ask(descent, hull_predicate_aabb_hull_planes, job, list);
}

/* The children of a node of some level behind n others. Returns how many there are now. */
static size_t gather_children(struct descent *descent, unsigned level, uint32_t node, size_t n)
{
    const struct tree *tree = descent->search->tree;
    const size_t all = level == 0 ? tree->tiles.count : tree->nodes[level - 1], first = (size_t)node * CHILDREN;
    const size_t children = all - first < CHILDREN ? all - first : CHILDREN;
    for (unsigned k = 0; k < 6; k++)
        memcpy(descent->lot->columns[k] + n, tree->level[level][node].box[k], children * sizeof(float));
    for (size_t i = 0; i < children; i++)
        descent->lot->numbers[n + i] = (uint32_t)(first + i);
    return n + children;
}

static size_t gather_tile(struct descent *descent, uint32_t tile, size_t n)
{
    const struct tiles *tiles = &descent->search->tree->tiles;
    const size_t left = tiles->n - (size_t)tile * TILE, items = left < TILE ? left : TILE;
    const float *at = tiles->at + (size_t)tile * tiles->fields * TILE;
    for (unsigned k = 0; k < tiles->fields; k++)
        memcpy(descent->lot->columns[k] + n, at + k * TILE, items * sizeof(float));
    memcpy(descent->lot->numbers + n, tiles->ids + (size_t)tile * TILE, items * sizeof(uint32_t));
    return n + items;
}

/* False if no more is wanted of this hull. */
static bool ask_items(struct descent *descent, size_t n)
{
    const struct search *search = descent->search;
    const enum hull_predicate predicate = (enum hull_predicate)search->hull_predicate;
    const struct hull_job job = {.n = n, .closed = search->closed, .stats = &search->stats->lanes};
    const size_t hits = ask(descent, predicate, job, search->scratch->ids);
    if (hits == 0)
        return true;
    descent->rows.counts[0] = (uint32_t)hits;
    descent->ended = !search->emit(search->context, &descent->rows);
    return !descent->ended && !search->any;
}

static bool ask_tiles(struct descent *descent, size_t tiles)
{
    size_t n = 0;
    descent->search->stats->leaf_tests += tiles;
    if (descent->search->tree->tiles.borrow)
        abut_tiles_fetch(&descent->search->tree->tiles, descent->lot->tiles, tiles);
    for (size_t i = 0; i < tiles; i++) {
        n = gather_tile(descent, descent->lot->tiles[i], n);
        if (n + TILE > LOT || i + 1 == tiles) {
            if (!ask_items(descent, n))
                return false;
            n = 0;
        }
    }
    return true;
}

static void search_hull(struct descent *descent)
{
    const struct search *search = descent->search;
    const struct tree *tree = search->tree;
    uint32_t *list = search->nodes[0], *next = search->nodes[1];
    size_t n = 1;
    list[0] = 0;
    for (unsigned level = tree->levels; level-- > 0;) {
        size_t found = 0, boxes = 0;
        search->stats->node_tests += n;
        for (size_t i = 0; i < n; i++) {
            boxes = gather_children(descent, level, list[i], boxes);
            if (boxes + CHILDREN <= LOT && i + 1 < n)
                continue;
            if (level > 0)
                found += ask_boxes(descent, boxes, next + found);
            else if (!ask_tiles(descent, ask_boxes(descent, boxes, descent->lot->tiles)))
                return;
            boxes = 0;
        }
        uint32_t *done = list;
        list = next;
        next = done;
        n = found;
    }
}

void abut_search_hulls(const struct search *search)
{
    struct descent descent = {
        .search = search, .rows = {.n = 1, .ids = search->scratch->ids}, .lot = &search->scratch->lot};
    const size_t end = search->last * GROUP < search->queries->n ? search->last * GROUP : search->queries->n;
    struct abut_search_stats before = *search->stats;
    for (size_t i = search->first * GROUP; i < end; i++) {
        if (i % GROUP == 0)
            before = *search->stats;
        abut_hull_prepare(&descent.hull, search->hulls, i, true);
        descent.rows.queries = search->queries->ids + i;
        if (!descent.hull.bad)
            search_hull(&descent);
        if (descent.ended) {
            /* The group is searched again, if at all. */
            *search->stats = before;
            return;
        }
    }
}
