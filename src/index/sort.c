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
    AHEAD = 32 /* items to prefetch */
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

/* What is done to items, for each shape. */
struct shape_steps {
    unsigned fields;
    void (*extent)(const float *const *at, size_t n, struct grid *grid);
    size_t (*stage)(const float *const *at, size_t n, const struct hilbert *hilbert, const struct grid *grid,
                    float *rows, unsigned stride, uint64_t *entries);
    struct centre (*centre)(const float *row);
    void (*boxes)(const float *tile, float box[6][TILE]);
};

#define BOUNDED(name)                                                                                                  \
    static inline struct name name##_at(const float *const *at, size_t i)                                              \
    {                                                                                                                  \
        float row[name##_fields];                                                                                      \
        for (unsigned k = 0; k < name##_fields; k++)                                                                   \
            row[k] = at[k][i];                                                                                         \
        return name##_of(row);                                                                                         \
    }                                                                                                                  \
    static void name##_extent(const float *const *at, size_t n, struct grid *grid)                                     \
    {                                                                                                                  \
        struct grid found = *grid;                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                               \
            struct name item = name##_at(at, i);                                                                       \
            if (!name##_bad(item))                                                                                     \
                grid_include(&found, name##_centre(item));                                                             \
        }                                                                                                              \
        *grid = found;                                                                                                 \
    }                                                                                                                  \
    static size_t name##_stage(const float *const *at, size_t n, const struct hilbert *hilbert,                        \
                               const struct grid *grid, float *rows, unsigned stride, uint64_t *entries)               \
    {                                                                                                                  \
        size_t good = 0;                                                                                               \
        for (size_t i = 0; i < n; i++) {                                                                               \
            struct name item = name##_at(at, i);                                                                       \
            for (unsigned k = 0; k < name##_fields; k++)                                                               \
                rows[i * stride + k] = at[k][i];                                                                       \
            if (!name##_bad(item))                                                                                     \
                entries[good++] = entry(hilbert, grid, name##_centre(item), (uint32_t)i);                              \
        }                                                                                                              \
        return good;                                                                                                   \
    }                                                                                                                  \
    static struct centre name##_row_centre(const float *row)                                                           \
    {                                                                                                                  \
        return name##_centre(name##_of(row));                                                                          \
    }
BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED

#define BOUNDED(name) [shape_##name] = {name##_fields, name##_extent, name##_stage, name##_row_centre, name##_boxes},
static const struct shape_steps steps[shape_count] = {BOUNDED_SHAPES(BOUNDED)};
#undef BOUNDED

/* The one digit at shift, from one array to the other. */
static void radix_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift, uint32_t *starts)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t e = from[i];
        to[starts[e >> shift & (DIGITS - 1)]++] = e;
    }
}

/* By the thirty bits of the key; equal keys stay in order. The result is in spare. */
static void radix_sort(uint64_t *entries, uint64_t *spare, size_t n)
{
    uint32_t starts[3][DIGITS];
    memset(starts, 0, sizeof starts);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < 3; d++)
            starts[d][entries[i] >> (32 + d * DIGIT_BITS) & (DIGITS - 1)]++;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < DIGITS; i++) {
            uint32_t count = starts[d][i];
            starts[d][i] = sum;
            sum += count;
        }
    }
    radix_pass(entries, spare, n, 32, starts[0]);
    radix_pass(spare, entries, n, 32 + DIGIT_BITS, starts[1]);
    radix_pass(entries, spare, n, 32 + 2 * DIGIT_BITS, starts[2]);
}

struct crowd {
    const struct shape_steps *steps;
    const struct hilbert *hilbert;
    const float *rows;
    unsigned stride;
};

/*
 * Sorts on within each run of equal keys that is longer than CROWD. A finer grid sets the least and the greatest centre of some
 * axis apart, and each depth is at least 1024 times finer, so float32 allows no more than about 90.
 */
static void sort_crowds(const struct crowd *crowd, uint64_t *entries, uint64_t *spare, size_t n)
{
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && entries[end] >> 32 == entries[first] >> 32)
            end++;
        if (end - first <= CROWD)
            continue;
        struct grid grid;
        grid_begin(&grid);
        for (size_t i = first; i < end; i++)
            grid_include(&grid, crowd->steps->centre(crowd->rows + (uint32_t)entries[i] * (size_t)crowd->stride));
        if (!grid_end(&grid))
            continue;
        for (size_t i = first; i < end; i++) {
            uint32_t item = (uint32_t)entries[i];
            entries[i] =
                entry(crowd->hilbert, &grid, crowd->steps->centre(crowd->rows + item * (size_t)crowd->stride), item);
        }
        radix_sort(entries + first, spare + first, end - first);
        memcpy(entries + first, spare + first, (end - first) * sizeof *entries);
        sort_crowds(crowd, entries + first, spare + first, end - first);
    }
}

enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, struct sorted *sorted)
{
    const struct shape_steps *of = &steps[items->shape];
    const size_t n = items->n;
    /* A row that is a power of two long lies in one cache line. */
    const unsigned stride = items->fields <= 4 ? 4 : 8;
    *sorted = (struct sorted){.stride = stride};
    float *rows = abut_workspace_take(workspace, SLOT_ROWS, n, stride * sizeof *rows);
    uint64_t *entries = abut_workspace_take(workspace, SLOT_KEYS, n, sizeof *entries);
    uint64_t *spare = abut_workspace_take(workspace, SLOT_SPARE, n, sizeof *spare);
    if (!rows || !entries || !spare)
        return ABUT_ERROR_MEMORY;
    struct hilbert hilbert;
    struct grid grid;
    hilbert_make(&hilbert);
    grid_begin(&grid);
    of->extent(items->at, n, &grid);
    grid_end(&grid);
    const size_t good = of->stage(items->at, n, &hilbert, &grid, rows, stride, entries);
    radix_sort(entries, spare, good);
    const struct crowd crowd = {of, &hilbert, rows, stride};
    sort_crowds(&crowd, spare, entries, good);
    *sorted = (struct sorted){spare, rows, stride, good};
    return ABUT_OK;
}

size_t abut_tiles_count(size_t n)
{
    return n / TILE + (n % TILE != 0);
}

/* Member k of the items of one tile; the last tile may be short. */
static void fill_tile(float *tile, uint32_t *ids, const struct sorted *sorted, unsigned fields, size_t first)
{
    for (unsigned i = 0; i < TILE; i++) {
        if (first + i >= sorted->n) {
            ids[i] = UINT32_MAX;
            for (unsigned k = 0; k < fields; k++)
                tile[k * TILE + i] = NAN;
            continue;
        }
        ids[i] = (uint32_t)sorted->entries[first + i];
        const float *row = sorted->rows + (size_t)ids[i] * sorted->stride;
        for (unsigned k = 0; k < fields; k++)
            tile[k * TILE + i] = row[k];
    }
}

void abut_tiles_fill(struct tiles *tiles, const struct columns *items, const struct sorted *sorted)
{
    const unsigned fields = items->fields;
    tiles->shape = items->shape;
    tiles->fields = fields;
    tiles->n = sorted->n;
    tiles->count = abut_tiles_count(sorted->n);
    for (size_t t = 0; t <= tiles->count; t++) {
        for (unsigned i = 0; i < TILE && (t * TILE + AHEAD + i) < sorted->n; i++)
            __builtin_prefetch(sorted->rows + (uint32_t)sorted->entries[t * TILE + AHEAD + i] * (size_t)sorted->stride);
        fill_tile(tiles->at + t * fields * TILE, tiles->ids + t * TILE, sorted, fields, t * TILE);
    }
}
