/* SPDX-License-Identifier: MIT */
/*
 * Leaves of a view, filled once a search: all of them before it begins, or each when it is first wanted. The cost is
 * cache misses: each member of an item is on another line, and so are those of its neighbours in the tree.
 */
#include "bvh/build/padded.h"

#include "bvh/index.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* With at most this many items per query most leaves are wanted, and filling all at once is cheaper. */
enum { ITEMS_A_QUERY = 128 };

enum { NOT_THERE, COMING, THERE };

/* Whether the lane holds a valid item. */
static inline bool has_item(const struct view *view, uint32_t id)
{
    return id != UINT32_MAX && !(view->some_invalid && isnan(view->boxes[(size_t)id * BOX]));
}

/* Inlined by force: gcc 12 treats a function that only prefetches as one without effect. */
__attribute__((always_inline)) static inline void prefetch_items(const struct columns *items, const uint32_t *ids)
{
    for (unsigned i = 0; i < LEAF; i++)
        for (unsigned k = 0; ids[i] != UINT32_MAX && k < items->fields; k++)
            __builtin_prefetch(items->at[k] + ids[i], 0, 2);
}

static void make_leaf(const struct leaves *leaves, size_t t)
{
    const struct view *view = leaves->view;
    const uint32_t *ids = leaves->ids + t * LEAF;
    float *leaf = leaves->at + t * leaves->fields * LEAF;
    for (unsigned i = 0; i < LEAF; i++) {
        const bool item = has_item(view, ids[i]);
        for (unsigned k = 0; k < leaves->fields; k++)
            leaf[k * LEAF + i] = item ? view->items.at[k][ids[i]] : abut_no_item(leaves->shape)[k];
    }
}

/*
 * The first thread that wants a leaf fills it, and others wait for that. There is no deadlock: a thread fills all
 * leaves that it has taken before it waits for any.
 */
void abut_leaves_gather(const struct leaves *leaves, const uint32_t *list, size_t n)
{
    enum { MOST = 64 };
    uint32_t mine[MOST];
    bool wait = false;
    for (size_t first = 0; first < n; first += MOST) {
        const size_t end = n - first < MOST ? n : first + MOST;
        unsigned taken = 0;
        for (size_t i = first; i < end; i++) {
            _Atomic(unsigned char) *state = &leaves->gathered[list[i]];
            unsigned char was = atomic_load_explicit(state, memory_order_acquire);
            if (was == NOT_THERE && atomic_compare_exchange_strong_explicit(state, &was, COMING, memory_order_acquire,
                                                                            memory_order_acquire)) {
                prefetch_items(&leaves->view->items, leaves->ids + (size_t)list[i] * LEAF);
                mine[taken++] = list[i];
            } else {
                wait |= was != THERE;
            }
        }
        for (unsigned i = 0; i < taken; i++) {
            make_leaf(leaves, mine[i]);
            atomic_store_explicit(&leaves->gathered[mine[i]], THERE, memory_order_release);
        }
    }
    for (size_t i = 0; wait && i < n; i++)
        while (atomic_load_explicit(&leaves->gathered[list[i]], memory_order_acquire) != THERE)
            continue;
}

/*
 * Fills all leaves at once. Items are copied to records in their own order first. Then a leaf reads one or two cache
 * lines an item, and not one a member.
 */
struct filling {
    const struct parallel *parallel;
    const struct leaves *leaves;
    float *records;
};

static void blank_share(void *work, unsigned w)
{
    const struct filling *filling = work;
    const struct leaves *leaves = filling->leaves;
    const size_t end = parallel_first(filling->parallel, leaves->n, w + 1);
    for (size_t i = parallel_first(filling->parallel, leaves->n, w); i < end; i++)
        if (!has_item(leaves->view, (uint32_t)i))
            memcpy(filling->records + i * leaves->fields, abut_no_item(leaves->shape), leaves->fields * sizeof(float));
}

static void fill_share(void *work, unsigned w)
{
    const struct filling *filling = work;
    const struct leaves *leaves = filling->leaves;
    abut_leaves_refill(leaves, filling->records, parallel_first(filling->parallel, leaves->count, w),
                       parallel_first(filling->parallel, leaves->count, w + 1));
}

static bool gather_all(struct leaves *leaves, struct abut_workspace *workspace, const struct parallel *parallel)
{
    bool all_good;
    struct filling filling = {parallel, leaves,
                              abut_records_stage(&leaves->view->items, workspace, parallel, &all_good)};
    if (!filling.records)
        return false;
    if (leaves->view->some_invalid)
        parallel_run(parallel, blank_share, &filling);
    parallel_run(parallel, fill_share, &filling);
    leaves->view = NULL; /* all are filled */
    return true;
}

static bool gather_none(struct leaves *leaves, struct abut_workspace *workspace)
{
    leaves->gathered = abut_workspace_take(workspace, SLOT_GATHERED, leaves->count + 1, sizeof *leaves->gathered);
    if (!leaves->gathered)
        return false;
    memset((void *)leaves->gathered, NOT_THERE, leaves->count);
    leaves->gathered[leaves->count] = THERE;
    return true;
}

enum abut_status abut_tree_of(const struct abut_index *index, size_t queries, const struct abut_options *options,
                              struct abut_workspace *workspace, enum slot slot, struct tree *tree)
{
    *tree = index->tree;
    struct leaves *leaves = &tree->leaves;
    if (!index->view.boxes)
        return ABUT_OK;
    const struct parallel parallel = parallel_of(options, leaves->n);
    leaves->at = abut_workspace_take(workspace, slot, (leaves->count + 1) * leaves->fields * LEAF, sizeof *leaves->at);
    if (!leaves->at)
        return ABUT_ERROR_MEMORY;
    leaves->view = &index->view;
    make_leaf(leaves, leaves->count);
    const bool all = queries >= leaves->n / ITEMS_A_QUERY;
    return (all ? gather_all(leaves, workspace, &parallel) : gather_none(leaves, workspace)) ? ABUT_OK
                                                                                             : ABUT_ERROR_MEMORY;
}
