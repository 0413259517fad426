/* SPDX-License-Identifier: MIT */
/* Tests the index on several threads: the answers of brute force in every form, in the order that one thread gives. */
#include "inputs.h"
#include "options.h"
#include "pool.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8192, QUERIES = 200000 /* more than five threads search before they wait for each other */ };

static float balls[4][QUERIES], boxes[6][QUERIES], planes[4][6 * QUERIES];
static uint32_t plane_offsets[QUERIES + 1];

/* Sizes from 0 to far, and at times one that touches all. */
static void make_scene(struct random *random, size_t n, float size, bool clustered)
{
    for (size_t i = 0; i < n; i++) {
        const float far = clustered && random_below(random, 2) ? 1000.0f : 0.0f;
        for (unsigned k = 0; k < 3; k++) {
            balls[k][i] = far + random_between(random, -50, 50);
            boxes[k][i] = far + random_between(random, -50, 50);
            boxes[k + 3][i] = boxes[k][i] + random_between(random, 0, size);
        }
        balls[3][i] = random_below(random, 300) == 0 ? 3000.0f : random_between(random, 0, size);
        float low[3], high[3], faces[6][4];
        for (unsigned k = 0; k < 3; k++) {
            low[k] = balls[k][i] - balls[3][i];
            high[k] = balls[k][i] + balls[3][i];
        }
        abut_hull_aabb(low, high, faces);
        plane_offsets[i + 1] = 6 * (uint32_t)(i + 1);
        for (unsigned k = 0; k < 24; k++)
            planes[k % 4][6 * i + k / 4] = faces[k / 4][k % 4];
    }
}

/* Runs one part after the other on the calling thread, the last first. */
static void run_backwards(void *context, unsigned parts, abut_part_function *part, void *work)
{
    (void)context;
    while (parts-- > 0)
        part(work, parts);
}

enum { TEAMS = 4 };

static struct abut_threads parallel[TEAMS] = {{0}, {run_backwards, NULL, 5, 1}};
static const char *const parallel_names[TEAMS] = {"one thread", "five parts backwards", "two threads", "five threads"};

/* The answers of one join in every form. */

struct answers {
    struct abut_pair *pairs, *blocks;
    uint64_t count, blocks_n;
    uint64_t *offsets, *any, *unsorted_offsets;
    uint32_t *indices, *counts, *rows, *unsorted;
    struct abut_stats stats;
};

static bool take_block(void *context, const struct abut_pair *pairs, size_t n)
{
    struct answers *answers = context;
    memcpy(answers->blocks + answers->blocks_n, pairs, n * sizeof *pairs);
    answers->blocks_n += n;
    return true;
}

/* queries.items is NULL for a self join. */
static struct answers ask(const struct abut_index *index, struct abut_set queries, size_t n, uint64_t right,
                          const struct abut_options *options)
{
    const bool self = !queries.items;
    struct answers a = {.count = 0};
    a.pairs = malloc((size_t)(right + 1) * sizeof *a.pairs);
    a.blocks = malloc((size_t)(right + 1) * sizeof *a.blocks);
    a.offsets = malloc((n + 1) * sizeof *a.offsets);
    a.indices = malloc((size_t)(right + 1) * sizeof *a.indices);
    a.counts = malloc((n + 1) * sizeof *a.counts);
    a.any = malloc((abut_mask_words(n) + 1) * sizeof *a.any);
    a.rows = malloc((n + 1) * sizeof *a.rows);
    a.unsorted_offsets = malloc((n + 1) * sizeof *a.unsorted_offsets);
    a.unsorted = malloc((size_t)(right + 1) * sizeof *a.unsorted);
    struct abut_options counting = *options;
    counting.stats = &a.stats;
    CHECK((self ? abut_self_join(index, &counting, a.pairs, (size_t)right, &a.count)
                : abut_join(index, queries, &counting, a.pairs, (size_t)right, &a.count)) == ABUT_OK);
    if (!CHECK(a.count == right))
        exit(finish("index_threads"));
    CHECK((self ? abut_self_join_blocks(index, options, take_block, &a)
                : abut_join_blocks(index, queries, options, take_block, &a)) == ABUT_OK);
    if (!self) {
        CHECK(abut_join_rows(index, queries, options, a.offsets, a.indices, (size_t)right) == ABUT_OK);
        CHECK(abut_join_rows_unsorted(index, queries, options, a.rows, a.unsorted_offsets, a.unsorted, (size_t)right) ==
              ABUT_OK);
        CHECK(abut_join_counts(index, queries, options, a.counts) == ABUT_OK);
        CHECK(abut_join_any(index, queries, options, a.any) == ABUT_OK);
    }
    return a;
}

static void answers_free(struct answers *a)
{
    free(a->pairs);
    free(a->blocks);
    free(a->offsets);
    free(a->indices);
    free(a->counts);
    free(a->any);
    free(a->rows);
    free(a->unsorted_offsets);
    free(a->unsorted);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The unsorted rows, once sorted, equal the sorted rows. */
static void check_unsorted(const struct answers *a, size_t n, const char *what)
{
    bool ok = a->unsorted_offsets[0] == 0 && a->unsorted_offsets[n] == a->offsets[n];
    uint32_t *row = malloc((size_t)(a->count + 1) * sizeof *row);
    for (size_t i = 0; i < n && ok; i++) {
        const uint64_t first = a->unsorted_offsets[i], count = a->unsorted_offsets[i + 1] - first;
        if (count > a->count) {
            ok = false;
            break;
        }
        memcpy(row, a->unsorted + first, (size_t)count * sizeof *row);
        qsort(row, (size_t)count, sizeof *row, by_number);
        ok = a->rows[i] < n && a->offsets[a->rows[i] + 1] - a->offsets[a->rows[i]] == count &&
             memcmp(row, a->indices + a->offsets[a->rows[i]], (size_t)count * sizeof *row) == 0;
    }
    free(row);
    check_that(ok, "%s: unsorted rows", what);
}

/* Whether two searches found the same rows in the same order. */
static bool same_unsorted(const struct answers *a, const struct answers *b, size_t n)
{
    return memcmp(a->rows, b->rows, n * sizeof *a->rows) == 0 &&
           memcmp(a->unsorted_offsets, b->unsorted_offsets, (n + 1) * sizeof *a->unsorted_offsets) == 0 &&
           memcmp(a->unsorted, b->unsorted, (size_t)a->count * sizeof *a->unsorted) == 0;
}

/* hits has a row of words for each query. */
static void check_answers(const struct answers *a, const uint64_t *hits, size_t n, size_t items, bool self,
                          const char *what)
{
    const size_t words = abut_mask_words(items);
    bool ok = true;
    for (uint64_t i = 0; i < a->count; i++)
        ok &= hit_at(hits + a->pairs[i].a * words, a->pairs[i].b) && (!self || a->pairs[i].a < a->pairs[i].b);
    check_that(ok, "%s: pairs", what);
    check_that(a->blocks_n == a->count && memcmp(a->blocks, a->pairs, (size_t)a->count * sizeof *a->pairs) == 0,
               "%s: blocks are not the pairs", what);
    for (size_t q = 0; q < n && !self && ok; q++) {
        const uint64_t count = abut_mask_count(hits + q * words, items);
        ok = a->counts[q] == count && hit_at(a->any, q) == (count > 0) && a->offsets[q + 1] - a->offsets[q] == count;
        for (uint64_t i = a->offsets[q]; i < a->offsets[q + 1] && ok; i++)
            ok = hit_at(hits + q * words, a->indices[i]) && (i == a->offsets[q] || a->indices[i - 1] < a->indices[i]);
    }
    check_that(ok, "%s: rows, counts or any", what);
    if (!self && ok)
        check_unsorted(a, n, what);
}

/* No pair comes twice: the count is right, each pair is right, and no two are equal. Sorts the blocks. */
static int by_pair(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct abut_pair));
}

static void check_distinct(const struct answers *a, const char *what)
{
    bool ok = true;
    qsort(a->blocks, (size_t)a->count, sizeof *a->blocks, by_pair);
    for (uint64_t i = 1; i < a->count; i++)
        ok &= by_pair(&a->blocks[i - 1], &a->blocks[i]) != 0;
    check_that(ok, "%s: a pair twice", what);
}

/* The hits by brute force; of a self join only those with the second item after the first. */
static uint64_t *brute_force(struct abut_set queries, size_t n, const struct abut_aabbs *items, enum abut_touch touch,
                             uint64_t *count)
{
    const bool self = !queries.items;
    const size_t words = abut_mask_words(items->n);
    uint64_t *hits = malloc((n * words + 1) * sizeof *hits);
    CHECK((self ? abut_aabbs_touch_aabbs_all(items, items, OPTIONS(touch, NULL), hits)
           : queries.kind == ABUT_SET_HULLS
               ? abut_aabbs_cull_hulls_all(items, queries.items, OPTIONS(touch, NULL), hits)
               : abut_spheres_touch_aabbs_all(queries.items, items, OPTIONS(touch, NULL), hits)) == ABUT_OK);
    *count = 0;
    for (size_t q = 0; q < n; q++) {
        for (size_t i = 0; self && i <= q; i++)
            hits[q * words + i / 64] &= ~(UINT64_C(1) << i % 64);
        *count += abut_mask_count(hits + q * words, items->n);
    }
    return hits;
}

/* The kind of queries. */
enum queries { SPHERES, SELF, HULLS };
static const char *const query_names[] = {"", ", self", " by hulls"};

enum { NEIGHBOURS = 3 };

struct neighbours {
    uint32_t found[NEIGHBOURS * QUERIES];
    float d2[NEIGHBOURS * QUERIES];
    struct abut_stats stats;
};

/* nearest_test tests the neighbours themselves; here they must equal those of one thread. */
static void check_neighbours(const struct abut_index *index, size_t n, const struct abut_options *options,
                             struct neighbours *first, const char *what)
{
    static struct neighbours others;
    struct neighbours *ours = options->threads->count ? &others : first;
    const struct abut_points centres = {n, balls[0], balls[1], balls[2]};
    const struct abut_options counting = {.threads = options->threads, .stats = &ours->stats};
    ours->stats = (struct abut_stats){0};
    CHECK(abut_nearest(index, &centres, NEIGHBOURS, &counting, ours->found, ours->d2) == ABUT_OK);
    check_that(memcmp(ours->found, first->found, NEIGHBOURS * n * sizeof *ours->found) == 0, "%s: other neighbours",
               what);
    check_that(memcmp(ours->d2, first->d2, NEIGHBOURS * n * sizeof *ours->d2) == 0, "%s: other distances", what);
    check_that(memcmp(&ours->stats, &first->stats, sizeof ours->stats) == 0, "%s: other statistics of neighbours",
               what);
}

/* An index refit with several threads; or a view whose boxes were elsewhere before. */
static struct abut_index *make_index(const struct abut_aabbs *items, bool is_view, const struct abut_threads *threads)
{
    const struct abut_options with = {.threads = threads}, *options = &with;
    struct abut_index *index;
    const struct abut_aabbs before = {items->n,    items->miny, items->minz, items->minx,
                                      items->maxy, items->maxz, items->maxx};
    if (is_view)
        CHECK(abut_index_view(abut_of_aabbs(&before), 4, options, NULL, &index) == ABUT_OK);
    else
        CHECK(abut_index_new(abut_of_aabbs(items), options, NULL, &index) == ABUT_OK);
    CHECK(abut_index_refit(index, abut_of_aabbs(items), options, NULL, NULL) == ABUT_OK);
    return index;
}

static void check_scene(bool is_view, size_t queries_n, size_t items_n, enum queries kind, enum abut_touch touch)
{
    const struct abut_spheres spheres = {queries_n, balls[0], balls[1], balls[2], balls[3]};
    const struct abut_aabbs items = {items_n, boxes[0], boxes[1], boxes[2], boxes[3], boxes[4], boxes[5]};
    const struct abut_hulls hulls = {queries_n, plane_offsets, planes[0], planes[1], planes[2], planes[3]};
    const bool self = kind == SELF;
    const struct abut_set queries = self            ? (struct abut_set){ABUT_SET_AABBS, NULL}
                                    : kind == HULLS ? abut_of_hulls(&hulls)
                                                    : abut_of_spheres(&spheres);
    const size_t n = self ? items_n : queries_n;
    uint64_t right;
    uint64_t *hits = brute_force(queries, n, &items, touch, &right);
    struct answers first;
    for (unsigned t = 0; t < TEAMS; t++) {
        struct abut_options options = {
            .touch = touch, .threads = &parallel[t], .relation = kind == HULLS ? ABUT_CULL : ABUT_TOUCHES};
        char what[100];
        snprintf(what, sizeof what, "%zu in %zu%s%s, %s", n, items_n, is_view ? " viewed" : "", query_names[kind],
                 parallel_names[t]);
        struct abut_index *index = make_index(&items, is_view, &parallel[t]);
        static struct neighbours neighbours;
        check_neighbours(index, queries_n, &options, &neighbours, what);
        struct answers a = ask(index, queries, n, right, &options);
        check_answers(&a, hits, n, items_n, self, what);
        if (t == 0) {
            first = a;
            check_distinct(&a, what);
        } else {
            check_that(memcmp(a.pairs, first.pairs, (size_t)right * sizeof *a.pairs) == 0, "%s: another order", what);
            check_that(self || same_unsorted(&a, &first, n), "%s: another order of rows", what);
            check_that(memcmp(&a.stats, &first.stats, sizeof a.stats) == 0, "%s: other statistics", what);
            answers_free(&a);
        }
        abut_index_free(index);
    }
    answers_free(&first);
    free(hits);
}

/* Integers touch exactly, which flushed denormals would hide. */
static void snap_scene(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 4; k++)
            balls[k][i] = floorf(balls[k][i]);
        for (unsigned k = 0; k < 6; k++)
            boxes[k][i] = floorf(boxes[k][i]);
    }
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 2});
    struct random random = {options.seed};
    struct pool *two = pool_new(2), *five = pool_new(5);
    CHECK(two && five);
    parallel[2] = pool_threads(two);
    parallel[3] = pool_threads(five);
    parallel[2].grain = parallel[3].grain = 1;
    static const size_t sizes[] = {0, 1, 16, 17, 33, 200, 1000, 3000};
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i += options.step) {
            const bool is_view = (round + i) % 2;
            make_scene(&random, 3000, 10, i / 2 % 2);
            check_scene(is_view, sizes[i], 3000, SPHERES, i % 3 ? ABUT_CLOSED : ABUT_OPEN);
            check_scene(is_view, 3000, sizes[i], SPHERES, ABUT_CLOSED);
            check_scene(is_view, 0, sizes[i], SELF, ABUT_CLOSED);
            check_scene(is_view, sizes[i], 3000, HULLS, i % 3 ? ABUT_CLOSED : ABUT_OPEN);
            check_scene(is_view, 300, sizes[i], HULLS, ABUT_OPEN);
        }
    make_scene(&random, 3000, 10, false);
    snap_scene(3000);
    check_scene(false, 3000, 3000, SPHERES, ABUT_CLOSED);
    check_scene(true, 3000, 3000, SPHERES, ABUT_OPEN);
    check_scene(false, 0, 3000, SELF, ABUT_CLOSED);
    /* More hits than several threads keep at a time: in some query packets, in all, and in each by itself. */
    make_scene(&random, MOST, 20, false);
    check_scene(false, 1500, MOST, SPHERES, ABUT_CLOSED);
    make_scene(&random, MOST, 60, false);
    check_scene(false, 500, MOST, SPHERES, ABUT_CLOSED);
    make_scene(&random, MOST, 600, false);
    check_scene(false, 200, MOST, SPHERES, ABUT_CLOSED);
    check_scene(false, 200, MOST, HULLS, ABUT_CLOSED);
    check_scene(true, 60, MOST, SPHERES, ABUT_CLOSED);
    make_scene(&random, QUERIES, 5, false);
    check_scene(false, QUERIES, 100, SPHERES, ABUT_CLOSED);
    pool_free(two);
    pool_free(five);
    return finish("index_threads");
}
