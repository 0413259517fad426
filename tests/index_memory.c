/* SPDX-License-Identifier: MIT */
/*
 * Tests the index with wrong arguments and without memory: every allocation of every call fails, alone and with all
 * that follow.
 */
#include "account.h"
#include "bvh/workspace.h"
#include "report.h"
#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700 };

static float coordinates[6][N], radii[N];
static const struct abut_spheres spheres = {N, coordinates[0], coordinates[1], coordinates[2], radii};
static const struct abut_points points = {N, coordinates[0], coordinates[1], coordinates[2]};
static float zeros[N], ones[N];
static const struct abut_obbs obbs = {N,     coordinates[0], coordinates[1], coordinates[2], radii, radii, radii, ones,
                                      zeros, zeros,          zeros,          ones,           zeros, zeros, zeros, ones};
static uint32_t plane_offsets[N + 1];
static const struct abut_hulls hulls = {N, plane_offsets, ones, zeros, zeros, coordinates[0]};
static const struct abut_aabbs boxes = {
    N, coordinates[0], coordinates[1], coordinates[2], coordinates[3], coordinates[4], coordinates[5]};
static float wider[3][N];
static const struct abut_aabbs wider_boxes = {N,        coordinates[0], coordinates[1], coordinates[2],
                                              wider[0], wider[1],       wider[2]};

static void make_items(void)
{
    struct random random = {5};
    for (unsigned i = 0; i < N; i++) {
        for (unsigned k = 0; k < 3; k++) {
            coordinates[k][i] = random_between(&random, 0, 10);
            coordinates[k + 3][i] = coordinates[k][i] + 1;
            wider[k][i] = coordinates[k][i] + 2;
        }
        radii[i] = ones[i] = 1;
        plane_offsets[i + 1] = i + 1;
    }
}

/* Results of the calls. */
static struct abut_pair pairs[N * N];
static uint32_t counts[N], rows[N], indices[N * N];
static uint64_t offsets[N + 1], mask[N / 64 + 1];

static bool take_block(void *context, const struct abut_pair *block, size_t n)
{
    *(uint64_t *)context += n;
    return block != NULL;
}

enum { RESULTS = 4, MANY = 2100 };

/*
 * Each use function makes and frees its objects, and stores what it found. Each is small, because it runs once or twice
 * per allocation.
 */
typedef enum abut_status use_function(const struct abut_options *options, uint64_t found[RESULTS]);

/* Two spheres that contain so many points that the search emits them in pieces. */
static enum abut_status use_pieces(const struct abut_options *options, uint64_t found[RESULTS])
{
    static const float line[MANY], far[2] = {9, 9};
    const struct abut_points many = {MANY, line, line, line};
    const struct abut_spheres two = {2, line, line, line, far};
    struct abut_index *index = NULL;
    enum abut_status status = abut_index_new(abut_of_points(&many), options, NULL, &index);
    for (size_t capacity = MANY; capacity <= 2 * MANY && status == ABUT_OK; capacity += MANY) {
        indices[capacity] = 12345;
        status = abut_join_rows_unsorted(index, abut_of_spheres(&two), options, rows, offsets, indices, capacity);
        CHECK(indices[capacity] == 12345 && (status != ABUT_OK || offsets[1] == MANY));
    }
    found[0] = offsets[1];
    abut_index_free(index);
    return status;
}

/* A search for hulls among OBBs, and one for spheres. */
static enum abut_status use_other_shapes(const struct abut_options *options, uint64_t found[RESULTS])
{
    struct abut_index *index = NULL;
    struct abut_options planes = options ? *options : (struct abut_options){0};
    planes.relation = ABUT_CULL;
    enum abut_status status = abut_index_new(abut_of_obbs(&obbs), options, NULL, &index);
    if (status == ABUT_OK)
        status = abut_join(index, abut_of_hulls(&hulls), &planes, pairs, N * N, &found[0]);
    if (status == ABUT_OK)
        status = abut_join(index, abut_of_spheres(&spheres), options, NULL, 0, &found[1]);
    CHECK(status != ABUT_OK || (found[0] > N && found[1] > N));
    abut_index_free(index);
    return status;
}

static unsigned failed_refits;

/* A failed refit leaves all pairs as they were. */
static enum abut_status use_refit(const struct abut_options *options, uint64_t found[RESULTS])
{
    static struct abut_pair after[N * N];
    uint64_t n, n_after;
    struct abut_index *index = NULL;
    enum abut_status status = abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index);
    found[0] = 0;
    if (status == ABUT_OK)
        status = abut_self_join_blocks(index, options, take_block, &found[0]);
    if (status == ABUT_OK) {
        CHECK(abut_self_join(index, NULL, pairs, N * N, &n) == ABUT_OK && n == found[0]);
        status = abut_index_refit(index, abut_of_aabbs(&wider_boxes), options, NULL, NULL);
        if (status != ABUT_OK) {
            CHECK(abut_self_join(index, NULL, after, N * N, &n_after) == ABUT_OK && n_after == n);
            CHECK(memcmp(after, pairs, n * sizeof *pairs) == 0);
            failed_refits++;
        }
    }
    if (status == ABUT_OK)
        status = abut_self_join(index, options, NULL, 0, &found[1]);
    CHECK(status != ABUT_OK || (found[0] > N && found[1] > found[0]));
    abut_index_free(index);
    return status;
}

/*
 * The same for a view, whose refit moves it to other arrays: a self join, a join with some spheres, and one with a
 * single sphere, which does not gather all leaves.
 */
static enum abut_status use_view(const struct abut_options *options, uint64_t found[RESULTS])
{
    const struct abut_spheres one = {1, coordinates[0], coordinates[1], coordinates[2], radii};
    struct abut_index *index = NULL;
    enum abut_status status = abut_index_view(abut_of_aabbs(&boxes), 0.5f, options, NULL, &index);
    if (status == ABUT_OK)
        status = abut_self_join(index, options, NULL, 0, &found[0]);
    if (status == ABUT_OK) {
        status = abut_index_refit(index, abut_of_aabbs(&wider_boxes), options, NULL, NULL);
        uint64_t n;
        CHECK(abut_self_join(index, NULL, NULL, 0, &n) == ABUT_OK &&
              (status == ABUT_OK ? n > found[0] : n == found[0]));
        failed_refits += status != ABUT_OK;
    }
    if (status == ABUT_OK)
        status = abut_join(index, abut_of_spheres(&spheres), options, NULL, 0, &found[1]);
    if (status == ABUT_OK)
        status = abut_join(index, abut_of_spheres(&one), options, NULL, 0, &found[2]);
    if (status == ABUT_OK)
        status = abut_nearest(index, &points, 1, options, indices, NULL);
    found[3] = indices[0];
    CHECK(status != ABUT_OK || (found[1] > N && found[2] > 0));
    abut_index_free(index);
    return status;
}

/* Sorts the pairs of a join; a failed sort leaves them as they were. */
static enum abut_status use_sort(const struct abut_options *options, uint64_t n)
{
    static struct abut_pair before[N * N];
    memcpy(before, pairs, n * sizeof *pairs);
    const enum abut_status status = abut_sort_pairs(pairs, n, options);
    CHECK((memcmp(before, pairs, n * sizeof *pairs) == 0) == (status != ABUT_OK));
    return status;
}

static enum abut_status use_pairs(const struct abut_options *options, uint64_t found[RESULTS])
{
    struct abut_index *index = (void *)pairs;
    const struct abut_set queries = abut_of_spheres(&spheres);
    enum abut_status status = abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index);
    if (status != ABUT_OK) {
        CHECK(index == NULL);
        return status;
    }
    found[1] = 0;
    status = abut_join(index, queries, options, pairs, N * N, &found[0]);
    if (status == ABUT_OK)
        status = use_sort(options, found[0]);
    if (status == ABUT_OK)
        status = abut_join_blocks(index, queries, options, take_block, &found[1]);
    if (status == ABUT_OK)
        status = abut_self_join(index, options, pairs, N * N, &found[2]);
    CHECK(status != ABUT_OK || (found[0] > N && found[1] == found[0] && found[2] > N));
    abut_index_free(index);
    return status;
}

static enum abut_status use_rows(const struct abut_options *options, uint64_t found[RESULTS])
{
    struct abut_index *index = NULL;
    const struct abut_set queries = abut_of_spheres(&spheres);
    enum abut_status status = abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index);
    if (status == ABUT_OK)
        status = abut_join_rows(index, queries, options, offsets, indices, N * N);
    found[0] = offsets[N];
    if (status == ABUT_OK)
        status = abut_join_rows_unsorted(index, queries, options, rows, offsets, indices, N * N);
    found[1] = offsets[N];
    CHECK(status != ABUT_OK || (found[0] > N && found[1] == found[0]));
    abut_index_free(index);
    return status;
}

static enum abut_status use_items(const struct abut_options *options, uint64_t found[RESULTS])
{
    struct abut_index *index = NULL;
    const struct abut_set queries = abut_of_spheres(&spheres);
    enum abut_status status = abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index);
    if (status == ABUT_OK)
        status = abut_join_counts(index, queries, options, counts);
    if (status == ABUT_OK)
        status = abut_join_any(index, queries, options, mask);
    if (status == ABUT_OK)
        status = abut_nearest(index, &points, 5, options, indices, NULL);
    found[0] = counts[0];
    found[1] = abut_mask_count(mask, N);
    found[2] = indices[0];
    CHECK(status != ABUT_OK || (found[0] > 0 && found[1] > 0));
    abut_index_free(index);
    return status;
}

static void run_in_turn(void *context, unsigned parts, abut_part_function *part, void *work)
{
    (void)context;
    for (unsigned i = 0; i < parts; i++)
        part(work, i);
}

static const struct abut_threads three = {run_in_turn, NULL, 3, 1};

/* Returns whether i allocations were enough. */
static bool fail_at(use_function *use, bool keep, const struct abut_threads *threads, size_t i, bool recovers,
                    const uint64_t right[RESULTS])
{
    uint64_t found[RESULTS] = {0};
    struct account account = {i, 0, recovers};
    const struct abut_allocator allocator = {take, give, &account};
    struct abut_options options = {.allocator = &allocator, .threads = threads};
    enum abut_status status = keep ? abut_workspace_new(&allocator, &options.workspace) : ABUT_OK;
    if (status == ABUT_OK)
        status = use(&options, found);
    const bool enough = status == ABUT_OK;
    CHECK(enough || status == ABUT_ERROR_MEMORY);
    /* A call that failed half-way works once there is memory again. */
    account.left = SIZE_MAX;
    if (!enough && (!keep || options.workspace))
        CHECK(use(&options, found) == ABUT_OK);
    if (enough || !keep || options.workspace)
        CHECK(memcmp(found, right, sizeof found) == 0);
    if (keep)
        abut_workspace_free(options.workspace);
    check_that(account.open == 0, "%zu blocks of memory leak if allocation %zu fails", account.open, i);
    return enough;
}

/* Returns the number of allocations needed. */
static size_t fail_each(use_function *use, bool keep, const struct abut_threads *threads)
{
    uint64_t right[RESULTS] = {0};
    CHECK(use(NULL, right) == ABUT_OK);
    for (size_t i = 0;; i++) {
        const bool enough = fail_at(use, keep, threads, i, false, right);
        CHECK(fail_at(use, keep, threads, i, true, right) == enough);
        if (enough)
            return i;
    }
}

static void fail_all(void)
{
    static use_function *const uses[] = {use_pairs, use_rows,         use_items, use_refit,
                                         use_view,  use_other_shapes, use_pieces};
    for (unsigned i = 0; i < sizeof uses / sizeof *uses; i++) {
        CHECK(fail_each(uses[i], false, NULL) > 9);
        CHECK(fail_each(uses[i], true, NULL) > 7);
        CHECK(fail_each(uses[i], false, &three) > 15);
        CHECK(fail_each(uses[i], true, &three) > 10);
    }
    CHECK(failed_refits > 1);
}

static void check_build_errors(const struct abut_index *dots)
{
    struct abut_index *index = NULL;
    struct abut_invalid invalid;
    const struct abut_points many = {ABUT_MAX_ITEMS + 1, coordinates[0], coordinates[1], coordinates[2]};
    const struct abut_points lost = {N, coordinates[0], NULL, coordinates[2]};
    CHECK(abut_index_new(abut_of_points(&points), NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_new(abut_of_points(NULL), NULL, NULL, &index) == ABUT_ERROR_NULL && !index);
    CHECK(abut_index_new(abut_of_points(&lost), NULL, NULL, &index) == ABUT_ERROR_NULL && !index);
    CHECK(abut_index_new(abut_of_points(&many), NULL, NULL, &index) == ABUT_ERROR_TOO_MANY && !index);
    CHECK(abut_index_new(abut_of_index(dots), NULL, NULL, &index) == ABUT_ERROR_ARGUMENT && !index);
    CHECK(abut_index_new(abut_of_hulls(&hulls), NULL, NULL, &index) == ABUT_ERROR_ARGUMENT && !index);
    CHECK(abut_index_new((struct abut_set){ABUT_SET_INDEX + 1, &points}, NULL, NULL, &index) == ABUT_ERROR_ARGUMENT);

    /* An index rejects axes that are no rotation, because its kernels do not check them. */
    ones[7] = 1.01f;
    CHECK(abut_index_new(abut_of_obbs(&obbs), NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index &&
          invalid.row == 7);
    ones[7] = 1;
    radii[3] = radii[9] = -1;
    CHECK(abut_index_new(abut_of_spheres(&spheres), NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(invalid.count == 2 && invalid.row == 3 && strcmp(invalid.field, "r") == 0);
    radii[3] = radii[9] = 1;
}

/* Kinds that do not go together; a search for hulls checks them like a batch. */
static void check_kind_errors(const struct abut_index *dots)
{
    uint64_t count;
    struct abut_index *lines = NULL;
    struct abut_index *crates = NULL;
    const struct abut_segments segments = {
        N, coordinates[0], coordinates[1], coordinates[2], coordinates[3], coordinates[4], coordinates[5]};
    const struct abut_options cull = {.relation = ABUT_CULL};
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &crates) == ABUT_OK);
    CHECK(abut_join(crates, abut_of_hulls(&hulls), NULL, NULL, 0, &count) == ABUT_OK);
    abut_index_free(crates);
    CHECK(abut_index_new(abut_of_segments(&segments), NULL, NULL, &lines) == ABUT_OK);
    CHECK(abut_join(lines, abut_of_hulls(&hulls), NULL, NULL, 0, &count) == ABUT_OK);
    CHECK(abut_join(lines, abut_of_hulls(&hulls), &cull, pairs, N, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join(dots, abut_of_hulls(&hulls), &cull, pairs, N, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join(dots, abut_of_hulls(&hulls), &(struct abut_options){.relation = ABUT_INSIDE}, NULL, 0, &count) ==
          ABUT_OK);
    CHECK(abut_join(dots, abut_of_spheres(&spheres), &(struct abut_options){.relation = 3}, pairs, N, &count) ==
          ABUT_ERROR_ARGUMENT);
    CHECK(abut_join(lines, abut_of_aabbs(&boxes), &(struct abut_options){.relation = ABUT_INSIDE}, pairs, N, &count) ==
          ABUT_ERROR_PREDICATE);
    CHECK(abut_join(lines, abut_of_aabbs(&boxes), NULL, NULL, 0, &count) == ABUT_OK);
    CHECK(abut_nearest(lines, &points, 1, NULL, indices, NULL) == ABUT_OK);
    plane_offsets[5] = plane_offsets[4];
    CHECK(abut_join(dots, abut_of_hulls(&hulls), NULL, pairs, N, &count) == ABUT_ERROR_ARGUMENT);
    plane_offsets[5] = 5;
    CHECK(abut_join(dots, abut_of_hulls(NULL), NULL, pairs, N, &count) == ABUT_ERROR_NULL);
    abut_index_free(lines);
}

static void check_search_errors(const struct abut_index *index, const struct abut_index *dots)
{
    uint64_t count;
    const struct abut_set queries = abut_of_points(&points);
    CHECK(abut_join(dots, queries, NULL, pairs, N, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_self_join(dots, NULL, pairs, N, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join(NULL, queries, NULL, pairs, N, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join(index, queries, &(struct abut_options){.touch = 2}, pairs, N, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join(index, queries, NULL, NULL, N, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join(index, queries, NULL, pairs, N, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_rows(index, queries, NULL, NULL, indices, N) == ABUT_ERROR_NULL);
    CHECK(abut_join_rows_unsorted(index, queries, NULL, NULL, offsets, indices, N) == ABUT_ERROR_NULL);
    CHECK(abut_join_rows_unsorted(index, queries, NULL, rows, NULL, indices, N) == ABUT_ERROR_NULL);
    CHECK(abut_join_rows_unsorted(index, queries, NULL, rows, offsets, NULL, N) == ABUT_ERROR_NULL);
    CHECK(abut_join_counts(index, queries, NULL, NULL) == ABUT_ERROR_NULL);
    /* indices may be NULL where there are no hits. */
    const float off[1] = {1e6f};
    const struct abut_points nowhere = {1, off, off, off};
    CHECK(abut_join_rows_unsorted(index, abut_of_points(&nowhere), &(struct abut_options){.threads = &three}, rows,
                                  offsets, NULL, 0) == ABUT_OK &&
          offsets[1] == 0);
    CHECK(abut_join_any(index, queries, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_blocks(index, queries, NULL, NULL, NULL) == ABUT_ERROR_NULL);
}

/* Boxes without size have no surface to compare with. */
static void check_decay(void)
{
    double growth = 0;
    struct abut_index *flat = NULL;
    const struct abut_points moved = {1, coordinates[0] + 1, coordinates[1], coordinates[2]},
                             one = {1, points.x, points.y, points.z};
    CHECK(abut_index_new(abut_of_points(&one), NULL, NULL, &flat) == ABUT_OK);
    CHECK(abut_index_refit(flat, abut_of_points(&moved), NULL, &growth, NULL) == ABUT_OK && growth == 1);
    abut_index_free(flat);
    float same[8] = {0};
    const struct abut_points together = {8, same, same, same}, apart = {8, points.x, points.y, points.z};
    CHECK(abut_index_new(abut_of_points(&together), NULL, NULL, &flat) == ABUT_OK);
    CHECK(abut_index_refit(flat, abut_of_points(&apart), NULL, &growth, NULL) == ABUT_OK && growth == INFINITY);
    abut_index_free(flat);
}

/* A refused refit changes nothing. */
static void check_refused_refit(struct abut_index *index, struct abut_index *dots)
{
    struct abut_invalid invalid;
    CHECK(abut_index_refit(dots, abut_of_spheres(&spheres), NULL, NULL, NULL) == ABUT_ERROR_ARGUMENT);
    uint64_t before, after;
    CHECK(abut_self_join(index, NULL, NULL, 0, &before) == ABUT_OK);
    radii[5] = NAN;
    CHECK(abut_index_refit(index, abut_of_spheres(&spheres), NULL, NULL, &invalid) == ABUT_ERROR_INVALID &&
          invalid.row == 5);
    radii[5] = 1;
    const struct abut_spheres fewer = {N - 1, coordinates[0], coordinates[1], coordinates[2], radii};
    CHECK(abut_index_refit(index, abut_of_spheres(&fewer), NULL, NULL, NULL) == ABUT_ERROR_LENGTHS);
    CHECK(abut_self_join(index, NULL, NULL, 0, &after) == ABUT_OK && before == after && before > 0);
}

static void check_errors(void)
{
    struct abut_index *index = NULL, *dots = NULL;
    CHECK(abut_index_new(abut_of_points(&points), NULL, NULL, &dots) == ABUT_OK);
    check_build_errors(dots);
    check_kind_errors(dots);
    struct abut_invalid invalid;
    CHECK(abut_index_new(abut_of_spheres(&spheres), NULL, &invalid, &index) == ABUT_OK && abut_index_count(index) == N);
    CHECK(abut_index_bytes(index) < 40 * N);
    check_search_errors(index, dots);
    check_decay();
    check_refused_refit(index, dots);
    abut_index_free(index);
    abut_index_free(dots);
    abut_index_free(NULL);
    abut_workspace_free(NULL);
}

/* Long sets are checked in pieces, few of which have an invalid item here. Each box touches only itself. */
static void check_few_invalid(const struct abut_threads *threads)
{
    enum { LENGTH = 5000, INVALID = 3 };
    static const size_t invalid_rows[INVALID] = {0, 3000, LENGTH - 1};
    static float low[LENGTH], high[LENGTH], least[LENGTH];
    static uint32_t met[LENGTH];
    const struct abut_aabbs set = {LENGTH, low, low, least, high, high, high};
    const struct abut_options options = {.threads = threads};
    struct abut_index *made = NULL;
    struct abut_invalid invalid;
    for (size_t i = 0; i < LENGTH; i++) {
        low[i] = 2 * (float)i;
        high[i] = low[i] + 1;
        least[i] = low[i];
    }
    CHECK(abut_index_new(abut_of_aabbs(&set), &options, NULL, &made) == ABUT_OK);
    for (unsigned b = 0; b < INVALID; b++)
        least[invalid_rows[b]] = b == 0 ? NAN : high[invalid_rows[b]] + 1;
    CHECK(abut_join_counts(made, abut_of_aabbs(&set), &options, met) == ABUT_OK);
    for (size_t i = 0; i < LENGTH; i++)
        check_that(met[i] == (i != invalid_rows[0] && i != invalid_rows[1] && i != invalid_rows[2]), "box %zu meets %u",
                   i, met[i]);
    /* Skipped items touch nothing and have no size, so growth stays at most 1. */
    const struct abut_options skip = {.threads = threads, .skip_invalid = true};
    double growth;
    CHECK(abut_index_refit(made, abut_of_aabbs(&set), &skip, &growth, &invalid) == ABUT_OK && growth <= 1);
    CHECK(invalid.count == INVALID && invalid.row == 0 && abut_index_count(made) == LENGTH);
    CHECK(abut_join_counts(made, abut_of_index(made), &options, met) == ABUT_OK);
    for (size_t i = 0; i < LENGTH; i++)
        check_that(met[i] == (i != invalid_rows[0] && i != invalid_rows[1] && i != invalid_rows[2]), "box %zu meets %u",
                   i, met[i]);
    const struct abut_aabbs none = {LENGTH, high, low, low, low, high, high};
    CHECK(abut_index_refit(made, abut_of_aabbs(&none), &skip, &growth, NULL) == ABUT_OK && growth == 0);
    CHECK(abut_index_refit(made, abut_of_aabbs(&set), &options, NULL, &invalid) == ABUT_ERROR_INVALID);
    CHECK(invalid.count == INVALID && invalid.row == 0);
    abut_index_free(made);
    CHECK(abut_index_new(abut_of_aabbs(&set), &options, &invalid, &made) == ABUT_ERROR_INVALID && !made);
    CHECK(invalid.count == INVALID && invalid.row == 0);
#ifdef __SSE2_MATH__
    /* In denormals-are-zero mode the two validity checks disagree: answers may be wrong, memory accesses may not. */
    least[3000] = low[3000] = 0x1.8p-126f;
    high[3000] = 0x1p-126f;
    const unsigned usual = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(usual | 0x8040);
    if (abut_index_new(abut_of_aabbs(&set), &options, NULL, &made) == ABUT_OK)
        abut_index_free(made);
    /* Loops end even where differences of distinct values flush to 0. */
    for (uint32_t i = 0; i < LENGTH; i++) {
        const uint32_t bits = 0x03800000 + i;
        memcpy(&least[i], &bits, sizeof bits);
    }
    const struct abut_points close = {LENGTH, least, least, least};
    CHECK(abut_index_new(abut_of_points(&close), &options, NULL, &made) == ABUT_OK);
    abut_index_free(made);
    __builtin_ia32_ldmxcsr(usual);
#endif
}

int main(void)
{
    make_items();
    check_errors();
    check_few_invalid(NULL);
    check_few_invalid(&three);
    fail_all();
    return finish("index_memory");
}
