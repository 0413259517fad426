/* SPDX-License-Identifier: MIT */
/* Compares nearest neighbours with distances of three thousand bits, exact enough for ties and tiny differences. */
#include "inputs.h"
#include "report.h"
#include <abut/distance.h>

#include <abut/index.h>

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, POINTS = 12, BITS = 3000, SAME = 1200 };

/* Points, spheres and boxes are numbered like the sets of index.h. */
enum { KINDS = 3 };
static const char *const kind_names_here[KINDS] = {"points", "spheres", "boxes"};
static float items[6][MOST], points[3][POINTS];
static mpf_t distances[MOST];

enum scene { SCENE_EVEN, SCENE_INTEGERS, SCENE_CLOSE, SCENE_INFINITE, SCENE_FEW, SCENE_ALMOST, SCENES };

static float coordinate(struct random *random, enum scene scene)
{
    /* Most items have others at the same distance, equal ones and some elsewhere. */
    static const float few[] = {-1.1f, 0, 0.7f};
    if (scene == SCENE_FEW)
        return few[random_below(random, 3)];
    const float x = random_between(random, -8, 8);
    return scene == SCENE_INTEGERS ? floorf(x) : scene == SCENE_CLOSE ? 1 + floorf(x) * 0x1p-23f : x;
}

/* Integer distances and radii, and points so near the origin that their offset vanishes in float64. */
static void make_almost(struct random *random, unsigned kind, size_t n)
{
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < POINTS; i++)
            points[k][i] = ((float)random_below(random, 5) - 2) * 0x1p-60f;
        for (size_t i = 0; i < n; i++)
            items[k][i] = random_below(random, 2) ? (float)random_below(random, 17) - 8 : 0;
    }
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 3; k < 6; k++)
            items[k][i] = kind == ABUT_SET_SPHERES ? (float)random_below(random, 9)
                                                   : items[k - 3][i] + (float)random_below(random, 3);
}

static void make_scene(struct random *random, enum scene scene, unsigned kind, size_t n)
{
    if (scene == SCENE_ALMOST) {
        make_almost(random, kind, n);
        return;
    }
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned k = 0; k < 3; k++)
            points[k][i] = coordinate(random, scene);
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const float x = coordinate(random, scene), y = coordinate(random, scene);
            items[k][i] = kind == ABUT_SET_AABBS && y < x ? y : x;
            items[k + 3][i] = kind == ABUT_SET_AABBS && y < x ? x : y;
        }
        if (kind == ABUT_SET_SPHERES)
            items[3][i] = floorf(fabsf(coordinate(random, scene)) / 2);
        if (scene == SCENE_INFINITE && random_below(random, 20) == 0) {
            if (kind == ABUT_SET_SPHERES)
                items[3][i] = INFINITY;
            if (kind == ABUT_SET_AABBS)
                items[random_below(random, 3) + 3][i] = INFINITY;
        }
    }
}

/* The distance of point p from item i, squared but for spheres. */
static void right_distance(mpf_t distance, unsigned kind, size_t p, size_t i)
{
    mpf_t d;
    mpf_init2(d, BITS);
    mpf_set_ui(distance, 0);
    for (unsigned k = 0; k < 3; k++) {
        const float x = points[k][p], min = items[k][i], max = kind == ABUT_SET_AABBS ? items[k + 3][i] : min;
        if (x >= min && x <= max)
            continue;
        mpf_t bound;
        mpf_init2(bound, BITS);
        mpf_set_d(bound, x < min ? min : max);
        mpf_set_d(d, x);
        mpf_sub(d, d, bound);
        mpf_mul(d, d, d);
        mpf_add(distance, distance, d);
        mpf_clear(bound);
    }
    if (kind == ABUT_SET_SPHERES && isinf(items[3][i])) {
        mpf_set_ui(distance, 0);
    } else if (kind == ABUT_SET_SPHERES) {
        mpf_sqrt(distance, distance);
        mpf_set_d(d, items[3][i]);
        mpf_sub(distance, distance, d);
        if (mpf_sgn(distance) < 0)
            mpf_set_ui(distance, 0);
    }
    mpf_clear(d);
}

static int compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    mpf_t difference, least;
    mpf_init2(difference, BITS);
    mpf_init2(least, BITS);
    mpf_sub(difference, distances[i], distances[j]);
    mpf_set_ui(least, 1);
    mpf_div_2exp(least, least, SAME);
    int sign = mpf_sgn(difference);
    mpf_abs(difference, difference);
    if (mpf_cmp(difference, least) < 0)
        sign = i < j ? -1 : i > j;
    mpf_clear(difference);
    mpf_clear(least);
    return sign;
}

/* padding below 0: an index that owns its items. */
static struct abut_index *build_padded(unsigned kind, size_t n, float padding)
{
    const struct abut_points p = {n, items[0], items[1], items[2]};
    const struct abut_spheres s = {n, items[0], items[1], items[2], items[3]};
    const struct abut_aabbs b = {n, items[0], items[1], items[2], items[3], items[4], items[5]};
    const struct abut_set set = kind == ABUT_SET_POINTS    ? abut_of_points(&p)
                                : kind == ABUT_SET_SPHERES ? abut_of_spheres(&s)
                                                           : abut_of_aabbs(&b);
    const struct abut_options options = {.skip_invalid = true};
    struct abut_index *index = NULL;
    CHECK((padding < 0 ? abut_index_new(set, &options, NULL, &index)
                       : abut_index_view(set, padding, &options, NULL, &index)) == ABUT_OK);
    return index;
}

static struct abut_index *build(unsigned kind, size_t n)
{
    return build_padded(kind, n, -1);
}

static void run_backwards(void *context, unsigned parts, abut_part_function *part, void *work)
{
    (void)context;
    while (parts-- > 0)
        part(work, parts);
}

/* Sums over all calls. */
static struct abut_stats stats;

/* The counts that one call added: for k = n every valid point visits every leaf. */
static void check_stats(const struct abut_stats *before, size_t k, size_t n)
{
    enum { LEAF = 8 };
    const uint64_t nodes = stats.node_tests - before->node_tests, leaves = stats.leaf_tests - before->leaf_tests,
                   pairs = stats.pairs - before->pairs, good = POINTS - 1, all = good * ((n + LEAF - 1) / LEAF);
    check_that(n == 0 ? nodes + leaves + pairs == 0 : nodes >= good && (k < n || pairs >= good * (n > 1)),
               "%zu of %zu: %llu nodes, %llu pairs", k, n, (unsigned long long)nodes, (unsigned long long)pairs);
    check_that(k < n ? leaves <= all && leaves >= good : leaves == all, "%zu of %zu: %llu leaves, not %llu", k, n,
               (unsigned long long)leaves, (unsigned long long)all);
}

/* Whether d2 holds the squared distances of point p from the items found, then +inf. */
static bool distances_right(unsigned kind, size_t p, const uint32_t *found, const float *d2, size_t k)
{
    static float columns[6][MOST], right[MOST];
    const struct abut_points from = {1, &points[0][p], &points[1][p], &points[2][p]};
    size_t n = 0;
    for (; n < k && found[n] != UINT32_MAX; n++)
        for (unsigned c = 0; c < 6; c++)
            columns[c][n] = items[kind == ABUT_SET_POINTS ? c % 3 : c][found[n]];
    const struct abut_spheres s = {n, columns[0], columns[1], columns[2], columns[3]};
    const struct abut_aabbs b = {n, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]};
    const enum abut_status status = kind == ABUT_SET_SPHERES ? abut_points_spheres_distance(&from, &s, right, NULL)
                                                             : abut_points_aabbs_distance(&from, &b, right, NULL);
    bool ok = n == 0 || (status == ABUT_OK && memcmp(d2, right, n * sizeof *right) == 0);
    for (; n < k; n++)
        ok &= d2[n] == INFINITY;
    return ok;
}

/* A view finds the same, for all points at once, and for one, for which it gathers a few items. */
static bool same_where_viewed(const struct abut_index *index, size_t k, const uint32_t *found, const float *d2)
{
    static uint32_t other[POINTS * (MOST + 5)];
    static float other_d2[POINTS * (MOST + 5)];
    bool same = true;
    for (size_t n = 1; n <= POINTS; n += POINTS - 1)
        for (size_t p = 0; p + n <= POINTS; p += n) {
            const struct abut_points some = {n, points[0] + p, points[1] + p, points[2] + p};
            same &= abut_nearest(index, &some, k, NULL, other, other_d2) == ABUT_OK &&
                    memcmp(other, found + p * k, n * k * sizeof *found) == 0 &&
                    memcmp(other_d2, d2 + p * k, n * k * sizeof *d2) == 0;
        }
    return same;
}

static void check_scene(struct random *random, enum scene scene, unsigned kind, size_t n)
{
    static const struct abut_threads three = {run_backwards, NULL, 3, 1};
    static uint32_t found[POINTS * (MOST + 5)], right[MOST];
    static float d2[POINTS * (MOST + 5)];
    const uint64_t seed = random->state;
    const struct abut_options options = {.threads = seed % 2 ? &three : NULL, .stats = &stats};
    const size_t ks[] = {1, 2, 7, n + 5};
    make_scene(random, scene, kind, n);
    points[1][3] = NAN;
    const struct abut_points queries = {POINTS, points[0], points[1], points[2]};
    struct abut_index *index = build(kind, n), *viewing = build_padded(kind, n, seed % 3 ? 0.5f : 0);
    for (unsigned i = 0; i < sizeof ks / sizeof *ks; i++) {
        const size_t k = ks[i];
        const struct abut_stats before = stats;
        bool ok = abut_nearest(index, &queries, k, &options, found, d2) == ABUT_OK;
        for (size_t p = 0; p < POINTS; p++) {
            for (uint32_t item = 0; item < n; item++) {
                right[item] = item;
                if (p != 3)
                    right_distance(distances[item], kind, p, item);
            }
            if (p != 3)
                qsort(right, n, sizeof *right, compare);
            for (size_t j = 0; j < k; j++)
                ok &= found[p * k + j] == (p != 3 && j < n ? right[j] : UINT32_MAX);
            ok &= distances_right(kind, p, found + p * k, d2 + p * k, k);
        }
        check_stats(&before, k, n);
        ok &= same_where_viewed(viewing, k, found, d2);
        check_that(ok, "%zu of %zu %s, scene %d; seed %llu", k, n, kind_names_here[kind], (int)scene,
                   (unsigned long long)seed);
    }
    abut_index_free(viewing);
    abut_index_free(index);
}

/* Invalid items are never neighbours, not even where they fill a leaf or a node. */
static void check_skipped(unsigned kind)
{
    enum { N = 400, FIRST = 3, END = 390 };
    static uint32_t found[N];
    const float from = 0;
    const struct abut_points query = {1, &from, &from, &from};
    for (unsigned i = 0; i < N; i++) {
        for (unsigned k = 0; k < 6; k++)
            items[k][i] = k < 3 ? (float)i : (float)i + 0.25f;
        if (kind == ABUT_SET_SPHERES)
            items[3][i] = 0.25f;
        if (i >= FIRST && i < END)
            items[i % 3][i] = NAN;
    }
    struct abut_index *index = build(kind, N);
    CHECK(abut_index_count(index) == N);
    CHECK(abut_nearest(index, &query, N, NULL, found, NULL) == ABUT_OK);
    for (uint32_t j = 0; j < N; j++) {
        const uint32_t right = j < FIRST ? j : j < N - (END - FIRST) ? j + END - FIRST : UINT32_MAX;
        check_that(found[j] == right, "%s: the neighbour %u is %u", kind_names_here[kind], j, found[j]);
    }
    abut_index_free(index);
}

/* The second item is nearer, but float64 gives both the same sum of squares; only the squares round. */
static void check_near_tie(void)
{
    const float point[3] = {-12345677, -9876543, 0};
    const struct abut_points query = {1, &point[0], &point[1], &point[2]};
    const float at[2][2] = {{14998345.0f * 64, 11779952.0f * 64}, {16760781.0f * 64, 9107077.0f * 64}};
    for (unsigned i = 0; i < 2; i++) {
        items[0][i] = at[i][0];
        items[1][i] = at[i][1];
        items[2][i] = 0;
    }
    uint32_t found;
    struct abut_index *index = build(ABUT_SET_POINTS, 2);
    CHECK(abut_nearest(index, &query, 1, NULL, &found, NULL) == ABUT_OK && found == 1);
    abut_index_free(index);
}

/* Of many equally near items, those with greater indices are passed over together. */
static void check_dense_cell(unsigned kind, float from)
{
    enum { NEAREST = 3 };
    const struct abut_points query = {1, &from, &from, &from};
    struct abut_stats few = {0};
    uint32_t found[NEAREST];
    for (unsigned i = 0; i < MOST; i++)
        for (unsigned k = 0; k < 3; k++) {
            items[k][i] = kind == ABUT_SET_AABBS ? -1 - (float)(i * 7 % 5) : 1;
            items[k + 3][i] = 2; /* a radius, too */
        }
    struct abut_index *index = build(kind, MOST);
    CHECK(abut_nearest(index, &query, NEAREST, &(struct abut_options){.stats = &few}, found, NULL) == ABUT_OK);
    for (uint32_t j = 0; j < NEAREST; j++)
        check_that(found[j] == j, "%s: the neighbour %u is %u", kind_names_here[kind], j, found[j]);
    check_that(few.leaf_tests <= 3 * NEAREST, "%s: %llu leaves for %d of equal items", kind_names_here[kind],
               (unsigned long long)few.leaf_tests, NEAREST);
    abut_index_free(index);
}

/* From so far away that all items have the same float64 distance, the search still visits few leaves. */
static void check_from_afar(struct random *random, unsigned kind, float from)
{
    const float other = 3;
    const struct abut_points query = {1, &other, &from, &other};
    struct abut_stats few = {0};
    uint32_t found;
    for (unsigned i = 0; i < MOST; i++)
        for (unsigned k = 0; k < 3; k++) {
            items[k][i] = random_between(random, 0, 50);
            items[k + 3][i] = kind == ABUT_SET_AABBS ? items[k][i] + random_between(random, 0, 1) : 0.5f;
        }
    struct abut_index *index = build(kind, MOST);
    CHECK(abut_nearest(index, &query, 1, &(struct abut_options){.stats = &few}, &found, NULL) == ABUT_OK);
    check_that(few.leaf_tests <= MOST / 8 / 4, "%s: %llu leaves for the nearest of %d from %g", kind_names_here[kind],
               (unsigned long long)few.leaf_tests, MOST, (double)from);
    const float *side = items[kind == ABUT_SET_AABBS && from > 0 ? 4 : 1];
    for (unsigned i = 0; i < MOST; i++)
        check_that(from > 0 ? side[i] <= side[found] : side[i] >= side[found], "%s: %u is nearer than %u from %g",
                   kind_names_here[kind], i, found, (double)from);
    abut_index_free(index);
}

/*
 * Two leaves with equally near boxes. All items of the first, which has the lower indices, are farther than the second
 * by less than float64 bounds resolve.
 */
static void check_near_leaves(float off)
{
    enum { LEAF = 8 };
    const float far = 0x1p24f - 1, origin = 0;
    const struct abut_points query = {1, &origin, &origin, &origin};
    uint32_t found;
    for (unsigned i = 0; i < 2 * LEAF; i++) {
        items[0][i] = i < LEAF ? far : 0;
        items[1][i] = i >= LEAF ? far : i == 0 ? -5 : off;
        items[2][i] = 0;
    }
    struct abut_index *index = build(ABUT_SET_POINTS, 2 * LEAF);
    CHECK(abut_nearest(index, &query, 1, NULL, &found, NULL) == ABUT_OK);
    check_that(found == LEAF, "the nearest is %u, off by %g", found, (double)off);
    abut_index_free(index);
}

static void check_errors(void)
{
    uint32_t found[POINTS];
    const struct abut_points queries = {POINTS, points[0], points[1], points[2]}, none = {0, NULL, NULL, NULL};
    struct abut_index *index = build(ABUT_SET_POINTS, 9);
    CHECK(abut_nearest(index, &queries, 0, NULL, found, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_nearest(NULL, &queries, 1, NULL, found, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_nearest(index, NULL, 1, NULL, found, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_nearest(index, &queries, 1, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_nearest(index, &queries, SIZE_MAX / POINTS, NULL, found, NULL) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_nearest(index, &none, 1, NULL, NULL, NULL) == ABUT_OK);
    float x[POINTS];
    const struct abut_neighbours one = {.k = 1}, far = {.k = 1, .limited = true, .within = INFINITY};
    const struct abut_neighbours below = {.k = 1, .limited = true, .within = -1};
    const struct abut_options odd = {.touch = 2};
    const struct abut_neighbours_found out = {.indices = found}, part = {.indices = found, .closest = {.x = x}};
    CHECK(abut_find_neighbours(index, &queries, NULL, NULL, &out) == ABUT_ERROR_NULL);
    CHECK(abut_find_neighbours(index, &queries, &one, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_find_neighbours(index, &queries, &one, NULL, &part) == ABUT_ERROR_NULL);
    CHECK(abut_find_neighbours(index, &queries, &far, NULL, &out) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_find_neighbours(index, &queries, &below, NULL, &out) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_find_neighbours(index, &queries, &one, &odd, &out) == ABUT_ERROR_ARGUMENT);
    abut_index_free(index);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 2});
    struct random random = {options.seed};
    static const size_t sizes[] = {0, 1, 7, 9, 60, MOST};
    for (unsigned i = 0; i < MOST; i++)
        mpf_init2(distances[i], BITS);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            for (unsigned scene = 0; scene < SCENES; scene++)
                for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
                    check_scene(&random, (enum scene)scene, kind, sizes[i]);
    check_near_tie();
    for (unsigned kind = 0; kind < KINDS; kind++)
        check_skipped(kind);
    for (unsigned kind = 0; kind < KINDS; kind++)
        check_dense_cell(kind, 0.5f);
    check_dense_cell(ABUT_SET_POINTS, 1);
    check_dense_cell(ABUT_SET_AABBS, 4.3f);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        check_from_afar(&random, kind, -1e30f);
        check_from_afar(&random, kind, 1e20f);
    }
    check_near_leaves(1);
    check_near_leaves(0x1p-30f);
    check_errors();
    CHECK(stats.exact > 0 && stats.undecided > stats.exact && stats.pairs > stats.undecided);
    for (unsigned i = 0; i < MOST; i++)
        mpf_clear(distances[i]);
    return finish("nearest");
}
