/* SPDX-License-Identifier: MIT */
/* Hilbert keys of centres, a radix sort, and a second look at cells that hold too many items. */
#include "sort.h"

#include "hilbert.h"
#include "index/bounds.h"
#include "kernels/items.h"

#include <float.h>

enum {
    CELLS = 1024,
    DIGIT_BITS = 10,
    DIGITS = 1 << DIGIT_BITS,
    /* More items of one key are sorted on, by a grid of their own: outliers may have taken all of the first. */
    CROWD = 64,
    AHEAD = 16 /* items to prefetch, whole tiles */
};

struct centre {
    double at[3];
};

static struct centre point_centre(struct point p)
{
    return (struct centre){{p.x, p.y, p.z}};
}

static struct centre sphere_centre(struct sphere s)
{
    return (struct centre){{s.x, s.y, s.z}};
}

/* An infinite bound counts as the greatest finite one. */
static double middle(float min, float max)
{
    double low = min < -FLT_MAX ? -FLT_MAX : min, high = max > FLT_MAX ? FLT_MAX : max;
    return (low + high) / 2;
}

static struct centre aabb_centre(struct aabb b)
{
    return (struct centre){{middle(b.minx, b.maxx), middle(b.miny, b.maxy), middle(b.minz, b.maxz)}};
}

static struct centre obb_centre(struct obb b)
{
    return (struct centre){{b.cx, b.cy, b.cz}};
}

static struct centre segment_centre(struct segment s)
{
    return (struct centre){{middle(s.ax, s.bx), middle(s.ay, s.by), middle(s.az, s.bz)}};
}

static struct centre capsule_centre(struct capsule c)
{
    return (struct centre){{middle(c.ax, c.bx), middle(c.ay, c.by), middle(c.az, c.bz)}};
}

static double middle_of_three(float a, float b, float c)
{
    return ((double)a + (double)b + (double)c) / 3;
}

static struct centre triangle_centre(struct triangle t)
{
    return (struct centre){
        {middle_of_three(t.ax, t.bx, t.cx), middle_of_three(t.ay, t.by, t.cy), middle_of_three(t.az, t.bz, t.cz)}};
}

struct grid {
    double min[3], max[3], scale[3];
};

static void grid_begin(struct grid *grid)
{
    for (unsigned k = 0; k < 3; k++) {
        grid->min[k] = INFINITY;
        grid->max[k] = -INFINITY;
    }
}

static inline void grid_include(struct grid *grid, struct centre c)
{
    for (unsigned k = 0; k < 3; k++) {
        grid->min[k] = c.at[k] < grid->min[k] ? c.at[k] : grid->min[k];
        grid->max[k] = c.at[k] > grid->max[k] ? c.at[k] : grid->max[k];
    }
}

/* False if there is nothing to tell apart. In float64 no extent of float32 is too small or too large. */
static bool grid_end(struct grid *grid)
{
    bool any = false;
    for (unsigned k = 0; k < 3; k++) {
        bool wide = grid->max[k] > grid->min[k];
        grid->scale[k] = wide ? CELLS / (grid->max[k] - grid->min[k]) : 0;
        any |= wide;
    }
    return any;
}

static inline uint32_t grid_cell(const struct grid *grid, struct centre c, unsigned k)
{
    uint32_t cell = (uint32_t)((c.at[k] - grid->min[k]) * grid->scale[k]);
    return cell < CELLS ? cell : CELLS - 1;
}

static inline uint64_t entry(const struct hilbert *hilbert, const struct grid *grid, struct centre c, uint32_t i)
{
    uint32_t key = hilbert_key(hilbert, grid_cell(grid, c, 0), grid_cell(grid, c, 1), grid_cell(grid, c, 2));
    return (uint64_t)key << 32 | i;
}

/* What is done to items from first to end, for each shape. */
struct shape_steps {
    /* Widens the grid to hold the centres of the good items; returns how many those are. */
    size_t (*extent)(const float *const *at, size_t first, size_t end, struct grid *grid);
    /* Copies all items to rows, and writes the entries of the good ones. */
    void (*stage)(const float *const *at, size_t first, size_t end, const struct hilbert *hilbert,
                  const struct grid *grid, float *rows, uint64_t *entries);
    struct centre (*centre)(const float *row);
};

/* A row that is a power of two long lies in one cache line. */
static unsigned stride_of(unsigned fields)
{
    return fields <= 4 ? 4 : fields <= 8 ? 8 : 16;
}

#define BOUNDED(name)                                                                                                  \
    static inline struct name name##_at(const float *const *at, size_t i)                                              \
    {                                                                                                                  \
        float row[name##_fields];                                                                                      \
        for (unsigned k = 0; k < name##_fields; k++)                                                                   \
            row[k] = at[k][i];                                                                                         \
        return name##_of(row);                                                                                         \
    }                                                                                                                  \
    static size_t name##_extent(const float *const *at, size_t first, size_t end, struct grid *grid)                   \
    {                                                                                                                  \
        struct grid found = *grid;                                                                                     \
        size_t good = 0;                                                                                               \
        for (size_t i = first; i < end; i++) {                                                                         \
            struct name item = name##_at(at, i);                                                                       \
            if (!name##_bad(item)) {                                                                                   \
                grid_include(&found, name##_centre(item));                                                             \
                good++;                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        *grid = found;                                                                                                 \
        return good;                                                                                                   \
    }                                                                                                                  \
    static void name##_stage(const float *const *at, size_t first, size_t end, const struct hilbert *hilbert,          \
                             const struct grid *grid, float *rows, uint64_t *entries)                                  \
    {                                                                                                                  \
        const unsigned stride = stride_of(name##_fields);                                                              \
        for (size_t i = first; i < end; i++) {                                                                         \
            struct name item = name##_at(at, i);                                                                       \
            for (unsigned k = 0; k < name##_fields; k++)                                                               \
                rows[i * stride + k] = at[k][i];                                                                       \
            if (!name##_bad(item))                                                                                     \
                *entries++ = entry(hilbert, grid, name##_centre(item), (uint32_t)i);                                   \
        }                                                                                                              \
    }                                                                                                                  \
    static struct centre name##_row_centre(const float *row)                                                           \
    {                                                                                                                  \
        return name##_centre(name##_of(row));                                                                          \
    }
BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED

#define BOUNDED(name) [shape_##name] = {name##_extent, name##_stage, name##_row_centre},
static const struct shape_steps steps[shape_count] = {BOUNDED_SHAPES(BOUNDED)};
#undef BOUNDED

/* What one worker has found out about its items. */
struct share {
    struct grid grid;
    size_t good;
    uint32_t starts[DIGITS]; /* first how many entries have a digit, then where the next of those goes */
    size_t first, end;       /* entries whose crowds it sorts */
};

/* One pass of a radix sort, from one array to the other by the digit at shift. Equal digits stay in order. */
struct pass {
    const struct team *team;
    struct share *shares;
    const uint64_t *from;
    uint64_t *to;
    size_t n;
    unsigned shift;
};

static void count_digits(void *work, unsigned w)
{
    const struct pass *pass = work;
    uint32_t *starts = pass->shares[w].starts;
    const size_t end = team_first(pass->team, pass->n, w + 1);
    memset(starts, 0, sizeof pass->shares[w].starts);
    for (size_t i = team_first(pass->team, pass->n, w); i < end; i++)
        starts[pass->from[i] >> pass->shift & (DIGITS - 1)]++;
}

static void place_digits(void *work, unsigned w)
{
    const struct pass *pass = work;
    uint32_t *starts = pass->shares[w].starts;
    const size_t end = team_first(pass->team, pass->n, w + 1);
    for (size_t i = team_first(pass->team, pass->n, w); i < end; i++) {
        uint64_t e = pass->from[i];
        pass->to[starts[e >> pass->shift & (DIGITS - 1)]++] = e;
    }
}

static void radix_pass(struct pass *pass)
{
    uint32_t sum = 0;
    team_run(pass->team, count_digits, pass);
    for (unsigned digit = 0; digit < DIGITS; digit++)
        for (unsigned w = 0; w < pass->team->workers; w++) {
            uint32_t count = pass->shares[w].starts[digit];
            pass->shares[w].starts[digit] = sum;
            sum += count;
        }
    team_run(pass->team, place_digits, pass);
}

/* By the thirty bits of the key; equal keys stay in order. The result is in spare. */
static void radix_sort(const struct team *team, struct share *shares, uint64_t *entries, uint64_t *spare, size_t n)
{
    struct pass pass = {team, shares, entries, spare, n, 32};
    radix_pass(&pass);
    pass = (struct pass){team, shares, spare, entries, n, 32 + DIGIT_BITS};
    radix_pass(&pass);
    pass = (struct pass){team, shares, entries, spare, n, 32 + 2 * DIGIT_BITS};
    radix_pass(&pass);
}

/* All that the workers share. */
struct sort {
    const struct columns *items;
    const struct shape_steps *steps;
    const struct team *team;
    struct share *shares;
    struct hilbert hilbert;
    struct grid grid;
    float *rows;
    uint64_t *entries, *spare;
    size_t good;
};

static void find_extent(void *work, unsigned w)
{
    const struct sort *sort = work;
    struct share *share = &sort->shares[w];
    const size_t n = sort->items->n;
    grid_begin(&share->grid);
    share->good = sort->steps->extent(sort->items->at, team_first(sort->team, n, w), team_first(sort->team, n, w + 1),
                                      &share->grid);
}

/* The grid around all, and where the entries of each worker begin. */
static void gather_extent(struct sort *sort)
{
    grid_begin(&sort->grid);
    sort->good = 0;
    for (unsigned w = 0; w < sort->team->workers; w++) {
        struct share *share = &sort->shares[w];
        for (unsigned k = 0; k < 3; k++) {
            sort->grid.min[k] = share->grid.min[k] < sort->grid.min[k] ? share->grid.min[k] : sort->grid.min[k];
            sort->grid.max[k] = share->grid.max[k] > sort->grid.max[k] ? share->grid.max[k] : sort->grid.max[k];
        }
        share->first = sort->good;
        sort->good += share->good;
    }
    grid_end(&sort->grid);
}

static void stage_items(void *work, unsigned w)
{
    const struct sort *sort = work;
    const size_t n = sort->items->n;
    sort->steps->stage(sort->items->at, team_first(sort->team, n, w), team_first(sort->team, n, w + 1), &sort->hilbert,
                       &sort->grid, sort->rows, sort->entries + sort->shares[w].first);
}

/*
 * Sorts on within each run of equal keys that is longer than CROWD. A finer grid sets the least and the greatest centre of some
 * axis apart, and each depth is at least 1024 times finer, so float32 allows no more than about 90.
 */
static void sort_crowds(const struct sort *sort, struct share *share, uint64_t *entries, uint64_t *spare, size_t n)
{
    static const struct team alone = {NULL, 1};
    const unsigned stride = stride_of(sort->items->fields);
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && entries[end] >> 32 == entries[first] >> 32)
            end++;
        if (end - first <= CROWD)
            continue;
        struct grid grid;
        grid_begin(&grid);
        for (size_t i = first; i < end; i++)
            grid_include(&grid, sort->steps->centre(sort->rows + (uint32_t)entries[i] * (size_t)stride));
        if (!grid_end(&grid))
            continue;
        for (size_t i = first; i < end; i++) {
            uint32_t item = (uint32_t)entries[i];
            entries[i] = entry(&sort->hilbert, &grid, sort->steps->centre(sort->rows + item * (size_t)stride), item);
        }
        radix_sort(&alone, share, entries + first, spare + first, end - first);
        memcpy(entries + first, spare + first, (end - first) * sizeof *entries);
        sort_crowds(sort, share, entries + first, spare + first, end - first);
    }
}

static void sort_own_crowds(void *work, unsigned w)
{
    const struct sort *sort = work;
    struct share *share = &sort->shares[w];
    sort_crowds(sort, share, sort->spare + share->first, sort->entries + share->first, share->end - share->first);
}

/* No run of equal keys is divided between workers. */
static void divide_crowds(struct sort *sort)
{
    size_t first = 0;
    for (unsigned w = 0; w < sort->team->workers; w++) {
        size_t end = team_first(sort->team, sort->good, w + 1);
        end = end < first ? first : end;
        while (end > 0 && end < sort->good && sort->spare[end] >> 32 == sort->spare[end - 1] >> 32)
            end++;
        sort->shares[w].first = first;
        sort->shares[w].end = end;
        first = end;
    }
}

enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                                 struct sorted *sorted)
{
    struct sort sort = {.items = items, .steps = &steps[items->shape], .team = team};
    *sorted = (struct sorted){0};
    sort.rows = abut_workspace_take(workspace, SLOT_ROWS, items->n, stride_of(items->fields) * sizeof *sort.rows);
    sort.entries = abut_workspace_take(workspace, SLOT_KEYS, items->n, sizeof *sort.entries);
    sort.spare = abut_workspace_take(workspace, SLOT_SPARE, items->n, sizeof *sort.spare);
    sort.shares = abut_workspace_take(workspace, SLOT_SHARES, team->workers, sizeof *sort.shares);
    if (!sort.rows || !sort.entries || !sort.spare || !sort.shares)
        return ABUT_ERROR_MEMORY;
    hilbert_make(&sort.hilbert);
    team_run(team, find_extent, &sort);
    gather_extent(&sort);
    team_run(team, stage_items, &sort);
    radix_sort(team, sort.shares, sort.entries, sort.spare, sort.good);
    divide_crowds(&sort);
    team_run(team, sort_own_crowds, &sort);
    *sorted = (struct sorted){sort.spare, sort.rows, sort.good};
    return ABUT_OK;
}

size_t abut_tiles_count(size_t n)
{
    return n / TILE + (n % TILE != 0);
}

/* Tile t by its ids; lanes without an item are NaN. */
static inline void gather_tile(const struct tiles *tiles, const float *rows, unsigned fields, size_t t)
{
    float *tile = tiles->at + t * fields * TILE;
    for (unsigned i = 0; i < TILE; i++) {
        const uint32_t id = tiles->ids[t * TILE + i];
        if (id == UINT32_MAX) {
            for (unsigned k = 0; k < fields; k++)
                tile[k * TILE + i] = NAN;
            continue;
        }
        const float *row = rows + (size_t)id * stride_of(fields);
        for (unsigned k = 0; k < fields; k++)
            tile[k * TILE + i] = row[k];
    }
}

void abut_tiles_gather(const struct tiles *tiles, const float *rows, size_t first, size_t end)
{
    const size_t n = tiles->n;
    for (size_t t = first; t < end; t++) {
        for (size_t i = t * TILE + AHEAD; i < t * TILE + AHEAD + TILE && i < end * TILE && i < n; i++)
            __builtin_prefetch(rows + (size_t)tiles->ids[i] * stride_of(tiles->fields));
#define BOUNDED(name)                                                                                                  \
    if (tiles->shape == shape_##name)                                                                                  \
        gather_tile(tiles, rows, name##_fields, t);
        BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
    }
}

struct staging {
    const struct team *team;
    const struct columns *items;
    float *rows;
};

static inline void stage_rows(const struct columns *items, float *rows, unsigned fields, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        for (unsigned k = 0; k < fields; k++)
            rows[i * stride_of(fields) + k] = items->at[k][i];
}

static void stage_share(void *work, unsigned w)
{
    const struct staging *staging = work;
    const struct columns *items = staging->items;
    const size_t first = team_first(staging->team, items->n, w), end = team_first(staging->team, items->n, w + 1);
#define BOUNDED(name)                                                                                                  \
    if (items->shape == shape_##name)                                                                                  \
        stage_rows(items, staging->rows, name##_fields, first, end);
    BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED
}

const float *abut_rows_stage(const struct columns *items, struct abut_workspace *workspace, const struct team *team)
{
    struct staging staging = {team, items, NULL};
    staging.rows = abut_workspace_take(workspace, SLOT_ROWS, items->n, stride_of(items->fields) * sizeof *staging.rows);
    if (staging.rows)
        team_run(team, stage_share, &staging);
    return staging.rows;
}

struct fill {
    const struct team *team;
    const struct tiles *tiles;
    const struct sorted *sorted;
};

static void fill_tiles(void *work, unsigned w)
{
    const struct fill *fill = work;
    const struct sorted *sorted = fill->sorted;
    const size_t count = fill->tiles->count + 1, end = team_first(fill->team, count, w + 1);
    const size_t first = team_first(fill->team, count, w);
    for (size_t i = first * TILE; i < end * TILE; i++)
        fill->tiles->ids[i] = i < sorted->n ? (uint32_t)sorted->entries[i] : UINT32_MAX;
    abut_tiles_gather(fill->tiles, sorted->rows, first, end);
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
