/* SPDX-License-Identifier: MIT */
/* Joins of some items of an index with all of them. */
#include "bvh/build/leaves.h"
#include "bvh/search/near.h"
#include "bvh/search/run.h"
#include "util/float_mode.h"

#include <string.h>

/* A bit for each listed item, and how many are set; NULL: out of memory. */
static uint64_t *mark_items(const struct abut_index *index, const uint32_t *items, size_t n,
                            struct abut_workspace *workspace, size_t *marked)
{
    const size_t words = abut_mask_words(index->tree.leaves.n);
    uint64_t *bits = abut_workspace_take(workspace, SLOT_SEEN, words, sizeof *bits);
    if (!bits)
        return NULL;
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < n; i++)
        bits[items[i] / 64] |= UINT64_C(1) << items[i] % 64;
    *marked = (size_t)abut_mask_count(bits, index->tree.leaves.n);
    return bits;
}

/* Copies the item of a lane of the index to a place in other leaves. */
static void copy_item(const struct abut_index *index, size_t lane, const struct leaves *to, size_t place)
{
    const struct leaves *from = &index->tree.leaves;
    const unsigned fields = from->fields;
    for (unsigned k = 0; k < fields; k++)
        to->at[(place / LEAF * fields + k) * LEAF + place % LEAF] =
            index->view.boxes ? index->view.items.at[k][from->ids[lane]]
                              : from->at[(lane / LEAF * fields + k) * LEAF + lane % LEAF];
}

static void blank_item(const struct leaves *leaves, size_t place)
{
    for (unsigned k = 0; k < leaves->fields; k++)
        leaves->at[(place / LEAF * leaves->fields + k) * LEAF + place % LEAF] = abut_no_item(leaves->shape)[k];
}

/* The marked items as queries, in the order of the tree. */
static bool gather_marked(const struct abut_index *index, const uint64_t *bits, size_t marked,
                          struct abut_workspace *workspace, struct leaves *queries)
{
    const struct leaves *all = &index->tree.leaves;
    const size_t lanes = all->count * LEAF, most = near_most(marked, lanes) + LEAF;
    queries->at = abut_workspace_take(workspace, SLOT_LEAVES, most, all->fields * sizeof *queries->at);
    queries->ids = abut_workspace_take(workspace, SLOT_IDS, most, sizeof *queries->ids);
    if (!queries->at || !queries->ids)
        return false;
    queries->shape = all->shape;
    queries->fields = all->fields;
    struct near_list list = {queries->ids, 0, 0};
    for (size_t lane = 0; lane < lanes; lane++) {
        const uint32_t id = all->ids[lane];
        if (id != UINT32_MAX && (bits[id / 64] >> id % 64 & 1) != 0)
            copy_item(index, lane, queries, near_put(&list, lane, id));
    }
    near_end(&list);
    for (size_t place = 0; place < list.n; place++)
        if (queries->ids[place] == UINT32_MAX)
            blank_item(queries, place);
    if (index->view.boxes)
        abut_skip_invalid(queries, 0, list.n / LEAF);
    abut_leaves_begin(queries, (enum shape)all->shape, all->fields, list.n);
    return true;
}

static enum abut_status check_some(const struct join *join, const uint32_t *items, size_t n)
{
    if (n > 0 && !items)
        return ABUT_ERROR_NULL;
    for (size_t i = 0; i < n; i++)
        if (items[i] >= join->index->tree.leaves.n)
            return ABUT_ERROR_ARGUMENT;
    return ABUT_OK;
}

/* The output of a join: a buffer if count is not NULL, else memory of the caller's function. */
struct output {
    struct abut_pair *pairs;
    size_t capacity;
    uint64_t *count;
    abut_pairs_function *get;
    void *context;
};

static enum abut_status run_some(struct join *join, const uint32_t *items, size_t n, const struct output *output)
{
    struct abut_index queries = {.tree.levels = 0};
    size_t marked = 0;
    const uint64_t *bits = mark_items(join->index, items, n, join->workspace, &marked);
    if (!bits || !gather_marked(join->index, bits, marked, join->workspace, &queries.tree.leaves))
        return ABUT_ERROR_MEMORY;
    join->queries = abut_of_index(&queries);
    join->some = bits;
    return output->count ? abut_join_buffer(join, output->pairs, output->capacity, output->count)
                         : abut_join_collect(join, output->get, output->context);
}

static enum abut_status join_some(unsigned takes, const struct abut_index *index, const uint32_t *items, size_t n,
                                  const struct abut_options *options, const struct output *output)
{
    struct join join = join_of(takes, index, abut_of_index(index), options);
    enum abut_status status = abut_join_check(&join);
    if (status == ABUT_OK)
        status = check_some(&join, items, n);
    if (status != ABUT_OK)
        return status;
    struct abut_workspace own;
    join.workspace = abut_workspace_begin(join.options, &own);
    status = run_some(&join, items, n, output);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_join_some(const struct abut_index *index, const uint32_t *items, size_t n,
                                const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                uint64_t *count)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct output output = {pairs, capacity, count, NULL, NULL};
    if (!index || !count || (capacity > 0 && !pairs))
        return ABUT_ERROR_NULL;
    return join_some(options_of_abut_join_some, index, items, n, options, &output);
}

enum abut_status abut_join_some_to(const struct abut_index *index, const uint32_t *items, size_t n,
                                   const struct abut_options *options, abut_pairs_function *get, void *context)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct output output = {NULL, 0, NULL, get, context};
    if (!index || !get)
        return ABUT_ERROR_NULL;
    return join_some(options_of_abut_join_some_to, index, items, n, options, &output);
}
