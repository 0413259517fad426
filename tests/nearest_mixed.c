/* SPDX-License-Identifier: MIT */
/*
 * Compares the neighbours of points among the items of a world, of several shapes at once, with the oracle of
 * distances.
 */
#include "index_scenes.h"
#include "nearest_right.h"
#include "report.h"

#include <abut/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 90, POINTS = 6 };

/* Items by id. */
static struct scene {
    size_t n;
    unsigned measure[MOST]; /* which of measured */
    float item[MOST][ABUT_MAX_FIELDS], point[POINTS][3];
} scene;

static mpf_t distances[MOST];

static int compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const int order = order_of(distances[i], distances[j], 0);
    return order != 0 ? order : i < j ? -1 : i > j;
}

/*
 * A needle of a triangle in a plane at a distance of 3 from the origin, and a capsule around a line at a distance of 5
 * whose radius is 2, or the float above or below.
 */
static void make_ties(struct random *random, enum shape shape, float *item)
{
    static const float normal[4][3] = {{1, 2, 2}, {2, -1, 2}, {2, 2, -1}, {0, 0, 3}};
    static const float across[4][2][3] = {
        {{2, -1, 0}, {0, 1, -1}}, {{1, 2, 0}, {1, 0, -1}}, {{1, -1, 0}, {1, 0, 2}}, {{1, 0, 0}, {0, 1, 0}}};
    const unsigned which = random_below(random, 4);
    if (shape == shape_triangle)
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < 3; k++) {
                const float u = i == 0 ? -50 : i == 1 ? 70 : -10, v = i == 0 ? -40 : i == 1 ? 10 : 60;
                item[3 * i + k] = normal[which][k] + u * across[which][0][k] + v * across[which][1][k];
            }
    if (shape == shape_capsule || shape == shape_segment) {
        for (unsigned k = 0; k < 3; k++) {
            const float at = k == 0 ? 3 : k == 1 ? 4 : 0, along = k == 0 ? 4 : k == 1 ? -3 : (float)which;
            item[k] = at - 30 * along;
            item[k + 3] = at + 17 * along;
        }
        if (shape == shape_capsule)
            item[6] = which == 0 ? 2 : nextafterf(2, which == 1 ? 1 : 3);
    }
    if (shape == shape_sphere)
        memcpy(item, (const float[]){0, 0, 4, 1 + (float)which * 0x1p-23f}, 4 * sizeof *item);
}

/* From huge coordinates to tiny ones, which decide: the exact comparison takes as many limbs as it ever does. */
static void make_wide(enum shape shape, float *item)
{
    for (unsigned k = 0; k < shape_info(shape)->fields; k++)
        item[k] = item[k] == 0 ? 0x1p-148f : item[k] * 0x1p118f;
}

static void make_member(struct random *random, enum shape shape, unsigned layout, float *item)
{
    if (layout < layout_count)
        make_item(shape, (enum layout)layout, true, random, item);
    else
        make_shared(random, shape, item);
    if (layout > layout_count)
        make_ties(random, shape, item);
    if (layout == layout_count + 2 && shape != shape_obb)
        make_wide(shape, item);
}

/* shapes: bits of measured. */
static void make_scene(struct random *random, unsigned shapes, unsigned layout)
{
    scene.n = random_below(random, MOST);
    for (size_t i = 0; i < scene.n; i++) {
        do
            scene.measure[i] = random_below(random, SHAPES);
        while ((shapes >> scene.measure[i] & 1) == 0);
        make_member(random, measured[scene.measure[i]].shape, layout, scene.item[i]);
    }
    for (size_t p = 0; p < POINTS; p++) {
        float point[ABUT_MAX_FIELDS] = {0};
        if (layout < layout_count)
            make_item(shape_point, (enum layout)layout, true, random, point);
        else if (layout == layout_count)
            for (unsigned k = 0; k < 3; k++)
                point[k] = (float)random_below(random, 13) * 0.5f - 2;
        for (unsigned k = 0; k < 3; k++)
            scene.point[p][k] = isfinite(point[k]) ? point[k] : 0;
    }
}

/* Adds each item elsewhere at first, and moves some back before and some after an update. */
static struct abut_world *make_world(struct random *random, enum abut_touch touch)
{
    struct abut_world *world = NULL;
    struct abut_world_changes changes;
    CHECK(abut_world_new(0.25f, &(struct abut_options){.touch = touch}, &world) == ABUT_OK);
    const struct abut_world_labels apart = {.masks = (const uint32_t[]){0}};
    for (unsigned turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < scene.n; i++) {
            float item[ABUT_MAX_FIELDS];
            union any_batch any;
            uint32_t id = i;
            struct batch one = batch_new(measured[scene.measure[i]].shape, 1);
            memcpy(item, scene.item[i], sizeof item);
            if (turn == 0 && i % 3 != 0)
                make_item(one.shape, layout_even, true, random, item);
            batch_set(&one, 0, item);
            if (turn == 0)
                CHECK(abut_world_add(world, set_of(&one, &any), &apart, NULL, &id) == ABUT_OK && id == i);
            else if (turn == i % 3)
                CHECK(abut_world_move(world, &id, set_of(&one, &any), NULL) == ABUT_OK);
            batch_free(&one);
        }
        if (turn < 2)
            CHECK(abut_world_update(world, false, NULL, &changes) == ABUT_OK);
    }
    return world;
}

/* The rows that are found among these items, in the right order, and how many are within a limit. */
static void check_rows(struct abut_world *world, const uint32_t *right, const size_t *within,
                       const struct abut_neighbours *wanted, struct abut_stats *stats, const char *what)
{
    static uint32_t found[POINTS * (MOST + 3)];
    float at[3][POINTS];
    const struct abut_points points = {POINTS, at[0], at[1], at[2]};
    for (unsigned p = 0; p < POINTS; p++)
        for (unsigned k = 0; k < 3; k++)
            at[k][p] = scene.point[p][k];
    bool ok =
        abut_world_nearest(world, &points, wanted, &(struct abut_options){.stats = stats}, found, NULL) == ABUT_OK;
    for (size_t p = 0; p < POINTS; p++)
        for (size_t j = 0; j < wanted->k; j++)
            ok &= found[p * wanted->k + j] == (j < within[p] ? right[p * MOST + j] : UINT32_MAX);
    check_that(ok, "%zu of %zu items%s, %s", wanted->k, scene.n, wanted->limited ? " within a limit" : "", what);
}

static void check_scene(struct random *random, unsigned shapes, unsigned layout, struct abut_stats *stats)
{
    static uint32_t right[POINTS * MOST];
    static const float limits[] = {0, 0.5f, 3, 7};
    const uint64_t seed = random->state;
    const enum abut_touch touch = (enum abut_touch)random_below(random, 2);
    size_t within[POINTS], limited[POINTS];
    char what[100];
    make_scene(random, shapes, layout);
    struct abut_world *world = make_world(random, touch);
    const float limit = limits[random_below(random, 4)];
    for (size_t p = 0; p < POINTS; p++) {
        limited[p] = 0;
        within[p] = scene.n;
        for (uint32_t i = 0; i < scene.n; i++) {
            float item[ABUT_MAX_FIELDS];
            memcpy(item, scene.item[i], sizeof item);
            if (measured[scene.measure[i]].shape == shape_point)
                memcpy(item + 3, item, 3 * sizeof *item);
            right_distance(distances[i], measured[scene.measure[i]].kind, scene.point[p], item);
            const int sign = order_of(distances[i], NULL, limit);
            limited[p] += touch == ABUT_CLOSED ? sign <= 0 : sign < 0;
            right[p * MOST + i] = i;
        }
        qsort(right + p * MOST, scene.n, sizeof *right, compare);
    }
    snprintf(what, sizeof what, "shapes %x, layout %u; seed %llu", shapes, layout, (unsigned long long)seed);
    const size_t ks[] = {1, 4, scene.n + 3};
    for (unsigned i = 0; i < 3; i++) {
        const struct abut_neighbours wanted = {.k = ks[i]}, near = {.k = ks[i], .limited = true, .within = limit};
        check_rows(world, right, within, &wanted, stats, what);
        check_rows(world, right, limited, &near, stats, what);
    }
    abut_world_free(world);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct abut_stats stats = {0};
    for (unsigned i = 0; i < MOST; i++)
        mpf_init2(distances[i], BITS);
    truth_init();
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned layout = 0; layout <= layout_count + 2U; layout++) {
            check_scene(&random, (1U << SHAPES) - 1, layout, &stats);
            /* Each two shapes. */
            for (unsigned a = 0; a < SHAPES; a++)
                for (unsigned b = 0; b < a; b++)
                    check_scene(&random, 1U << a | 1U << b, layout, &stats);
        }
    CHECK(stats.exact > 0 && stats.undecided > stats.exact && stats.pairs > stats.undecided);
    for (unsigned i = 0; i < MOST; i++)
        mpf_clear(distances[i]);
    truth_clear();
    return finish("nearest_mixed");
}
