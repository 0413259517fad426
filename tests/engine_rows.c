/* SPDX-License-Identifier: MIT */
/* Tests neighbour lists (rows of an index in itself, distances by type, the stale test) against all with all. */
#include "account.h"
#include "layouts.h"
#include "options.h"
#include "report.h"

#include <abut/engine.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 500, TYPES = 4, WORDS = MOST / 64 + 1 };

static uint64_t right[MOST][WORDS], offsets[MOST + 1];
static uint32_t rows[MOST], indices[MOST * MOST], types[MOST], groups[MOST];

/* Leaves the pairs that count: those of a half, and those of one group. */
static void keep_right(size_t n, enum abut_rows form, bool filtered)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (j == i || (form == ABUT_ROWS_HALF && j < i) || (filtered && (groups[i] & groups[j]) == 0))
                right[i][j / 64] &= ~(UINT64_C(1) << j % 64);
}

static size_t count_right(size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += (size_t)abut_mask_count(right[i], n);
    return count;
}

/* Each row, of which query it may be, has the items that it should, each once, and ascending if sorted. */
static void check_rows(size_t n, bool unsorted, const char *what)
{
    static bool seen[MOST];
    memset(seen, 0, sizeof seen);
    check_that(offsets[0] == 0 && offsets[n] == count_right(n), "%s: %llu and not %zu", what,
               (unsigned long long)offsets[n], count_right(n));
    for (size_t r = 0; r < n; r++) {
        const size_t row = unsorted ? rows[r] : r;
        uint64_t found[WORDS] = {0};
        CHECK(row < n && !seen[row]);
        seen[row] = true;
        for (uint64_t k = offsets[r]; k < offsets[r + 1]; k++) {
            CHECK(unsorted || k == offsets[r] || indices[k - 1] < indices[k]);
            CHECK(indices[k] < n && !hit_at(found, indices[k]));
            found[indices[k] / 64] |= UINT64_C(1) << indices[k] % 64;
        }
        check_that(memcmp(found, right[row], abut_mask_words(n) * sizeof *found) == 0, "%s: row %zu", what, row);
    }
}

/* What the rows are of: an index of any shape, or points with distances by type. */
struct question {
    const struct abut_index *index;
    const struct abut_points *points;
    const struct abut_cutoffs *cutoffs;
    enum abut_rows form;
};

static enum abut_status ask_rows(const struct question *q, bool unsorted, const struct abut_options *options,
                                 size_t capacity)
{
    if (q->cutoffs)
        return unsorted
                   ? abut_cutoff_rows_unsorted(q->index, q->points, q->cutoffs, q->form, options, rows, offsets,
                                               indices, capacity)
                   : abut_cutoff_rows(q->index, q->points, q->cutoffs, q->form, options, offsets, indices, capacity);
    return unsorted ? abut_self_rows_unsorted(q->index, q->form, options, rows, offsets, indices, capacity)
                    : abut_self_rows(q->index, q->form, options, offsets, indices, capacity);
}

static void check_question(const struct question *q, size_t n, const struct abut_options *options, const char *what)
{
    const size_t count = count_right(n);
    for (unsigned unsorted = 0; unsorted < 2; unsorted++) {
        CHECK(ask_rows(q, unsorted != 0, options, sizeof indices / sizeof *indices) == ABUT_OK);
        check_rows(n, unsorted != 0, what);
        CHECK(ask_rows(q, unsorted != 0, options, count / 2) == ABUT_OK && offsets[n] == count);
    }
}

static void run_shape(enum shape shape, enum layout layout, const struct abut_threads *threads, struct random *random)
{
    const size_t n = random_below(random, shape == shape_triangle || shape == shape_capsule ? 60 : MOST);
    struct batch items = make_batch(shape, layout, true, random, n);
    union any_batch any;
    const struct abut_set set = set_of(&items, &any);
    const struct abut_filter filter = {.item_groups = groups, .item_masks = groups};
    struct abut_index *index = NULL;
    CHECK((random_below(random, 2) ? abut_index_view(set, 0.5f, NULL, NULL, &index)
                                   : abut_index_new(set, NULL, NULL, &index)) == ABUT_OK);
    for (unsigned how = 0; how < 4; how++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .threads = random_below(random, 2) ? threads : NULL,
                                             .filter = how == 2 ? &filter : NULL};
        const struct question question = {index, NULL, NULL, (enum abut_rows)(how % 2)};
        for (size_t i = 0; i < n; i++) {
            union any_batch one;
            CHECK(abut_test(ABUT_TOUCHES, abut_set_part(set, i, 1, &one), set, OPTIONS(options.touch, NULL),
                            right[i]) == ABUT_OK);
        }
        keep_right(n, question.form, options.filter != NULL);
        check_question(&question, n, &options, layout_names[layout]);
    }
    abut_index_free(index);
    batch_free(&items);
}

/* Distances: the coordinates of layouts differ by far, so some are infinite, none at all, or exactly those of pairs. */
static void make_distances(float distances[TYPES * TYPES], const struct abut_points *points, struct random *random)
{
    for (unsigned i = 0; i < TYPES * TYPES; i++) {
        static const float special[] = {INFINITY, -1, NAN, 0, 1, 2};
        const unsigned which = random_below(random, 12);
        distances[i] = which < 6 ? special[which] : random_between(random, 0, 4);
        if (points->n > 0 && which > 9)
            distances[i] = fabsf(points->x[0] - points->x[random_below(random, (unsigned)points->n)]);
    }
}

static void run_cutoffs(enum layout layout, const struct abut_threads *threads, struct random *random)
{
    const size_t n = random_below(random, MOST);
    struct batch items = make_batch(shape_point, layout, false, random, n);
    union any_batch any;
    const struct abut_set set = set_of(&items, &any);
    const struct abut_points *points = set.items;
    const struct abut_options skip = {.skip_invalid = true};
    float distances[TYPES * TYPES];
    struct abut_index *index = NULL;
    CHECK((random_below(random, 2) ? abut_index_view(set, 0.5f, &skip, NULL, &index)
                                   : abut_index_new(set, &skip, NULL, &index)) == ABUT_OK);
    make_distances(distances, points, random);
    for (size_t i = 0; i < n; i++)
        types[i] = random_below(random, TYPES);
    const struct abut_cutoffs cutoffs = {TYPES, distances, types};
    const struct abut_filter filter = {.item_groups = groups, .item_masks = groups};
    for (unsigned how = 0; how < 4; how++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .threads = random_below(random, 2) ? threads : NULL,
                                             .filter = how == 2 ? &filter : NULL};
        const struct question question = {index, points, &cutoffs, (enum abut_rows)(how % 2)};
        for (size_t i = 0; i < n; i++) {
            float radii[MOST];
            for (size_t j = 0; j < n; j++)
                radii[j] = distances[types[i] * TYPES + types[j]];
            const struct abut_spheres spheres = {n, points->x, points->y, points->z, radii};
            const struct abut_points point = {1, points->x + i, points->y + i, points->z + i};
            CHECK(abut_points_inside_spheres(&point, &spheres, OPTIONS(options.touch, NULL), right[i]) == ABUT_OK);
        }
        keep_right(n, question.form, options.filter != NULL);
        check_question(&question, n, &options, "by type");
    }
    abut_index_free(index);
    batch_free(&items);
}

/* Right is what the exact predicate says of each point alone. */
static void check_moved(struct random *random)
{
    enum { N = 5000 };
    static float x[2][3][N];
    const size_t n = random_below(random, N);
    const float distance = random_below(random, 2) ? 5 : random_between(random, 0, 3);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 3; k++) {
            x[0][k][i] = (float)random_below(random, 100);
            x[1][k][i] = x[0][k][i] + (distance == 5 ? (float)(k == 0 ? 3 : k == 1 ? -4 : 0) : 0);
        }
    const struct abut_points before = {n, x[0][0], x[0][1], x[0][2]}, now = {n, x[1][0], x[1][1], x[1][2]};
    bool moved = true;
    CHECK(abut_any_moved(&before, &now, distance, &moved) == ABUT_OK && !moved);
    if (n == 0)
        return;
    float *one = &x[1][random_below(random, 3)][random_below(random, (unsigned)n)];
    const float was = *one;
    *one = random_below(random, 4) ? 1000 : NAN;
    CHECK(abut_any_moved(&before, &now, distance, &moved) == ABUT_OK && moved);
    *one = was;
    if (distance == 5) {
        CHECK(abut_any_moved(&before, &now, nextafterf(5, 0), &moved) == ABUT_OK && moved);
    }
    x[0][0][n - 1] = INFINITY;
    CHECK(abut_any_moved(&before, &now, 1e30f, &moved) == ABUT_OK && moved);
}

static void check_errors(void)
{
    const float x[3] = {0, 1, 2};
    const uint32_t of_type[3] = {0, 1, 2};
    const struct abut_points points = {3, x, x, x}, two = {2, x, x, x};
    const struct abut_spheres spheres = {3, x, x, x, x};
    const struct abut_cutoffs good = {3, (const float[9]){0}, of_type}, invalid = {2, (const float[4]){0}, of_type},
                              none = {3, NULL, of_type};
    struct abut_index *index = NULL, *of_spheres = NULL;
    bool moved;
    CHECK(abut_index_new(abut_of_points(&points), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(abut_of_spheres(&spheres), NULL, NULL, &of_spheres) == ABUT_OK);
    CHECK(abut_self_rows(index, ABUT_ROWS_FULL, NULL, offsets, NULL, 0) == ABUT_ERROR_PREDICATE);
    CHECK(abut_self_rows(of_spheres, ABUT_ROWS_FULL, NULL, offsets, NULL, 0) == ABUT_OK);
    CHECK(abut_self_rows(of_spheres, (enum abut_rows)2, NULL, offsets, NULL, 0) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_self_rows(of_spheres, ABUT_ROWS_FULL, NULL, NULL, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_self_rows(of_spheres, ABUT_ROWS_FULL, NULL, offsets, NULL, 1) == ABUT_ERROR_NULL);
    CHECK(abut_self_rows(NULL, ABUT_ROWS_FULL, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_self_rows_unsorted(of_spheres, ABUT_ROWS_FULL, NULL, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_cutoff_rows(index, &points, &good, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_OK);
    CHECK(abut_cutoff_rows(index, &points, &invalid, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_cutoff_rows(index, &points, &none, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_cutoff_rows(index, &points, NULL, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_cutoff_rows(index, NULL, &good, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_cutoff_rows(NULL, &points, &good, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_NULL);
    CHECK(abut_cutoff_rows(index, &two, &good, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_LENGTHS);
    CHECK(abut_cutoff_rows(of_spheres, &points, &good, ABUT_ROWS_HALF, NULL, offsets, NULL, 0) == ABUT_ERROR_PREDICATE);
    CHECK(abut_cutoff_rows(index, &points, &good, (enum abut_rows)2, NULL, offsets, NULL, 0) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_any_moved(&points, &two, 1, &moved) == ABUT_ERROR_LENGTHS);
    CHECK(abut_any_moved(&points, &points, -1, &moved) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_any_moved(&points, &points, NAN, &moved) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_any_moved(&points, NULL, 1, &moved) == ABUT_ERROR_NULL);
    CHECK(abut_any_moved(&points, &points, 1, NULL) == ABUT_ERROR_NULL);
    abut_index_free(index);
    abut_index_free(of_spheres);
}

/* Every allocation fails, alone and with all that follow. */
static void fail_each(void)
{
    struct random random = {4};
    struct batch items = make_batch(shape_point, layout_even, true, &random, MOST),
                 spheres = make_batch(shape_sphere, layout_even, true, &random, MOST);
    union any_batch any, any_spheres;
    const struct abut_set set = set_of(&items, &any);
    const struct abut_cutoffs cutoffs = {1, (const float[1]){1}, types};
    struct abut_index *index = NULL, *of_spheres = NULL;
    memset(types, 0, sizeof types);
    CHECK(abut_index_new(set, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(set_of(&spheres, &any_spheres), NULL, NULL, &of_spheres) == ABUT_OK);
    for (unsigned form = 0; form < 8; form++)
        for (size_t left = 0;; left++) {
            struct account account = {.left = left, .recovers = form % 2 != 0};
            const struct abut_allocator allocator = {take, give, &account};
            const struct abut_options options = {.allocator = &allocator};
            const struct question question = {form / 4 ? index : of_spheres, set.items, form / 4 ? &cutoffs : NULL,
                                              ABUT_ROWS_HALF};
            const enum abut_status status =
                ask_rows(&question, form / 2 % 2 != 0, &options, sizeof indices / sizeof *indices);
            CHECK(account.open == 0);
            CHECK(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
            if (status == ABUT_OK) {
                CHECK(left > 2);
                break;
            }
        }
    abut_index_free(index);
    abut_index_free(of_spheres);
    batch_free(&items);
    batch_free(&spheres);
}

/* Capsules and triangles take long: two layouts on one instruction set. */
static void run(enum layout layout, const struct abut_threads *threads, struct random *random)
{
    static const enum shape shapes[] = {shape_sphere, shape_aabb, shape_capsule, shape_triangle};
    const bool all = layout < 2 && strcmp(abut_isa(), abut_isas()[0]) == 0;
    for (size_t i = 0; i < MOST; i++)
        groups[i] = 1U << random_below(random, 3);
    for (unsigned s = 0; s < (all ? 4 : 2); s++)
        run_shape(shapes[s], layout, threads, random);
    run_cutoffs(layout, threads, random);
    check_moved(random);
}

static void end(struct random *random)
{
    (void)random;
    check_errors();
    fail_each();
}

int main(int argc, char **argv)
{
    return layouts_main(&(const struct layouts_test){"engine_rows", run, end}, argc, argv);
}
