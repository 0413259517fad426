/* SPDX-License-Identifier: MIT */
/* Tests the sort's parts on every ISA: centres and their extent, keys from the table, steps of the Hilbert curve. */
#include "bvh/build/grid.h"
#include "bvh/build/hilbert.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hilbert table;

/* Takes a random cube of 64 cells a side: the curve visits all of its cells before it leaves. */
static void check_steps(struct random *random)
{
    enum { SIDE_BITS = 6, SIDE = 1 << SIDE_BITS, INSIDE = SIDE * SIDE * SIDE, CUBES = CELLS / SIDE };
    struct cell {
        uint16_t x, y, z, visits;
    } *at = calloc(INSIDE, sizeof *at);
    const uint32_t x = random_below(random, CUBES) * SIDE, y = random_below(random, CUBES) * SIDE;
    const uint32_t z = random_below(random, CUBES) * SIDE;
    const uint32_t cube = hilbert_key(&table, hilbert_morton(x, y, z)) >> 3 * SIDE_BITS;
    bool inside = true;
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            for (uint32_t k = 0; k < SIDE; k++) {
                const uint32_t key = hilbert_key(&table, hilbert_morton(x + i, y + j, z + k));
                struct cell *cell = &at[key % INSIDE];
                inside &= key >> 3 * SIDE_BITS == cube;
                *cell = (struct cell){(uint16_t)i, (uint16_t)j, (uint16_t)k, (uint16_t)(cell->visits + 1)};
            }
    bool all = inside, steps = true;
    for (size_t i = 0; i < INSIDE; i++)
        all &= at[i].visits == 1;
    for (size_t i = 1; i < INSIDE; i++) {
        const struct cell *a = &at[i - 1], *b = &at[i];
        steps &= abs(a->x - b->x) + abs(a->y - b->y) + abs(a->z - b->z) == 1;
    }
    free(at);
    check_that(all, "the cells of the cube at %u %u %u are the places of one part of the curve", x, y, z);
    check_that(steps, "in the cube at %u %u %u the curve goes from face to face", x, y, z);
}

static const struct {
    enum shape shape;
    unsigned points; /* the centre is the sum of this many points, from the first member on */
} bounded[] = {{shape_point, 1},   {shape_sphere, 1},  {shape_aabb, 2},    {shape_obb, 1},
               {shape_segment, 2}, {shape_capsule, 2}, {shape_triangle, 3}};

/* Mostly a valid item. */
static void random_item(enum shape shape, bool odd, struct random *random, float *item)
{
    static const float odds[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0, -0.0f, 0x1p-149f};
    enum { ODDS = sizeof odds / sizeof odds[0], ONE_IN = 60 };
    const struct shape_info *info = shape_info(shape);
    const bool fixed = !odd || random_below(random, 20) > 0;
    for (unsigned k = 0; k < info->fields; k++) {
        const unsigned at = odd ? random_below(random, ODDS * ONE_IN) : ODDS;
        item[k] = at < ODDS ? odds[at] : random_between(random, -100, 100);
        if (fixed && (info->roles[k] == ROLE_RADIUS || info->roles[k] == ROLE_HALF))
            item[k] = fabsf(item[k]);
        const unsigned lower = info->partners[k];
        if (fixed && info->roles[k] == ROLE_UPPER && item[k] < item[lower]) {
            const float upper = item[lower];
            item[lower] = item[k];
            item[k] = upper;
        }
    }
}

static float finite_of(float x)
{
    return isinf(x) ? copysignf(FLT_MAX, x) : x;
}

/* Centres are an eighth of the sum of points; NaN for an invalid or missing item. Nothing past the items is read. */
static void check_centres(const struct tested *tested, enum shape shape, unsigned points, struct random *random)
{
    const unsigned n = random_below(random, 3) == 0 ? BLOCK : 1 + random_below(random, BLOCK);
    const unsigned first = random_below(random, 6), fields = shape_info(shape)->fields;
    const bool odd = random_below(random, 2) == 0;
    float *columns[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < fields; k++)
        columns[k] = malloc((first + n) * sizeof(float));
    for (unsigned i = 0; i < first + n; i++) {
        float item[ABUT_MAX_FIELDS];
        random_item(shape, odd, random, item);
        for (unsigned k = 0; k < fields; k++)
            columns[k][i] = item[k];
    }
    struct centres centres;
    float right[3][BLOCK];
    bool clean = true, same = true;
    for (unsigned i = 0; i < BLOCK; i++) {
        float item[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < fields; k++)
            item[k] = i < n ? columns[k][first + i] : NAN;
        const bool valid = i < n && item_valid(shape, item);
        clean &= valid || i >= n;
        for (unsigned k = 0; k < 3; k++) {
            float sum = 0.125f * finite_of(item[k]);
            for (unsigned p = 1; p < points; p++)
                sum += 0.125f * finite_of(item[k + 3 * p]);
            right[k][i] = valid ? sum : NAN;
        }
    }
    const float *const *at = (const float *const *)columns;
    tested->isa->centres[shape](at, first, n, clean, &centres);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < BLOCK; i++)
            same &= isnan(right[k][i]) ? isnan(centres.at[k][i]) : centres.at[k][i] == right[k][i];
    check_that(same, "%s: the centres of %u %s items from %u on", tested->name, n, shape_info(shape)->name, first);
    struct extents extents;
    bool holds = true;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            extents.least[k][j] = 5;
            extents.greatest[k][j] = -5;
        }
    tested->isa->extent(&centres, &extents);
    for (unsigned k = 0; k < 3; k++) {
        float least = 5, greatest = -5, found_least = 5, found_greatest = -5;
        for (unsigned i = 0; i < BLOCK; i++) {
            least = fminf(least, right[k][i]);
            greatest = fmaxf(greatest, right[k][i]);
        }
        for (unsigned j = 0; j < SIDE_BY_SIDE; j++) {
            found_least = extents.least[k][j] < found_least ? extents.least[k][j] : found_least;
            found_greatest = extents.greatest[k][j] > found_greatest ? extents.greatest[k][j] : found_greatest;
        }
        holds &= least == found_least && greatest == found_greatest;
    }
    check_that(holds, "%s: the extent of %u %s items", tested->name, n, shape_info(shape)->name);
    for (unsigned k = 0; k < fields; k++)
        free(columns[k]);
}

/* The grid has cells of width 1 from 0 on along each axis, so a centre's cell is its integer part. */
static void check_keys(const struct tested *tested, struct random *random)
{
    struct grid grid;
    grid_begin(&grid);
    grid_join(&grid, (const double[3]){0, 0, 0}, (const double[3]){CELLS, CELLS, CELLS});
    CHECK(grid_end(&grid));
    struct centres centres;
    uint32_t cells[3][BLOCK], keys[BLOCK + 1];
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < BLOCK; i++) {
            cells[k][i] = random_below(random, CELLS);
            centres.at[k][i] = (float)cells[k][i] + random_between(random, 0.01f, 0.99f);
        }
    const struct {
        float centre;
        uint32_t cell;
    } odd[] = {{NAN, 0},
               {-NAN, 0},
               {-1, 0},
               {-0.0f, 0},
               {CELLS, CELLS - 1},
               {CELLS * 4, CELLS - 1},
               {-FLT_MAX, 0},
               {FLT_MAX, CELLS - 1},
               {-INFINITY, 0},
               {INFINITY, CELLS - 1}};
    for (unsigned j = 0; j < sizeof odd / sizeof odd[0]; j++) {
        const unsigned k = random_below(random, 3), i = random_below(random, BLOCK);
        centres.at[k][i] = odd[j].centre;
        cells[k][i] = odd[j].cell;
    }
    keys[BLOCK] = 77;
    tested->isa->keys(&grid, &centres, &table, keys);
    CHECK(keys[BLOCK] == 77);
    for (unsigned i = 0; i < BLOCK; i++) {
        const uint32_t right = hilbert_key(&table, hilbert_morton(cells[0][i], cells[1][i], cells[2][i]));
        check_that(keys[i] == right, "%s, lane %u: the key of cell %u %u %u is %u, not %u", tested->name, i,
                   cells[0][i], cells[1][i], cells[2][i], keys[i], right);
    }
}

/* All instruction sets round alike: same grid and centres, same keys. */
static void check_same(const struct tested *list, unsigned n, struct random *random)
{
    struct grid grid;
    struct centres centres;
    uint32_t keys[BLOCK], first[BLOCK];
    const float size = ldexpf(1, (int)random_below(random, 240) - 120);
    grid_begin(&grid);
    for (unsigned i = 0; i < BLOCK; i++) {
        double centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = centres.at[k][i] = random_between(random, -size, size);
        grid_join(&grid, centre, centre);
    }
    CHECK(grid_end(&grid));
    for (unsigned v = 0; v < n; v++) {
        list[v].isa->keys(&grid, &centres, &table, v == 0 ? first : keys);
        check_that(v == 0 || memcmp(first, keys, sizeof keys) == 0, "%s and %s make other keys, size %g", list[v].name,
                   list[0].name, (double)size);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 400});
    struct tested list[MAX_TESTED];
    const unsigned n = tested_isas(list);
    struct random random = {options.seed};
    hilbert_make(&table);
    for (unsigned i = 0; i < 4; i++)
        check_steps(&random);
    for (unsigned round = 0; round < options.rounds; round++) {
        for (unsigned v = 0; v < n; v++) {
            check_keys(&list[v], &random);
            for (unsigned j = 0; j < sizeof bounded / sizeof bounded[0]; j++)
                check_centres(&list[v], bounded[j].shape, bounded[j].points, &random);
        }
        check_same(list, n, &random);
    }
    print_isas();
    check_expected(&options);
    return finish("centres");
}
