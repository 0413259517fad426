/* SPDX-License-Identifier: MIT */
/* Compares the index with brute force: every search of batches, on every instruction set, on scenes of every kind. */
#include "index_checks.h"
#include "index_scenes.h"
#include "report.h"
#include <abut/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct answers right_answers(const struct subject *subject, bool swapped, bool self, const struct batch *queries,
                                    const struct batch *items, enum abut_touch touch)
{
    uint64_t *hits = ask_all(subject, swapped ? items : queries, swapped ? queries : items, touch, NULL);
    return answers_of(hits, swapped, self, queries->n, items->n);
}

/* Paddings from 0 to one that makes boxes infinite. */
static float padding_of(uint64_t seed)
{
    static const float paddings[] = {0, 0x1p-149f, 0.01f, 1, 100, 3e38f};
    return paddings[(seed >> 8) % (sizeof paddings / sizeof *paddings)];
}

/* The answers of the first queries alone. */
static struct answers first_answers(const struct answers *right, size_t queries)
{
    struct answers first = *right;
    first.queries = queries;
    first.count = 0;
    for (size_t q = 0; q < queries; q++)
        first.count += abut_mask_count(right->bits + q * right->words, right->items);
    return first;
}

/* Views: many queries gather all leaves before the search, few queries only the leaves they need. */
static void check_viewed(struct scene scene, const struct answers *right, const struct batch *queries,
                         const struct batch *items, struct abut_workspace *workspace)
{
    enum { ITEMS_A_QUERY = 150 };
    union any_batch any_items, any_queries;
    struct abut_index *index = NULL;
    const struct abut_options options = {.workspace = workspace, .skip_invalid = true};
    check_that(abut_index_view(set_of(items, &any_items), padding_of(scene.seed), &options, NULL, &index) == ABUT_OK,
               "%s: index_view", scene.search);
    check_isas(&scene, right, index, set_of(queries, &any_queries));
    check_public(&scene, right, index, set_of(queries, &any_queries), workspace);
    struct batch few = *queries;
    few.n = scene.queries = items->n / ITEMS_A_QUERY < queries->n ? items->n / ITEMS_A_QUERY : queries->n;
    if (!right->self && few.n > 0) {
        const struct answers first = first_answers(right, few.n);
        check_isas(&scene, &first, index, set_of(&few, &any_queries));
        check_public(&scene, &first, index, set_of(&few, &any_queries), workspace);
    }
    abut_index_free(index);
}

static void check_search(const char *name, const struct subject *subject, bool swapped, bool self, const char *layout,
                         const struct batch *queries, const struct batch *items, struct abut_workspace *workspace,
                         uint64_t seed)
{
    union any_batch any_items, any_queries;
    struct abut_index *index = NULL;
    struct abut_options options = {.workspace = workspace, .skip_invalid = true};
    struct batch right_queries = self ? invalid_as_nan(queries) : *queries, right_items = invalid_as_nan(items);
    check_that(abut_index_new(set_of(items, &any_items), &options, NULL, &index) == ABUT_OK, "%s: index_new", name);
    check_that(abut_index_count(index) == items->n, "%s: index_count", name);
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        struct scene scene = {name, layout, queries->n, items->n, touch, ABUT_TOUCHES, seed};
        struct answers right = right_answers(subject, swapped, self, &right_queries, &right_items, touch);
        struct abut_set set = set_of(queries, &any_queries);
        check_isas(&scene, &right, index, set);
        check_public(&scene, &right, index, set, workspace);
        if (touch == (seed >> 16) % 2)
            check_viewed(scene, &right, queries, items, workspace);
        answers_free(&right);
    }
    abut_index_free(index);
    if (self)
        batch_free(&right_queries);
    batch_free(&right_items);
}

/* Builds a view or an index that owns its items. */
static enum abut_status some_index(bool is_view, struct abut_set items, float padding, struct abut_index **index)
{
    const struct abut_options options = {.skip_invalid = true};
    return is_view ? abut_index_view(items, padding, &options, NULL, index)
                   : abut_index_new(items, &options, NULL, index);
}

/*
 * An index as queries gives the answers of its items; a refit index those of a new one, whichever items were invalid.
 */
static void check_indices(const char *name, const struct subject *subject, bool swapped, const struct batch *queries,
                          const struct batch *items, const struct batch *before, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL, *other = NULL;
    double growth = 0;
    const struct abut_options options = {.skip_invalid = true};
    const float padding = padding_of(seed);
    struct batch right_queries = invalid_as_nan(queries), right_items = invalid_as_nan(items);
    check_that(some_index(seed >> 20 & 1, set_of(before, &any), padding, &index) == ABUT_OK, "%s: index", name);
    check_that(some_index(seed >> 21 & 1, set_of(queries, &any), padding, &other) == ABUT_OK, "%s: index", name);
    check_that(abut_index_refit(index, set_of(items, &any), &options, &growth, NULL) == ABUT_OK && growth >= 0,
               "%s: refit", name);
    struct scene scene = {name, "refit", queries->n, items->n, ABUT_CLOSED, ABUT_TOUCHES, seed};
    struct answers right = right_answers(subject, swapped, false, &right_queries, &right_items, ABUT_CLOSED);
    check_isas(&scene, &right, index, abut_of_index(other));
    check_public(&scene, &right, index, abut_of_index(other), NULL);
    answers_free(&right);
    abut_index_free(index);
    abut_index_free(other);
    batch_free(&right_queries);
    batch_free(&right_items);
}

struct search_subject {
    const char *name, *predicate;
    enum shape query, item;
    bool swapped, self, scalar; /* scalar: all instruction sets share its kernel */
};

#define forward false
#define swapped true
#define SEARCH(query, item, predicate, order)                                                                          \
    {#query " in " #item "s", #predicate, shape_##query, shape_##item, order, false, false},
#define BLOCK_SEARCH(query, item, predicate, order)                                                                    \
    {#query " in " #item "s", #predicate, shape_##query, shape_##item, order, false, true},
#define SELF(shape, predicate) {#shape "s themselves", #predicate, shape_##shape, shape_##shape, false, true, false},
#define BLOCK_SELF(shape, predicate)                                                                                   \
    {#shape "s themselves", #predicate, shape_##shape, shape_##shape, false, true, true},
static const struct search_subject search_subjects[] = {
#include "tables/searches.def"
};
#undef forward
#undef swapped

/*
 * All pairs of scalar predicates take a thousand times as long as others: fewer items have to do, and of the largest
 * sizes a tenth, which is still more than one node holds.
 */
static size_t size_for(const struct search_subject *s, struct random *random)
{
    const size_t size = some_size(random);
    return !s->scalar ? size : size > 2000 ? size / 10 : size / 5;
}

static void run_round(const struct search_subject *s, struct abut_workspace *workspace, struct random *random)
{
    const struct subject *subject = subject_of(s->predicate);
    for (unsigned layout = 0; layout < layout_count; layout++) {
        uint64_t seed = random->state;
        struct batch queries = make_batch(s->query, layout, false, random, size_for(s, random));
        struct batch items = make_batch(s->item, layout, true, random, size_for(s, random));
        check_search(s->name, subject, s->swapped, s->self, layout_names[layout], s->self ? &items : &queries, &items,
                     workspace, seed);
        if (!s->self) {
            struct batch before = make_batch(s->item, layout_even, true, random, items.n);
            check_indices(s->name, subject, s->swapped, &queries, &items, &before, seed);
            batch_free(&before);
        }
        batch_free(&queries);
        batch_free(&items);
    }
    for (unsigned kind = 0; kind < kind_count; kind++) {
        uint64_t seed = random->state;
        struct batch a, b;
        batches_of_items(subject, kind, random, size_for(s, random) % 300, size_for(s, random) % 300, &a, &b);
        const struct batch *queries = s->swapped ? &b : &a, *items = s->swapped ? &a : &b;
        check_search(s->name, subject, s->swapped, s->self, kind_names[kind], s->self ? items : queries, items,
                     workspace, seed);
        /* At times only: exact stages make it slow. */
        if (!s->self && random_below(random, 6) == 0) {
            struct batch good = make_batch(s->item, layout_even, true, random, items->n);
            const bool recover = random_below(random, 2) == 0;
            check_indices(s->name, subject, s->swapped, queries, recover ? &good : items, recover ? items : &good,
                          seed);
            batch_free(&good);
        }
        batch_free(&a);
        batch_free(&b);
    }
}

/* Spheres that touch a box along its first axis: where that is shorter than 1, a radius reaches farther along it. */
static void check_short_axes(void)
{
    for (float length = 0.9991f; length < 1.0005f; length += 0.0001f) {
        float obb[ABUT_MAX_FIELDS] = {3, 0, 0, 1, 1, 1, length, 0, 0, 0, 1, 0, 0, 0, 1};
        const struct subject *subject = subject_of("sphere_obb");
        struct batch boxes = batch_new(shape_obb, 1), spheres = batch_new(shape_sphere, 1);
        batch_set(&boxes, 0, obb);
        for (float r = 0x1p-10f; r < 1e6f; r *= 4) {
            const float sphere[4] = {3 + (1 + r) / length * (1 - 0x1p-20f), 0, 0, r};
            batch_set(&spheres, 0, sphere);
            check_search("sphere in short obb", subject, false, false, "one", &spheres, &boxes, NULL, 0);
            check_search("short obb in sphere", subject, true, false, "one", &boxes, &spheres, NULL, 0);
        }
        batch_free(&boxes);
        batch_free(&spheres);
    }
}

/* Boxes scaled about the origin, the first few of them infinite to one side. */
static struct batch changed(const struct batch *boxes, float scale, size_t infinite)
{
    struct batch batch = batch_new(shape_aabb, boxes->n);
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < batch.n; i++) {
        batch_get(boxes, i, item);
        for (unsigned k = 0; k < 6; k++)
            item[k] *= scale;
        item[3] = i < infinite ? INFINITY : item[3];
        batch_set(&batch, i, item);
    }
    return batch;
}

static double decay_after(struct abut_index *index, const struct batch *boxes, float scale, size_t infinite)
{
    union any_batch any;
    struct batch batch = changed(boxes, scale, infinite);
    double growth = NAN;
    CHECK(abut_index_refit(index, set_of(&batch, &any), NULL, &growth, NULL) == ABUT_OK);
    batch_free(&batch);
    return growth;
}

/* Growth compares with the build, whatever refits came between. Powers of two scale without rounding. */
static void check_decay(struct random *random, size_t n, size_t infinite)
{
    union any_batch any;
    struct abut_index *index = NULL;
    struct batch boxes = make_batch(shape_aabb, layout_even, true, random, n), built = changed(&boxes, 1, infinite);
    const bool all = infinite == n;
    CHECK(abut_index_new(set_of(&built, &any), NULL, NULL, &index) == ABUT_OK);
    CHECK(decay_after(index, &boxes, 2, infinite) == (all ? 1 : 4));
    CHECK(decay_after(index, &boxes, 0.5f, infinite) == (all ? 1 : 0.25));
    CHECK(decay_after(index, &boxes, 1, n) == (all ? 1 : INFINITY));
    CHECK(decay_after(index, &boxes, 1, infinite) == 1);
    if (infinite == 0)
        CHECK(decay_after(index, &boxes, 0.5f, 1) == INFINITY);
    else
        CHECK(decay_after(index, &boxes, 1, 0) > 1);
    abut_index_free(index);
    batch_free(&built);
    batch_free(&boxes);
}

/* Spheres that touch all of many boxes, and one that touches only the last box, which no other sphere hits first. */
static void check_any_stops(void)
{
    enum { N = 40000, QUERIES = 16 };
    static float low[3][N], high[3][N];
    float q[4][QUERIES] = {{0}};
    const float *l[3] = {low[0], low[1], low[2]}, *h[3] = {high[0], high[1], high[2]};
    const struct abut_aabbs boxes = {N, l[0], l[1], l[2], h[0], h[1], h[2]};
    const struct abut_spheres spheres = {QUERIES, q[0], q[1], q[2], q[3]};
    struct abut_index *index = NULL;
    struct abut_stats stats = {0};
    uint64_t mask = 0;
    for (size_t i = 0; i < N; i++)
        for (unsigned k = 0; k < 3; k++) {
            low[k][i] = (float)(k == 0 ? i : 0);
            high[k][i] = low[k][i] + 0.5f;
        }
    for (unsigned i = 0; i < QUERIES; i++)
        q[3][i] = 2.0f * N;
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_any(index, abut_of_spheres(&spheres), &(struct abut_options){.stats = &stats}, &mask) == ABUT_OK);
    CHECK(mask == 0xffff && stats.pairs < (uint64_t)QUERIES * N / 4);
    for (unsigned i = 0; i < QUERIES; i++)
        q[3][i] = i == 7 ? 0 : q[3][i];
    q[0][7] = N - 1;
    CHECK(abut_join_any(index, abut_of_spheres(&spheres), NULL, &mask) == ABUT_OK && mask == 0xffff);
    abut_index_free(index);
}

/* Points that change places on a line have leaves without surface; a huge box among small ones must not hide growth. */
static void check_decay_seen(struct random *random)
{
    enum { N = 4000 };
    static float line[N], mixed[N], zero[N], low[3][N], high[3][N];
    const float *l[3] = {low[0], low[1], low[2]}, *h[3] = {high[0], high[1], high[2]};
    const struct abut_points points = {N, line, zero, zero}, moved = {N, mixed, zero, zero};
    const struct abut_aabbs boxes = {N, l[0], l[1], l[2], h[0], h[1], h[2]};
    struct abut_index *index = NULL;
    double growth = 0;
    for (size_t i = 0; i < N; i++) {
        line[i] = (float)i;
        mixed[i] = (float)(i * 1237 % N);
        for (unsigned k = 0; k < 3; k++) {
            low[k][i] = i == 0 ? -1e4f : random_between(random, 0, 100);
            high[k][i] = i == 0 ? 1e4f : low[k][i] + 1;
        }
    }
    CHECK(abut_index_new(abut_of_points(&points), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_refit(index, abut_of_points(&moved), NULL, &growth, NULL) == ABUT_OK && growth > 100);
    abut_index_free(index);
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    for (size_t i = 1; i < N; i++)
        for (unsigned k = 0; k < 3; k++) {
            low[k][i] = random_between(random, 0, 100);
            high[k][i] = low[k][i] + 1;
        }
    CHECK(abut_index_refit(index, abut_of_aabbs(&boxes), NULL, &growth, NULL) == ABUT_OK && growth > 2);
    abut_index_free(index);
}

static int by_key(const void *a, const void *b)
{
    const struct abut_pair *x = a, *y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/* abut_sort_pairs() sorts like qsort(): short and long keys, duplicates, and keys that no float represents. */
static void check_sorted_pairs(struct random *random, struct abut_workspace *workspace)
{
    enum { MOST = 5000 };
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, MOST};
    static struct abut_pair pairs[MOST], right[MOST];
    const struct abut_options options = {.workspace = workspace};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned bits_a = 0; bits_a <= 32; bits_a += 8)
            for (unsigned bits_b = 0; bits_b <= 32; bits_b += 4) {
                for (size_t i = 0; i < sizes[s]; i++)
                    pairs[i] = right[i] = (struct abut_pair){(uint32_t)(random_next(random) >> 32 >> (32 - bits_a)),
                                                             (uint32_t)(random_next(random) >> 32 >> (32 - bits_b))};
                qsort(right, sizes[s], sizeof *right, by_key);
                for (unsigned again = 0; again < 2; again++)
                    check_that(abut_sort_pairs(pairs, sizes[s], bits_a % 16 ? &options : NULL) == ABUT_OK &&
                                   memcmp(pairs, right, sizes[s] * sizeof *right) == 0,
                               "%zu pairs of %u and %u bits are sorted", sizes[s], bits_a, bits_b);
            }
    CHECK(abut_sort_pairs(NULL, 0, NULL) == ABUT_OK && abut_sort_pairs(NULL, 1, NULL) == ABUT_ERROR_NULL);
    if (SIZE_MAX > UINT32_MAX)
        CHECK(abut_sort_pairs(pairs, (size_t)UINT32_MAX + 1, NULL) == ABUT_ERROR_TOO_MANY);
}

/* The spheres hardly touch each other, so a search visits few leaves for each. */
static void check_few_leaves(const struct abut_spheres *spheres, const char *what, uint64_t most)
{
    struct abut_stats stats = {0};
    struct abut_index *index;
    uint64_t count;
    CHECK(abut_index_new(abut_of_spheres(spheres), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_self_join(index, &(struct abut_options){.stats = &stats}, NULL, 0, &count) == ABUT_OK);
    check_that(stats.leaf_tests < most * spheres->n, "%llu leaves for %zu spheres: %s",
               (unsigned long long)stats.leaf_tests, spheres->n, what);
    abut_index_free(index);
}

/* An outlier leaves only two neighbouring grid cells to all other spheres, which are then sorted within their cell. */
static void check_dense_cells(void)
{
    enum { N = 4096 };
    static float at[4][N];
    for (unsigned i = 0; i < N; i++) {
        at[0][i] = (float)fmod(i * 0.8191725133961645, 1) + (i % 2 == 0 ? 0 : 0x1p12f);
        at[1][i] = (float)fmod(i * 0.6710436067037893, 1);
        at[2][i] = (float)fmod(i * 0.5497004779019703, 1);
        at[3][i] = 0x1p-10f;
    }
    for (unsigned k = 0; k < 3; k++)
        at[k][N - 1] = 0x1p20f;
    check_few_leaves(&(struct abut_spheres){N, at[0], at[1], at[2], at[3]}, "two dense cells and an outlier", 16);
}

/* Worlds long along one axis or thin along another, with about one sphere per unit along each axis that has extent. */
static void check_shapes_of_worlds(struct random *random)
{
    enum { N = 1 << 16 };
    static const struct {
        const char *what;
        float size[3];      /* of the world */
        float clusters_off; /* offset of every other sphere along an axis */
        float outlier;      /* position of one sphere along an axis */
        unsigned most;      /* leaves per sphere */
    } worlds[] = {{"evenly", {41, 41, 41}, 0, 0, 2},
                  {"a line", {N, 0, 0}, 0, 0, 6},
                  {"nearly a line", {N, 1e-3f, 1e-3f}, 0, 0, 6},
                  {"a floor", {256, 256, 0}, 0, 0, 2},
                  {"nearly a floor", {256, 256, 0.01f}, 0, 0, 2},
                  {"a low world", {181, 181, 2}, 0, 0, 2},
                  {"a tower", {10, 10, 656}, 0, 0, 2},
                  {"one has fallen", {41, 41, 41}, 0, -1e4f, 2},
                  {"one is gone", {41, 41, 41}, 0, 1e30f, 3},
                  {"two far apart", {41, 41, 41}, 1e5f, 0, 2},
                  {"tiny", {1e-36f, 1e-36f, 1e-36f}, 0, 0, 2}};
    static float at[4][N];
    const struct abut_spheres spheres = {N, at[0], at[1], at[2], at[3]};
    for (unsigned w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        const unsigned turn = random_below(random, 3);
        for (unsigned i = 0; i < N; i++) {
            for (unsigned k = 0; k < 3; k++)
                at[(k + turn) % 3][i] = random_between(random, 0, worlds[w].size[k]);
            at[turn][i] += i % 2 == 0 ? 0 : worlds[w].clusters_off;
            at[3][i] = worlds[w].size[0] < 1 ? 0 : 0.1f;
        }
        if (worlds[w].outlier != 0)
            at[turn][random_below(random, N)] = worlds[w].outlier;
        check_few_leaves(&spheres, worlds[w].what, worlds[w].most);
    }
}

/* Free slots of a pool (invalid spheres among valid ones) leave no filter undecided. */
static void check_pool(struct random *random)
{
    enum { N = 4096 };
    static float at[4][N];
    const struct abut_spheres spheres = {N, at[0], at[1], at[2], at[3]};
    const struct abut_points points = {N, at[1], at[2], at[0]};
    struct abut_index *index;
    uint64_t count;
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < 4; k++)
            at[k][i] = k < 3 ? random_between(random, 0, 30) : 1;
    CHECK(abut_index_new(abut_of_spheres(&spheres), NULL, NULL, &index) == ABUT_OK);
    for (unsigned i = 1; i < N; i += 2)
        at[3][i] = -1;
    struct abut_stats stats = {0};
    const struct abut_options options = {.skip_invalid = true, .stats = &stats};
    CHECK(abut_index_refit(index, abut_of_spheres(&spheres), &options, NULL, NULL) == ABUT_OK);
    CHECK(abut_self_join(index, &options, NULL, 0, &count) == ABUT_OK && count > 0);
    CHECK(abut_join(index, abut_of_points(&points), &options, NULL, 0, &count) == ABUT_OK && count > 0);
    check_that(stats.undecided < N / 100, "%llu lanes undecided where half of the spheres are invalid",
               (unsigned long long)stats.undecided);
    abut_index_free(index);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct abut_workspace *workspace = NULL;
    print_isas();
    CHECK(abut_workspace_new(NULL, &workspace) == ABUT_OK);
    for (unsigned round = 0; round < options.rounds; round++)
        for (size_t i = 0; i < sizeof search_subjects / sizeof *search_subjects; i += options.step) {
            size_t turn = i + round; /* a shared kernel is asked on the next instruction set in turn */
            for (const char *const *isa = abut_isas(); *isa; isa++, turn++) {
                abut_use_isa(*isa);
                if (!search_subjects[i].scalar || turn % 3 == 0)
                    run_round(&search_subjects[i], workspace, &random);
            }
        }
    check_short_axes();
    check_decay(&random, 16, 0);
    check_decay(&random, 16, 1);
    check_decay(&random, 16, 16);
    check_decay(&random, 1000, 0);
    check_decay_seen(&random);
    check_any_stops();
    check_sorted_pairs(&random, workspace);
    check_dense_cells();
    check_shapes_of_worlds(&random);
    check_pool(&random);
    abut_workspace_free(workspace);
    return finish("index");
}
