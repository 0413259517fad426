/* SPDX-License-Identifier: MIT */
/*
 * Searches of hulls, one hull after the other: down the tree through the boxes outside no plane, then the predicate
 * itself.
 *
 * The descent needs no box around the hull and no error bound. If an item touches the hull, is inside it or is not
 * culled, each plane has a point of the item that is not outside of it. The boxes above the item contain these points,
 * so they are outside no plane either, in exact arithmetic. Boxes outside no plane may still be far from the hull.
 */
#include "bvh/search/labels.h"
#include "bvh/search/run.h"

#include "batch/hull_items.h"
#include "hull/hull.h"

#include <math.h>
#include <string.h>

struct descent {
    const struct search *search;
    struct hull hull;
    struct rows rows;
    struct item_block *item_block;
    bool ended; /* by emit */
};

/* Tests the shapes in the columns and lists the numbers of the hits. */
static size_t test_block(struct descent *descent, enum predicate predicate, struct hull_args args, uint32_t *list)
{
    const float *at[ABUT_MAX_FIELDS];
    uint64_t hits[ITEM_BLOCK / 64];
    size_t found = 0;
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at[k] = descent->item_block->columns[k];
    args.hulls = &descent->hull;
    args.items = at;
    args.rows = 1;
    abut_run_hulls(descent->search->isa, predicate, &args, hits);
    for (size_t w = 0; w < abut_mask_words(args.n); w++)
        for (uint64_t bits = hits[w]; bits != 0; bits &= bits - 1)
            list[found++] = descent->item_block->numbers[w * 64 + (size_t)__builtin_ctzll(bits)];
    return found;
}

/* Lists the boxes outside no plane, the undecided included. These tests are not in the caller's statistics. */
static size_t test_boxes(struct descent *descent, size_t n, uint32_t *list)
{
    struct abut_stats unwanted = {0};
    const struct hull_args args = {.n = n, .closed = true, .stats = &unwanted, .perhaps = true};
    return test_block(descent, predicate_aabb_hull_planes, args, list);
}

/* Appends the children of a node to n others. Returns their number. */
static size_t gather_children(struct descent *descent, unsigned level, uint32_t node, size_t n)
{
    const struct tree *tree = descent->search->tree;
    const size_t all = level == 0 ? tree->leaves.count : tree->nodes[level - 1], first = (size_t)node * CHILDREN;
    const size_t children = all - first < CHILDREN ? all - first : CHILDREN;
    for (unsigned k = 0; k < 6; k++)
        memcpy(descent->item_block->columns[k] + n, tree->level[level][node].box[k], children * sizeof(float));
    for (size_t i = 0; i < children; i++)
        descent->item_block->numbers[n + i] = (uint32_t)(first + i);
    return n + children;
}

/* Appends the items of a leaf whose groups and masks agree with those of the hull. */
static size_t gather_agreeing(struct descent *descent, const float *at, const uint32_t *ids, size_t items, size_t n)
{
    const struct search *search = descent->search;
    for (size_t i = 0; i < items; i++) {
        if (!labels_agree(search->labels, *descent->rows.queries, ids[i]))
            continue;
        for (unsigned k = 0; k < search->tree->leaves.fields; k++)
            descent->item_block->columns[k][n] = at[k * LEAF + i];
        descent->item_block->numbers[n++] = ids[i];
    }
    return n;
}

static size_t gather_leaf(struct descent *descent, uint32_t leaf, size_t n)
{
    const struct leaves *leaves = &descent->search->tree->leaves;
    const size_t left = leaves->n - (size_t)leaf * LEAF, items = left < LEAF ? left : LEAF;
    const float *at = leaves->at + (size_t)leaf * leaves->fields * LEAF;
    const uint32_t *ids = leaves->ids + (size_t)leaf * LEAF;
    if (descent->search->labels)
        return gather_agreeing(descent, at, ids, items, n);
    for (unsigned k = 0; k < leaves->fields; k++)
        memcpy(descent->item_block->columns[k] + n, at + k * LEAF, items * sizeof(float));
    memcpy(descent->item_block->numbers + n, ids, items * sizeof(uint32_t));
    return n + items;
}

/* False: no more hits of this hull are wanted. */
static bool test_items(struct descent *descent, size_t n)
{
    const struct search *search = descent->search;
    const struct hull_args args = {.n = n, .closed = search->closed, .stats = search->stats};
    const size_t hits = test_block(descent, search->hull_predicate, args, search->scratch->ids);
    if (hits == 0)
        return true;
    descent->rows.counts[0] = (uint32_t)hits;
    descent->ended = !search->emit(search->context, &descent->rows);
    return !descent->ended && !search->any;
}

static bool test_leaves(struct descent *descent, size_t leaves)
{
    size_t n = 0;
    descent->search->stats->leaf_tests += leaves;
    if (descent->search->tree->leaves.view)
        abut_leaves_gather(&descent->search->tree->leaves, descent->item_block->leaves, leaves);
    for (size_t i = 0; i < leaves; i++) {
        n = gather_leaf(descent, descent->item_block->leaves[i], n);
        if (n + LEAF > ITEM_BLOCK || i + 1 == leaves) {
            if (n > 0 && !test_items(descent, n))
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
            if (boxes + CHILDREN <= ITEM_BLOCK && i + 1 < n)
                continue;
            if (level > 0)
                found += test_boxes(descent, boxes, next + found);
            else if (!test_leaves(descent, test_boxes(descent, boxes, descent->item_block->leaves)))
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
        .search = search, .rows = {.n = 1, .ids = search->scratch->ids}, .item_block = &search->scratch->item_block};
    const size_t end = search->last * PACKET < search->queries->n ? search->last * PACKET : search->queries->n;
    struct abut_stats before = *search->stats;
    for (size_t i = search->first * PACKET; i < end; i++) {
        if (i % PACKET == 0)
            before = *search->stats;
        abut_hull_prepare(&descent.hull, search->hulls, i, true);
        descent.rows.queries = search->queries->ids + i;
        if (!descent.hull.invalid)
            search_hull(&descent);
        if (descent.ended) {
            /* The caller searches the packet again, or not at all. */
            *search->stats = before;
            return;
        }
    }
}
