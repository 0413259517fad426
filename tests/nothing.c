/* SPDX-License-Identifier: MIT */
/* Calls with nothing to do: without items, without queries, or without either. Each output says that it is empty. */
#include "report.h"

#include <abut/cast.h>
#include <abut/engine.h>
#include <abut/solid.h>
#include <abut/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of no item or of one; the arrays of the empty ones are NULL. */
struct sets {
    const char *what;
    struct abut_spheres items, queries;
    struct abut_points points;
    struct abut_rays rays;
    struct abut_index *index;
};

static const float one[1] = {1};

static void check_joins(const struct sets *sets)
{
    const struct abut_set queries = abut_of_spheres(&sets->queries);
    const struct abut_reach near = {.within = 0.5f}, box = {.period = {4, 4, 4}}, *const reaches[] = {&near, &box};
    struct abut_pair pairs[1] = {{7, 7}};
    uint64_t count = 9, offsets[2] = {9, 9}, mask[1] = {9};
    uint32_t counts[1] = {9}, rows[1] = {9}, indices[1] = {9}, masks[1] = {9};
    const size_t n = sets->queries.n;
    check_that(abut_join(sets->index, queries, NULL, pairs, 1, &count) == ABUT_OK && count == 0, "%s: join",
               sets->what);
    for (unsigned i = 0; i < 2; i++) {
        count = 9;
        CHECK(abut_join_within(sets->index, queries, reaches[i], NULL, pairs, 1, &count) == ABUT_OK && count == 0);
        count = 9;
        CHECK(abut_join_within(sets->index, abut_of_index(sets->index), reaches[i], NULL, pairs, 0, &count) ==
                  ABUT_OK &&
              count == sets->items.n);
    }
    CHECK(abut_join_counts(sets->index, queries, NULL, counts) == ABUT_OK && counts[0] == (n > 0 ? 0 : 9));
    CHECK(abut_join_any(sets->index, queries, NULL, mask) == ABUT_OK && mask[0] == (n > 0 ? 0 : 9));
    CHECK(abut_join_rows(sets->index, queries, NULL, offsets, indices, 1) == ABUT_OK && offsets[n] == 0);
    offsets[0] = offsets[1] = 9;
    CHECK(abut_join_rows_unsorted(sets->index, queries, NULL, rows, offsets, indices, 1) == ABUT_OK &&
          offsets[0] == 0 && offsets[n] == 0 && rows[0] == (n > 0 ? 0 : 9));
    count = 9;
    CHECK(abut_join_some(sets->index, NULL, 0, NULL, pairs, 1, &count) == ABUT_OK && count == 0);
    count = 9;
    CHECK(abut_self_join(sets->index, NULL, pairs, 1, &count) == ABUT_OK && count == 0);
    CHECK(abut_join_masks(sets->index, queries, NULL, masks) == ABUT_OK && masks[0] == (sets->items.n > 0 ? 0 : 9));
    mask[0] = 9;
    CHECK(abut_join_bits(sets->index, queries, NULL, mask) == ABUT_OK &&
          mask[0] == (n > 0 && sets->items.n > 0 ? 0 : 9));
    const uint32_t ends[2] = {0, (uint32_t)n};
    const struct abut_groups groups = {1, ends};
    mask[0] = 9;
    CHECK(abut_join_groups(sets->index, queries, &groups, NULL, mask) == ABUT_OK && mask[0] == 0);
    mask[0] = 9;
    CHECK(abut_test_all_groups(ABUT_TOUCHES, queries, abut_of_spheres(&sets->items), &groups, NULL, mask) == ABUT_OK &&
          mask[0] == 0);
    offsets[0] = offsets[1] = 9;
    CHECK(abut_self_rows(sets->index, ABUT_ROWS_FULL, NULL, offsets, indices, 1) == ABUT_OK && offsets[0] == 0 &&
          offsets[sets->items.n] == 0);
    offsets[0] = offsets[1] = 9;
    CHECK(abut_self_rows_unsorted(sets->index, ABUT_ROWS_HALF, NULL, rows, offsets, indices, 1) == ABUT_OK &&
          offsets[0] == 0 && offsets[sets->items.n] == 0);
    CHECK(pairs[0].a == 7 && indices[0] == 9);
}

/* The one item, if there is one, is no neighbour: it is too far away. */
static void check_rest(const struct sets *sets)
{
    const struct abut_neighbours wanted = {.k = 1, .limited = true, .within = 1};
    uint32_t indices[1] = {9}, items[1] = {9}, ranks[1] = {9};
    float d2[1] = {9}, t[1] = {9};
    uint64_t offsets[2] = {9, 9}, mask[1] = {9};
    const struct abut_neighbours_found found = {.indices = indices, .d2 = d2, .ranks = ranks};
    const bool asked = sets->points.n > 0;
    CHECK(abut_find_neighbours(sets->index, &sets->points, &wanted, NULL, &found) == ABUT_OK);
    check_that(indices[0] == (asked ? UINT32_MAX : 9) && d2[0] == (asked ? INFINITY : 9) &&
                   ranks[0] == (asked ? UINT32_MAX : 9),
               "%s: neighbours", sets->what);
    CHECK(abut_cast_first(sets->index, &sets->rays, NULL, items, t) == ABUT_OK);
    CHECK(items[0] == (asked ? UINT32_MAX : 9) && t[0] == (asked ? INFINITY : 9));
    CHECK(abut_cast_any(sets->index, &sets->rays, NULL, mask) == ABUT_OK && mask[0] == (asked ? 0 : 9));
    CHECK(abut_cast_all(sets->index, &sets->rays, NULL, offsets, items, t, 1) == ABUT_OK);
    CHECK(offsets[0] == 0 && offsets[asked] == 0);
}

static void check_sets(bool is_view, size_t items, size_t queries)
{
    static const float far[1] = {50};
    struct sets sets = {.what = is_view ? "a view" : "an index"};
    sets.items = items > 0 ? (struct abut_spheres){1, far, far, far, one} : (struct abut_spheres){0};
    sets.queries = queries > 0 ? (struct abut_spheres){1, one, one, one, one} : (struct abut_spheres){0};
    sets.points = queries > 0 ? (struct abut_points){1, one, one, one} : (struct abut_points){0};
    sets.rays = queries > 0 ? (struct abut_rays){.n = 1, .x = one, .y = one, .z = one, .dx = one, .dy = one, .dz = one}
                            : (struct abut_rays){0};
    const struct abut_set set = abut_of_spheres(&sets.items);
    CHECK((is_view ? abut_index_view(set, 0, NULL, NULL, &sets.index) : abut_index_new(set, NULL, NULL, &sets.index)) ==
          ABUT_OK);
    check_joins(&sets);
    check_rest(&sets);
    double growth = 9;
    struct abut_invalid invalid = {.count = 9};
    CHECK(abut_index_refit_some(sets.index, set, NULL, 0, NULL, &growth, &invalid) == ABUT_OK && growth == 1 &&
          invalid.count == 0);
    CHECK(abut_index_refit(sets.index, set, NULL, &growth, &invalid) == ABUT_OK && growth == 1);
    check_joins(&sets);
    abut_index_free(sets.index);
}

/* A refit of no item still says where the items are from now on: the arrays of before may be gone. */
static void check_view_moves(void)
{
    for (unsigned some = 0; some < 2; some++) {
        float before[2][4] = {{0, 0, 0, 1}, {9, 9, 9, 1}};
        const float now[2][4] = {{0, 0, 0, 1}, {9, 9, 9, 1}};
        const float *at = before[0];
        struct abut_spheres spheres = {1, at, at + 1, at + 2, at + 3};
        struct abut_index *index = NULL;
        const float *to = now[0];
        const struct abut_spheres moved = {1, to, to + 1, to + 2, to + 3}, query = moved;
        const uint32_t none = 0;
        uint64_t count = 0;
        CHECK(abut_index_view(abut_of_spheres(&spheres), 0, NULL, NULL, &index) == ABUT_OK);
        CHECK(abut_index_refit_some(index, abut_of_spheres(&moved), some ? &none : NULL, 0, NULL, NULL, NULL) ==
              ABUT_OK);
        for (unsigned k = 0; k < 3; k++)
            before[0][k] = 1000;
        CHECK(abut_join(index, abut_of_spheres(&query), NULL, NULL, 0, &count) == ABUT_OK);
        check_that(count == 1, "a view refit for no item looks at its earlier arrays: %u pairs", (unsigned)count);
        abut_index_free(index);
    }
}

static void check_world(void)
{
    struct abut_world *world = NULL;
    struct abut_world_changes changes;
    const struct abut_spheres none = {0}, sphere = {1, one, one, one, one};
    const struct abut_points no_points = {0}, point = {1, one, one, one};
    const struct abut_neighbours wanted = {.k = 1};
    uint32_t id[1] = {9};
    uint64_t count = 9;
    CHECK(abut_world_new(0, NULL, &world) == ABUT_OK);
    CHECK(abut_world_add(world, abut_of_spheres(&none), NULL, NULL, NULL) == ABUT_OK);
    for (unsigned i = 0; i < 2; i++) {
        memset(&changes, 0xff, sizeof changes);
        CHECK(abut_world_update(world, true, NULL, &changes) == ABUT_OK);
        CHECK(changes.n_began == 0 && changes.n_ended == 0 && changes.n_kept == 0);
        CHECK(abut_world_move(world, NULL, abut_of_spheres(&none), NULL) == ABUT_OK);
        CHECK(abut_world_remove(world, NULL, 0) == ABUT_OK);
        CHECK(abut_world_label(world, NULL, 0, &(const struct abut_world_labels){0}) == ABUT_OK);
        count = 9;
        CHECK(abut_world_join(world, abut_of_spheres(&none), NULL, NULL, 0, &count) == ABUT_OK && count == 0);
        CHECK(abut_world_nearest(world, &no_points, &wanted, NULL, NULL, NULL) == ABUT_OK);
        count = 9;
        CHECK(abut_world_join(world, abut_of_spheres(&sphere), NULL, NULL, 0, &count) == ABUT_OK && count == i);
        CHECK(abut_world_nearest(world, &point, &wanted, NULL, id, NULL) == ABUT_OK && id[0] == (i ? 0 : UINT32_MAX));
        if (i == 0)
            CHECK(abut_world_add(world, abut_of_spheres(&sphere), NULL, NULL, id) == ABUT_OK && id[0] == 0);
    }
    abut_world_free(world);
}

static void check_others(void)
{
    const struct abut_triangles no_triangles = {0};
    const struct abut_points no_points = {0}, point = {1, one, one, one};
    const struct abut_hulls no_hulls = {0};
    struct abut_solid *solid = NULL;
    struct abut_contacts contacts = {.n_began = 9, .n_kept = 9, .n_ended = 9};
    uint64_t inside[1] = {9}, offsets[1] = {9};
    float low[3], high[3], distance[1] = {9};
    bool moved = true;
    CHECK(abut_solid_new(&no_triangles, NULL, NULL, &solid) == ABUT_OK);
    CHECK(abut_solid_contains(solid, &no_points, NULL, inside) == ABUT_OK && inside[0] == 9);
    CHECK(abut_solid_contains(solid, &point, NULL, inside) == ABUT_OK && inside[0] == 0);
    CHECK(abut_solid_distance(solid, &point, NULL, &(const struct abut_solid_found){.distance = distance}) == ABUT_OK &&
          distance[0] == INFINITY);
    abut_solid_free(solid);
    CHECK(abut_find_contacts(NULL, 0, NULL, 0, &contacts) == ABUT_OK && contacts.n_began == 0 && contacts.n_kept == 0 &&
          contacts.n_ended == 0);
    CHECK(abut_sort_pairs(NULL, 0, NULL) == ABUT_OK);
    CHECK(abut_corners_of_hulls(&no_hulls, offsets, NULL, 0, NULL) == ABUT_OK && offsets[0] == 0);
    CHECK(abut_aabb_of_points(&no_points, low, high) == ABUT_OK && low[0] == INFINITY && high[2] == -INFINITY);
    CHECK(abut_any_moved(&no_points, &no_points, 0, &moved) == ABUT_OK && !moved);
}

int main(void)
{
    for (unsigned i = 0; i < 8; i++)
        if (i / 2 % 4 < 3) /* an item and a query have something to do */
            check_sets(i % 2 != 0, i / 2 == 1, i / 2 == 2);
    check_view_moves();
    check_world();
    check_others();
    return finish("nothing");
}
