/* SPDX-License-Identifier: MIT */
/*
 * Tests a world with random histories of calls: each update reports what testing all with all finds, for every layout,
 * mixture of shapes, touch rule, instruction set and number of threads.
 */
#include "world_model.h"

#include "bvh/world/world.h"
#include "options.h"
#include "pool.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mixtures of shapes. */
#define BIT(name) (1U << shape_##name)
static const struct mixture {
    const char *name;
    unsigned shapes;
} mixtures[] = {
    {"AABBs", BIT(aabb)},
    {"spheres", BIT(sphere)},
    {"spheres and AABBs", BIT(sphere) | BIT(aabb)},
    {"all shapes", BIT(point) | BIT(sphere) | BIT(aabb) | BIT(obb) | BIT(segment) | BIT(capsule) | BIT(triangle)},
};
enum { MIXTURES = sizeof mixtures / sizeof *mixtures };

/* A world, its model, and what makes the calls. */
struct history {
    struct abut_world *world;
    struct model *model;
    struct random random;
    enum layout layout;
    unsigned shapes;
    bool labelled;
    const struct abut_threads *threads;
    char what[160];
    uint64_t operations, seen, restored;
};

static enum shape some_shape(struct history *history)
{
    for (;;) {
        const unsigned shape = random_below(&history->random, shape_count);
        if (history->shapes >> shape & 1)
            return (enum shape)shape;
    }
}

/* Bit s is the group of shape s; masks keep shapes apart that have no predicate. The upper bits are random. */
static void some_label(struct history *history, enum shape shape, struct model_item *item)
{
    item->group = 1U << shape;
    item->mask = 0;
    for (unsigned other = 0; other < shape_count; other++)
        item->mask |= abut_world_searches(shape, other) ? 1U << other : 0;
    if (history->shapes == BIT(aabb) || history->shapes == BIT(sphere)) {
        item->group = 1U << random_below(&history->random, 4) | 1U << random_below(&history->random, 4);
        item->mask = (uint32_t)random_next(&history->random) & 15;
    } else if (random_below(&history->random, 4) == 0) {
        item->mask = random_below(&history->random, 2) ? 0 : item->mask & (uint32_t)random_next(&history->random);
    }
    item->data = random_next(&history->random);
}

/* A call's items as the public functions take them. */
enum { MOST_AT_ONCE = 120, MOST_ITEMS_HERE = 250 };
struct call {
    struct batch batch;
    uint32_t ids[MOST_AT_ONCE], groups[MOST_AT_ONCE], masks[MOST_AT_ONCE];
    uint64_t data[MOST_AT_ONCE];
    size_t n;
};

static void add(struct history *history)
{
    struct model *model = history->model;
    struct call call;
    const enum shape shape = some_shape(history);
    call.n = random_below(&history->random, 6) == 0 ? random_below(&history->random, MOST_AT_ONCE)
                                                    : random_below(&history->random, 3);
    /* An id is the least free one, so ids are less than the items and the removed ones. */
    size_t taken = 0;
    for (size_t id = 0; id < model->slots; id++)
        taken += model->items[id].live || model->items[id].removed;
    if (taken + call.n > MOST_ITEMS_HERE)
        call.n = 0;
    call.batch = batch_new(shape, call.n);
    uint32_t right[MOST_AT_ONCE];
    const bool labels = history->labelled;
    for (size_t i = 0; i < call.n; i++) {
        struct model_item item = {.live = true, .shape = shape, .group = 1, .mask = UINT32_MAX};
        make_item(shape, history->layout, true, &history->random, item.members);
        if (labels)
            some_label(history, shape, &item);
        batch_set(&call.batch, i, item.members);
        right[i] = model_next_id(model);
        call.groups[i] = item.group;
        call.masks[i] = item.mask;
        call.data[i] = item.data;
        model->items[right[i]] = item;
        if (right[i] == model->slots)
            model->slots++;
    }
    union any_batch any;
    const struct abut_world_labels with = {call.groups, call.masks, call.data};
    CHECK(abut_world_add(history->world, set_of(&call.batch, &any), labels ? &with : NULL, NULL, call.ids) == ABUT_OK);
    check_that(memcmp(call.ids, right, call.n * sizeof *right) == 0, "%s: ids of added items", history->what);
    batch_free(&call.batch);
}

/* Some ids of live items, of one shape if it is a shape; some may be named twice. */
static size_t some_ids(struct history *history, unsigned shape, size_t most, uint32_t ids[MOST_AT_ONCE])
{
    const struct model *model = history->model;
    size_t n = 0;
    for (unsigned tries = 0; tries < 4 * most && n < most && model->slots > 0; tries++) {
        const uint32_t id = random_below(&history->random, (unsigned)model->slots);
        if (model->items[id].live && (shape == shape_count || model->items[id].shape == shape))
            ids[n++] = id;
    }
    return n;
}

/* Moves some items a little, far, or not at all. */
static void move(struct history *history)
{
    const enum shape shape = some_shape(history);
    const unsigned how = random_below(&history->random, 5);
    struct call call;
    call.n = some_ids(history, shape, random_below(&history->random, 5) == 0 ? MOST_AT_ONCE : 3, call.ids);
    call.batch = batch_new(shape, call.n);
    for (size_t i = 0; i < call.n; i++) {
        float *members = history->model->items[call.ids[i]].members;
        const unsigned along = random_below(&history->random, 3);
        if (how == 0) {
            make_item(shape, history->layout, true, &history->random, members);
        } else if (how < 4) {
            /* Points of the shape move together. AABBs stay valid where rounding is monotone. */
            const unsigned coordinates = shape == shape_aabb || shape == shape_segment || shape == shape_capsule ? 6
                                         : shape == shape_triangle                                               ? 9
                                                                                                                 : 3;
            const float step = how == 1 ? 1 : random_between(&history->random, -0.4f, 0.4f);
            for (unsigned k = along; k < coordinates; k += 3)
                if (fabsf(members[k] + step) < 1e37f)
                    members[k] += step;
            if (shape == shape_aabb && members[along + 3] < members[along])
                members[along + 3] = members[along];
        }
        batch_set(&call.batch, i, members);
    }
    /* Of an id that is named twice the last item counts. */
    for (size_t i = 0; i < call.n; i++)
        batch_get(&call.batch, i, history->model->items[call.ids[i]].members);
    union any_batch any;
    CHECK(abut_world_move(history->world, call.ids, set_of(&call.batch, &any), NULL) == ABUT_OK);
    batch_free(&call.batch);
}

static void label(struct history *history)
{
    struct call call;
    if (!history->labelled)
        return;
    call.n = some_ids(history, shape_count, 1 + random_below(&history->random, 5), call.ids);
    for (size_t i = 0; i < call.n; i++) {
        struct model_item *item = &history->model->items[call.ids[i]];
        struct model_item other = *item;
        some_label(history, item->shape, &other);
        call.groups[i] = other.group;
        call.masks[i] = other.mask;
        item->group = other.group;
        item->mask = other.mask;
    }
    const struct abut_world_labels labels = {call.groups, call.masks, NULL};
    CHECK(abut_world_label(history->world, call.ids, call.n, &labels) == ABUT_OK);
}

static void take_out(struct history *history)
{
    struct call call;
    call.n = some_ids(history, shape_count, random_below(&history->random, 8) == 0 ? 40 : 2, call.ids);
    CHECK(abut_world_remove(history->world, call.ids, call.n) == ABUT_OK);
    for (size_t i = 0; i < call.n; i++) {
        history->model->items[call.ids[i]].live = false;
        history->model->items[call.ids[i]].removed = true;
    }
}

/* Goes on with a restored world, which is saved as the same bytes. */
static void restore(struct history *history)
{
    size_t size, again;
    CHECK(abut_world_save(history->world, NULL, 0, &size) == ABUT_OK);
    char *saved = malloc(size + 1), *twice = malloc(size + 1);
    CHECK(abut_world_save(history->world, saved + 1, size, &again) == ABUT_OK && again == size);
    struct abut_world *made = NULL;
    if (CHECK(abut_world_restore(saved + 1, size, NULL, &made) == ABUT_OK)) {
        CHECK(abut_world_save(made, twice + 1, size, &again) == ABUT_OK && again == size);
        check_that(memcmp(saved + 1, twice + 1, size) == 0, "%s: a restored world is saved as other bytes",
                   history->what);
        /* The two go on with the same calls: the old one is compared at once. */
        struct abut_world_changes old, new;
        CHECK(abut_world_update(history->world, true, NULL, &old) == ABUT_OK);
        CHECK(abut_world_update(made, true, NULL, &new) == ABUT_OK);
        CHECK(old.n_began == new.n_began &&old.n_ended == new.n_ended &&old.n_kept == new.n_kept);
        CHECK(memcmp(old.ended, new.ended, old.n_ended * sizeof *old.ended) == 0);
        model_update(history->model, &new, true, history->what, &history->seen);
        abut_world_free(history->world);
        history->world = made;
        history->restored++;
    }
    free(saved);
    free(twice);
}

/* A box as a hull of six planes. */
static struct abut_hulls some_hull(struct history *history)
{
    static const float n[3][6] = {{1, -1, 0, 0, 0, 0}, {0, 0, 1, -1, 0, 0}, {0, 0, 0, 0, 1, -1}};
    static const uint32_t offsets[2] = {0, 6};
    static float d[6];
    for (unsigned k = 0; k < 6; k++)
        d[k] = random_between(&history->random, -20, 1);
    return (struct abut_hulls){1, offsets, n[0], n[1], n[2], d};
}

/* Queries of any shape, invalid ones among them, before or after an update. */
static void query(struct history *history)
{
    struct model_item item;
    uint32_t groups[MOST_QUERIES], masks[MOST_QUERIES];
    union any_batch any;
    const enum shape shape = some_shape(history);
    struct batch batch =
        make_batch(shape, history->layout, false, &history->random, random_below(&history->random, MOST_QUERIES));
    struct model_queries queries = {.set = set_of(&batch, &any), .n = batch.n};
    for (size_t i = 0; i < batch.n && history->labelled; i++) {
        some_label(history, shape, &item);
        groups[i] = item.group;
        masks[i] = item.mask;
    }
    if (history->labelled && batch.n > 0) {
        queries.groups = groups;
        queries.masks = masks;
    }
    model_compare_queries(history->model, history->world, &queries, history->what);
    const struct abut_hulls hull = some_hull(history);
    queries = (struct model_queries){.set = abut_of_hulls(&hull), .n = 1};
    model_compare_queries(history->model, history->world, &queries, history->what);
    batch_free(&batch);
}

/* The items nearest to points, before or after an update. */
static void nearest(struct history *history)
{
    static const size_t ks[] = {1, 3, 20, MOST_IDS};
    static const float limits[] = {0, 0.5f, 4};
    uint32_t groups[MOST_QUERIES], masks[MOST_QUERIES];
    union any_batch any;
    struct random *random = &history->random;
    struct batch batch = make_batch(shape_point, history->layout, false, random, random_below(random, 12));
    struct model_queries points = {.set = set_of(&batch, &any), .n = batch.n};
    struct abut_stats stats = {0};
    const struct abut_options options = {.threads = history->threads, .stats = &stats};
    const size_t k = ks[random_below(random, 4)];
    const bool limited = random_below(random, 3) == 0;
    const float within = limits[random_below(random, 3)];
    const struct abut_neighbours wanted = {.k = k, .limited = limited, .within = limited ? within : 0};
    for (size_t i = 0; i < batch.n; i++) {
        groups[i] = (uint32_t)random_next(random);
        masks[i] = (uint32_t)random_next(random);
    }
    if (history->labelled && batch.n > 0 && random_below(random, 2)) {
        points.groups = groups;
        points.masks = masks;
    }
    model_compare_nearest(history->model, history->world, &points, &wanted, &options, history->what);
    batch_free(&batch);
}

static void update(struct history *history)
{
    struct abut_world_changes changes;
    struct abut_stats stats = {0};
    const struct abut_options options = {.threads = history->threads, .stats = &stats};
    const bool kept = random_below(&history->random, 3) == 0;
    if (CHECK(abut_world_update(history->world, kept, &options, &changes) == ABUT_OK))
        model_update(history->model, &changes, kept, history->what, &history->seen);
}

static void one_call(struct history *history)
{
    const unsigned which = random_below(&history->random, 100);
    if (which < 18)
        add(history);
    else if (which < 60)
        move(history);
    else if (which < 65)
        label(history);
    else if (which < 74)
        take_out(history);
    else if (which < 75)
        restore(history);
    else if (which < 80)
        query(history);
    else if (which < 84)
        nearest(history);
    else
        update(history);
    if (which == 99)
        model_compare(history->model, history->world, history->what);
    history->operations++;
}

static void run_history(struct history *history, enum abut_touch touch, float padding, unsigned calls)
{
    history->model = calloc(1, sizeof *history->model);
    history->model->touch = touch;
    const struct abut_options options = {.touch = touch};
    CHECK(abut_world_new(padding, &options, &history->world) == ABUT_OK);
    for (unsigned i = 0; i < calls; i++)
        one_call(history);
    update(history);
    model_compare(history->model, history->world, history->what);
    abut_world_free(history->world);
    free(history->model);
}

/* Every mixture and layout; instruction sets, touch rules, paddings and threads take turns. */
static void run_all(const struct options *options, const struct abut_threads *threads, unsigned calls)
{
    static const float paddings[] = {0, 0.1f, 3, 1e30f};
    const char *const *isas = abut_isas();
    uint64_t operations = 0, seen = 0, restored = 0;
    unsigned turn = 0, isas_n = 0;
    while (isas[isas_n])
        isas_n++;
    for (unsigned round = 0; round < options->rounds; round++)
        for (unsigned m = 0; m < MIXTURES; m++)
            for (unsigned layout = 0; layout < layout_count; layout++, turn++) {
                const enum abut_touch touch = (enum abut_touch)(turn / 3 % 2);
                const uint64_t seed = options->seed + turn;
                struct history history = {
                    .random = {seed}, .layout = (enum layout)layout, .shapes = mixtures[m].shapes};
                history.labelled = m == 3 || turn % 2 == 0;
                history.threads = turn % 3 == 0 ? threads : NULL;
                CHECK(abut_use_isa(isas[turn % isas_n]) == ABUT_OK);
                snprintf(history.what, sizeof history.what, "%s, %s, %s, %s, %s, seed %llu", mixtures[m].name,
                         layout_names[layout], touch == ABUT_CLOSED ? "closed" : "open", abut_isa(),
                         history.threads ? "threads" : "one thread", (unsigned long long)seed);
                run_history(&history, touch, paddings[turn % 4], calls);
                operations += history.operations;
                seen += history.seen;
                restored += history.restored;
            }
    CHECK(seen > operations && restored > 0);
    printf("%llu calls, %llu pairs began or ended, %llu worlds restored\n", (unsigned long long)operations,
           (unsigned long long)seen, (unsigned long long)restored);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 3, .step = 1});
    struct pool *pool = pool_new(3);
    if (!CHECK(pool != NULL))
        return finish("world");
    struct abut_threads threads = pool_threads(pool);
    threads.grain = 16;
    run_all(&options, &threads, 500 / options.step);
    pool_free(pool);
    return finish("world");
}
