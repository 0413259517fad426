/* SPDX-License-Identifier: MIT */
/*
 * Tests a world with wrong arguments, with bytes that no save wrote, and without memory: every allocation fails, alone
 * and with all that follow. A call that failed is made again, and nothing else shows that it failed.
 */
#include "account.h"
#include "report.h"

#include <abut/shapes.h>
#include <abut/world.h>

#include <math.h>
#include <string.h>

enum { N = 300, STEPS = 6, MOST_PAIRS = 20000, MOST_BYTES = 1 << 17 };

/* Spheres and AABBs that move. */
static float ball[4][N], box[6][N];
static const struct abut_spheres balls = {N, ball[0], ball[1], ball[2], ball[3]};
static const struct abut_aabbs boxes = {N, box[0], box[1], box[2], box[3], box[4], box[5]};

static void place_items(unsigned step)
{
    struct random random = {7};
    for (unsigned i = 0; i < N; i++) {
        const float shift = i % 3 == 0 ? (float)step * 0.7f : 0;
        for (unsigned k = 0; k < 3; k++) {
            ball[k][i] = random_between(&random, 0, 12) + shift;
            box[k][i] = random_between(&random, 0, 12) - shift;
            box[k + 3][i] = box[k][i] + 1;
        }
        ball[3][i] = 0.6f;
    }
}

/* Which pairs began and ended in a run, and how it was saved at last. */
struct record {
    struct abut_pair pairs[MOST_PAIRS];
    size_t n, size, failures;
    char saved[MOST_BYTES];
};

static void note_pairs(struct record *record, const struct abut_pair *pairs, size_t n)
{
    if (CHECK(record->n + n <= MOST_PAIRS))
        memcpy(record->pairs + record->n, pairs, n * sizeof *pairs);
    record->n += n;
}

/* Makes a call again after it failed, if it recovers; else returns from the run. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        enum abut_status status = (call);                                                                              \
        while (status == ABUT_ERROR_MEMORY && account->recovers) {                                                     \
            record->failures++;                                                                                        \
            status = (call);                                                                                           \
        }                                                                                                              \
        if (status != ABUT_OK) {                                                                                       \
            CHECK(status == ABUT_ERROR_MEMORY);                                                                        \
            record->failures++;                                                                                        \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

static void run_steps(struct account *account, const struct abut_options *options, struct abut_world **world,
                      struct record *record)
{
    uint32_t ids[2 * N];
    struct abut_world_changes changes;
    TRY(abut_world_new(0.2f, options, world));
    place_items(0);
    TRY(abut_world_add(*world, abut_of_spheres(&balls), NULL, NULL, ids));
    TRY(abut_world_add(*world, abut_of_aabbs(&boxes), NULL, NULL, ids + N));
    for (unsigned step = 0; step < STEPS; step++) {
        TRY(abut_world_update(*world, true, options, &changes));
        note_pairs(record, changes.began, changes.n_began);
        note_pairs(record, changes.ended, changes.n_ended);
        note_pairs(record, changes.kept, step == 2 ? changes.n_kept : 0);
        place_items(step);
        TRY(abut_world_remove(*world, ids + 5 * step, 5));
        TRY(abut_world_update(*world, false, options, &changes));
        note_pairs(record, changes.ended, changes.n_ended);
        const struct abut_spheres back = {5, ball[0], ball[1], ball[2], ball[3]};
        TRY(abut_world_add(*world, abut_of_spheres(&back), NULL, NULL, ids + 5 * step));
        TRY(abut_world_move(*world, ids, abut_of_spheres(&balls), NULL));
        TRY(abut_world_move(*world, ids + N, abut_of_aabbs(&boxes), NULL));
        static struct abut_pair met[MOST_PAIRS];
        uint64_t n = 0;
        TRY(abut_world_join(*world, abut_of_spheres(&back), options, met, MOST_PAIRS, &n));
        CHECK(n > 0);
        note_pairs(record, met, (size_t)n);
        const struct abut_points from = {5, ball[0], ball[1], ball[2]};
        const struct abut_neighbours wanted = {.k = 2};
        uint32_t near[10];
        float d2[10];
        TRY(abut_world_nearest(*world, &from, &wanted, options, near, d2));
        note_pairs(record, (const struct abut_pair[]){{near[0], near[1]}, {near[8], near[9]}}, 2);
    }
    TRY(abut_world_save(*world, record->saved, MOST_BYTES, &record->size));
    CHECK(record->size <= MOST_BYTES);
    struct abut_world *restored = NULL;
    TRY(abut_world_restore(record->saved, record->size, options, &restored));
    abut_world_free(*world);
    *world = restored;
    TRY(abut_world_update(*world, false, options, &changes));
    note_pairs(record, changes.began, changes.n_began);
    note_pairs(record, changes.ended, changes.n_ended);
}

static void run(struct account *account, struct record *record)
{
    const struct abut_allocator allocator = {take, give, account};
    const struct abut_options options = {.allocator = &allocator};
    struct abut_world *world = NULL;
    record->n = record->size = record->failures = 0;
    run_steps(account, &options, &world, record);
    CHECK(!world || abut_world_bytes(world) > 0);
    abut_world_free(world);
    CHECK(account->open == 0);
}

static void fail_all(void)
{
    static struct record right, record;
    struct account account = {.left = SIZE_MAX};
    run(&account, &right);
    CHECK(right.n > N && right.failures == 0);
    for (unsigned recovers = 0; recovers < 2; recovers++)
        for (size_t left = 0;; left++) {
            account = (struct account){.left = left, .recovers = recovers != 0};
            run(&account, &record);
            if (record.failures == 0) {
                CHECK(left > 40);
                break;
            }
            if (!recovers)
                continue;
            check_that(record.failures == 1 && record.n == right.n && record.size == right.size &&
                           memcmp(record.pairs, right.pairs, right.n * sizeof *right.pairs) == 0 &&
                           memcmp(record.saved, right.saved, right.size) == 0,
                       "without allocation %zu the world is another", left);
        }
}

/* Bytes that were changed or cut are refused, or make a world that works. */
static void restore_garbage(void)
{
    static char saved[MOST_BYTES], garbage[MOST_BYTES];
    struct abut_world *world = NULL, *made = NULL;
    struct abut_world_changes changes;
    uint32_t ids[N];
    size_t size;
    place_items(1);
    CHECK(abut_world_new(0, NULL, &world) == ABUT_OK);
    CHECK(abut_world_add(world, abut_of_spheres(&balls), NULL, NULL, ids) == ABUT_OK);
    CHECK(abut_world_update(world, false, NULL, &changes) == ABUT_OK && changes.n_began > 10);
    CHECK(abut_world_remove(world, ids, 30) == ABUT_OK);
    CHECK(abut_world_save(world, saved, MOST_BYTES, &size) == ABUT_OK && size <= MOST_BYTES);
    for (size_t n = 0; n < size; n += n < 200 ? 1 : 61)
        CHECK(abut_world_restore(saved, n, NULL, &made) == ABUT_ERROR_INVALID && !made);
    unsigned refused = 0, taken = 0;
    struct random random = {3};
    for (size_t i = 0; i < 4000; i++) {
        memcpy(garbage, saved, size);
        const size_t at = i < 200 ? i : random_below(&random, (unsigned)size);
        garbage[at] = (char)(garbage[at] ^ (1 << random_below(&random, 8)));
        const enum abut_status status = abut_world_restore(garbage, size, NULL, &made);
        CHECK(status == ABUT_OK || status == ABUT_ERROR_INVALID || status == ABUT_ERROR_MEMORY);
        refused += status != ABUT_OK;
        taken += status == ABUT_OK;
        if (status == ABUT_OK)
            CHECK(abut_world_update(made, true, NULL, &changes) == ABUT_OK);
        abut_world_free(made);
    }
    check_that(refused > 500 && taken > 500, "%u refused, %u taken", refused, taken);
    CHECK(abut_world_restore(NULL, 0, NULL, &made) == ABUT_ERROR_INVALID);
    CHECK(abut_world_restore(NULL, 1, NULL, &made) == ABUT_ERROR_NULL);
    CHECK(abut_world_restore(saved, size, NULL, NULL) == ABUT_ERROR_NULL);
    abut_world_free(world);
}

static void check_new_and_add(struct abut_world *world)
{
    static const float nan_padding[] = {NAN, INFINITY, -1};
    struct abut_world *made = NULL;
    struct abut_invalid invalid;
    struct abut_world_changes changes;
    uint32_t ids[2 * N];
    for (unsigned i = 0; i < 3; i++)
        CHECK(abut_world_new(nan_padding[i], NULL, &made) == ABUT_ERROR_ARGUMENT && !made);
    CHECK(abut_world_new(0, &(struct abut_options){.touch = 2}, &made) == ABUT_ERROR_ARGUMENT && !made);
    CHECK(abut_world_new(0, NULL, NULL) == ABUT_ERROR_NULL);
    const struct abut_allocator half = {.allocate = take};
    CHECK(abut_world_new(0, &(struct abut_options){.allocator = &half}, &made) == ABUT_ERROR_NULL && !made);
    CHECK(abut_world_restore(NULL, 0, &(struct abut_options){.allocator = &half}, &made) == ABUT_ERROR_NULL && !made);
    const struct abut_threads idle = {.count = 2};
    CHECK(abut_world_update(world, false, &(struct abut_options){.threads = &idle}, &changes) == ABUT_ERROR_NULL);
    CHECK(abut_world_add(NULL, abut_of_spheres(&balls), NULL, NULL, ids) == ABUT_ERROR_NULL);
    CHECK(abut_world_add(world, abut_of_spheres(NULL), NULL, NULL, ids) == ABUT_ERROR_NULL);
    CHECK(abut_world_add(world, abut_of_spheres(&balls), NULL, NULL, NULL) == ABUT_ERROR_NULL);
    ball[3][4] = -1;
    CHECK(abut_world_add(world, abut_of_spheres(&balls), NULL, &invalid, ids) == ABUT_ERROR_INVALID);
    CHECK(invalid.row == 4 && strcmp(invalid.field, "r") == 0 && abut_world_count(world) == 0);
    ball[3][4] = 1;
    const struct abut_planes planes = {1, ball[0], ball[1], ball[2], ball[3]};
    CHECK(abut_world_add(world, abut_of_planes(&planes), NULL, NULL, ids) == ABUT_ERROR_ARGUMENT);
}

/* Two points have no predicate: they are refused, unless their labels keep them apart. */
static void check_predicates(struct abut_world *world)
{
    static const uint32_t one[2] = {1, 1}, two[2] = {2, 2}, none[2] = {0, 0};
    static const uint64_t data[2] = {11, 12};
    const struct abut_points points = {2, ball[0], ball[1], ball[2]}, point = {1, ball[0], ball[1], ball[2]};
    const struct abut_world_labels apart = {two, one, data};
    uint32_t ids[4];
    CHECK(abut_world_add(world, abut_of_points(&points), NULL, NULL, ids) == ABUT_ERROR_PREDICATE);
    CHECK(abut_world_add(world, abut_of_points(&points), &apart, NULL, ids) == ABUT_OK);
    CHECK(abut_world_data(world, ids[1]) == 12 && abut_world_data(world, 99) == 0);
    CHECK(abut_world_add(world, abut_of_points(&point), NULL, NULL, ids + 2) == ABUT_ERROR_PREDICATE);
    const struct abut_world_labels together = {one, NULL, NULL}, alone = {NULL, none, NULL};
    CHECK(abut_world_label(world, ids, 2, &together) == ABUT_ERROR_PREDICATE);
    CHECK(abut_world_label(world, ids, 2, &alone) == ABUT_OK && abut_world_data(world, ids[1]) == 12);
    CHECK(abut_world_remove(world, ids, 2) == ABUT_OK && abut_world_count(world) == 0);
    CHECK(abut_world_add(world, abut_of_points(&point), NULL, NULL, ids) == ABUT_OK);
    CHECK(ids[0] == 2); /* 0 and 1 are not free yet */
    CHECK(abut_world_remove(world, ids, 1) == ABUT_OK);
}

/* Outputs are not written on an error. */
static void check_nearest_errors(struct abut_world *world, const uint32_t *ids)
{
    const struct abut_points points = {2, ball[0], ball[1], ball[2]}, none = {0};
    const struct abut_filter of_items = {.item_masks = ids};
    struct abut_neighbours wanted = {.k = 1};
    uint32_t near[2] = {7, 7};
    CHECK(abut_world_nearest(NULL, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_nearest(world, NULL, &wanted, NULL, near, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_nearest(world, &points, NULL, NULL, near, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_nearest(world, &points, &wanted, &(struct abut_options){.filter = &of_items}, near, NULL) ==
          ABUT_ERROR_ARGUMENT);
    wanted.first = 1;
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_ARGUMENT);
    wanted = (struct abut_neighbours){.k = 1, .exclude_self = true};
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_ARGUMENT);
    wanted = (struct abut_neighbours){.k = 1, .period = {0, 0, 3}};
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_ARGUMENT);
    wanted = (struct abut_neighbours){.k = 1, .limited = true, .within = -1};
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_ARGUMENT);
    wanted = (struct abut_neighbours){.k = 0};
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_ARGUMENT);
    wanted = (struct abut_neighbours){.k = SIZE_MAX};
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_ERROR_TOO_MANY);
    CHECK(near[0] == 7 && near[1] == 7);
    wanted.k = 1;
    CHECK(abut_world_nearest(world, &none, &wanted, NULL, NULL, NULL) == ABUT_OK);
    CHECK(abut_world_nearest(world, &points, &wanted, NULL, near, NULL) == ABUT_OK && near[0] != 7);
}

static void check_calls(struct abut_world *world)
{
    struct abut_world_changes changes;
    uint32_t ids[N], others[2];
    size_t n;
    CHECK(abut_world_add(world, abut_of_spheres(&balls), NULL, NULL, ids) == ABUT_OK);
    const struct abut_aabbs one = {1, box[0], box[1], box[2], box[3], box[4], box[5]};
    uint32_t bad[2] = {ids[0], 5000};
    CHECK(abut_world_move(world, ids, abut_of_aabbs(&one), NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_move(world, NULL, abut_of_spheres(&balls), NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_move(NULL, ids, abut_of_spheres(&balls), NULL) == ABUT_ERROR_NULL);
    const struct abut_spheres two = {2, ball[0], ball[1], ball[2], ball[3]};
    CHECK(abut_world_move(world, bad, abut_of_spheres(&two), NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_remove(world, bad, 2) == ABUT_ERROR_ARGUMENT && abut_world_has(world, ids[0]));
    CHECK(abut_world_remove(world, NULL, 1) == ABUT_ERROR_NULL && abut_world_remove(NULL, ids, 1) == ABUT_ERROR_NULL);
    CHECK(abut_world_label(world, bad, 2, &(struct abut_world_labels){0}) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_label(world, ids, 2, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_update(world, false, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_update(NULL, false, NULL, &changes) == ABUT_ERROR_NULL);
    CHECK(abut_world_update(world, false, NULL, &changes) == ABUT_OK && changes.n_began > 0);
    CHECK(abut_world_update(world, false, NULL, &changes) == ABUT_OK && changes.n_began + changes.n_ended == 0);
    const struct abut_filter of_items = {.item_groups = ids};
    const struct abut_own own = {0};
    uint64_t met = 7;
    CHECK(abut_world_join(NULL, abut_of_spheres(&two), NULL, NULL, 0, &met) == ABUT_ERROR_NULL);
    CHECK(abut_world_join(world, abut_of_spheres(&two), NULL, NULL, 0, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_world_join(world, abut_of_spheres(&two), NULL, NULL, 1, &met) == ABUT_ERROR_NULL);
    CHECK(abut_world_join(world, abut_of_spheres(NULL), NULL, NULL, 0, &met) == ABUT_ERROR_NULL);
    CHECK(abut_world_join(world, abut_of_spheres(&two), &(struct abut_options){.filter = &of_items}, NULL, 0, &met) ==
          ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_join(world, abut_of_spheres(&two), &(struct abut_options){.own = &own}, NULL, 0, &met) ==
              ABUT_ERROR_ARGUMENT &&
          met == 7);
    CHECK(abut_world_join(world, abut_of_spheres(&two), NULL, NULL, 0, &met) == ABUT_OK && met > 0);
    check_nearest_errors(world, ids);
    CHECK(abut_world_touching(world, 5000, others, 2, &n) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_touching(world, ids[0], NULL, 2, &n) == ABUT_ERROR_NULL);
    CHECK(abut_world_touching(world, ids[0], NULL, 0, &n) == ABUT_OK);
    CHECK(abut_world_save(world, NULL, 1, &n) == ABUT_ERROR_NULL &&
          abut_world_save(world, NULL, 0, NULL) == ABUT_ERROR_NULL);
    CHECK(!abut_world_has(NULL, 0) && abut_world_count(NULL) == 0 && abut_world_bytes(NULL) == 0);
}

int main(void)
{
    struct abut_world *world = NULL;
    place_items(0);
    CHECK(abut_world_new(0.1f, NULL, &world) == ABUT_OK);
    check_new_and_add(world);
    check_predicates(world);
    check_calls(world);
    abut_world_free(world);
    abut_world_free(NULL);
    restore_garbage();
    fail_all();
    return finish("world_memory");
}
