/* SPDX-License-Identifier: MIT */
/* Tests the promised counts of pairs that leave the filter or reach the exact stage, valid on any machine. */
#include "api/sets.h"
#include "batch/pairs.h"
#include "batches.h"
#include "report.h"
#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdio.h>

enum { BOXES = 65536, QUERIES = 64 };

static float coordinate(struct random *random, float limit)
{
    return random_between(random, -limit, limit);
}

/* The boxes of sphere_vs_aabbs: centres within 50 of the origin, half extents from 0.5 to 2. */
static struct batch sphere_vs_aabbs_boxes(void)
{
    struct random random = {0x1001};
    struct batch boxes = batch_new(shape_aabb, BOXES);
    for (size_t i = 0; i < BOXES; i++) {
        float item[ABUT_MAX_FIELDS], centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = coordinate(&random, 50);
        for (unsigned k = 0; k < 3; k++) {
            float half = random_between(&random, 0.5f, 2);
            item[k] = centre[k] - half;
            item[3 + k] = centre[k] + half;
        }
        batch_set(&boxes, i, item);
    }
    return boxes;
}

static struct batch sphere_vs_aabbs_queries(float limit, float radius)
{
    struct random random = {0x1002};
    struct batch spheres = batch_new(shape_sphere, QUERIES);
    for (size_t i = 0; i < QUERIES; i++) {
        float item[ABUT_MAX_FIELDS] = {0};
        for (unsigned k = 0; k < 3; k++)
            item[k] = coordinate(&random, limit);
        item[3] = radius;
        batch_set(&spheres, i, item);
    }
    return spheres;
}

static struct abut_stats run(const struct isa *isa, enum predicate predicate, const struct batch *a, size_t row,
                             const struct batch *b)
{
    static uint64_t hits[BOXES / 64];
    const struct columns columns_a = batch_columns(a), columns_b = batch_columns(b);
    const float *item[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < a->fields; k++)
        item[k] = columns_a.at[k] + row;
    struct abut_stats stats = {0};
    const struct kernel_args args = {item, columns_b.at, b->n, true, &stats, 1, 0};
    abut_run_batch(isa, predicate, BROADCAST_ONE_MANY, &args, hits);
    return stats;
}

/* Fewer than 1e-5 of the lanes of sphere_vs_aabbs are undecided. */
static void check_sphere_vs_aabbs(const struct tested *tested, const struct batch *boxes, float limit, float radius)
{
    struct batch queries = sphere_vs_aabbs_queries(limit, radius);
    uint64_t undecided = 0, exact = 0;
    for (size_t i = 0; i < QUERIES; i++) {
        struct abut_stats stats = run(tested->isa, predicate_sphere_aabb, &queries, i, boxes);
        undecided += stats.undecided;
        exact += stats.exact;
    }
    printf("sphere_vs_aabbs, r = %g, %s: %llu of %d lanes undecided, %llu exact\n", (double)radius, tested->name,
           (unsigned long long)undecided, BOXES * QUERIES, (unsigned long long)exact);
    check_that(undecided * 100000 < (uint64_t)BOXES * QUERIES,
               "sphere_vs_aabbs, r = %g, %s: %llu of %d lanes are undecided", (double)radius, tested->name,
               (unsigned long long)undecided, BOXES * QUERIES);
    batch_free(&queries);
}

/* A coordinate of a point near a box: inside, outside, on a face or one float from a face. */
static float near_box(struct random *random, float min, float max)
{
    switch (random_below(random, 5)) {
    case 0:
        return min;
    case 1:
        return max;
    case 2:
        return min * (random_below(random, 2) == 0 ? 1 + 0x1p-23f : 1 - 0x1p-24f);
    case 3:
        return max * (random_below(random, 2) == 0 ? 1 + 0x1p-23f : 1 - 0x1p-24f);
    default:
        return random_between(random, 2 * min - max, 2 * max - min);
    }
}

/* Points (spheres of radius 0) in and around boxes, however near and however small, never reach the exact stage. */
static void check_points(const struct tested *tested, enum predicate predicate, int exponent, uint64_t seed)
{
    enum { POINTS = 20000 };
    static uint64_t hits[(POINTS + 63) / 64];
    struct random random = {seed};
    struct batch points = batch_new(subjects[predicate].shape_a, POINTS), boxes = batch_new(shape_aabb, POINTS);
    for (size_t i = 0; i < POINTS; i++) {
        float point[ABUT_MAX_FIELDS] = {0}, box[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < 3; k++) {
            float centre = coordinate(&random, 50), half = random_between(&random, 0, 2);
            box[k] = ldexpf(centre - half, exponent);
            box[3 + k] = ldexpf(centre + half, exponent);
            point[k] = near_box(&random, box[k], box[3 + k]);
        }
        batch_set(&points, i, point);
        batch_set(&boxes, i, box);
    }
    const struct columns a = batch_columns(&points), b = batch_columns(&boxes);
    for (int closed = 0; closed < 2; closed++) {
        struct abut_stats stats = {0};
        const struct kernel_args args = {a.at, b.at, POINTS, closed, &stats, 1, 0};
        abut_run_batch(tested->isa, predicate, BROADCAST_ZIP, &args, hits);
        check_that(stats.exact == 0, "%s, %s, points at 2^%d: %llu lanes reached the exact stage; seed %llu",
                   subjects[predicate].name, tested->name, exponent, (unsigned long long)stats.exact,
                   (unsigned long long)seed);
    }
    batch_free(&points);
    batch_free(&boxes);
}

/* Around a centre as in sphere_vs_aabbs: the OBB or sphere of sphere_obb_pairs, or a triangle as large as the OBB. */
static void draw_shape(enum shape shape, struct random *random, const float centre[3], float *item)
{
    float quaternion[4], *axes[9];
    float *at[4];
    for (unsigned i = 0; i < 9 && shape == shape_triangle; i++)
        item[i] = centre[i % 3] + coordinate(random, 2);
    for (unsigned k = 0; k < 3 && shape != shape_triangle; k++)
        item[k] = centre[k];
    if (shape == shape_sphere)
        item[3] = random_between(random, 0.25f, 1);
    if (shape != shape_obb)
        return;
    for (unsigned k = 0; k < 3; k++)
        item[3 + k] = random_between(random, 0.5f, 2);
    for (unsigned k = 0; k < 4; k++) {
        quaternion[k] = coordinate(random, 1);
        at[k] = &quaternion[k];
    }
    for (unsigned k = 0; k < 9; k++)
        axes[k] = item + 6 + k;
    abut_obbs_axes_from_quaternions(1, at, axes);
}

/*
 * Fewer than 1e-5 of the lanes of sphere_obb_pairs are undecided, and fewer than 1 of one_of with other shapes in their
 * place.
 */
static void check_pairs(const struct tested *tested, enum predicate predicate, uint64_t one_of)
{
    enum { ROUNDS = 16, LANES = ROUNDS * BOXES };
    static uint64_t hits[BOXES / 64];
    struct random random = {0x4001};
    const enum shape shape_a = subjects[predicate].shape_a, shape_b = subjects[predicate].shape_b;
    struct batch batch_a = batch_new(shape_a, BOXES), batch_b = batch_new(shape_b, BOXES);
    struct abut_stats stats = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < BOXES; i++) {
            float item_a[ABUT_MAX_FIELDS] = {0}, item_b[ABUT_MAX_FIELDS] = {0}, centre[3];
            for (unsigned k = 0; k < 3; k++)
                centre[k] = coordinate(&random, 50);
            draw_shape(shape_b, &random, centre, item_b);
            for (unsigned k = 0; k < 3; k++)
                centre[k] += coordinate(&random, 2.4f);
            draw_shape(shape_a, &random, centre, item_a);
            batch_set(&batch_b, i, item_b);
            batch_set(&batch_a, i, item_a);
        }
        const struct columns a = batch_columns(&batch_a), b = batch_columns(&batch_b);
        const struct kernel_args args = {a.at, b.at, BOXES, true, &stats, 1, 0};
        abut_run_batch(tested->isa, predicate, BROADCAST_ZIP, &args, hits);
    }
    printf("random pairs, %s, %s: %llu of %d lanes undecided, %llu exact\n", subjects[predicate].name, tested->name,
           (unsigned long long)stats.undecided, LANES, (unsigned long long)stats.exact);
    check_that(stats.undecided * one_of < LANES && stats.exact == 0,
               "random pairs, %s, %s: %llu lanes are undecided, %llu exact", subjects[predicate].name, tested->name,
               (unsigned long long)stats.undecided, (unsigned long long)stats.exact);
    batch_free(&batch_a);
    batch_free(&batch_b);
}

static uint64_t self_join(struct abut_set set, const struct abut_filter *filter, uint64_t *hits)
{
    struct abut_stats stats = {0};
    const struct abut_options options = {.stats = &stats, .filter = filter};
    struct abut_index *index;
    check_that(abut_index_new(set, NULL, NULL, &index) == ABUT_OK &&
                   abut_self_join(index, &options, NULL, 0, hits) == ABUT_OK,
               "a self join of kind %d failed", (int)set.kind);
    abut_index_free(index);
    return stats.pairs;
}

/*
 * Dear predicates are asked about pairs whose boxes meet and whose masks agree: the boxes of a search are rounded a
 * little further outwards than those of abut_aabbs_of.
 */
static void check_searched(enum shape shape)
{
    enum { ITEMS = 4096 };
    static float box[6][ITEMS];
    static uint32_t group[ITEMS], mask[ITEMS];
    struct random random = {0x5001};
    struct batch batch = batch_new(shape, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        float item[ABUT_MAX_FIELDS] = {0}, centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = coordinate(&random, 12);
        draw_shape(shape, &random, centre, item);
        batch_set(&batch, i, item);
        group[i] = 1;
    }
    union any_batch any;
    const struct columns items = batch_columns(&batch);
    const struct abut_set set = set_of_columns(&items, &any);
    const struct abut_filter none = {.item_groups = group, .item_masks = mask};
    const struct abut_aabbs boxes = {ITEMS, box[0], box[1], box[2], box[3], box[4], box[5]};
    float *const columns[6] = {box[0], box[1], box[2], box[3], box[4], box[5]};
    uint64_t meeting, hits, masked_hits;
    check_that(abut_aabbs_of(set, columns) == ABUT_OK, "abut_aabbs_of failed");
    self_join(abut_of_aabbs(&boxes), NULL, &meeting);
    const uint64_t pairs = self_join(set, NULL, &hits), masked = self_join(set, &none, &masked_hits);
    check_that(hits > 0 && pairs >= meeting && pairs <= meeting + meeting / 1000 + 2,
               "shape %d: %llu pairs reach the predicate, and %llu boxes meet", (int)shape, (unsigned long long)pairs,
               (unsigned long long)meeting);
    check_that(masked == 0 && masked_hits == 0, "shape %d: %llu masked pairs reach the predicate", (int)shape,
               (unsigned long long)masked);
    batch_free(&batch);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 7, .rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_isas(tested);
    struct batch boxes = sphere_vs_aabbs_boxes();
    print_isas();
    for (unsigned v = 0; v < n; v++) {
        check_sphere_vs_aabbs(&tested[v], &boxes, 35, 12.2f);
        check_sphere_vs_aabbs(&tested[v], &boxes, 3, 48.5f);
        check_pairs(&tested[v], predicate_sphere_obb, 100000);
        check_pairs(&tested[v], predicate_sphere_triangle, 100000);
        /* Float32 has fifteen axes of two boxes to round, float64 decides all that it leaves. */
        check_pairs(&tested[v], predicate_obb_obb, 10000);
        for (int exponent = 0; exponent >= -150; exponent -= 30) {
            check_points(&tested[v], predicate_sphere_aabb, exponent, options.seed);
            check_points(&tested[v], predicate_point_in_aabb, exponent, options.seed);
        }
    }
    check_searched(shape_obb);
    check_searched(shape_triangle);
    batch_free(&boxes);
    return finish("figures");
}
