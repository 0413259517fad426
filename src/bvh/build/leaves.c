/* SPDX-License-Identifier: MIT */
/* Records, wherever they lie, to tiles: eight at a time, member by member. */
#include "bvh/build/leaves.h"

#include "bvh/build/records.h"
#include "dispatch/dispatch.h"

#include <stdatomic.h>

/*
 * Items to prefetch, whole tiles. Those of a bucket are near. Those of a refit come from anywhere in memory, and are asked for
 * further ahead and into the second-level cache: more can be on their way there than the first level waits for.
 */
enum { AHEAD = 16, REFILL_AHEAD = 64 };

size_t abut_tiles_count(size_t n)
{
    return n / TILE + (n % TILE != 0);
}

const float *abut_no_item(size_t shape)
{
    static const float nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    static const float no_sphere[] = {NAN, NAN, NAN, 0};
    _Static_assert(sizeof nothing == ABUT_MAX_FIELDS * sizeof *nothing, "a member for each that shapes have");
    return shape == shape_sphere ? no_sphere : nothing;
}

/* The loop over fields is unrolled for each shape. */
static inline void gather_tile(const struct tiles *tiles, const float *records, unsigned labels, const uint32_t *from,
                               size_t t)
{
#define BOUNDED(name)                                                                                                  \
    if (tiles->shape == shape_##name)                                                                                  \
        gather_records(records, name##_fields + labels, from, name##_fields, abut_no_item(shape_##name),               \
                       tiles->at + t * name##_fields * TILE);
    BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
}

void abut_tiles_begin(struct tiles *tiles, const struct columns *items, size_t n)
{
    tiles->shape = items->shape;
    tiles->fields = items->fields;
    tiles->n = n;
    tiles->count = abut_tiles_count(n);
    for (size_t i = n; i < (tiles->count + 1) * TILE; i++) {
        for (unsigned k = 0; k < tiles->fields; k++)
            tiles->at[(i / TILE * tiles->fields + k) * TILE + i % TILE] = abut_no_item(tiles->shape)[k];
        tiles->ids[i] = UINT32_MAX;
    }
}

/* Eight of them, which are a whole tile. */
static inline void put_tile(const struct tiles *tiles, size_t t, const uint64_t *order, size_t left,
                            const float *records)
{
    const size_t stride = tiles->fields + LABELS;
    uint32_t from[TILE];
    for (unsigned i = 0; i < TILE; i++) {
        if (i + AHEAD < left)
            __builtin_prefetch(records + (uint32_t)order[i + AHEAD] * stride);
        from[i] = (uint32_t)order[i];
        tiles->ids[t * TILE + i] = record_item(records + from[i] * stride, tiles->fields);
    }
    gather_tile(tiles, records, LABELS, from, t);
}

static inline void put_lane(const struct tiles *tiles, size_t to, uint32_t from, const float *records)
{
    const size_t fields = tiles->fields;
    const float *record = records + from * (fields + LABELS);
    tiles->ids[to] = record_item(record, tiles->fields);
    for (unsigned k = 0; k < fields; k++)
        tiles->at[(to / TILE * fields + k) * TILE + to % TILE] = record[k];
}

void abut_tiles_put(const struct tiles *tiles, size_t first, size_t n, const uint64_t *order, const float *records)
{
    size_t i = 0;
    for (; i < n && (first + i) % TILE != 0; i++)
        put_lane(tiles, first + i, (uint32_t)order[i], records);
    for (; n - i >= TILE; i += TILE)
        put_tile(tiles, (first + i) / TILE, order + i, n - i, records);
    for (; i < n; i++)
        put_lane(tiles, first + i, (uint32_t)order[i], records);
}

bool abut_all_good(const struct columns *items, size_t first, size_t end)
{
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < items->fields; k++)
        at[k] = items->at[k] + first;
    return abut_active_variant()->valid[items->shape](at, end - first);
}

struct staging {
    const struct team *team;
    const struct columns *items;
    float *records;
    _Atomic(bool) bad; /* some item is */
};

/* Those of points are too short for vectors. */
static inline void stage(const struct columns *items, unsigned fields, size_t first, size_t end, float *records)
{
    size_t i = first;
    for (; fields >= 4 && i + 4 <= end; i += 4) {
        float *at = records + i * fields, *const to[] = {at, at + fields, at + 2 * fields, at + 3 * fields};
        put_records(items->at, fields, 0, i, NULL, to);
    }
    for (; i < end; i++)
        put_record(items->at, fields, 0, i, NULL, records + i * fields);
}

static void stage_items(const struct columns *items, size_t first, size_t end, float *records)
{
#define BOUNDED(name)                                                                                                  \
    if (items->shape == shape_##name)                                                                                  \
        stage(items, name##_fields, first, end, records);
    BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
}

static void stage_share(void *work, unsigned w)
{
    struct staging *staging = work;
    const struct columns *items = staging->items;
    const size_t last = team_first(staging->team, items->n, w + 1);
    for (size_t first = team_first(staging->team, items->n, w), end; first < last; first = end) {
        end = last - first < CHECKED ? last : first + CHECKED;
        if (!abut_all_good(items, first, end))
            staging->bad = true;
        stage_items(items, first, end, staging->records);
    }
}

float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                          bool *all_good)
{
    struct staging staging = {team, items, NULL, false};
    /* One more, since records of points are read as four members. */
    staging.records =
        abut_workspace_take(workspace, SLOT_RECORDS, items->n + 1, items->fields * sizeof *staging.records);
    if (staging.records)
        team_run(team, stage_share, &staging);
    *all_good = !staging.bad;
    return staging.records;
}

void abut_tiles_refill(const struct tiles *tiles, const float *records, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        /* Beyond the end, too: a refit asks for a node's tiles at a time, and soon for the next node's. */
        const size_t ahead = t * TILE + REFILL_AHEAD;
        for (size_t i = ahead; i < ahead + TILE && i < tiles->n; i++) {
            const float *record = records + (size_t)tiles->ids[i] * tiles->fields;
            __builtin_prefetch(record, 0, 2);
            __builtin_prefetch(record + tiles->fields - 1, 0, 2);
        }
        gather_tile(tiles, records, 0, tiles->ids + t * TILE, t);
    }
}
