/* SPDX-License-Identifier: MIT */
/*
 * Tests the refit of some items over random histories. An owner gives the bits, order and statistics of one that all
 * items were refit in; a view gives the same pairs. Both are compared with tests of all with all.
 */
#include "account.h"
#include "index_scenes.h"
#include "options.h"
#include "pool.h"
#include "report.h"

#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 700, MOST_QUERIES = 60, MOST_PAIRS = MOST * MOST_QUERIES, STEPS = 8 };

static struct abut_pair ours[MOST_PAIRS], others[MOST_PAIRS];
static uint32_t moved[2 * MOST];
static bool listed[MOST];

/* A history: the items now, an index that is refit for those that moved, and one that is refit for all. */
struct history {
    const char *what;
    bool is_view;
    struct batch items, queries;
    struct abut_index *some, *all;
    const struct abut_options *options;
};

/* Gives an item another place, nearly the same one, or none. */
static void move_item(struct history *history, size_t i, enum layout layout, struct random *random)
{
    float item[ABUT_MAX_FIELDS];
    batch_get(&history->items, i, item);
    const unsigned how = random_below(random, 8);
    if (how < 3)
        for (unsigned k = 0; k < 3; k++)
            item[k] += random_between(random, -0.1f, 0);
    else
        make_item(history->items.shape, layout, true, random, item);
    /* Predicates do not mind the axes of an OBB. */
    if (how == 3 && history->options->skip_invalid && history->items.shape == shape_obb)
        item[6 + random_below(random, 9)] += 0.5f;
    else if (how == 3 && history->options->skip_invalid)
        item[random_below(random, history->items.fields)] = NAN;
    batch_set(&history->items, i, item);
}

/* Lists some items, now and then twice, and moves most of them. Returns how many are listed. */
static size_t move_some(struct history *history, enum layout layout, struct random *random)
{
    const size_t items = history->items.n;
    const unsigned how = random_below(random, 5);
    size_t n = items == 0 || how == 0 ? 0
               : how == 1             ? 1
               : how == 2             ? random_below(random, 20)
                                      : random_below(random, MOST);
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < n; i++)
        moved[i] = random_below(random, (unsigned)items);
    if (how == 4)
        for (n = 0; n < items; n++)
            moved[n] = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        if (!listed[moved[i]] && (listed[moved[i]] = true) && random_below(random, 10) != 0)
            move_item(history, moved[i], layout, random);
    return n;
}

static uint64_t search(const struct abut_index *index, const struct history *history, struct abut_pair *pairs,
                       struct abut_stats *stats)
{
    union any_batch any;
    uint64_t n = 0;
    struct abut_options options = *history->options;
    options.stats = stats;
    CHECK(abut_join(index, set_of(&history->queries, &any), &options, pairs, MOST_PAIRS, &n) == ABUT_OK &&
          n <= MOST_PAIRS);
    return n;
}

/* The pairs of all with all, sorted, in others. */
static uint64_t search_all(const struct history *history)
{
    static uint64_t bits[MOST_QUERIES * (MOST / 64 + 1)];
    union any_batch any_items, any_queries;
    struct batch valid = invalid_as_nan(&history->items);
    const size_t words = abut_mask_words(valid.n);
    uint64_t n = 0;
    CHECK(abut_test_all(ABUT_TOUCHES, set_of(&history->queries, &any_queries), set_of(&valid, &any_items), NULL,
                        bits) == ABUT_OK);
    for (size_t q = 0; q < history->queries.n; q++)
        for (size_t i = 0; i < valid.n; i++)
            if (hit_at(bits + q * words, i))
                others[n++] = (struct abut_pair){(uint32_t)q, (uint32_t)i};
    batch_free(&valid);
    return n;
}

/* Returns how many pairs there are. */
static uint64_t compare(const struct history *history)
{
    struct abut_stats our_stats = {0}, other_stats = {0};
    float bounds[2][6];
    const uint64_t n = search(history->some, history, ours, &our_stats);
    if (!history->is_view) {
        const uint64_t m = search(history->all, history, others, &other_stats);
        check_that(n == m && memcmp(ours, others, (size_t)n * sizeof *ours) == 0 &&
                       memcmp(&our_stats, &other_stats, sizeof our_stats) == 0,
                   "%s: %llu pairs, and %llu of an index refit for all", history->what, (unsigned long long)n,
                   (unsigned long long)m);
        CHECK(abut_index_bounds(history->some, bounds[0], bounds[0] + 3) == ABUT_OK &&
              abut_index_bounds(history->all, bounds[1], bounds[1] + 3) == ABUT_OK);
        CHECK(memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
    }
    const uint64_t right = search_all(history);
    CHECK(abut_sort_pairs(ours, (size_t)n, NULL) == ABUT_OK);
    check_that(n == right && memcmp(ours, others, (size_t)n * sizeof *ours) == 0, "%s: %llu pairs and not %llu",
               history->what, (unsigned long long)n, (unsigned long long)right);
    return n;
}

/* The report of the listed items that are invalid. */
static struct abut_invalid right_report(const struct history *history)
{
    union any_batch any;
    struct abut_invalid all = {0};
    for (size_t i = 0; i < history->items.n; i++) {
        struct batch one = batch_copy(&history->items, i, 1);
        struct abut_invalid found = {0};
        if (listed[i] && abut_check(set_of(&one, &any), &found) != ABUT_OK) {
            const size_t before = all.count;
            if (before == 0) {
                all = found;
                all.row = i;
            }
            all.count = before + 1;
        }
        batch_free(&one);
    }
    return all;
}

static bool same_report(const struct abut_invalid *a, const struct abut_invalid *b)
{
    return a->count == b->count && a->row == b->row && (a->count == 0 || strcmp(a->field, b->field) == 0);
}

static void step(struct history *history, enum layout layout, struct random *random)
{
    union any_batch any;
    double growth[2] = {-1, -1};
    struct abut_invalid invalid = {.count = 99}, right;
    const size_t n = move_some(history, layout, random);
    const struct abut_set set = set_of(&history->items, &any);
    right = right_report(history);
    CHECK(abut_index_refit_some(history->some, set, moved, n, history->options, &growth[0], &invalid) == ABUT_OK);
    check_that(same_report(&invalid, &right), "%s: %zu invalid items, the first is %zu", history->what, invalid.count,
               invalid.row);
    CHECK(abut_index_refit(history->all, set, history->options, &growth[1], NULL) == ABUT_OK);
    CHECK(history->is_view ? growth[0] >= 0 : memcmp(&growth[0], &growth[1], sizeof growth[0]) == 0);
    compare(history);
}

/* An invalid item that is listed is refused, and nothing changes; one that is not listed is not looked at. */
static void check_refused(struct history *history, struct random *random)
{
    union any_batch any;
    struct abut_invalid invalid;
    struct abut_options strict = *history->options;
    float item[ABUT_MAX_FIELDS];
    strict.skip_invalid = false;
    if (history->items.n < 2 || history->options->skip_invalid)
        return;
    const uint32_t bad = random_below(random, (unsigned)history->items.n - 1) + 1, before = bad - 1;
    const uint32_t list[] = {before, bad, before, bad};
    batch_get(&history->items, bad, item);
    const float member = item[0];
    item[0] = NAN;
    struct batch changed = batch_copy(&history->items, 0, history->items.n);
    batch_set(&changed, bad, item);
    CHECK(abut_index_refit_some(history->some, set_of(&changed, &any), list, 4, &strict, NULL, &invalid) ==
              ABUT_ERROR_INVALID &&
          invalid.count == 1 && invalid.row == bad);
    CHECK(abut_index_refit_some(history->some, set_of(&changed, &any), list, 4, &strict, NULL, NULL) ==
          ABUT_ERROR_INVALID);
    compare(history);
    CHECK(abut_index_refit_some(history->some, set_of(&changed, &any), list, 1, &strict, NULL, &invalid) == ABUT_OK &&
          invalid.count == 0);
    item[0] = member;
    batch_set(&changed, bad, item);
    CHECK(abut_index_refit_some(history->some, set_of(&history->items, &any), list, 4, &strict, NULL, NULL) == ABUT_OK);
    compare(history);
    batch_free(&changed);
}

static void run_history(enum shape shape, enum shape query, enum layout layout, const struct abut_options *options,
                        struct random *random)
{
    union any_batch any;
    struct history history = {layout_names[layout], random_below(random, 2) != 0, {0}, {0}, NULL, NULL, options};
    const float padding = random_below(random, 2) ? 0 : 0.25f;
    history.items = make_batch(shape, layout, true, random, random_below(random, MOST));
    history.queries = make_batch(query, layout, false, random, random_below(random, MOST_QUERIES));
    const struct abut_set set = set_of(&history.items, &any);
    CHECK((history.is_view ? abut_index_view(set, padding, options, NULL, &history.some)
                           : abut_index_new(set, options, NULL, &history.some)) == ABUT_OK);
    CHECK(abut_index_new(set, options, NULL, &history.all) == ABUT_OK);
    for (unsigned i = 0; i < STEPS; i++) {
        step(&history, layout, random);
        if (random_below(random, 4) == 0)
            CHECK(abut_index_refit(history.some, set, options, NULL, NULL) == ABUT_OK);
    }
    check_refused(&history, random);
    abut_index_free(history.some);
    abut_index_free(history.all);
    batch_free(&history.items);
    batch_free(&history.queries);
}

/*
 * The margin around an OBB with a short axis is that of the greatest finite radius, which grows and shrinks: it decides
 * whether the near spheres are looked at, and later whether they are found.
 */
static void check_radius(bool is_view)
{
    enum { NEAR = 8, ALL = 300, GIANT = 20 };
    static const float giants[] = {1, 1e6f, 1, INFINITY, 1e5f, 1e5f, 1};
    const float length = 0.9991f, obb[ABUT_MAX_FIELDS] = {3, 0, 0, 1, 1, 1, length, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t near[NEAR] = {0, 1, 2, 3, 4, 5, 6, 7}, giant = GIANT;
    const struct abut_options options = {0};
    struct history history = {"radii", is_view, batch_new(shape_sphere, ALL), batch_new(shape_obb, 1), NULL,
                              NULL,    &options};
    union any_batch any;
    for (unsigned i = 0; i < ALL; i++)
        batch_set(&history.items, i, (const float[]){i < NEAR ? 503 : i < (ALL + NEAR) / 2 ? 1e9f : -1e9f, 0, 0, 1});
    batch_set(&history.queries, 0, obb);
    const struct abut_set set = set_of(&history.items, &any);
    CHECK((is_view ? abut_index_view(set, 0, NULL, NULL, &history.some)
                   : abut_index_new(set, NULL, NULL, &history.some)) == ABUT_OK);
    CHECK(abut_index_new(set, NULL, NULL, &history.all) == ABUT_OK);
    for (unsigned i = 0; i < sizeof giants / sizeof *giants; i++) {
        history.items.at[3][GIANT] = giants[i];
        CHECK(abut_index_refit_some(history.some, set, &giant, 1, NULL, NULL, NULL) == ABUT_OK);
        CHECK(abut_index_refit(history.all, set, NULL, NULL, NULL) == ABUT_OK);
        compare(&history);
    }
    for (unsigned i = 0; i < NEAR; i++)
        batch_set(&history.items, i, (const float[]){3 + 65 / length * (1 - 0x1p-20f), 0, 0, 64});
    CHECK(abut_index_refit(history.all, set, NULL, NULL, NULL) == ABUT_OK);
    for (unsigned i = 0; i < 2; i++) {
        CHECK(abut_index_refit_some(history.some, set, i ? &giant : near, i ? 1 : NEAR, NULL, NULL, NULL) == ABUT_OK);
        CHECK(compare(&history) == NEAR);
    }
    abut_index_free(history.some);
    abut_index_free(history.all);
    batch_free(&history.items);
    batch_free(&history.queries);
}

static void check_errors(struct random *random)
{
    union any_batch any, any_fewer, any_other;
    const uint32_t one = 3, beyond = 50;
    struct abut_index *index = NULL;
    struct batch items = make_batch(shape_aabb, layout_even, true, random, 50),
                 other = make_batch(shape_sphere, layout_even, true, random, 50), fewer = batch_copy(&items, 0, 49);
    const struct abut_set set = set_of(&items, &any);
    CHECK(abut_index_new(set, NULL, NULL, &index) == ABUT_OK);
    const size_t bytes = abut_index_bytes(index);
    CHECK(abut_index_refit_some(NULL, set, &one, 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_refit_some(index, set, NULL, 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_refit_some(index, abut_of_aabbs(NULL), &one, 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_refit_some(index, set, &beyond, 1, NULL, NULL, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_index_refit_some(index, abut_of_index(index), &one, 1, NULL, NULL, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_index_refit_some(index, set_of(&other, &any_other), &one, 1, NULL, NULL, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_index_refit_some(index, set_of(&fewer, &any_fewer), &one, 1, NULL, NULL, NULL) == ABUT_ERROR_LENGTHS);
    CHECK(abut_index_bytes(index) == bytes);
    CHECK(abut_index_refit_some(index, set, &one, 1, NULL, NULL, NULL) == ABUT_OK);
    CHECK(abut_index_bytes(index) >= bytes + 4 * 50);
    CHECK(abut_index_refit_some(index, set, NULL, 0, NULL, NULL, NULL) == ABUT_OK);
    abut_index_free(index);
    batch_free(&items);
    batch_free(&other);
    batch_free(&fewer);
}

/* Every allocation fails, alone and with all that follow; after that the index has changed nothing. */
static void fail_each(struct random *random)
{
    const struct abut_options plain = {0};
    for (unsigned form = 0; form < 8; form++)
        for (size_t left = 1, failed = 0;; left++, failed++) {
            union any_batch any;
            struct account account = {.left = SIZE_MAX, .recovers = form % 2 != 0};
            const struct abut_allocator allocator = {take, give, &account};
            const struct abut_options options = {.allocator = &allocator};
            struct history history = {"without memory", form / 4 != 0, {0}, {0}, NULL, NULL, &plain};
            history.items = make_batch(shape_sphere, layout_even, true, random, 300);
            history.queries = make_batch(shape_sphere, layout_even, true, random, MOST_QUERIES);
            const struct abut_set set = set_of(&history.items, &any);
            CHECK((history.is_view ? abut_index_view(set, 1, &options, NULL, &history.some)
                                   : abut_index_new(set, &options, NULL, &history.some)) == ABUT_OK);
            const size_t n = form / 2 % 2 ? 300 : 5;
            for (uint32_t i = 0; i < n; i++)
                moved[i] = i;
            account.left = left - 1;
            const enum abut_status status = abut_index_refit_some(history.some, set, moved, n, &options, NULL, NULL);
            account.left = SIZE_MAX;
            history.is_view = true; /* There is no other index to compare with. */
            compare(&history);
            abut_index_free(history.some);
            CHECK(account.open == 0 && (status == ABUT_OK || status == ABUT_ERROR_MEMORY));
            batch_free(&history.items);
            batch_free(&history.queries);
            if (status == ABUT_OK) {
                CHECK(failed >= 2);
                break;
            }
        }
}

int main(int argc, char **argv)
{
    static const enum shape shapes[][2] = {{shape_aabb, shape_aabb},      {shape_sphere, shape_sphere},
                                           {shape_obb, shape_sphere},     {shape_point, shape_sphere},
                                           {shape_sphere, shape_obb},     {shape_segment, shape_sphere},
                                           {shape_capsule, shape_sphere}, {shape_triangle, shape_sphere}};
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1, .step = 1});
    struct random random = {options.seed};
    struct pool *pool = pool_new(4);
    CHECK(pool != NULL);
    struct abut_threads threads = pool_threads(pool);
    threads.grain = 16;
    unsigned first = 0;
    for (unsigned round = 0; round < options.rounds; round++, first++)
        for (unsigned s = first % options.step; s < sizeof shapes / sizeof *shapes; s += options.step)
            for (unsigned layout = 0; layout < layout_count; layout++) {
                const struct abut_options how = {.skip_invalid = random_below(&random, 2) != 0,
                                                 .threads = random_below(&random, 2) ? &threads : NULL};
                run_history(shapes[s][0], shapes[s][1], (enum layout)layout, &how, &random);
            }
    check_radius(false);
    check_radius(true);
    check_errors(&random);
    fail_each(&random);
    pool_free(pool);
    return finish("index_refit_some");
}
