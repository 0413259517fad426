/* SPDX-License-Identifier: MIT */
/*
 * Every function with every option that changes answers, from the library's own table: what it honours changes the
 * answer as listed here, and what it refuses is ABUT_ERROR_ARGUMENT and writes nothing, as is a value out of range.
 */
#include "report.h"

#include <abut/cast.h>
#include <abut/engine.h>
#include <abut/solid.h>
#include <abut/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The scene: along x, the other coordinates are 0. The last query, point and ray are invalid. */

enum { N = 3, NONE = 15 };

static const float zeros[N], long_ones[N] = {1, 1, 1};

/* Item 1 touches item 0 from outside, and overlaps item 2. */
static const float item_x[N] = {0, 2, 3};
static const struct abut_spheres items = {N, item_x, zeros, zeros, long_ones};
static const float bad_r[N] = {1, -1, 1};
static const struct abut_spheres bad_items = {N, item_x, zeros, zeros, bad_r};

/* Query 0 touches item 0 from outside; query 1 is between items 1 and 2. */
static const float query_x[N] = {-2, 2.5f, 0}, query_r[N] = {1, 0.25f, -1};
static const struct abut_spheres queries = {N, query_x, zeros, zeros, query_r};
static const float point_x[N] = {-2, 2.5f, NAN};
static const struct abut_points points = {N, point_x, zeros, zeros};

/* Slabs from -1.5 to 2.5, from 1.5 to 2.5, and from 1 to 1.5: item 0 is in the first, and touches the last. */
enum { HULLS = 2 };
static const uint32_t hull_offsets[] = {0, 2, 4};
static const float hull_n[] = {-1, 1, -1, 1}, hull_d[] = {-1.5f, -2.5f, 1.5f, -2.5f}, hull_zero[4];
static const struct abut_hulls hulls = {HULLS, hull_offsets, hull_n, hull_zero, hull_zero, hull_d};
static const float edge_d[] = {1, -1.5f};
static const struct abut_hulls edge = {1, hull_offsets, hull_n, hull_zero, hull_zero, edge_d};
static const float minus_far[HULLS] = {-9, -9}, far[HULLS] = {9, 9}, box_min[HULLS] = {-1.5f, 1.5f},
                   box_max[HULLS] = {2.5f, 2.5f}, edge_min[] = {1}, edge_max[] = {1.5f};
static const struct abut_aabbs boxes = {HULLS, box_min, minus_far, minus_far, box_max, far, far};
static const struct abut_aabbs edge_box = {1, edge_min, minus_far, minus_far, edge_max, far, far};

/* Ray 0 passes all items. Ray 1 ends where item 0 begins. */
static const float ray_x[N] = {-5, -5, -5}, ray_dx[N] = {10, 4, 10}, ray_r[N] = {0, 0, -1};
static const struct abut_rays rays = {N, ray_x, zeros, zeros, ray_dx, zeros, zeros, ray_r, NULL};

/* Triangles at x = -1, 2.5 and 2.625; the second of the bad mesh names a vertex that is not there. */
static const float vertex_x[] = {-1, -1, -1, 2.5f, 2.5f, 2.5f, 2.625f, 2.625f, 2.625f};
static const float vertex_y[] = {0, 1, 0, 0, 1, 0, 0, 1, 0}, vertex_z[] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
static const uint32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, bad_corners[] = {0, 1, 2, 3, 99, 5, 6, 7, 8};

/* A tetrahedron; points in it, on it and far from it. */
static const float tetra[9][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1},
                                  {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 1, 1}};
static const float solid_xyz[3][4] = {{0.125f, 0.25f, 5, NAN}, {0.125f, 0.25f, 5, 0}, {0.125f, 0, 5, 0}};
static const struct abut_points solid_points = {4, solid_xyz[0], solid_xyz[1], solid_xyz[2]};

/* Points 1 and 0.5 apart, for which 1 is near enough. */
static const float near_x[N] = {0, 1, 1.5f}, one = 1;
static const uint32_t types[N];
static const struct abut_points near_points = {N, near_x, zeros, zeros};
static const struct abut_cutoffs cutoffs = {1, &one, types};

static struct abut_index *index_of_items, *index_of_points, *index_of_boxes;
static struct abut_solid *solid;

/* How a call is made: with hulls for queries, with bad items, in a world of this rule. */
static struct {
    bool hulls, bad;
    enum abut_touch world_rule;
} how;

/* ---- The output of any function, and its answer as one number */

struct output {
    uint64_t count, words[64];
    uint32_t ids[64], rows[64];
    float numbers[64];
    uint8_t bytes[64];
    struct abut_pair pairs[64];
    struct abut_world_changes changes;
    uint64_t answer; /* of a call that returned ABUT_OK */
};

static struct abut_set queries_of_call(void)
{
    return how.hulls ? abut_of_hulls(&hulls) : abut_of_spheres(&queries);
}

static size_t queries_n(void)
{
    return how.hulls ? HULLS : N;
}

static uint64_t bit_of(uint32_t a, uint32_t b)
{
    return UINT64_C(1) << (a * 4 + b);
}

static uint64_t answer_of_pairs(const struct abut_pair *pairs, uint64_t n)
{
    uint64_t answer = 0;
    for (uint64_t i = 0; i < n; i++)
        answer |= bit_of(pairs[i].a, pairs[i].b);
    return answer;
}

/* rows: the number of each row, or NULL. */
static uint64_t answer_of_rows(const struct output *out, const uint32_t *rows, size_t n)
{
    uint64_t answer = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = out->words[i]; k < out->words[i + 1]; k++)
            answer |= bit_of(rows ? rows[i] : (uint32_t)i, out->ids[k]);
    return answer;
}

/* Small numbers, or UINT32_MAX, as digits. */
static uint64_t digits(const uint32_t *numbers, size_t n)
{
    uint64_t answer = 0;
    for (size_t i = 0; i < n; i++)
        answer |= (uint64_t)(numbers[i] & NONE) << 4 * i;
    return answer;
}

static uint64_t digits_of_words(const uint64_t *words, size_t n)
{
    uint64_t answer = 0;
    for (size_t i = 0; i < n; i++)
        answer |= words[i] << 4 * i;
    return answer;
}

static uint64_t digits_of_bytes(const uint8_t *bytes, size_t n)
{
    uint64_t answer = 0;
    for (size_t i = 0; i < n; i++)
        answer |= (uint64_t)bytes[i] << 4 * i;
    return answer;
}

/* What the queries find in an index, which is freed; its call's status, with no index after an error. */
static enum abut_status answer_of_index(enum abut_status status, struct abut_index *index, struct output *out)
{
    if (status != ABUT_OK) {
        CHECK(!index);
        return status;
    }
    struct abut_pair pairs[9];
    uint64_t count = 0;
    CHECK(abut_join(index, abut_of_spheres(&queries), NULL, pairs, 9, &count) == ABUT_OK);
    out->answer = answer_of_pairs(pairs, count);
    abut_index_free(index);
    return status;
}

/* ---- Calls: predicates */

static const uint32_t group_offsets[] = {0, 1, N}, hull_groups[] = {0, 1, HULLS};

static enum abut_status call_abut_test(const struct abut_options *options, struct output *out)
{
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test(ABUT_TOUCHES, a, b, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_test_exactly(const struct abut_options *options, struct output *out)
{
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test_exactly(ABUT_TOUCHES, a, b, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_test_all(const struct abut_options *options, struct output *out)
{
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test_all(ABUT_TOUCHES, a, b, options, out->words);
    out->answer = status == ABUT_OK ? digits_of_words(out->words, N) : out->answer;
    return status;
}

static enum abut_status call_abut_test_pairs(const struct abut_options *options, struct output *out)
{
    static const struct abut_pair pairs[] = {{0, 0}, {0, 1}, {1, 2}};
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test_pairs(ABUT_TOUCHES, a, b, pairs, 3, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_test_groups(const struct abut_options *options, struct output *out)
{
    const struct abut_groups groups = {2, group_offsets};
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test_groups(ABUT_TOUCHES, a, b, &groups, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_test_all_groups(const struct abut_options *options, struct output *out)
{
    const struct abut_groups groups = {2, group_offsets};
    const struct abut_set a = abut_of_spheres(&queries), b = abut_of_spheres(&items);
    const enum abut_status status = abut_test_all_groups(ABUT_TOUCHES, a, b, &groups, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_test_masks(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_test_masks(ABUT_TOUCHES, abut_of_spheres(&items), &edge, options, out->ids);
    out->answer = status == ABUT_OK ? digits(out->ids, N) : out->answer;
    return status;
}

static enum abut_status call_abut_test_cull_box(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_test_cull_box(abut_of_spheres(&items), &edge, &edge_box, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_classify(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_classify(abut_of_spheres(&items), abut_of_hulls(&edge), options, out->bytes);
    out->answer = status == ABUT_OK ? digits_of_bytes(out->bytes, N) : out->answer;
    return status;
}

/* ---- Calls: builds and updates of an index */

static struct abut_set set_of_call(void)
{
    return abut_of_spheres(how.bad ? &bad_items : &items);
}

static enum abut_status call_abut_index_new(const struct abut_options *options, struct output *out)
{
    struct abut_index *index = index_of_items;
    const enum abut_status status = abut_index_new(set_of_call(), options, NULL, &index);
    return answer_of_index(status, index, out);
}

static enum abut_status call_abut_index_view(const struct abut_options *options, struct output *out)
{
    struct abut_index *index = index_of_items;
    const enum abut_status status = abut_index_view(set_of_call(), 0.5f, options, NULL, &index);
    return answer_of_index(status, index, out);
}

static enum abut_status call_abut_index_of_mesh(const struct abut_options *options, struct output *out)
{
    const struct abut_mesh mesh = {9, vertex_x, vertex_y, vertex_z, N, how.bad ? bad_corners : corners};
    struct abut_index *index = index_of_items;
    struct abut_invalid invalid = {0};
    const enum abut_status status = abut_index_of_mesh(&mesh, options, &invalid, &index);
    if (how.bad && (status == ABUT_OK || status == ABUT_ERROR_INVALID))
        CHECK(invalid.count == 1 && invalid.row == 1 && strcmp(invalid.field, "b") == 0);
    return answer_of_index(status, index, out);
}

/* An index of spheres that touch nothing. */
static struct abut_index *elsewhere(void)
{
    static const float far_x[N] = {100, 110, 120};
    static const struct abut_spheres far_items = {N, far_x, zeros, zeros, long_ones};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_spheres(&far_items), NULL, NULL, &index) == ABUT_OK);
    return index;
}

/* The items that have moved here, or are there as before. */
static enum abut_status answer_of_refit(enum abut_status status, struct abut_index *index, struct output *out)
{
    struct output moved;
    (void)answer_of_index(ABUT_OK, index, &moved);
    CHECK(status == ABUT_OK || moved.answer == 0);
    out->answer = status == ABUT_OK ? moved.answer : out->answer;
    return status;
}

static enum abut_status call_abut_index_refit(const struct abut_options *options, struct output *out)
{
    struct abut_index *index = elsewhere();
    double growth = -1;
    const enum abut_status status = abut_index_refit(index, set_of_call(), options, &growth, NULL);
    CHECK((status == ABUT_OK) == (growth >= 0));
    return answer_of_refit(status, index, out);
}

static enum abut_status call_abut_index_refit_some(const struct abut_options *options, struct output *out)
{
    static const uint32_t moved[] = {2, 0, 1};
    struct abut_index *index = elsewhere();
    double growth = -1;
    const enum abut_status status = abut_index_refit_some(index, set_of_call(), moved, N, options, &growth, NULL);
    CHECK((status == ABUT_OK) == (growth >= 0));
    return answer_of_refit(status, index, out);
}

/* ---- Calls: joins */

static enum abut_status answer_pairs(enum abut_status status, struct output *out)
{
    out->answer = status == ABUT_OK ? answer_of_pairs(out->pairs, out->count) : out->answer;
    return status;
}

static bool take(void *context, const struct abut_pair *pairs, size_t n)
{
    struct output *out = context;
    memcpy(out->pairs, pairs, n * sizeof *pairs);
    out->count = n;
    return true;
}

static struct abut_pair *get(void *context, size_t n)
{
    struct output *out = context;
    out->count = n;
    return out->pairs;
}

static enum abut_status call_abut_join(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_join(index_of_items, queries_of_call(), options, out->pairs, 64, &out->count), out);
}

static enum abut_status call_abut_join_to(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_join_to(index_of_items, queries_of_call(), options, get, out), out);
}

static enum abut_status call_abut_join_blocks(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_join_blocks(index_of_items, queries_of_call(), options, take, out), out);
}

static enum abut_status call_abut_self_join(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_self_join(index_of_items, options, out->pairs, 64, &out->count), out);
}

static enum abut_status call_abut_self_join_to(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_self_join_to(index_of_items, options, get, out), out);
}

static enum abut_status call_abut_self_join_blocks(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_self_join_blocks(index_of_items, options, take, out), out);
}

static const uint32_t some_items[] = {0, 1, 2};

static enum abut_status call_abut_join_some(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_join_some(index_of_items, some_items, N, options, out->pairs, 64, &out->count), out);
}

static enum abut_status call_abut_join_some_to(const struct abut_options *options, struct output *out)
{
    return answer_pairs(abut_join_some_to(index_of_items, some_items, N, options, get, out), out);
}

static const struct abut_reach reach = {.within = 1.25f};

static enum abut_status call_abut_join_within(const struct abut_options *options, struct output *out)
{
    const struct abut_set set = abut_of_spheres(&queries);
    return answer_pairs(abut_join_within(index_of_items, set, &reach, options, out->pairs, 64, &out->count), out);
}

static enum abut_status call_abut_join_within_blocks(const struct abut_options *options, struct output *out)
{
    const struct abut_set set = abut_of_spheres(&queries);
    return answer_pairs(abut_join_within_blocks(index_of_items, set, &reach, options, take, out), out);
}

static enum abut_status call_abut_join_counts(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_join_counts(index_of_items, queries_of_call(), options, out->ids);
    out->answer = status == ABUT_OK ? digits(out->ids, queries_n()) : out->answer;
    return status;
}

static enum abut_status call_abut_join_any(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_join_any(index_of_items, queries_of_call(), options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_join_rows(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_join_rows(index_of_items, queries_of_call(), options, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, NULL, queries_n()) : out->answer;
    return status;
}

static enum abut_status call_abut_join_rows_unsorted(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_join_rows_unsorted(index_of_items, queries_of_call(), options, out->rows, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, out->rows, queries_n()) : out->answer;
    return status;
}

static enum abut_status call_abut_join_groups(const struct abut_options *options, struct output *out)
{
    const struct abut_groups groups = {2, how.hulls ? hull_groups : group_offsets};
    const enum abut_status status = abut_join_groups(index_of_items, queries_of_call(), &groups, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_join_masks(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_join_masks(index_of_items, queries_of_call(), options, out->ids);
    out->answer = status == ABUT_OK ? digits(out->ids, N) : out->answer;
    return status;
}

static enum abut_status call_abut_join_bits(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_join_bits(index_of_items, queries_of_call(), options, out->words);
    out->answer = status == ABUT_OK ? digits_of_words(out->words, queries_n()) : out->answer;
    return status;
}

static enum abut_status call_abut_join_classes(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_join_classes(index_of_items, &hulls, options, out->bytes);
    out->answer = status == ABUT_OK ? digits_of_bytes(out->bytes, HULLS * N) : out->answer;
    return status;
}

static enum abut_status call_abut_self_rows(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_self_rows(index_of_items, ABUT_ROWS_HALF, options, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, NULL, N) : out->answer;
    return status;
}

static enum abut_status call_abut_self_rows_unsorted(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_self_rows_unsorted(index_of_items, ABUT_ROWS_HALF, options, out->rows, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, out->rows, N) : out->answer;
    return status;
}

static enum abut_status call_abut_cutoff_rows(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_cutoff_rows(index_of_points, &near_points, &cutoffs, ABUT_ROWS_HALF, options, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, NULL, N) : out->answer;
    return status;
}

static enum abut_status call_abut_cutoff_rows_unsorted(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_cutoff_rows_unsorted(index_of_points, &near_points, &cutoffs, ABUT_ROWS_HALF,
                                                              options, out->rows, out->words, out->ids, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, out->rows, N) : out->answer;
    return status;
}

static enum abut_status call_abut_sort_pairs(const struct abut_options *options, struct output *out)
{
    static const struct abut_pair pairs[] = {{2, 1}, {0, 3}};
    struct abut_pair sorted[2];
    memcpy(sorted, pairs, sizeof sorted);
    const enum abut_status status = abut_sort_pairs(sorted, 2, options);
    CHECK(sorted[0].a == (status == ABUT_OK ? 0 : 2));
    out->answer = status == ABUT_OK ? sorted[0].b : out->answer;
    return status;
}

/* ---- Calls: neighbours, casts, solids */

static enum abut_status call_abut_nearest(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_nearest(index_of_items, &points, 2, options, out->ids, out->numbers);
    out->answer = status == ABUT_OK ? digits(out->ids, N * 2) : out->answer;
    return status;
}

static enum abut_status call_abut_find_neighbours(const struct abut_options *options, struct output *out)
{
    const struct abut_neighbours wanted = {.k = 2, .limited = true, .within = 1};
    const struct abut_neighbours_found found = {.indices = out->ids, .d2 = out->numbers, .ranks = out->rows};
    const enum abut_status status = abut_find_neighbours(index_of_items, &points, &wanted, options, &found);
    out->answer = status == ABUT_OK ? digits(out->ids, N * 2) : out->answer;
    return status;
}

static enum abut_status call_abut_cast_first(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_cast_first(index_of_items, &rays, options, out->ids, out->numbers);
    out->answer = status == ABUT_OK ? digits(out->ids, N) : out->answer;
    return status;
}

static enum abut_status call_abut_cast_any(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_cast_any(index_of_items, &rays, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_cast_all(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_cast_all(index_of_items, &rays, options, out->words, out->ids, out->numbers, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, NULL, N) : out->answer;
    return status;
}

static enum abut_status call_abut_cast_hulls_first(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_cast_hulls_first(index_of_boxes, &hulls, &rays, options, out->ids, out->numbers);
    out->answer = status == ABUT_OK ? digits(out->ids, N) : out->answer;
    return status;
}

static enum abut_status call_abut_cast_hulls_any(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_cast_hulls_any(index_of_boxes, &hulls, &rays, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_cast_hulls_all(const struct abut_options *options, struct output *out)
{
    const enum abut_status status =
        abut_cast_hulls_all(index_of_boxes, &hulls, &rays, options, out->words, out->ids, out->numbers, 64);
    out->answer = status == ABUT_OK ? answer_of_rows(out, NULL, N) : out->answer;
    return status;
}

static enum abut_status call_abut_solid_new(const struct abut_options *options, struct output *out)
{
    const struct abut_triangles triangles = {4,        tetra[0], tetra[1], tetra[2], tetra[3],
                                             tetra[4], tetra[5], tetra[6], tetra[7], tetra[8]};
    struct abut_solid *made = solid;
    const enum abut_status status = abut_solid_new(&triangles, options, NULL, &made);
    uint64_t inside = 0;
    CHECK((status == ABUT_OK) == (made != NULL));
    if (status == ABUT_OK && abut_solid_contains(made, &solid_points, NULL, &inside) == ABUT_OK)
        out->answer = inside;
    abut_solid_free(made);
    return status;
}

static enum abut_status call_abut_solid_contains(const struct abut_options *options, struct output *out)
{
    const enum abut_status status = abut_solid_contains(solid, &solid_points, options, out->words);
    out->answer = status == ABUT_OK ? out->words[0] : out->answer;
    return status;
}

static enum abut_status call_abut_solid_distance(const struct abut_options *options, struct output *out)
{
    const struct abut_solid_found found = {.distance = out->numbers, .triangles = out->ids};
    const enum abut_status status = abut_solid_distance(solid, &solid_points, options, &found);
    if (status != ABUT_OK)
        return status;
    out->answer = 0;
    for (unsigned i = 0; i < 4; i++)
        out->answer |= (uint64_t)(out->numbers[i] < 0 ? 1 : out->numbers[i] == 0 ? 2 : 0) << 4 * i;
    return status;
}

/* ---- Calls: worlds */

/* A world of the items, not updated yet. */
static struct abut_world *world_of_items(void)
{
    struct abut_world *world = NULL;
    uint32_t ids[N];
    CHECK(abut_world_new(0, &(struct abut_options){.touch = how.world_rule}, &world) == ABUT_OK);
    CHECK(abut_world_add(world, abut_of_spheres(&items), NULL, NULL, ids) == ABUT_OK && ids[2] == 2);
    return world;
}

static enum abut_status answer_of_update(struct abut_world *world, const struct abut_options *options,
                                         struct output *out)
{
    const enum abut_status status = abut_world_update(world, false, options, &out->changes);
    if (status == ABUT_OK)
        out->answer = answer_of_pairs(out->changes.began, out->changes.n_began);
    return status;
}

static enum abut_status call_abut_world_new(const struct abut_options *options, struct output *out)
{
    struct abut_world *world = world_of_items();
    abut_world_free(world);
    const enum abut_status status = abut_world_new(0, options, &world);
    uint32_t ids[N];
    CHECK((status == ABUT_OK) == (world != NULL));
    if (status != ABUT_OK)
        return status;
    CHECK(abut_world_add(world, abut_of_spheres(&items), NULL, NULL, ids) == ABUT_OK);
    CHECK(answer_of_update(world, NULL, out) == ABUT_OK);
    abut_world_free(world);
    return status;
}

static enum abut_status call_abut_world_restore(const struct abut_options *options, struct output *out)
{
    static unsigned char saved[4096];
    size_t size = 0;
    struct abut_world *world = world_of_items();
    CHECK(abut_world_save(world, saved, sizeof saved, &size) == ABUT_OK && size <= sizeof saved);
    abut_world_free(world);
    const enum abut_status status = abut_world_restore(saved, size, options, &world);
    CHECK((status == ABUT_OK) == (world != NULL));
    if (status == ABUT_OK)
        CHECK(answer_of_update(world, NULL, out) == ABUT_OK);
    abut_world_free(world);
    return status;
}

static enum abut_status call_abut_world_update(const struct abut_options *options, struct output *out)
{
    struct abut_world *world = world_of_items();
    const enum abut_status status = answer_of_update(world, options, out);
    struct output again;
    /* After an error the update is still to be made. */
    if (status != ABUT_OK && answer_of_update(world, NULL, &again) == ABUT_OK)
        CHECK(again.answer == (how.world_rule == ABUT_OPEN ? 0x40 : 0x42));
    abut_world_free(world);
    return status;
}

static enum abut_status call_abut_world_join(const struct abut_options *options, struct output *out)
{
    struct abut_world *world = world_of_items();
    const enum abut_status status = abut_world_join(world, queries_of_call(), options, out->pairs, 64, &out->count);
    abut_world_free(world);
    return answer_pairs(status, out);
}

static enum abut_status call_abut_world_nearest(const struct abut_options *options, struct output *out)
{
    const struct abut_neighbours wanted = {.k = 2, .limited = how.world_rule == ABUT_OPEN, .within = how.world_rule};
    struct abut_world *world = world_of_items();
    const enum abut_status status = abut_world_nearest(world, &points, &wanted, options, out->ids, out->numbers);
    abut_world_free(world);
    out->answer = status == ABUT_OK ? digits(out->ids, N * 2) : out->answer;
    return status;
}

/* ---- The table, and the answers */

enum word { honoured, refused, same, if_limited, of_world, of_items, of_queries, labels_of_queries, unused };

#define OPTIONS_OF(function, touch, relation, own, filter, skip_invalid, proceed) row_##function,
enum {
#include "tables/options.def"
    row_count
};

static const struct row {
    const char *name;
    enum abut_status (*call)(const struct abut_options *options, struct output *out);
    enum word touch, relation, own, filter, skip_invalid, proceed;
} rows[row_count] = {
#define OPTIONS_OF(function, touch, relation, own, filter, skip_invalid, proceed)                                      \
    {#function, call_##function, touch, relation, own, filter, skip_invalid, proceed},
#include "tables/options.def"
};

/*
 * Without options, and with each that is honoured: the open rule, or in a world of that rule; hulls that are touched,
 * and in which items are; a box; a filter; skip_invalid. Pair (a, b) is bit 4 a + b; other numbers are digits.
 */
static const struct answers {
    uint64_t plain, open, hulls, inside, own, filtered, skipped;
} answers[row_count] = {
    [row_abut_test] = {3, 2, 0, 0, 0, 0, 0},
    [row_abut_test_all] = {0x61, 0x60, 0, 0, 0, 0, 0},
    [row_abut_test_exactly] = {3, 2, 0, 0, 0, 0, 0},
    [row_abut_test_pairs] = {5, 4, 0, 0, 0, 0, 0},
    [row_abut_test_groups] = {3, 2, 0, 0, 0, 0, 0},
    [row_abut_test_all_groups] = {3, 2, 0, 0, 0, 0, 0},
    [row_abut_test_masks] = {0x011, 0x010, 0, 0, 0, 0, 0},
    [row_abut_test_cull_box] = {3, 2, 0, 0, 0, 0, 0},
    [row_abut_classify] = {0x122, 0, 0, 0, 0, 0, 0},
    [row_abut_index_new] = {0x61, 0, 0, 0, 0, 0, 0x41},
    [row_abut_index_view] = {0x61, 0, 0, 0, 0, 0, 0x41},
    [row_abut_index_of_mesh] = {0x61, 0, 0, 0, 0, 0, 0x41},
    [row_abut_index_refit] = {0x61, 0, 0, 0, 0, 0, 0x41},
    [row_abut_index_refit_some] = {0x61, 0, 0, 0, 0, 0, 0x41},
    [row_abut_join] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_to] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_blocks] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_counts] = {0x021, 0x020, 0x23, 0x01, 0x001, 0x020, 0},
    [row_abut_join_any] = {3, 2, 3, 1, 1, 2, 0},
    [row_abut_join_rows] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_rows_unsorted] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_groups] = {3, 2, 3, 1, 1, 2, 0},
    [row_abut_join_masks] = {0x221, 0x220, 0x331, 0x001, 0x001, 0x220, 0},
    [row_abut_join_bits] = {0x61, 0x60, 0x67, 0x01, 0x01, 0x60, 0},
    [row_abut_join_classes] = {0x221223, 0, 0, 0, 0, 0, 0},
    [row_abut_join_within] = {0x71, 0x61, 0, 0, 0x01, 0x60, 0},
    [row_abut_join_within_blocks] = {0x71, 0x61, 0, 0, 0x01, 0x60, 0},
    [row_abut_self_join] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_self_join_to] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_self_join_blocks] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_join_some] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_join_some_to] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_self_rows] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_self_rows_unsorted] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_cutoff_rows] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_cutoff_rows_unsorted] = {0x42, 0x40, 0, 0, 0x02, 0x40, 0},
    [row_abut_sort_pairs] = {3, 0, 0, 0, 0, 0, 0},
    [row_abut_nearest] = {0xFF2110, 0, 0, 0, 0, 0xFF2121, 0},
    [row_abut_find_neighbours] = {0xFF21F0, 0xFF21FF, 0, 0, 0, 0xFF21FF, 0},
    [row_abut_cast_first] = {0xF00, 0, 0, 0, 0, 0xFF1, 0},
    [row_abut_cast_any] = {3, 0, 0, 0, 0, 1, 0},
    [row_abut_cast_all] = {0x17, 0, 0, 0, 0, 0x06, 0},
    [row_abut_cast_hulls_first] = {0xF00, 0, 0, 0, 0, 0xFF1, 0},
    [row_abut_cast_hulls_any] = {3, 0, 0, 0, 0, 1, 0},
    [row_abut_cast_hulls_all] = {0x13, 0, 0, 0, 0, 0x02, 0},
    [row_abut_solid_new] = {3, 0, 0, 0, 0, 0, 0},
    [row_abut_solid_contains] = {3, 1, 0, 0, 0, 0, 0},
    [row_abut_solid_distance] = {0x0021, 0, 0, 0, 0, 0, 0},
    [row_abut_world_new] = {0x42, 0x40, 0, 0, 0, 0, 0},
    [row_abut_world_restore] = {0x42, 0x40, 0, 0, 0, 0, 0},
    [row_abut_world_update] = {0x42, 0x40, 0, 0, 0, 0, 0},
    [row_abut_world_join] = {0x61, 0x60, 0x67, 0x01, 0, 0x60, 0},
    [row_abut_world_nearest] = {0xFF2110, 0xFF21FF, 0, 0, 0, 0xFF21FF, 0},
};

/* ---- Checks */

static void answers_with(unsigned row, const struct abut_options *options, uint64_t answer, const char *with)
{
    struct output out;
    memset(&out, 0xA5, sizeof out);
    const enum abut_status status = rows[row].call(options, &out);
    check_that(status == ABUT_OK && out.answer == answer, "%s with %s: %s, %#llx and not %#llx", rows[row].name, with,
               abut_status_text(status), (unsigned long long)out.answer, (unsigned long long)answer);
}

static void refuses_as(unsigned row, const struct abut_options *options, enum abut_status error, const char *with)
{
    struct output out, untouched;
    memset(&out, 0xA5, sizeof out);
    memset(&untouched, 0xA5, sizeof untouched);
    const enum abut_status status = rows[row].call(options, &out);
    check_that(status == error, "%s with %s: %s", rows[row].name, with, abut_status_text(status));
    check_that(memcmp(&out, &untouched, sizeof out) == 0, "%s with %s writes something", rows[row].name, with);
}

static void refuses(unsigned row, const struct abut_options *options, const char *with)
{
    refuses_as(row, options, ABUT_ERROR_ARGUMENT, with);
}

static void check_touch(unsigned row)
{
    const struct abut_options open = {.touch = ABUT_OPEN};
    if (rows[row].touch == honoured || rows[row].touch == if_limited)
        answers_with(row, &open, answers[row].open, "the open rule");
    else if (rows[row].touch == same)
        answers_with(row, &open, answers[row].plain, "the open rule");
    else
        refuses(row, &open, "the open rule");
    if (rows[row].touch != of_world)
        return;
    how.world_rule = ABUT_OPEN;
    answers_with(row, NULL, answers[row].open, "an open world");
    answers_with(row, &open, answers[row].open, "the rule of an open world");
    how.world_rule = ABUT_CLOSED;
}

static void check_relation(unsigned row)
{
    const struct abut_options inside = {.relation = ABUT_INSIDE}, cull = {.relation = ABUT_CULL};
    how.hulls = rows[row].relation == honoured;
    if (rows[row].relation == honoured) {
        answers_with(row, NULL, answers[row].hulls, "hulls");
        answers_with(row, &inside, answers[row].inside, "items inside of hulls");
        answers_with(row, &cull, answers[row].hulls, "culling by hulls");
    } else {
        refuses(row, &inside, "a relation");
        refuses(row, &cull, "another relation");
    }
    how.hulls = false;
}

static void check_own(unsigned row)
{
    const struct abut_own half = {{-INFINITY, -INFINITY, -INFINITY}, {1.5f, INFINITY, INFINITY}};
    const struct abut_own all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const struct abut_own none = {{NAN, 0, 0}, {1, 1, 1}};
    if (rows[row].own == honoured) {
        answers_with(row, &(struct abut_options){.own = &half}, answers[row].own, "a half space for a tile");
        answers_with(row, &(struct abut_options){.own = &all}, answers[row].plain, "all of space for a tile");
    } else {
        refuses(row, &(struct abut_options){.own = &half}, "a tile");
    }
    refuses(row, &(struct abut_options){.own = &none}, "NaN for a tile");
}

static const uint32_t ones[N] = {1, 1, 1}, not_first[N] = {2, 1, 1}, but_first[N] = {~1u, 1, 1}, split[N] = {1, 2, 2};

enum kept { BUT_ITEM, BUT_QUERY, BUT_EITHER };

/* Leaves out number 0 of the items, of the queries, or of either. */
static size_t keep(void *context, uint32_t query, uint32_t *list, size_t n)
{
    const enum kept kept = *(const enum kept *)context;
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        list[to] = list[i];
        to += (kept == BUT_QUERY || list[i] != 0) && (kept == BUT_ITEM || query != 0);
    }
    return to;
}

static void check_filter(unsigned row)
{
    enum kept kept = rows[row].filter == of_items ? BUT_EITHER : rows[row].filter == of_queries ? BUT_QUERY : BUT_ITEM;
    const struct abut_filter none = {0}, both = {.query_masks = ones, .item_groups = not_first},
                             by_item = {.item_groups = split, .item_masks = split},
                             twice = {split, split, split, split, NULL, NULL}, by_query = {.query_masks = but_first},
                             by_caller = {.keep = keep, .context = &kept};
    const struct {
        const char *name;
        const struct abut_filter *filter;
        bool taken[unused + 1];
    } filters[] = {
        {"a filter of both sides", &both, {[honoured] = true}},
        {"a filter of items", &by_item, {[of_items] = true}},
        {"a filter of items for both sides", &twice, {[of_items] = true}},
        {"a filter of queries", &by_query, {[of_queries] = true, [labels_of_queries] = true}},
        {"a function", &by_caller, {[honoured] = true, [of_items] = true, [of_queries] = true}},
    };
    for (unsigned i = 0; i < sizeof filters / sizeof *filters; i++) {
        const struct abut_options options = {.filter = filters[i].filter};
        if (filters[i].taken[rows[row].filter])
            answers_with(row, &options, answers[row].filtered, filters[i].name);
        else if (rows[row].filter != honoured)
            refuses(row, &options, filters[i].name);
    }
    if (rows[row].filter == refused)
        refuses(row, &(struct abut_options){.filter = &none}, "an empty filter");
    else
        answers_with(row, &(struct abut_options){.filter = &none}, answers[row].plain, "an empty filter");
}

static void check_skip_invalid(unsigned row)
{
    const struct abut_options skip = {.skip_invalid = true};
    if (rows[row].skip_invalid == refused)
        refuses(row, &skip, "skip_invalid");
    else
        answers_with(row, &skip, answers[row].plain, "skip_invalid");
    if (rows[row].skip_invalid != honoured)
        return;
    how.bad = true;
    refuses_as(row, NULL, ABUT_ERROR_INVALID, "an invalid item");
    answers_with(row, &skip, answers[row].skipped, "an invalid item to skip");
    how.bad = false;
}

/* Counts its calls, down from those that are granted. */
static bool count_down(void *context)
{
    int *left = context;
    return (*left)-- > 0;
}

static void check_proceed(unsigned row)
{
    int all = 1000, none = 0;
    const bool asks = rows[row].proceed == honoured;
    answers_with(row, &(struct abut_options){.proceed = count_down, .proceed_context = &all}, answers[row].plain,
                 "a function that lets it go on");
    check_that((all < 1000) == asks, "%s asks %d times whether to go on", rows[row].name, 1000 - all);
    const struct abut_options stop = {.proceed = count_down, .proceed_context = &none};
    struct output out;
    memset(&out, 0xA5, sizeof out);
    const enum abut_status status = rows[row].call(&stop, &out);
    check_that(status == (asks ? ABUT_ERROR_STOPPED : ABUT_OK), "%s that is to end: %s", rows[row].name,
               abut_status_text(status));
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Values that no option has, and halves of what options point to. */
static void check_out_of_range(unsigned row)
{
    const struct abut_allocator no_release = {allocate, NULL, NULL}, no_allocate = {NULL, release, NULL};
    const struct abut_threads two = {NULL, NULL, 2, 1};
    refuses(row, &(struct abut_options){.touch = (enum abut_touch)7}, "touch 7");
    refuses(row, &(struct abut_options){.touch = (enum abut_touch) - 1}, "touch -1");
    refuses(row, &(struct abut_options){.relation = (enum abut_relation)9}, "relation 9");
    refuses(row, &(struct abut_options){.relation = (enum abut_relation) - 1}, "relation -1");
    refuses_as(row, &(struct abut_options){.allocator = &no_release}, ABUT_ERROR_NULL, "no release");
    refuses_as(row, &(struct abut_options){.allocator = &no_allocate}, ABUT_ERROR_NULL, "no allocate");
    refuses_as(row, &(struct abut_options){.threads = &two}, ABUT_ERROR_NULL, "two threads and no run");
}

/* What an option of neighbours says depends on another: a distance and the open rule need a limit. */
static void check_neighbours(void)
{
    const struct abut_options open = {.touch = ABUT_OPEN};
    const struct abut_neighbours unlimited = {.k = 2}, distance = {.k = 2, .within = 1};
    uint32_t ids[N * 2];
    const struct abut_neighbours_found found = {.indices = ids};
    struct abut_world *world = world_of_items();
    CHECK(abut_find_neighbours(index_of_items, &points, &unlimited, &open, &found) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_find_neighbours(index_of_items, &points, &distance, NULL, &found) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_world_nearest(world, &points, &distance, NULL, ids, NULL) == ABUT_ERROR_ARGUMENT);
    abut_world_free(world);
}

/* In a periodic box filters hold, too, with the numbers that points have among all. */
static void check_periodic_neighbours(void)
{
    enum { MANY = 2100 };
    static float x[MANY], y[MANY];
    static uint32_t ids[MANY], masks[MANY];
    const struct abut_points many = {MANY, x, y, y};
    const struct abut_neighbours wanted = {.k = 1, .period = {16, 16, 16}};
    const struct abut_neighbours_found found = {.indices = ids};
    enum kept kept = BUT_EITHER;
    const struct abut_filter by_mask = {.query_masks = masks}, by_caller = {.keep = keep, .context = &kept};
    for (size_t i = 0; i < MANY; i++) {
        x[i] = 14; /* next to item 0, across the end of the box */
        masks[i] = i == MANY - 1 ? 2 : 1;
    }
    CHECK(abut_find_neighbours(index_of_items, &many, &wanted, NULL, &found) == ABUT_OK);
    CHECK(ids[0] == 0 && ids[MANY - 1] == 0);
    CHECK(abut_find_neighbours(index_of_items, &many, &wanted, &(struct abut_options){.filter = &by_mask}, &found) ==
          ABUT_OK);
    CHECK(ids[0] == 0 && ids[MANY - 2] == 0);
    const struct abut_filter grouped = {.query_masks = masks, .item_groups = split};
    CHECK(abut_find_neighbours(index_of_items, &many, &wanted, &(struct abut_options){.filter = &grouped}, &found) ==
          ABUT_OK);
    CHECK(ids[0] == 0 && ids[MANY - 2] == 0 && ids[MANY - 1] == 1);
    CHECK(abut_find_neighbours(index_of_items, &many, &wanted, &(struct abut_options){.filter = &by_caller}, &found) ==
          ABUT_OK);
    CHECK(ids[0] == UINT32_MAX && ids[1] == 1 && ids[2048] == 1 && ids[MANY - 1] == 1);
}

/* Hulls that are searched for within no distance are searched for as by abut_join, which alone takes a relation. */
static void check_within_hulls(void)
{
    const struct abut_reach none = {0};
    struct output out;
    CHECK(abut_join_within(index_of_items, abut_of_hulls(&hulls), &none, NULL, out.pairs, 64, &out.count) == ABUT_OK);
    CHECK(answer_of_pairs(out.pairs, out.count) == 0x67);
    CHECK(abut_join_within(index_of_items, abut_of_hulls(&hulls), &none,
                           &(struct abut_options){.relation = ABUT_INSIDE}, out.pairs, 64,
                           &out.count) == ABUT_ERROR_ARGUMENT);
}

/* A call of many rays or points is ended between its rounds, and what a round found does not depend on them. */
static void check_rounds(void)
{
    enum { MANY = 5000 };
    static float x[MANY], y[MANY], dx[MANY];
    static uint32_t ids[2][MANY];
    const struct abut_points many = {MANY, x, y, y};
    const struct abut_rays beams = {MANY, x, y, y, dx, y, y, NULL, NULL};
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (float)(i % 97) / 16 - 3;
        dx[i] = i % 2 == 0 ? 10 : -10;
    }
    for (int granted = 1; granted < 2000; granted += 1998) {
        int left[] = {granted, granted};
        const struct abut_options ends[] = {{.proceed = count_down, .proceed_context = &left[0]},
                                            {.proceed = count_down, .proceed_context = &left[1]}};
        const enum abut_status status = granted == 1 ? ABUT_ERROR_STOPPED : ABUT_OK;
        CHECK(abut_nearest(index_of_items, &many, 1, NULL, ids[0], NULL) == ABUT_OK);
        CHECK(abut_nearest(index_of_items, &many, 1, &ends[0], ids[1], NULL) == status);
        CHECK(status != ABUT_OK || memcmp(ids[0], ids[1], sizeof ids[0]) == 0);
        CHECK(abut_cast_first(index_of_items, &beams, NULL, ids[0], NULL) == ABUT_OK);
        CHECK(abut_cast_first(index_of_items, &beams, &ends[1], ids[1], NULL) == status);
        CHECK(status != ABUT_OK || memcmp(ids[0], ids[1], sizeof ids[0]) == 0);
    }
}

int main(void)
{
    const struct abut_triangles triangles = {4,        tetra[0], tetra[1], tetra[2], tetra[3],
                                             tetra[4], tetra[5], tetra[6], tetra[7], tetra[8]};
    CHECK(abut_index_new(abut_of_spheres(&items), NULL, NULL, &index_of_items) == ABUT_OK);
    CHECK(abut_index_new(abut_of_points(&near_points), NULL, NULL, &index_of_points) == ABUT_OK);
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index_of_boxes) == ABUT_OK);
    CHECK(abut_solid_new(&triangles, NULL, NULL, &solid) == ABUT_OK);
    for (unsigned row = 0; row < row_count; row++) {
        const struct abut_options zeros_alone = {0};
        answers_with(row, NULL, answers[row].plain, "no options");
        answers_with(row, &zeros_alone, answers[row].plain, "options of zeros");
        check_touch(row);
        check_relation(row);
        check_own(row);
        check_filter(row);
        check_skip_invalid(row);
        check_proceed(row);
        check_out_of_range(row);
    }
    check_neighbours();
    check_periodic_neighbours();
    check_within_hulls();
    check_rounds();
    abut_solid_free(solid);
    abut_index_free(index_of_boxes);
    abut_index_free(index_of_points);
    abut_index_free(index_of_items);
    return finish("every_option");
}
