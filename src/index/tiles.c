/* SPDX-License-Identifier: MIT */
/* Records, wherever they lie, to tiles: eight at a time, member by member. */
#include "tiles.h"

#include "records.h"

enum { AHEAD = 16 /* items to prefetch, whole tiles */ };

size_t abut_tiles_count(size_t n)
{
    return n / TILE + (n % TILE != 0);
}

/* A tile of the records from[0] to from[TILE - 1]; lanes without one, UINT32_MAX, are NaN. */
static inline void gather(const float *records, const uint32_t *from, unsigned fields, float *tile)
{
    for (unsigned i = 0; i < TILE; i++) {
        if (from[i] == UINT32_MAX) {
            for (unsigned k = 0; k < fields; k++)
                tile[k * TILE + i] = NAN;
            continue;
        }
        const float *record = records + (size_t)from[i] * fields;
        for (unsigned k = 0; k < fields; k++)
            tile[k * TILE + i] = record[k];
    }
}

/* The loop over fields is unrolled for each shape. */
static inline void gather_tile(const struct tiles *tiles, const float *records, const uint32_t *from, size_t t)
{
#define BOUNDED(name)                                                                                                  \
    if (tiles->shape == shape_##name)                                                                                  \
        gather(records, from, name##_fields, tiles->at + t * name##_fields * TILE);
    BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
}

struct fill {
    const struct team *team;
    const struct tiles *tiles;
    const struct sorted *sorted;
};

static void fill_tiles(void *work, unsigned w)
{
    const struct fill *fill = work;
    const struct tiles *tiles = fill->tiles;
    const struct sorted *sorted = fill->sorted;
    const size_t count = tiles->count + 1, end = team_first(fill->team, count, w + 1);
    for (size_t t = team_first(fill->team, count, w); t < end; t++) {
        uint32_t from[TILE];
        for (unsigned i = 0; i < TILE; i++) {
            const size_t at = t * TILE + i;
            if (at + AHEAD < sorted->n)
                __builtin_prefetch(sorted->records + (size_t)(uint32_t)sorted->order[at + AHEAD] * tiles->fields);
            from[i] = at < sorted->n ? (uint32_t)sorted->order[at] : UINT32_MAX;
            tiles->ids[at] = at < sorted->n ? (uint32_t)(sorted->order[at] >> 32) : UINT32_MAX;
        }
        gather_tile(tiles, sorted->records, from, t);
    }
}

void abut_tiles_fill(struct tiles *tiles, const struct columns *items, const struct sorted *sorted,
                     const struct team *team)
{
    tiles->shape = items->shape;
    tiles->fields = items->fields;
    tiles->n = sorted->n;
    tiles->count = abut_tiles_count(sorted->n);
    struct fill fill = {team, tiles, sorted};
    team_run(team, fill_tiles, &fill);
}

enum abut_status abut_sort_to_tiles(const struct columns *items, struct abut_workspace *workspace,
                                    const struct team *team, struct tiles *tiles)
{
    struct sorted sorted;
    enum abut_status status = abut_sort_items(items, workspace, team, &sorted);
    if (status != ABUT_OK)
        return status;
    const size_t count = abut_tiles_count(sorted.n) + 1;
    tiles->at = abut_workspace_take(workspace, SLOT_TILES, count * items->fields * TILE, sizeof *tiles->at);
    tiles->ids = abut_workspace_take(workspace, SLOT_IDS, count * TILE, sizeof *tiles->ids);
    if (!tiles->at || !tiles->ids)
        return ABUT_ERROR_MEMORY;
    abut_tiles_fill(tiles, items, &sorted, team);
    return ABUT_OK;
}

struct staging {
    const struct team *team;
    const struct columns *items;
    float *records;
};

static void stage_share(void *work, unsigned w)
{
    const struct staging *staging = work;
    const struct columns *items = staging->items;
    const size_t first = team_first(staging->team, items->n, w), end = team_first(staging->team, items->n, w + 1);
#define BOUNDED(name)                                                                                                  \
    if (items->shape == shape_##name)                                                                                  \
        for (size_t i = first; i < end; i++)                                                                           \
            name##_record(items->at, i, staging->records + i * name##_fields);
    BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
}

const float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace, const struct team *team)
{
    struct staging staging = {team, items, NULL};
    staging.records = abut_workspace_take(workspace, SLOT_RECORDS, items->n, items->fields * sizeof *staging.records);
    if (staging.records)
        team_run(team, stage_share, &staging);
    return staging.records;
}

void abut_tiles_refill(const struct tiles *tiles, const float *records, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        for (size_t i = t * TILE + AHEAD; i < t * TILE + AHEAD + TILE && i < end * TILE && i < tiles->n; i++)
            __builtin_prefetch(records + (size_t)tiles->ids[i] * tiles->fields);
        gather_tile(tiles, records, tiles->ids + t * TILE, t);
    }
}
