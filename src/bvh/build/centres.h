/* SPDX-License-Identifier: MIT */
/* The centres of a block of items, their extent, and their Hilbert keys, in the vocabulary of the ISA file. */
#ifndef ABUT_BVH_BUILD_CENTRES_H
#define ABUT_BVH_BUILD_CENTRES_H

#include "bvh/build/bounds.h"
#include "bvh/build/grid.h"
#include "bvh/build/hilbert.h"

/* Replaces infinities by the greatest finite floats. NaN stays NaN. */
INLINE v to_finite_lanes(v x)
{
    return v_min(v_set1(FLT_MAX), v_max(v_set1(-FLT_MAX), x));
}

/* The centres of a whole block. The columns of points follow each other, x y z. */
INLINE void add_points(const float *const *at, unsigned points, size_t first, struct centres *centres)
{
    UNROLL for (unsigned k = 0; k < 3; k++) for (unsigned i = 0; i < BLOCK; i += WIDTH)
    {
        v sum = v_mul(v_set1(0.125f), to_finite_lanes(v_load(at[k] + first + i)));
        UNROLL for (unsigned p = 1; p < points; p++) sum =
            v_add(v_mul(v_set1(0.125f), to_finite_lanes(v_load(at[k + 3 * p] + first + i))), sum);
        v_store(centres->at[k] + i, sum);
    }
}

/* The centres of a block of n items; those after the last are NaN. */
INLINE void add_last_points(const float *const *at, unsigned points, size_t first, unsigned n, struct centres *centres)
{
    float columns[MOST_COORDINATES][BLOCK];
    const float *last[MOST_COORDINATES];
    for (unsigned k = 0; k < 3 * points; k++) {
        for (unsigned i = 0; i < BLOCK; i++)
            columns[k][i] = i < n ? at[k][first + i] : NAN;
        last[k] = columns[k];
    }
    add_points(last, points, 0, centres);
}

#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    static inline bool name##_invalid_at(const float *const *at, size_t i)                                             \
    {                                                                                                                  \
        float item[name##_fields];                                                                                     \
        for (unsigned k = 0; k < name##_fields; k++)                                                                   \
            item[k] = at[k][i];                                                                                        \
        return name##_item_invalid(item);                                                                              \
    }                                                                                                                  \
    static void name##_centres(const float *const *at, size_t first, unsigned n, bool clean, struct centres *centres)  \
    {                                                                                                                  \
        if (n == BLOCK)                                                                                                \
            add_points(at, name##_points, first, centres);                                                             \
        else                                                                                                           \
            add_last_points(at, name##_points, first, n, centres);                                                     \
        for (unsigned i = 0; i < n && !clean; i++)                                                                     \
            if (name##_invalid_at(at, first + i))                                                                      \
                centres->at[0][i] = centres->at[1][i] = centres->at[2][i] = NAN;                                       \
    }
#include "tables/shapes.def"

/* Compares and selects: NaN must not count, and v_min and v_max handle it differently between instruction sets. */
static void block_extent(const struct centres *centres, struct extents *extents)
{
    UNROLL for (unsigned k = 0; k < 3; k++) UNROLL for (unsigned j = 0; j < SIDE_BY_SIDE; j += WIDTH)
    {
        v least = v_load(extents->least[k] + j), greatest = v_load(extents->greatest[k] + j);
        for (unsigned i = j; i < BLOCK; i += SIDE_BY_SIDE) {
            const v x = v_load(centres->at[k] + i);
            least = v_select(m_lt(x, least), x, least);
            greatest = v_select(m_lt(greatest, x), x, greatest);
        }
        v_store(extents->least[k] + j, least);
        v_store(extents->greatest[k] + j, greatest);
    }
}

/* NaN goes to the first cell. A scale too great for float32 is applied as two factors. */
static inline void block_cells(const struct grid *grid, const float *centres, unsigned k, uint32_t *cells)
{
    const float min = (float)grid->min[k], first = grid->scale <= FLT_MAX ? 1 : 0x1p64f;
    const float scale = (float)(grid->scale / first);
    for (unsigned i = 0; i < BLOCK; i++) {
        float cell = (centres[i] - min) * first * scale;
        cell = cell > 0 ? cell : 0;
        cells[i] = (uint32_t)(int32_t)(cell < CELLS - 1 ? cell : CELLS - 1);
    }
}

#ifdef PICKS

enum { KEYS_AT_ONCE = KEYS_ABREAST * WIDTH };

_Static_assert((int)BLOCK % (int)KEYS_AT_ONCE == 0, "a block is whole turns");

static inline void hilbert_keys(const struct hilbert *table, const uint32_t *morton, uint32_t *keys)
{
    for (unsigned i = 0; i < BLOCK; i += KEYS_AT_ONCE) {
        vu cubes[KEYS_ABREAST], entry[KEYS_ABREAST], shift[KEYS_ABREAST], key[KEYS_ABREAST];
        UNROLL for (unsigned j = 0; j < KEYS_ABREAST; j++)
        {
            memcpy(&cubes[j], morton + i + j * WIDTH, sizeof cubes[j]);
            entry[j] = shift[j] = key[j] = (vu){0};
        }
        UNROLL
        for (unsigned level = 0; level < KEY_LEVELS; level++)
            UNROLL for (unsigned j = 0; j < KEYS_ABREAST; j++)
            {
                vu turn = cubes[j] >> 3 * (KEY_LEVELS - 1 - level) ^ entry[j];
                vu_pick(&turn, table->turns);
                turn >>= shift[j];
                key[j] = key[j] << 3 | (turn & 7);
                entry[j] ^= turn >> 3;
                shift[j] = turn >> 3 & 24;
            }
        UNROLL for (unsigned j = 0; j < KEYS_ABREAST; j++) memcpy(keys + i + j * WIDTH, &key[j], sizeof key[j]);
    }
}

#else

static inline void hilbert_keys(const struct hilbert *table, const uint32_t *morton, uint32_t *keys)
{
    for (unsigned j = 0; j < BLOCK; j++)
        keys[j] = hilbert_key(table, morton[j]);
}

#endif

static void block_keys(const struct grid *grid, const struct centres *centres, const struct hilbert *table,
                       uint32_t *keys)
{
    uint32_t cells[3][BLOCK], morton[BLOCK];
    UNROLL for (unsigned k = 0; k < 3; k++) block_cells(grid, centres->at[k], k, cells[k]);
    for (unsigned j = 0; j < BLOCK; j++)
        morton[j] = hilbert_morton(cells[0][j], cells[1][j], cells[2][j]);
    hilbert_keys(table, morton, keys);
}

#endif
