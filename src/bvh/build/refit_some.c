/* SPDX-License-Identifier: MIT */
/*
 * Refitting an index of which some items have moved. A bit for each item says which, so the work is in the order of
 * memory, and an item that is listed twice moves once. Nothing changes before all that can fail has been done.
 */
#include "bvh/build/records.h"
#include "bvh/index.h"
#include "util/float_mode.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* With more than one item listed of so many, refilling all leaves of an owner is cheaper: 1.0 to 1.3 times. */
enum { MOST_SPARSE = 16 };

/* With more changed leaves, a node of level 0 is set as a whole, which vectorises. */
enum { FEW_LEAVES = 4 };

/* The call: what has moved where. */
struct moves {
    struct abut_index *index;
    struct abut_set set;
    struct columns items;
    const uint32_t *moved;
    size_t n;
    const struct abut_options *options;
    struct parallel parallel;
    unsigned char *listed;       /* by eight items: a bit for each that is listed */
    unsigned char *leaves;       /* of an owner: 1 for each leaf with a listed item */
    struct abut_invalid invalid; /* of the listed items */
};

static inline bool is_listed(const struct moves *moves, size_t i)
{
    return i < moves->items.n && (moves->listed[i / LEAF] >> i % LEAF & 1) != 0;
}

/* The first listed item from i on, or the number of items. */
static inline size_t next_listed(const struct moves *moves, size_t i)
{
    const size_t n = moves->items.n, end = abut_leaves_count(n);
    if (i >= n)
        return n;
    const unsigned left = (unsigned)moves->listed[i / LEAF] >> i % LEAF;
    if (left != 0)
        return i + (unsigned)__builtin_ctz(left);
    const size_t t = next_marked(moves->listed, i / LEAF + 1, end);
    return t < end ? t * LEAF + (unsigned)__builtin_ctz(moves->listed[t]) : n;
}

/* The end of the run of listed items that begins with i, or of a part of it. */
static inline size_t run_end(const struct moves *moves, size_t i)
{
    size_t end = i;
    while (is_listed(moves, end) && end - i < CHECKED)
        end += end % LEAF == 0 && moves->listed[end / LEAF] == UCHAR_MAX ? LEAF : 1;
    return end;
}

static enum abut_status list_items(struct moves *moves, struct abut_workspace *workspace)
{
    const size_t leaves = abut_leaves_count(moves->items.n);
    moves->listed = abut_workspace_take(workspace, SLOT_LISTED, 2 * leaves + 1, 1);
    if (!moves->listed)
        return ABUT_ERROR_MEMORY;
    moves->leaves = moves->listed + leaves;
    memset(moves->listed, 0, 2 * leaves);
    for (size_t i = 0; i < moves->n; i++)
        moves->listed[moves->moved[i] / LEAF] |= (unsigned char)(1u << moves->moved[i] % LEAF);
    return ABUT_OK;
}

/* Checks the listed items. The strict check is slow, so it runs only where the wide one does not do. */
static enum abut_status check_listed(struct moves *moves)
{
    struct abut_invalid *all = &moves->invalid;
    for (size_t i = next_listed(moves, 0), end; i < moves->items.n; i = next_listed(moves, end)) {
        end = run_end(moves, i);
        if (moves->items.shape != shape_obb && abut_all_valid(&moves->items, i, end))
            continue;
        struct abut_invalid found = {0};
        union any_batch any;
        abut_check(abut_set_part(moves->set, i, end - i, &any), &found);
        const size_t before = all->count;
        if (before == 0 && found.count > 0) {
            *all = found;
            all->row += i;
        }
        all->count = before + found.count;
    }
    return all->count == 0 || moves->options->skip_invalid ? ABUT_OK : ABUT_ERROR_INVALID;
}

/* Where the items of an owner are in its leaves; NULL: out of memory. */
static const uint32_t *places_of(struct abut_index *index)
{
    const struct leaves *leaves = &index->tree.leaves;
    if (index->places.block)
        return index->places.memory;
    uint32_t *places = abut_memory_resize(&index->allocator, &index->places, leaves->n, sizeof *places, false);
    for (size_t i = 0; places && i < leaves->n; i++)
        places[leaves->ids[i]] = (uint32_t)i;
    return places;
}

static inline float radius_at(const struct leaves *leaves, size_t place)
{
    return leaves->at[(place / LEAF * leaves->fields + 3) * LEAF + place % LEAF];
}

/* Copies the listed items to their lanes. Returns whether one of them had the greatest radius before. */
static bool take_items(const struct moves *moves, const uint32_t *places)
{
    const struct tree *tree = &moves->index->tree;
    const struct leaves *leaves = &tree->leaves;
    const unsigned fields = leaves->fields;
    bool had_it = false;
    for (size_t i = next_listed(moves, 0); i < leaves->n; i = next_listed(moves, i + 1)) {
        const size_t place = places[i];
        had_it |= leaves->shape == shape_sphere && radius_at(leaves, place) == tree->margin.radius;
        for (unsigned k = 0; k < fields; k++)
            leaves->at[(place / LEAF * fields + k) * LEAF + place % LEAF] = moves->items.at[k][i];
        moves->leaves[place / LEAF] = 1;
    }
    return had_it;
}

/* Renews the marked leaves below node i of level 0, and the node. */
static void renew_node(const struct moves *moves, size_t i)
{
    struct tree *tree = &moves->index->tree;
    const size_t first = i * CHILDREN, more = first + CHILDREN;
    const size_t end = more < tree->leaves.count ? more : tree->leaves.count;
    unsigned changed = 0;
    for (size_t t = first; t < end; t++) {
        changed += moves->leaves[t];
        if (moves->leaves[t] != 0 && moves->invalid.count > 0)
            abut_skip_invalid(&tree->leaves, t, t + 1);
    }
    if (changed > FEW_LEAVES) {
        abut_nodes_set_lowest(tree, i);
        return;
    }
    for (size_t t = first; t < end; t++) {
        float boxes[6][LEAF];
        if (moves->leaves[t] == 0)
            continue;
        abut_nodes_leaf_boxes(&tree->leaves, t, boxes);
        abut_nodes_set_leaf(tree, t, boxes);
    }
}

static void renew_share(void *work, unsigned w)
{
    const struct moves *moves = work;
    const struct tree *tree = &moves->index->tree;
    const size_t nodes = tree->nodes[0], last = tree->leaves.count;
    const size_t first = parallel_first(&moves->parallel, nodes, w) * CHILDREN,
                 more = parallel_first(&moves->parallel, nodes, w + 1) * CHILDREN, end = more < last ? more : last;
    for (size_t t = next_marked(moves->leaves, first, end); t < end;) {
        renew_node(moves, t / CHILDREN);
        t = next_marked(moves->leaves, (t / CHILDREN + 1) * CHILDREN, end);
    }
}

/*
 * The greatest finite radius is that of before or of a listed sphere. All are looked at only if a listed sphere had it
 * and none has it now.
 */
static void renew_radius(const struct moves *moves, const uint32_t *places, bool had_it)
{
    struct tree *tree = &moves->index->tree;
    float greatest = 0;
    for (size_t i = next_listed(moves, 0); i < moves->items.n; i = next_listed(moves, i + 1)) {
        const float r = radius_at(&tree->leaves, places[i]);
        greatest = r > greatest && r < INFINITY ? r : greatest;
    }
    if (greatest >= tree->margin.radius)
        tree->margin.radius = greatest;
    else if (had_it)
        tree->margin.radius = abut_leaves_radius(&tree->leaves);
}

static enum abut_status refit_few(struct moves *moves)
{
    struct tree *tree = &moves->index->tree;
    const uint32_t *places = places_of(moves->index);
    if (!places)
        return ABUT_ERROR_MEMORY;
    const enum abut_status status = check_listed(moves);
    if (status != ABUT_OK)
        return status;
    const bool had_it = take_items(moves, places);
    parallel_run(&moves->parallel, renew_share, moves);
    abut_nodes_set_above(tree, moves->leaves);
    if (tree->leaves.shape == shape_sphere)
        renew_radius(moves, places, had_it);
    return ABUT_OK;
}

/* The other items are where they were, but those that are invalid must be found once more. */
static enum abut_status refit_many(struct moves *moves, struct abut_workspace *workspace)
{
    const struct columns *items = &moves->items;
    bool all_good;
    const float *records = abut_records_stage(items, workspace, &moves->parallel, &all_good);
    if (!records)
        return ABUT_ERROR_MEMORY;
    const bool blank = may_be_invalid(items, all_good);
    const enum abut_status status = blank ? check_listed(moves) : ABUT_OK;
    if (status == ABUT_OK)
        abut_index_refill(moves->index, records, blank, &moves->parallel);
    return status;
}

static enum abut_status refit_moved(struct moves *moves, struct abut_workspace *workspace)
{
    const bool is_view = moves->index->view.boxes != NULL;
    if (moves->n == 0 && !is_view)
        return ABUT_OK;
    enum abut_status status = list_items(moves, workspace);
    if (status != ABUT_OK)
        return status;
    if (!is_view)
        return moves->n > moves->items.n / MOST_SPARSE ? refit_many(moves, workspace) : refit_few(moves);
    status = check_listed(moves);
    return status != ABUT_OK ? status
                             : abut_view_renew_some(moves->index, &moves->items, moves->listed,
                                                    moves->invalid.count == 0, workspace, &moves->parallel);
}

/* What must hold before items are read. */
static enum abut_status check_call(struct moves *moves)
{
    if (moves->n > 0 && !moves->moved)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(options_of_abut_index_refit_some, moves->options);
    if (status == ABUT_OK)
        status = abut_check_set(moves->set);
    if (status != ABUT_OK)
        return status;
    if (abut_indexed_shape(moves->set.kind) == shape_count)
        return ABUT_ERROR_ARGUMENT;
    moves->items = abut_columns_of(moves->set);
    status = abut_refit_check(moves->index, &moves->items);
    for (size_t i = 0; status == ABUT_OK && i < moves->n; i++)
        if (moves->moved[i] >= moves->items.n)
            return ABUT_ERROR_ARGUMENT;
    return status;
}

enum abut_status abut_index_refit_some(struct abut_index *index, struct abut_set items, const uint32_t *moved, size_t n,
                                       const struct abut_options *options, double *growth, struct abut_invalid *invalid)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!index)
        return ABUT_ERROR_NULL;
    struct moves moves = {.index = index, .set = items, .moved = moved, .n = n, .options = options_or_none(options)};
    enum abut_status status = check_call(&moves);
    if (status == ABUT_OK && !options_proceed(moves.options))
        status = ABUT_ERROR_STOPPED;
    if (status != ABUT_OK)
        return status;
    struct abut_workspace own, *workspace = abut_workspace_begin(moves.options, &own);
    moves.parallel = parallel_of(moves.options, n);
    status = refit_moved(&moves, workspace);
    abut_workspace_end(&own);
    if (invalid && (status == ABUT_OK || status == ABUT_ERROR_INVALID))
        *invalid = moves.invalid;
    if (status == ABUT_OK && growth)
        *growth = abut_index_growth(index);
    return status;
}
