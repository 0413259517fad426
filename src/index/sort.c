/* SPDX-License-Identifier: MIT */
/* Hilbert keys of centres, a radix sort, and a second look at cells that hold too many items. */
#include "sort.h"

#include "dispatch.h"
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
    BLOCK = 64,
    AHEAD = 16 /* items to prefetch, whole tiles */
};

/* Whose sum stands for the centre of an item: the first members of each shape are points, so many. */
enum {
    point_points = 1,
    sphere_points = 1,
    aabb_points = 2,
    obb_points = 1,
    segment_points = 2,
    capsule_points = 2,
    triangle_points = 3
};

/* An infinite bound counts as the greatest finite one. */
static inline float finite(float x)
{
    const float low = x < -FLT_MAX ? -FLT_MAX : x;
    return low > FLT_MAX ? FLT_MAX : low;
}

/* Of BLOCK items; where there is none, or a bad one, all coordinates are NaN. Loops over whole blocks become vectors. */
struct centres {
    double at[3][BLOCK];
};

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

/* Widens the grid to hold another. */
static void grid_join(struct grid *grid, const double min[3], const double max[3])
{
    for (unsigned k = 0; k < 3; k++) {
        grid->min[k] = min[k] < grid->min[k] ? min[k] : grid->min[k];
        grid->max[k] = max[k] > grid->max[k] ? max[k] : grid->max[k];
    }
}

static void grid_include(struct grid *grid, const struct centres *centres)
{
    enum { SIDE_BY_SIDE = 4 };
    for (unsigned k = 0; k < 3; k++) {
        double least[SIDE_BY_SIDE], greatest[SIDE_BY_SIDE];
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            least[j] = grid->min[k];
            greatest[j] = grid->max[k];
        }
        for (unsigned i = 0; i < BLOCK; i += SIDE_BY_SIDE)
            for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
                const double x = centres->at[k][i + j];
                least[j] = x < least[j] ? x : least[j];
                greatest[j] = x > greatest[j] ? x : greatest[j];
            }
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            grid->min[k] = least[j] < grid->min[k] ? least[j] : grid->min[k];
            grid->max[k] = greatest[j] > grid->max[k] ? greatest[j] : grid->max[k];
        }
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

/* NaN is in the first cell. */
static inline uint32_t grid_cell(const struct grid *grid, double x, unsigned k)
{
    double cell = (x - grid->min[k]) * grid->scale[k];
    cell = cell >= 0 ? cell : 0;
    return (uint32_t)(int32_t)(cell < CELLS - 1 ? cell : CELLS - 1);
}

/* A row that is a power of two long lies in one cache line. */
static unsigned stride_of(unsigned fields)
{
    return fields <= 4 ? 4 : fields <= 8 ? 8 : 16;
}

/* Coordinate k of the centres of n items from first on. Two loops, since the compiler makes no vectors of one. */
static inline void add_points(const float *const *at, unsigned points, unsigned k, size_t first, unsigned n,
                              double *centres)
{
    float x[BLOCK];
    for (unsigned p = 0; p < points; p++) {
        const float *from = at[k + 3 * p] + first;
        for (unsigned i = 0; i < n; i++)
            x[i] = finite(from[i]);
        if (p == 0)
            for (unsigned i = 0; i < n; i++)
                centres[i] = x[i];
        else
            for (unsigned i = 0; i < n; i++)
                centres[i] += x[i];
    }
}

static inline void row_centre(const float *row, unsigned points, double centre[3])
{
    for (unsigned k = 0; k < 3; k++) {
        centre[k] = finite(row[k]);
        for (unsigned p = 1; p < points; p++)
            centre[k] += finite(row[k + 3 * p]);
    }
}

/* What is done to items, for each shape. */
struct shape_steps {
    unsigned points;
    /* Of n items from first on, BLOCK at most. clean: none is bad. */
    void (*centres)(const float *const *at, size_t first, unsigned n, bool clean, struct centres *centres);
    /* Copies the members of items first to end, side by side. */
    void (*rows)(const float *const *at, size_t first, size_t end, float *rows);
};

#define BOUNDED(name)                                                                                                  \
    static inline bool name##_bad_at(const float *const *at, size_t i)                                                 \
    {                                                                                                                  \
        float row[name##_fields];                                                                                      \
        for (unsigned k = 0; k < name##_fields; k++)                                                                   \
            row[k] = at[k][i];                                                                                         \
        return name##_bad(name##_of(row));                                                                             \
    }                                                                                                                  \
    static void name##_centres(const float *const *at, size_t first, unsigned n, bool clean, struct centres *centres)  \
    {                                                                                                                  \
        for (unsigned k = 0; k < 3; k++)                                                                               \
            if (n == BLOCK)                                                                                            \
                add_points(at, name##_points, k, first, BLOCK, centres->at[k]);                                        \
            else                                                                                                       \
                add_points(at, name##_points, k, first, n, centres->at[k]);                                            \
        for (unsigned i = 0; i < BLOCK; i++)                                                                           \
            if (i >= n || (!clean && name##_bad_at(at, first + i)))                                                    \
                centres->at[0][i] = centres->at[1][i] = centres->at[2][i] = NAN;                                       \
    }                                                                                                                  \
    static void name##_rows(const float *const *at, size_t first, size_t end, float *rows)                             \
    {                                                                                                                  \
        const unsigned stride = stride_of(name##_fields);                                                              \
        for (size_t i = first; i < end; i++)                                                                           \
            for (unsigned k = 0; k < name##_fields; k++)                                                               \
                rows[i * stride + k] = at[k][i];                                                                       \
    }
BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED

#define BOUNDED(name) [shape_##name] = {name##_points, name##_centres, name##_rows},
static const struct shape_steps steps[shape_count] = {BOUNDED_SHAPES(BOUNDED)};
#undef BOUNDED

/* What one worker has found out about its items. */
struct share {
    struct grid grid;
    bool clean; /* none is bad */
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

/* Whether the wide check finds no bad one among some items, at least one. */
static bool all_good(const struct columns *items, size_t first, size_t end)
{
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < items->fields; k++)
        at[k] = items->at[k] + first;
    return abut_active_variant()->valid[items->shape](at, end - first);
}

static void find_extent(void *work, unsigned w)
{
    const struct sort *sort = work;
    struct share share = {.good = 0};
    const struct columns *items = sort->items;
    const size_t first = team_first(sort->team, items->n, w), end = team_first(sort->team, items->n, w + 1);
    grid_begin(&share.grid);
    share.clean = first == end || all_good(items, first, end);
    for (size_t i = first; i < end; i += BLOCK) {
        struct centres centres;
        const unsigned n = end - i < BLOCK ? (unsigned)(end - i) : BLOCK;
        sort->steps->centres(items->at, i, n, share.clean, &centres);
        grid_include(&share.grid, &centres);
        for (unsigned j = 0; j < n; j++)
            share.good += isnan(centres.at[0][j]) ? 0 : 1;
    }
    sort->shares[w] = share;
}

/* The grid around all, and where the entries of each worker begin. */
static void gather_extent(struct sort *sort)
{
    grid_begin(&sort->grid);
    sort->good = 0;
    for (unsigned w = 0; w < sort->team->workers; w++) {
        struct share *share = &sort->shares[w];
        grid_join(&sort->grid, share->grid.min, share->grid.max);
        share->first = sort->good;
        sort->good += share->good;
    }
    grid_end(&sort->grid);
}

static inline uint64_t entry(uint32_t key, size_t i)
{
    return (uint64_t)key << 32 | (uint32_t)i;
}

static void stage_items(void *work, unsigned w)
{
    const struct sort *sort = work;
    const struct columns *items = sort->items;
    const size_t first = team_first(sort->team, items->n, w), end = team_first(sort->team, items->n, w + 1);
    uint64_t *entries = sort->entries + sort->shares[w].first;
    for (size_t i = first; i < end; i += BLOCK) {
        struct centres centres;
        uint32_t cells[3][BLOCK], morton[BLOCK];
        const unsigned n = end - i < BLOCK ? (unsigned)(end - i) : BLOCK;
        sort->steps->centres(items->at, i, n, sort->shares[w].clean, &centres);
        for (unsigned k = 0; k < 3; k++)
            for (unsigned j = 0; j < BLOCK; j++)
                cells[k][j] = grid_cell(&sort->grid, centres.at[k][j], k);
        for (unsigned j = 0; j < BLOCK; j++)
            morton[j] = hilbert_morton(cells[0][j], cells[1][j], cells[2][j]);
        for (unsigned j = 0; j < n; j++)
            if (!isnan(centres.at[0][j]))
                *entries++ = entry(hilbert_key(&sort->hilbert, morton[j]), i + j);
        sort->steps->rows(items->at, i, i + n, sort->rows);
    }
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
        double centre[3];
        grid_begin(&grid);
        for (size_t i = first; i < end; i++) {
            row_centre(sort->rows + (uint32_t)entries[i] * (size_t)stride, sort->steps->points, centre);
            grid_join(&grid, centre, centre);
        }
        if (!grid_end(&grid))
            continue;
        for (size_t i = first; i < end; i++) {
            const uint32_t item = (uint32_t)entries[i];
            row_centre(sort->rows + item * (size_t)stride, sort->steps->points, centre);
            const uint32_t morton = hilbert_morton(grid_cell(&grid, centre[0], 0), grid_cell(&grid, centre[1], 1),
                                                   grid_cell(&grid, centre[2], 2));
            entries[i] = entry(hilbert_key(&sort->hilbert, morton), item);
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

static void stage_share(void *work, unsigned w)
{
    const struct staging *staging = work;
    const struct columns *items = staging->items;
    steps[items->shape].rows(items->at, team_first(staging->team, items->n, w),
                             team_first(staging->team, items->n, w + 1), staging->rows);
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
