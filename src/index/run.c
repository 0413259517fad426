/* SPDX-License-Identifier: MIT */
/* One search: arguments checked, queries sorted, and the active variant's loop called. */
#include "run.h"

#include "dispatch.h"

/* Searches by the shapes of both sides; search_count where there is none. */
static enum search_kind search_kind_of(enum shape query, enum shape item, bool self)
{
#define SEARCH(query_shape, item_shape, predicate, order)                                                              \
    if (!self && query == shape_##query_shape && item == shape_##item_shape)                                           \
        return search_##query_shape##_##item_shape;
#define SELF(shape, predicate)                                                                                         \
    if (self && item == shape_##shape)                                                                                 \
        return search_self_##shape;
#include "searches.def"
    return search_count;
}

static bool is_self(const struct join *join)
{
    return join->queries.items == NULL;
}

static const struct tiles *tiles_of_index(const struct join *join)
{
    if (is_self(join))
        return &join->index->tree.tiles;
    return join->queries.kind == ABUT_SET_INDEX ? &((const struct abut_index *)join->queries.items)->tree.tiles : NULL;
}

static enum search_kind kind_of(const struct join *join)
{
    const struct tiles *tiles = tiles_of_index(join);
    enum shape query = tiles ? (enum shape)tiles->shape : abut_columns_of(join->queries).shape;
    return search_kind_of(query, (enum shape)join->index->tree.tiles.shape, is_self(join));
}

enum abut_status abut_join_check(const struct join *join)
{
    if (!join->index)
        return ABUT_ERROR_NULL;
    if (join->settings->touch != ABUT_CLOSED && join->settings->touch != ABUT_OPEN)
        return ABUT_ERROR_ARGUMENT;
    enum abut_status status = is_self(join) ? ABUT_OK : abut_check_set(join->queries);
    return status == ABUT_OK && kind_of(join) == search_count ? ABUT_ERROR_ARGUMENT : status;
}

size_t abut_join_queries(const struct join *join)
{
    const struct tiles *tiles = tiles_of_index(join);
    return tiles ? tiles->n : abut_columns_of(join->queries).n;
}

/* The queries in order, in the workspace. */
static enum abut_status sort_queries(const struct join *join, struct tiles *tiles)
{
    const struct columns items = abut_columns_of(join->queries);
    struct sorted sorted;
    enum abut_status status = abut_sort_items(&items, join->workspace, &sorted);
    if (status != ABUT_OK)
        return status;
    const size_t count = abut_tiles_count(sorted.n) + 1;
    tiles->at = abut_workspace_take(join->workspace, SLOT_TILES, count * items.fields * TILE, sizeof *tiles->at);
    tiles->ids = abut_workspace_take(join->workspace, SLOT_IDS, count * TILE, sizeof *tiles->ids);
    if (!tiles->at || !tiles->ids)
        return ABUT_ERROR_MEMORY;
    abut_tiles_fill(tiles, &items, &sorted);
    return ABUT_OK;
}

enum abut_status abut_join_run(const struct join *join)
{
    const struct tree *tree = &join->index->tree;
    if (tree->tiles.n == 0 || abut_join_queries(join) == 0)
        return ABUT_OK;
    struct tiles sorted;
    const struct tiles *queries = tiles_of_index(join);
    if (!queries) {
        enum abut_status status = sort_queries(join, &sorted);
        if (status != ABUT_OK)
            return status;
        queries = &sorted;
    }
    const size_t nodes = tree->nodes[0] + SLACK;
    struct abut_search_stats unwanted = {0};
    struct search search = {
        .tree = tree,
        .queries = queries,
        .last = queries->n / GROUP + (queries->n % GROUP != 0),
        .closed = join->settings->touch == ABUT_CLOSED,
        .any = join->any,
        .stats = join->settings->stats ? join->settings->stats : &unwanted,
        .scratch = abut_workspace_take(join->workspace, SLOT_SCRATCH, 1, sizeof(struct scratch)),
        .emit = join->emit,
        .context = join->context,
    };
    search.nodes[0] = abut_workspace_take(join->workspace, SLOT_NODES, 2 * nodes, sizeof *search.nodes[0]);
    if (!search.scratch || !search.nodes[0])
        return ABUT_ERROR_MEMORY;
    search.nodes[1] = search.nodes[0] + nodes;
    const struct variant *variant = join->variant ? join->variant : abut_active_variant();
    variant->searches[kind_of(join)](&search);
    return ABUT_OK;
}
