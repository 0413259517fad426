/* SPDX-License-Identifier: MIT */
/*
 * Tests what those use who keep their own pairs: joins of some items, memory that is asked for, filters in every form
 * of joins, lists of pairs, and the bounds of an index. All are compared with plain joins and tests of all with all.
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

enum { MOST = 260, MOST_PAIRS = MOST * MOST };

static struct abut_pair right[MOST_PAIRS], found[MOST_PAIRS];
static uint32_t groups[MOST], masks[MOST], query_groups[MOST], query_masks[MOST];

static bool admitted(const struct abut_filter *filter, bool self, uint32_t query, uint32_t item)
{
    const uint32_t *of_groups = self ? filter->item_groups : filter->query_groups,
                   *of_masks = self ? filter->item_masks : filter->query_masks;
    const uint32_t group = of_groups ? of_groups[query] : UINT32_MAX, mask = of_masks ? of_masks[query] : UINT32_MAX;
    return (group & (filter->item_masks ? filter->item_masks[item] : UINT32_MAX)) != 0 &&
           ((filter->item_groups ? filter->item_groups[item] : UINT32_MAX) & mask) != 0;
}

/* The caller's function keeps pairs by a rule of both numbers that is symmetric. */
static bool by_rule(uint32_t a, uint32_t b)
{
    return (a + b) % 3 != 0;
}

static size_t keep_by_rule(void *context, uint32_t query, uint32_t *items, size_t n)
{
    size_t kept = 0;
    (void)context;
    for (size_t i = 0; i < n; i++)
        if (by_rule(query, items[i]))
            items[kept++] = items[i];
    return kept;
}

/* Keeps those of n pairs that count. Returns how many. */
static size_t filter_right(size_t n, bool self, const struct abut_filter *filter)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (admitted(filter, self, right[i].a, right[i].b) && (!filter->keep || by_rule(right[i].a, right[i].b)))
            right[kept++] = right[i];
    return kept;
}

static bool same_pairs(uint64_t n_found, size_t n)
{
    if (n_found != n)
        return false;
    CHECK(abut_sort_pairs(found, n, NULL) == ABUT_OK && abut_sort_pairs(right, n, NULL) == ABUT_OK);
    return memcmp(found, right, n * sizeof *right) == 0;
}

static size_t asked_for, asked;

static struct abut_pair *get_memory(void *context, size_t count)
{
    asked++;
    asked_for = count;
    return context ? found : NULL;
}

static bool take_block(void *context, const struct abut_pair *pairs, size_t n)
{
    uint64_t *count = context;
    memcpy(found + *count, pairs, n * sizeof *pairs);
    *count += n;
    return true;
}

/* The pairs that an unfiltered join finds, in right. */
static size_t find_right(const struct abut_index *index, const struct abut_set *queries, enum abut_touch touch)
{
    uint64_t count = 0;
    const struct abut_options *options = OPTIONS(touch, NULL);
    CHECK((queries ? abut_join(index, *queries, options, right, MOST_PAIRS, &count)
                   : abut_self_join(index, options, right, MOST_PAIRS, &count)) == ABUT_OK &&
          count <= MOST_PAIRS);
    return (size_t)count;
}

/* Filters in every form of a join. */
static void check_filter(const struct abut_index *index, const struct abut_set *queries, size_t queries_n,
                         const struct abut_options *options, const char *what)
{
    static uint32_t counts[MOST], rows[MOST], indices[MOST_PAIRS];
    static uint64_t offsets[MOST + 1], any[MOST / 64 + 1];
    const bool self = !queries;
    const size_t n = filter_right(find_right(index, queries, options->touch), self, options->filter);
    uint64_t count = 0;
    CHECK((self ? abut_self_join(index, options, found, MOST_PAIRS, &count)
                : abut_join(index, *queries, options, found, MOST_PAIRS, &count)) == ABUT_OK);
    check_that(same_pairs(count, n), "%s: %llu pairs and not %zu", what, (unsigned long long)count, n);
    asked = asked_for = 0;
    CHECK((self ? abut_self_join_to(index, options, get_memory, found)
                : abut_join_to(index, *queries, options, get_memory, found)) == ABUT_OK);
    check_that(asked == (n > 0) && same_pairs(asked_for, n), "%s: in memory that is asked for", what);
    count = 0;
    CHECK((self ? abut_self_join_blocks(index, options, take_block, &count)
                : abut_join_blocks(index, *queries, options, take_block, &count)) == ABUT_OK);
    check_that(same_pairs(count, n), "%s: in blocks", what);
    if (self)
        return;
    CHECK(abut_join_counts(index, *queries, options, counts) == ABUT_OK);
    CHECK(abut_join_any(index, *queries, options, any) == ABUT_OK);
    CHECK(abut_join_rows(index, *queries, options, offsets, indices, MOST_PAIRS) == ABUT_OK);
    check_that(offsets[queries_n] == n, "%s: rows", what);
    for (size_t q = 0, i = 0; q < queries_n; q++) {
        const size_t first = i;
        for (; i < n && right[i].a == q; i++)
            check_that(indices[i] == right[i].b, "%s: row %zu", what, q);
        check_that(counts[q] == i - first && hit_at(any, q) == (i > first), "%s: query %zu", what, q);
    }
    CHECK(abut_join_rows_unsorted(index, *queries, options, rows, offsets, indices, MOST_PAIRS) == ABUT_OK);
    check_that(offsets[queries_n] == n, "%s: unsorted rows", what);
}

/* Two half spaces own each pair of valid items once. */
static void check_own(const struct abut_index *index, const uint32_t *some, size_t some_n, size_t n,
                      const struct abut_options *options)
{
    const struct abut_own halves[2] = {{{-INFINITY, -INFINITY, -INFINITY}, {3, INFINITY, INFINITY}},
                                       {{3, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}};
    struct abut_options of_half = *options;
    uint64_t count = 0, sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        of_half.own = &halves[i];
        CHECK(abut_join_some(index, some, some_n, &of_half, found, MOST_PAIRS, &count) == ABUT_OK);
        sum += count;
    }
    check_that(sum == n, "half spaces own %llu of %zu pairs", (unsigned long long)sum, n);
}

static void check_some(const struct abut_index *index, size_t items, struct random *random,
                       const struct abut_options *options, const char *what)
{
    static uint32_t some[MOST];
    static bool listed[MOST];
    const size_t some_n = items == 0 ? 0 : random_below(random, 3) == 0 ? items : random_below(random, 20);
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < some_n; i++) {
        some[i] = random_below(random, (unsigned)items);
        listed[some[i]] = true;
    }
    size_t n = find_right(index, NULL, options->touch), kept = 0;
    if (options->filter)
        n = filter_right(n, true, options->filter);
    for (size_t i = 0; i < n; i++)
        if (listed[right[i].a] || listed[right[i].b])
            right[kept++] = right[i];
    uint64_t count = 0;
    CHECK(abut_join_some(index, some, some_n, options, found, MOST_PAIRS, &count) == ABUT_OK);
    check_that(same_pairs(count, kept), "%s: %zu of %zu items have %llu pairs and not %zu", what, some_n, items,
               (unsigned long long)count, kept);
    asked_for = 0;
    CHECK(abut_join_some_to(index, some, some_n, options, get_memory, found) == ABUT_OK);
    check_that(same_pairs(asked_for, kept), "%s: some items, in memory that is asked for", what);
    check_own(index, some, some_n, kept, options);
    some[0] = (uint32_t)items;
    CHECK(abut_join_some(index, some, 1, options, found, MOST_PAIRS, &count) == ABUT_ERROR_ARGUMENT);
}

/* All of space is not too tight, and where there is padding or rounding, not exact. */
static void check_bounds(const struct abut_index *index, const struct batch *items, bool is_view)
{
    float min[3], max[3];
    CHECK(abut_index_bounds(index, min, max) == ABUT_OK);
    for (unsigned k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < items->n; i++) {
            const float r = items->shape == shape_sphere ? items->at[3][i] : 0;
            low = fminf(low, items->at[k][i] - r);
            high = fmaxf(high, items->at[items->shape == shape_aabb ? k + 3 : k][i] + r);
        }
        CHECK(min[k] <= low && max[k] >= high);
        CHECK(is_view || items->shape != shape_aabb || (min[k] == low && max[k] == high));
    }
}

static void check_pair_list(const struct batch *a, const struct batch *b, enum abut_touch touch, struct random *random)
{
    union any_batch any_a, any_b;
    const struct abut_set set_a = set_of(a, &any_a), set_b = set_of(b, &any_b);
    const size_t n = a->n > 0 && b->n > 0 ? random_below(random, 1500) : 0, words = abut_mask_words(b->n);
    uint64_t *all = calloc(a->n * words + 1, sizeof *all), hits[1500 / 64 + 2];
    CHECK(abut_test_all(ABUT_TOUCHES, set_a, set_b, OPTIONS(touch, NULL), all) == ABUT_OK);
    for (size_t i = 0; i < n; i++)
        found[i] = (struct abut_pair){random_below(random, (unsigned)a->n), random_below(random, (unsigned)b->n)};
    memset(hits, 0xa5, sizeof hits);
    CHECK(abut_test_pairs(ABUT_TOUCHES, set_a, set_b, found, n, OPTIONS(touch, NULL), hits) == ABUT_OK);
    for (size_t i = 0; i < n; i++)
        check_that(hit_at(hits, i) == hit_at(all + found[i].a * words, found[i].b), "pair %zu of a list", i);
    CHECK(hits[abut_mask_words(n)] == UINT64_C(0xa5a5a5a5a5a5a5a5));
    CHECK(n % 64 == 0 || hits[n / 64] >> n % 64 == 0);
    if (n > 0) {
        found[n - 1].b = (uint32_t)b->n;
        CHECK(abut_test_pairs(ABUT_TOUCHES, set_a, set_b, found, n, NULL, hits) == ABUT_ERROR_ARGUMENT);
        CHECK(abut_test_pairs(ABUT_TOUCHES, set_a, set_b, NULL, n, NULL, hits) == ABUT_ERROR_NULL);
        CHECK(abut_test_pairs(ABUT_CULL, set_a, set_b, found, n, NULL, hits) == ABUT_ERROR_PREDICATE);
    }
    free(all);
}

static void check_hull_list(struct random *random)
{
    enum { HULLS = 5, POINTS = 40 };
    static float planes[4][6 * HULLS], point[3][POINTS];
    uint32_t offsets[HULLS + 1] = {0};
    uint64_t all[HULLS], hits[POINTS / 64 + 1], turned[POINTS / 64 + 1];
    for (uint32_t i = 0; i < HULLS; i++) {
        float low[3], high[3], faces[6][4];
        for (unsigned k = 0; k < 3; k++) {
            low[k] = random_between(random, 0, 1);
            high[k] = low[k] + 1;
        }
        abut_hull_aabb(low, high, faces);
        offsets[i + 1] = 6 * (i + 1);
        for (unsigned k = 0; k < 24; k++)
            planes[k % 4][6 * i + k / 4] = faces[k / 4][k % 4];
    }
    for (unsigned i = 0; i < POINTS; i++) {
        for (unsigned k = 0; k < 3; k++)
            point[k][i] = random_between(random, 0, 2);
        found[i] = (struct abut_pair){random_below(random, POINTS), random_below(random, HULLS)};
        right[i] = (struct abut_pair){found[i].b, found[i].a};
    }
    const struct abut_hulls hulls = {HULLS, offsets, planes[0], planes[1], planes[2], planes[3]};
    const struct abut_points points = {POINTS, point[0], point[1], point[2]};
    const struct abut_set a = abut_of_points(&points), b = abut_of_hulls(&hulls);
    CHECK(abut_test_all(ABUT_TOUCHES, a, b, NULL, all) == ABUT_OK);
    CHECK(abut_test_pairs(ABUT_TOUCHES, a, b, found, POINTS, NULL, hits) == ABUT_OK);
    CHECK(abut_test_pairs(ABUT_TOUCHES, b, a, right, POINTS, NULL, turned) == ABUT_OK);
    for (unsigned i = 0; i < POINTS; i++)
        CHECK(hit_at(hits, i) == hit_at(all + found[i].b, found[i].a) && hit_at(turned, i) == hit_at(hits, i));
}

static void run_scene(enum shape item, enum shape query, enum layout layout, const struct abut_threads *threads,
                      struct random *random, const char *what)
{
    const bool is_view = random_below(random, 2) != 0;
    const size_t items_n = random_below(random, MOST), queries_n = random_below(random, MOST);
    struct batch items = make_batch(item, layout, true, random, items_n),
                 queries = make_batch(query, layout, false, random, queries_n);
    struct abut_index *index = NULL;
    union any_batch any_items, any_queries;
    const struct abut_set set = set_of(&items, &any_items), asked_set = set_of(&queries, &any_queries);
    CHECK((is_view ? abut_index_view(set, 0.5f, NULL, NULL, &index) : abut_index_new(set, NULL, NULL, &index)) ==
          ABUT_OK);
    for (size_t i = 0; i < MOST; i++) {
        groups[i] = 1U << random_below(random, 4);
        query_groups[i] = (uint32_t)random_next(random) & 15;
        masks[i] = (uint32_t)random_next(random) & 15;
        query_masks[i] = (uint32_t)random_next(random) & 15;
    }
    struct abut_filter filter = {query_groups, query_masks, groups, masks, NULL, NULL};
    for (unsigned how = 0; how < 4; how++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .threads = random_below(random, 2) ? threads : NULL,
                                             .filter = &filter};
        filter.keep = how % 2 ? keep_by_rule : NULL;
        if (how == 2)
            filter = (struct abut_filter){NULL, query_masks, groups, NULL, NULL, NULL};
        check_filter(index, &asked_set, queries_n, &options, what);
        if (item != query)
            continue;
        filter.query_groups = filter.item_groups;
        filter.query_masks = filter.item_masks;
        check_filter(index, NULL, 0, &options, what);
        check_some(index, items_n, random, &options, what);
        check_some(index, items_n, random, OPTIONS(options.touch, NULL), what);
    }
    if (item != query || query == shape_aabb)
        check_pair_list(&queries, &items, (enum abut_touch)random_below(random, 2), random);
    if (item == shape_aabb || item == shape_sphere)
        check_bounds(index, &items, is_view);
    abut_index_free(index);
    batch_free(&items);
    batch_free(&queries);
}

/* Every allocation fails, alone and with all that follow. */
static void fail_each(void)
{
    struct random random = {4};
    struct batch items = make_batch(shape_aabb, layout_even, true, &random, 500);
    union any_batch any;
    struct abut_index *index = NULL;
    const uint32_t some[] = {4, 9, 499, 4};
    CHECK(abut_index_new(set_of(&items, &any), NULL, NULL, &index) == ABUT_OK);
    for (unsigned form = 0; form < 6; form++)
        for (size_t left = 0;; left++) {
            struct account account = {.left = left, .recovers = form % 2 != 0};
            const struct abut_allocator allocator = {take, give, &account};
            const struct abut_options options = {.allocator = &allocator};
            uint64_t count = 0;
            const enum abut_status status =
                form / 2 == 0   ? abut_join_some(index, some, 4, &options, found, MOST_PAIRS, &count)
                : form / 2 == 1 ? abut_join_some_to(index, some, 4, &options, get_memory, found)
                                : abut_self_join_to(index, &options, get_memory, found);
            CHECK(account.open == 0);
            if (status == ABUT_OK) {
                CHECK(left > 2);
                break;
            }
            CHECK(status == ABUT_ERROR_MEMORY && count == 0);
        }
    CHECK(abut_self_join_to(index, NULL, get_memory, NULL) == ABUT_ERROR_MEMORY);
    CHECK(abut_self_join_to(index, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_some(index, NULL, 1, NULL, found, 1, &(uint64_t){0}) == ABUT_ERROR_NULL);
    CHECK(abut_join_some(NULL, some, 1, NULL, found, 1, &(uint64_t){0}) == ABUT_ERROR_NULL);
    CHECK(abut_join_some_to(index, some, 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_bounds(index, NULL, NULL) == ABUT_ERROR_NULL);
    abut_index_free(index);
    batch_free(&items);
}

int main(int argc, char **argv)
{
    static const enum shape shapes[][2] = {{shape_aabb, shape_aabb},       {shape_sphere, shape_sphere},
                                           {shape_aabb, shape_sphere},     {shape_obb, shape_sphere},
                                           {shape_triangle, shape_sphere}, {shape_sphere, shape_point}};
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1, .step = 1});
    struct random random = {options.seed};
    unsigned first = 0;
    struct pool *pool = pool_new(3);
    if (!CHECK(pool != NULL))
        return finish("index_some");
    struct abut_threads threads = pool_threads(pool);
    threads.grain = 64;
    for (unsigned round = 0; round < options.rounds; round++)
        for (const char *const *isa = abut_isas(); *isa; isa++, first++)
            for (unsigned s = first % options.step; s < sizeof shapes / sizeof *shapes; s += options.step)
                for (unsigned layout = 0; layout < layout_count; layout++) {
                    CHECK(abut_use_isa(*isa) == ABUT_OK);
                    run_scene(shapes[s][0], shapes[s][1], (enum layout)layout, &threads, &random, layout_names[layout]);
                    check_hull_list(&random);
                }
    fail_each();
    pool_free(pool);
    return finish("index_some");
}
