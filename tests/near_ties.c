/* SPDX-License-Identifier: MIT */
/*
 * Ties and near ties of integers, whose answers integers know: x^2 + y^2 + z^2 is r^2, or a few off it. Those whose squares
 * and sums have 24 bits must be decided by the filter, whole words of them; those with a bit more must not be taken for ties.
 */
#include "batches.h"
#include "report.h"

#include <stdlib.h>

enum { PAIRS = 20000 };

struct near_tie {
    int64_t along[3], r;
};

static int64_t beyond(struct near_tie t)
{
    return t.along[0] * t.along[0] + t.along[1] * t.along[1] + t.along[2] * t.along[2] - t.r * t.r;
}

/* y^2 = 2 x + d makes x^2 + y^2 = (x + 1)^2 + d - 1. */
static struct near_tie draw(struct random *random, bool small)
{
    const int64_t y = 3 + random_below(random, small ? 87 : 260),
                  d = y % 2 + 2 * ((int64_t)random_below(random, 3) - 1);
    const int64_t x = (y * y - d) / 2, z = random_below(random, 3);
    const unsigned turn = random_below(random, 3), signs = random_below(random, 8);
    struct near_tie t = {.r = x + 1};
    t.along[turn] = signs & 1 ? -x : x;
    t.along[(turn + 1) % 3] = signs & 2 ? -y : y;
    t.along[(turn + 2) % 3] = signs & 4 ? -z : z;
    return t;
}

/* A point, a sphere of that radius, or a box that is nothing but that point, or has it nearest to what it is away from. */
static void make_item(enum shape shape, struct random *random, const int64_t *at, const int64_t *away, int64_t r,
                      float *item)
{
    for (unsigned k = 0; k < 3; k++) {
        item[k] = (float)at[k];
        if (shape != shape_aabb)
            continue;
        int64_t size = away == NULL ? 0 : (int64_t)random_below(random, 20);
        item[k] = (float)(away != NULL && away[k] < 0 ? at[k] - size : at[k]);
        item[3 + k] = (float)(away != NULL && away[k] > 0 ? at[k] + size : at[k]);
    }
    if (shape == shape_sphere)
        item[3] = (float)r;
}

static void check_predicate(const struct tested *tested, enum predicate predicate, bool small, uint64_t seed)
{
    static uint64_t hits[(PAIRS + 63) / 64];
    const struct subject *subject = &subjects[predicate];
    const bool sphere_is_b = subject->shape_b == shape_sphere, touches = predicate == predicate_sphere_aabb;
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    int64_t *expected = calloc(PAIRS, sizeof *expected);
    for (size_t i = 0; i < PAIRS; i++) {
        struct near_tie t = draw(&random, small);
        float sphere[ABUT_MAX_FIELDS], other[ABUT_MAX_FIELDS];
        int64_t centre[3], at[3], part = predicate == predicate_sphere_sphere ? random_below(&random, 100) % t.r : 0;
        for (unsigned k = 0; k < 3; k++) {
            centre[k] = (int64_t)random_below(&random, 2001) - 1000;
            at[k] = centre[k] + t.along[k];
        }
        make_item(shape_sphere, &random, centre, NULL, t.r - part, sphere);
        make_item(sphere_is_b ? subject->shape_a : subject->shape_b, &random, at, touches ? t.along : NULL, part,
                  other);
        batch_set(&a, i, sphere_is_b ? other : sphere);
        batch_set(&b, i, sphere_is_b ? sphere : other);
        expected[i] = beyond(t);
    }
    const struct columns columns_a = batch_columns(&a), columns_b = batch_columns(&b);
    for (int closed = 0; closed < 2; closed++) {
        struct abut_stats stats = {0};
        const struct job job = {columns_a.at, columns_b.at, PAIRS, closed, &stats, 1, 0};
        entry_of(tested->variant, predicate, ENTRY_ZIP)(&job, hits);
        for (size_t i = 0; i < PAIRS; i++)
            check_that(hit_at(hits, i) == (closed ? expected[i] <= 0 : expected[i] < 0),
                       "%s, %s, %s: pair %zu is %lld beyond; seed %llu", subject->name, tested->name,
                       closed ? "closed" : "open", i, (long long)expected[i], (unsigned long long)seed);
        check_that(small ? stats.undecided == 0 : stats.undecided > PAIRS / 10,
                   "%s, %s: the filter leaves %llu of %d near ties of %s integers", subject->name, tested->name,
                   (unsigned long long)stats.undecided, PAIRS, small ? "small" : "larger");
    }
    free(expected);
    batch_free(&a);
    batch_free(&b);
}

int main(int argc, char **argv)
{
    static const enum predicate predicates[] = {predicate_sphere_aabb, predicate_aabb_in_sphere,
                                                predicate_point_in_sphere, predicate_sphere_sphere};
    const struct options options = read_options(argc, argv, (struct options){.seed = 8, .rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_variants(tested);
    print_variants();
    for (unsigned v = 0; v < n; v++)
        for (unsigned p = 0; p < sizeof predicates / sizeof *predicates; p++)
            for (unsigned round = 0; round < options.rounds; round++) {
                check_predicate(&tested[v], predicates[p], true, options.seed + round);
                check_predicate(&tested[v], predicates[p], false, options.seed + round);
            }
    return finish("near_ties");
}
