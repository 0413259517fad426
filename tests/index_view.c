/* SPDX-License-Identifier: MIT */
/* Tests views while their items move: the answers equal those of a new index, and boxes are renewed where necessary. */
#include "inputs.h"
#include "pool.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000, FEW = 150, MOST_PAIRS = 1 << 20 };

static const float side = 30, padding = 0.25f;

static float balls[4][N], speeds[3][N], few[4][FEW];
static const struct abut_spheres items = {N, balls[0], balls[1], balls[2], balls[3]};
static const struct abut_spheres queries = {FEW, few[0], few[1], few[2], few[3]};
static struct abut_threads parallel[2];

static void make_world(struct random *random)
{
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < 4; k++) {
            balls[k][i] = k < 3 ? random_between(random, 0, side) : random_between(random, 0, 0.5f);
            if (k < 3)
                speeds[k][i] = random_between(random, -0.1f, 0.1f);
            if (i < FEW)
                few[k][i] = k < 3 ? random_between(random, 0, side) : random_between(random, 0, 3);
        }
}

/* The sorted pairs of one join. */
struct found {
    struct abut_pair *pairs;
    uint64_t n;
};

static struct found sorted(enum abut_status status, struct abut_pair *pairs, uint64_t n)
{
    CHECK(status == ABUT_OK && n <= MOST_PAIRS && abut_sort_pairs(pairs, (size_t)n, NULL) == ABUT_OK);
    return (struct found){pairs, n};
}

static bool same_pairs(struct found a, struct found b)
{
    return a.n == b.n && memcmp(a.pairs, b.pairs, (size_t)a.n * sizeof *a.pairs) == 0;
}

/* Queries that gather some leaves, one box as a hull, and a self join, which gathers all. */
static void check_same(const struct abut_index *index, const struct abut_index *right,
                       const struct abut_options *options, const char *what)
{
    static struct abut_pair ours[MOST_PAIRS], others[MOST_PAIRS];
    static float planes[4][6];
    static const uint32_t offsets[] = {0, 6};
    const struct abut_hulls hull = {1, offsets, planes[0], planes[1], planes[2], planes[3]};
    float faces[6][4];
    uint64_t n = 0, m = 0;
    const float low[3] = {3, 4, 5}, high[3] = {12, 9, 20};
    abut_hull_aabb(low, high, faces);
    for (unsigned k = 0; k < 24; k++)
        planes[k % 4][k / 4] = faces[k / 4][k % 4];
    const struct abut_set sets[] = {abut_of_spheres(&queries), abut_of_hulls(&hull), abut_of_index(index)};
    for (unsigned s = 0; s < sizeof sets / sizeof *sets; s++) {
        const enum abut_status status = abut_join(index, sets[s], options, ours, MOST_PAIRS, &n);
        const struct found found = sorted(status, ours, n);
        const enum abut_status right_status =
            abut_join(right, s == 2 ? abut_of_index(right) : sets[s], NULL, others, MOST_PAIRS, &m);
        check_that(same_pairs(found, sorted(right_status, others, m)) && n > 0, "%s: other pairs of set %u", what, s);
    }
    enum abut_status status = abut_self_join(index, options, ours, MOST_PAIRS, &n);
    const struct found found = sorted(status, ours, n);
    status = abut_self_join(right, NULL, others, MOST_PAIRS, &m);
    check_that(same_pairs(found, sorted(status, others, m)) && n > 0, "%s: other pairs of itself", what);
}

/* Every ball moves, and at times one is switched off or on; balls leave their boxes at different steps. */
static void check_moving(struct random *random, const struct abut_threads *threads)
{
    struct abut_index *index, *right;
    const struct abut_options options = {.threads = threads, .skip_invalid = true};
    make_world(random);
    CHECK(abut_index_view(abut_of_spheres(&items), padding, &options, NULL, &index) == ABUT_OK);
    for (unsigned step = 0; step < 8; step++) {
        for (unsigned i = 0; i < N; i++) {
            for (unsigned k = 0; k < 3; k++)
                balls[k][i] += speeds[k][i];
            if (random_below(random, 50) == 0)
                balls[3][i] = balls[3][i] < 0 ? 0.25f : -1;
        }
        struct abut_invalid invalid;
        CHECK(abut_index_refit(index, abut_of_spheres(&items), &options, NULL, &invalid) == ABUT_OK &&
              invalid.count > 0);
        CHECK(abut_index_new(abut_of_spheres(&items), &options, NULL, &right) == ABUT_OK);
        check_same(index, right, &options, "moving balls");
        abut_index_free(right);
    }
    abut_index_free(index);
}

static double decay_after(struct abut_index *index)
{
    double growth = NAN;
    CHECK(abut_index_refit(index, abut_of_spheres(&items), NULL, &growth, NULL) == ABUT_OK);
    return growth;
}

/*
 * An item that stays inside its padded box does not change growth. An item that has left and come back, or grown and
 * shrunk, leaves no change either, because boxes are renewed, not just widened.
 */
static void check_boxes(struct random *random)
{
    static float before[3][N];
    struct abut_index *index;
    make_world(random);
    memcpy(before, balls, sizeof before);
    CHECK(abut_index_view(abut_of_spheres(&items), padding, NULL, NULL, &index) == ABUT_OK);
    CHECK(decay_after(index) == 1);
    for (unsigned i = 0; i < N; i++)
        balls[i % 3][i] += (i % 2 ? 0.99f : -0.99f) * padding;
    CHECK(decay_after(index) == 1);
    for (unsigned i = 0; i < N; i += 100)
        balls[i % 3][i] += 100;
    CHECK(decay_after(index) > 2);
    memcpy(balls, before, sizeof before);
    CHECK(decay_after(index) == 1);
    for (unsigned large = 0; large < 2; large++) {
        static float radii[N];
        memcpy(radii, balls[3], sizeof radii);
        for (unsigned i = 0; i < N; i += 10)
            balls[3][i] += large ? INFINITY : 4 * padding;
        CHECK(decay_after(index) > 1);
        memcpy(balls[3], radii, sizeof radii);
        CHECK(decay_after(index) == 1);
    }
    for (unsigned i = 0; i < N; i++)
        balls[i % 3][i] += (i % 2 ? 1.01f : -1.01f) * padding;
    CHECK(decay_after(index) != 1);
    abut_index_free(index);
    /* Without padding the smallest movement leaves a box, and boxes are as large as in an index that owns its items. */
    struct abut_index *owner;
    CHECK(abut_index_view(abut_of_spheres(&items), 0, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(abut_of_spheres(&items), NULL, NULL, &owner) == ABUT_OK);
    struct abut_stats ours = {0}, others = {0};
    uint64_t n;
    for (unsigned again = 0; again < 2; again++) {
        CHECK(abut_join(index, abut_of_spheres(&queries), &(struct abut_options){.stats = &ours}, NULL, 0, &n) ==
              ABUT_OK);
        CHECK(abut_join(owner, abut_of_spheres(&queries), &(struct abut_options){.stats = &others}, NULL, 0, &n) ==
              ABUT_OK);
        CHECK(memcmp(&ours, &others, sizeof ours) == 0 && ours.leaf_tests > 0);
        for (unsigned i = 0; i < N; i++)
            balls[i % 3][i] = nextafterf(balls[i % 3][i], i % 2 ? INFINITY : -INFINITY);
        CHECK(decay_after(index) != 1 && decay_after(owner) != 1);
    }
    abut_index_free(index);
    abut_index_free(owner);
}

/*
 * An OBB query with a short axis, along which a radius reaches farther. The margin uses the greatest current radius,
 * but for an infinite one. The near balls fill a leaf, the others are far away.
 */
static void check_growing(void)
{
    enum { NEAR = 8, ALL = 1000 };
    struct abut_index *index;
    const float zero = 0, one = 1, x = 3, length = 0.9991f;
    const struct abut_obbs box = {1,     &x,    &zero, &zero, &one,  &one,  &one,  &length,
                                  &zero, &zero, &zero, &one,  &zero, &zero, &zero, &one};
    static float at[ALL], r[ALL], off[ALL];
    const struct abut_spheres all = {ALL, at, off, off, r};
    uint64_t n;
    for (float radius = 2; radius < 1e6f; radius *= 4) {
        for (unsigned i = 0; i < ALL; i++) {
            at[i] = i < NEAR ? x + (1 + radius) / length * (1 - 0x1p-20f) : i < (ALL + NEAR) / 2 ? 1e9f : -1e9f;
            r[i] = 1;
        }
        CHECK(abut_index_view(abut_of_spheres(&all), 0, NULL, NULL, &index) == ABUT_OK);
        for (unsigned i = 0; i < ALL; i++)
            r[i] = i < NEAR ? radius : i == NEAR ? INFINITY : 1;
        CHECK(abut_index_refit(index, abut_of_spheres(&all), NULL, NULL, NULL) == ABUT_OK);
        struct abut_stats stats = {0};
        CHECK(abut_join(index, abut_of_obbs(&box), &(struct abut_options){.stats = &stats}, NULL, 0, &n) == ABUT_OK);
        CHECK(stats.leaf_tests == 2);
        check_that(n == NEAR + 1, "%llu balls, of radius %g and +inf", (unsigned long long)n, (double)radius);
        abut_index_free(index);
    }
}

static void check_errors(struct random *random)
{
    struct abut_index *index = (void *)balls, *right;
    struct abut_invalid invalid;
    const float wrong[] = {-1, -0x1p-149f, NAN, INFINITY, -INFINITY};
    make_world(random);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(abut_index_view(abut_of_spheres(&items), wrong[i], NULL, NULL, &index) == ABUT_ERROR_ARGUMENT && !index);
    CHECK(abut_index_view(abut_of_spheres(&items), 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_view(abut_of_spheres(NULL), 1, NULL, NULL, &index) == ABUT_ERROR_NULL && !index);
    balls[1][777] = INFINITY;
    CHECK(abut_index_view(abut_of_spheres(&items), 1, NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(invalid.row == 777 && invalid.count == 1);
    balls[1][777] = 1;
    CHECK(abut_index_view(abut_of_spheres(&items), -0.0f, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_bytes(index) < 37 * N && abut_index_count(index) == N);
    /* A refused refit changes nothing; the view keeps its previous arrays. */
    static float others[4][N];
    const struct abut_spheres moved = {N, others[0], others[1], others[2], others[3]};
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < N; i++)
            others[k][i] = balls[k][N - 1 - i];
    others[3][N - 1] = -1;
    CHECK(abut_index_refit(index, abut_of_spheres(&moved), NULL, NULL, &invalid) == ABUT_ERROR_INVALID);
    CHECK(invalid.row == N - 1 && invalid.count == 1);
    CHECK(abut_index_new(abut_of_spheres(&items), NULL, NULL, &right) == ABUT_OK);
    check_same(index, right, NULL, "a refused refit");
    abut_index_free(right);
    others[3][N - 1] = 1;
    CHECK(abut_index_refit(index, abut_of_spheres(&moved), NULL, NULL, &invalid) == ABUT_OK && invalid.count == 0);
    CHECK(abut_index_new(abut_of_spheres(&moved), NULL, NULL, &right) == ABUT_OK);
    check_same(index, right, NULL, "other arrays");
    abut_index_free(right);
    abut_index_free(index);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct pool *five = pool_new(5);
    CHECK(five != NULL);
    parallel[1] = pool_threads(five);
    parallel[1].grain = 100;
    for (unsigned round = 0; round < options.rounds; round++) {
        check_moving(&random, &parallel[0]);
        check_moving(&random, &parallel[1]);
        check_boxes(&random);
    }
    check_growing();
    check_errors(&random);
    pool_free(five);
    return finish("index_view");
}
