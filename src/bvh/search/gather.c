/* SPDX-License-Identifier: MIT */
/*
 * Tiles of borrowed items, made once a search: all of them before it begins, or each when it is first wanted. What that costs is
 * memory, since each member of an item lies on another line, and those of its neighbours in the tree on others again.
 */
#include "bvh/build/padded.h"

#include "bvh/index.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Of so many items or fewer to a query most tiles are wanted, and to make all is cheaper. */
enum { ITEMS_A_QUERY = 128 };

enum { NOT_THERE, COMING, THERE };

/* Whether there is one, and it is not bad. */
static inline bool has_item(const struct borrow *borrow, uint32_t id)
{
    return id != UINT32_MAX && !(borrow->some_bad && isnan(borrow->boxes[(size_t)id * BOX]));
}

/* Inlined by force: gcc 12 takes a function that does nothing but this for one that does nothing. */
__attribute__((always_inline)) static inline void prefetch_items(const struct columns *items, const uint32_t *ids)
{
    for (unsigned i = 0; i < TILE; i++)
        for (unsigned k = 0; ids[i] != UINT32_MAX && k < items->fields; k++)
            __builtin_prefetch(items->at[k] + ids[i], 0, 2);
}

static void make_tile(const struct tiles *tiles, size_t t)
{
    const struct borrow *borrow = tiles->borrow;
    const uint32_t *ids = tiles->ids + t * TILE;
    float *tile = tiles->at + t * tiles->fields * TILE;
    for (unsigned i = 0; i < TILE; i++) {
        const bool item = has_item(borrow, ids[i]);
        for (unsigned k = 0; k < tiles->fields; k++)
            tile[k * TILE + i] = item ? borrow->items.at[k][ids[i]] : abut_no_item(tiles->shape)[k];
    }
}

/*
 * Each tile is made by the first thread that wants it. Others wait until it has been made, and for nothing else: who has taken some
 * makes these before waiting for any.
 */
void abut_tiles_fetch(const struct tiles *tiles, const uint32_t *list, size_t n)
{
    enum { MOST = 64 };
    uint32_t mine[MOST];
    bool wait = false;
    for (size_t first = 0; first < n; first += MOST) {
        const size_t end = n - first < MOST ? n : first + MOST;
        unsigned taken = 0;
        for (size_t i = first; i < end; i++) {
            _Atomic(unsigned char) *state = &tiles->fetched[list[i]];
            unsigned char was = atomic_load_explicit(state, memory_order_acquire);
            if (was == NOT_THERE && atomic_compare_exchange_strong_explicit(state, &was, COMING, memory_order_acquire,
                                                                            memory_order_acquire)) {
                prefetch_items(&tiles->borrow->items, tiles->ids + (size_t)list[i] * TILE);
                mine[taken++] = list[i];
            } else {
                wait |= was != THERE;
            }
        }
        for (unsigned i = 0; i < taken; i++) {
            make_tile(tiles, mine[i]);
            atomic_store_explicit(&tiles->fetched[mine[i]], THERE, memory_order_release);
        }
    }
    for (size_t i = 0; wait && i < n; i++)
        while (atomic_load_explicit(&tiles->fetched[list[i]], memory_order_acquire) != THERE)
            continue;
}

/* All at once: items turn to records in the order they come, each a line or two of memory and not a line a member. */
struct filling {
    const struct team *team;
    const struct tiles *tiles;
    float *records;
};

static void blank_share(void *work, unsigned w)
{
    const struct filling *filling = work;
    const struct tiles *tiles = filling->tiles;
    const size_t end = team_first(filling->team, tiles->n, w + 1);
    for (size_t i = team_first(filling->team, tiles->n, w); i < end; i++)
        if (!has_item(tiles->borrow, (uint32_t)i))
            memcpy(filling->records + i * tiles->fields, abut_no_item(tiles->shape), tiles->fields * sizeof(float));
}

static void fill_share(void *work, unsigned w)
{
    const struct filling *filling = work;
    const struct tiles *tiles = filling->tiles;
    abut_tiles_refill(tiles, filling->records, team_first(filling->team, tiles->count, w),
                      team_first(filling->team, tiles->count, w + 1));
}

static bool fetch_all(struct tiles *tiles, struct abut_workspace *workspace, const struct team *team)
{
    bool all_good;
    struct filling filling = {team, tiles, abut_records_stage(&tiles->borrow->items, workspace, team, &all_good)};
    if (!filling.records)
        return false;
    if (tiles->borrow->some_bad)
        team_run(team, blank_share, &filling);
    team_run(team, fill_share, &filling);
    tiles->borrow = NULL; /* all are there */
    return true;
}

static bool fetch_none(struct tiles *tiles, struct abut_workspace *workspace)
{
    tiles->fetched = abut_workspace_take(workspace, SLOT_FETCHED, tiles->count + 1, sizeof *tiles->fetched);
    if (!tiles->fetched)
        return false;
    memset((void *)tiles->fetched, NOT_THERE, tiles->count);
    tiles->fetched[tiles->count] = THERE;
    return true;
}

enum abut_status abut_tree_of(const struct abut_index *index, size_t queries, const struct abut_settings *settings,
                              struct abut_workspace *workspace, enum slot slot, struct tree *tree)
{
    *tree = index->tree;
    struct tiles *tiles = &tree->tiles;
    if (!index->borrow.boxes)
        return ABUT_OK;
    const struct team team = team_of(settings, tiles->n);
    tiles->at = abut_workspace_take(workspace, slot, (tiles->count + 1) * tiles->fields * TILE, sizeof *tiles->at);
    if (!tiles->at)
        return ABUT_ERROR_MEMORY;
    tiles->borrow = &index->borrow;
    make_tile(tiles, tiles->count);
    const bool all = queries >= tiles->n / ITEMS_A_QUERY;
    return (all ? fetch_all(tiles, workspace, &team) : fetch_none(tiles, workspace)) ? ABUT_OK : ABUT_ERROR_MEMORY;
}
