/* SPDX-License-Identifier: MIT */
/* Tests any hit in groups of items, item by item, all with all and by index, against the masks of all pairs. */
#include "account.h"
#include "layouts.h"
#include "options.h"
#include "report.h"

#include <abut/engine.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 700, MOST_GROUPS = 100, MOST_WORDS = MOST_GROUPS / 64 + 1 };

static uint32_t offsets[MOST_GROUPS + 1];
static uint64_t mask[MOST_WORDS + 1];

/* Groups of n items: some empty, some large, and at times some items before the first. */
static struct abut_groups make_groups(size_t n, struct random *random)
{
    const size_t groups = random_below(random, MOST_GROUPS);
    for (size_t g = 0; g < groups; g++)
        offsets[g] = random_below(random, (unsigned)n + 1);
    for (size_t g = 1; g < groups; g++)
        for (size_t i = g; i > 0 && offsets[i] < offsets[i - 1]; i--) {
            const uint32_t greater = offsets[i - 1];
            offsets[i - 1] = offsets[i];
            offsets[i] = greater;
        }
    offsets[groups] = (uint32_t)n;
    return (struct abut_groups){groups, offsets};
}

/* Each group against the hits of its items: of item i of so many words from hits + i * words on. */
static void check_mask(const struct abut_groups *groups, const uint64_t *hits, size_t words, const char *what)
{
    check_that(mask[abut_mask_words(groups->n)] == UINT64_MAX, "%s: a word too many", what);
    check_that(groups->n % 64 == 0 || mask[groups->n / 64] >> groups->n % 64 == 0, "%s: unused bits", what);
    for (size_t g = 0; g < groups->n; g++) {
        bool right = false;
        for (size_t i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            right |= words == 0 ? hit_at(hits, i) : abut_mask_any(hits + i * words, words * 64);
        check_that(hit_at(mask, g) == right, "%s: group %zu of %zu, items %u to %u", what, g, groups->n,
                   groups->offsets[g], groups->offsets[g + 1]);
    }
}

static void begin(void)
{
    memset(mask, 0xff, sizeof mask);
}

/* Makes b of the shape: hulls are boxes. */
static struct batch make_b(enum shape shape, enum layout layout, struct random *random, size_t n)
{
    if (shape != shape_hull)
        return make_batch(shape, layout, false, random, n);
    struct batch hulls = batch_new(shape_hull, n);
    for (size_t i = 0; i < n; i++) {
        float box[6], planes[6][4], hull[MAX_MEMBERS] = {0};
        make_item(shape_aabb, layout, true, random, box);
        hull[HULL_COUNT] = (float)abut_hull_aabb(box, box + 3, planes);
        memcpy(hull + HULL_PLANES, planes, sizeof planes);
        if (hull[HULL_COUNT] == 0) {
            hull[HULL_COUNT] = 1;
            memset(hull + HULL_PLANES, 0, 4 * sizeof *hull);
        }
        batch_set(&hulls, i, hull);
    }
    return hulls;
}

static void check_pairs(enum abut_relation relation, enum shape shape_a, enum shape shape_b, enum layout layout,
                        struct random *random)
{
    /* Pairs with hulls that differ take long. */
    const size_t n_a = 1 + random_below(random, shape_b == shape_hull ? 80 : MOST - 1),
                 n_b = random_below(random, 3) ? n_a : 1;
    struct batch a = make_batch(shape_a, layout, false, random, n_a), b = make_b(shape_b, layout, random, n_b),
                 few = make_b(shape_b, layout, random, random_below(random, 2) ? 9 : 90);
    union any_batch any_a, any_b, any_few;
    const struct abut_set set_a = set_of(&a, &any_a), set_b = set_of(&b, &any_b), set_few = set_of(&few, &any_few);
    struct abut_stats stats = {0};
    const struct abut_options *options = OPTIONS((enum abut_touch)random_below(random, 2), &stats);
    static uint64_t hits[MOST * 2];
    struct abut_groups groups = make_groups(n_a, random);
    begin();
    CHECK(abut_test_groups(relation, set_a, set_b, &groups, options, mask) == ABUT_OK);
    check_that(stats.pairs <= n_a, "groups test no pair twice");
    CHECK(abut_test(relation, set_a, set_b, options, hits) == ABUT_OK);
    check_mask(&groups, hits, 0, "item by item");
    if (relation == ABUT_TOUCHES) {
        begin();
        CHECK(abut_test_groups(relation, set_b, set_a, &groups, options, mask) == ABUT_OK);
        check_mask(&groups, hits, 0, "turned");
    }
    begin();
    CHECK(abut_test_all_groups(relation, set_a, set_few, &groups, options, mask) == ABUT_OK);
    uint64_t *all = calloc(n_a * 2, sizeof *all);
    for (size_t i = 0; all && i < n_a; i++) {
        union any_batch any;
        CHECK(abut_test(relation, abut_set_part(set_a, i, 1, &any), set_few, options, all + 2 * i) == ABUT_OK);
    }
    check_mask(&groups, all, 2, "all with all");
    free(all);
    batch_free(&a);
    batch_free(&b);
    batch_free(&few);
}

static size_t keep_even(void *context, uint32_t query, uint32_t *items, size_t n)
{
    size_t kept = 0;
    (void)context;
    for (size_t i = 0; i < n; i++)
        if ((query + items[i]) % 2 == 0)
            items[kept++] = items[i];
    return kept;
}

static void check_search(const struct abut_index *index, struct abut_set queries, size_t n,
                         const struct abut_options *options, struct random *random, const char *what)
{
    static uint32_t counts[MOST];
    static uint64_t hits[MOST];
    struct abut_groups groups = make_groups(n, random);
    CHECK(abut_join_counts(index, queries, options, counts) == ABUT_OK);
    for (size_t i = 0; i < n; i++)
        hits[i] = counts[i] > 0;
    begin();
    CHECK(abut_join_groups(index, queries, &groups, options, mask) == ABUT_OK);
    check_mask(&groups, hits, 1, what);
}

static void run_scene(enum shape item, enum shape query, enum layout layout, const struct abut_threads *threads,
                      struct random *random)
{
    const size_t most = query == shape_hull || item == shape_triangle ? 60 : item == shape_obb ? 200 : MOST;
    const size_t items_n = random_below(random, (unsigned)most), queries_n = random_below(random, (unsigned)most);
    struct batch items = make_batch(item, layout, true, random, items_n),
                 queries = make_b(query, layout, random, queries_n);
    struct abut_index *index = NULL;
    union any_batch any_items, any_queries;
    const struct abut_set set = set_of(&items, &any_items), query_set = set_of(&queries, &any_queries);
    const struct abut_filter filter = {.keep = keep_even};
    const struct abut_own half = {{-1e30f, -1e30f, -1e30f}, {3, 1e30f, 1e30f}};
    CHECK((random_below(random, 2) ? abut_index_view(set, 0.5f, NULL, NULL, &index)
                                   : abut_index_new(set, NULL, NULL, &index)) == ABUT_OK);
    for (unsigned how = 0; how < 4; how++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .threads = how % 2 ? threads : NULL,
                                             .filter = how == 2 ? &filter : NULL,
                                             .own = how == 3 && query != shape_hull ? &half : NULL};
        check_search(index, query_set, queries_n, &options, random,
                     how == 2   ? "filtered"
                     : how == 3 ? "owned"
                                : "search");
    }
    if (item == query)
        check_search(index, abut_of_index(index), items_n, OPTIONS(ABUT_CLOSED, NULL), random, "index in itself");
    abut_index_free(index);
    batch_free(&items);
    batch_free(&queries);
}

/* Where every group hits with its first item, no other is tested. */
static void check_leaves_early(void)
{
    enum { N = 1000, SIZE = 50 };
    static float zero[N], one[N];
    static uint32_t at[N / SIZE + 1];
    struct abut_stats stats = {0};
    const struct abut_options options = {.stats = &stats};
    for (unsigned i = 0; i < N; i++)
        one[i] = 1;
    for (uint32_t g = 0; g <= N / SIZE; g++)
        at[g] = g * SIZE;
    const struct abut_groups groups = {N / SIZE, at};
    const struct abut_spheres spheres = {N, zero, zero, zero, one}, sphere = {1, zero, zero, zero, one};
    const struct abut_capsules capsules = {N, zero, zero, zero, one, one, one, one};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_spheres(&sphere), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_groups(index, abut_of_spheres(&spheres), &groups, &options, mask) == ABUT_OK);
    check_that(stats.pairs < N / 2 && abut_mask_all(mask, groups.n), "search: %d", (int)stats.pairs);
    stats.pairs = 0;
    CHECK(abut_test_groups(ABUT_TOUCHES, abut_of_capsules(&capsules), abut_of_capsules(&capsules), &groups, &options,
                           mask) == ABUT_OK);
    check_that(stats.pairs < N / 5 && abut_mask_all(mask, groups.n), "slow pairs: %d", (int)stats.pairs);
    stats.pairs = 0;
    CHECK(abut_test_all_groups(ABUT_TOUCHES, abut_of_spheres(&spheres), abut_of_spheres(&spheres), &groups, &options,
                               mask) == ABUT_OK);
    check_that(stats.pairs < (uint64_t)N * N / SIZE * 2, "all with all: %d", (int)stats.pairs);
    abut_index_free(index);
}

static void check_errors(void)
{
    const float x[3] = {0};
    const uint32_t good[] = {0, 2, 3}, down[] = {2, 1, 3}, few[] = {0, 1, 2};
    const struct abut_spheres spheres = {3, x, x, x, x}, two = {2, x, x, x, x};
    const struct abut_set s = abut_of_spheres(&spheres);
    struct abut_index *index = NULL;
    CHECK(abut_index_new(s, NULL, NULL, &index) == ABUT_OK);
#define EACH(set, groups, to, status)                                                                                  \
    CHECK(abut_test_groups(ABUT_TOUCHES, set, s, groups, NULL, to) == (status));                                       \
    CHECK(abut_test_all_groups(ABUT_TOUCHES, set, s, groups, NULL, to) == (status));                                   \
    CHECK(abut_join_groups(index, set, groups, NULL, to) == (status))
    EACH(s, (&(struct abut_groups){2, good}), mask, ABUT_OK);
    EACH(s, (&(struct abut_groups){0, good + 2}), NULL, ABUT_OK);
    EACH(s, (&(struct abut_groups){2, down}), mask, ABUT_ERROR_ARGUMENT);
    EACH(s, (&(struct abut_groups){2, few}), mask, ABUT_ERROR_ARGUMENT);
    EACH(s, (&(struct abut_groups){2, NULL}), mask, ABUT_ERROR_NULL);
    EACH(s, (&(struct abut_groups){2, good}), NULL, ABUT_ERROR_NULL);
    EACH(s, NULL, mask, ABUT_ERROR_NULL);
    EACH(((struct abut_set){ABUT_SET_SPHERES, NULL}), (&(struct abut_groups){2, good}), mask, ABUT_ERROR_NULL);
    CHECK(abut_test_groups(ABUT_TOUCHES, abut_of_spheres(&two), s, &(struct abut_groups){2, good}, NULL, mask) ==
          ABUT_ERROR_LENGTHS);
    CHECK(abut_test_groups(ABUT_CULL, s, s, &(struct abut_groups){2, good}, NULL, mask) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_groups(NULL, s, &(struct abut_groups){2, good}, NULL, mask) == ABUT_ERROR_NULL);
    abut_index_free(index);
}

/* Every allocation of a search fails, alone and with all that follow. */
static void fail_each(void)
{
    struct random random = {4};
    struct batch items = make_batch(shape_aabb, layout_even, true, &random, 500);
    union any_batch any;
    const struct abut_set set = set_of(&items, &any);
    const struct abut_groups groups = {3, (const uint32_t[]){0, 100, 101, 500}};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(set, NULL, NULL, &index) == ABUT_OK);
    for (unsigned recovers = 0; recovers < 2; recovers++)
        for (size_t left = 0;; left++) {
            struct account account = {.left = left, .recovers = recovers != 0};
            const struct abut_allocator allocator = {take, give, &account};
            const struct abut_options options = {.allocator = &allocator};
            const enum abut_status status = abut_join_groups(index, set, &groups, &options, mask);
            CHECK(account.open == 0);
            CHECK(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
            if (status == ABUT_OK) {
                CHECK(left > 4 && mask[0] == 7);
                break;
            }
        }
    abut_index_free(index);
    batch_free(&items);
}

static void run(enum layout layout, const struct abut_threads *threads, struct random *random)
{
    static const enum shape shapes[][2] = {{shape_aabb, shape_aabb},       {shape_sphere, shape_sphere},
                                           {shape_aabb, shape_sphere},     {shape_obb, shape_sphere},
                                           {shape_triangle, shape_sphere}, {shape_sphere, shape_point},
                                           {shape_sphere, shape_hull}};
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        run_scene(shapes[s][0], shapes[s][1], layout, threads, random);
    check_pairs(ABUT_TOUCHES, shape_sphere, shape_aabb, layout, random);
    check_pairs(ABUT_TOUCHES, shape_sphere, shape_hull, layout_even, random);
    check_pairs(ABUT_CULL, shape_aabb, shape_hull, layout, random);
    check_pairs(ABUT_INSIDE, shape_sphere, shape_aabb, layout, random);
}

static void end(struct random *random)
{
    check_pairs(ABUT_TOUCHES, shape_segment, shape_capsule, layout_even, random);
    check_leaves_early();
    check_errors();
    fail_each();
}

int main(int argc, char **argv)
{
    return layouts_main(&(const struct layouts_test){"engine_groups", run, end}, argc, argv);
}
