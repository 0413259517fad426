/* SPDX-License-Identifier: MIT */
/* Tests two limits of hulls: the bound that preparation finds, and more boundary spheres than a queue holds. */
#include "api/sets.h"
#include "batches.h"
#include "hull/hull.h"
#include "report.h"

#include <math.h>

static unsigned bounds_found;

/*
 * All planes go through the origin. The bound b of find_bound() must not exceed the depth of any point at distance 1
 * from it: tested in a random direction, and along a descent to smaller depths.
 */
static void check_bound(struct random *random)
{
    float item[MAX_MEMBERS] = {[HULL_COUNT] = (float)(3 + random_below(random, 8))};
    struct hull hull;
    for (unsigned k = HULL_PLANES, i = 0; k < end_of_members(shape_hull, item); k++, i = (i + 1) % 4)
        item[k] = i == 3 ? 0 : random_between(random, -1, i == 0 ? 0.7f : 1);
    struct batch batch = batch_new(shape_hull, 1);
    batch_set(&batch, 0, item);
    const struct columns columns = batch_columns(&batch);
    const struct abut_hulls hulls = hull_view(&columns);
    abut_hull_prepare_for(&hull, &hulls, predicate_sphere_hull, 16, SIZE_MAX);
    batch_free(&batch);
    if (hull.by_radius == INFINITY)
        return;
    bounds_found++;
    double u[3];
    for (unsigned i = 0; i < 3; i++)
        u[i] = random_between(random, -1, 1);
    for (unsigned step = 0; step < 40; step++) {
        const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const double *most = hull.unit[0];
        for (unsigned k = 0; k < hull.planes; k++) {
            const double *n = hull.unit[k];
            if (n[0] * u[0] + n[1] * u[1] + n[2] * u[2] > most[0] * u[0] + most[1] * u[1] + most[2] * u[2])
                most = n;
        }
        const double greatest = (most[0] * u[0] + most[1] * u[1] + most[2] * u[2]) / length;
        CHECK(greatest >= 8 * 0x1p-24 / hull.by_radius);
        for (unsigned i = 0; i < 3; i++)
            u[i] = u[i] / length - 0.3 / (1 + step) * most[i];
    }
}

/* More spheres across two faces of a cube than the boundary queue holds; every other sphere misses the edge. */
static void check_queue(const struct tested *tested)
{
    enum { MANY = 20000 };
    static uint64_t hits[(MANY + 63) / 64];
    static const float cube[MAX_MEMBERS] = {[HULL_COUNT] = 6,
                                            [HULL_PLANES] = 1,
                                            0,
                                            0,
                                            -1,
                                            -1,
                                            0,
                                            0,
                                            -1,
                                            0,
                                            1,
                                            0,
                                            -1,
                                            0,
                                            -1,
                                            0,
                                            -1,
                                            0,
                                            0,
                                            1,
                                            -1,
                                            0,
                                            0,
                                            -1,
                                            -1};
    struct batch spheres = batch_new(shape_sphere, MANY), hull = batch_new(shape_hull, 1);
    batch_set(&hull, 0, cube);
    for (unsigned i = 0; i < MANY; i++) {
        const float from_face = i % 2 ? 0.9f : 0.5f,
                    sphere[4] = {1 + from_face, 1 + from_face, 0.01f * (float)(i % 64), 1};
        batch_set(&spheres, i, sphere);
    }
    const struct columns a = batch_columns(&spheres), b = batch_columns(&hull);
    struct abut_stats stats = {0};
    const struct entry_args args = {&a, &b, MANY, 1, 0, true, &stats, SIZE_MAX};
    run_entry(tested->isa, &subjects[predicate_sphere_hull], ENTRY_MANY_ONE, &args, hits);
    for (unsigned i = 0; i < MANY; i++)
        check_that(hit_at(hits, i) == (i % 2 == 0), "%s: sphere %u across an edge", tested->name, i);
    batch_free(&spheres);
    batch_free(&hull);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 4});
    struct tested tested[MAX_TESTED];
    const unsigned isas = tested_isas(tested);
    struct random random = {options.seed};
    print_isas();
    for (unsigned round = 0; round < 5000 * options.rounds; round++)
        check_bound(&random);
    CHECK(bounds_found > 100 * options.rounds);
    for (unsigned v = 0; v < isas; v++)
        check_queue(&tested[v]);
    return finish("hull_limits");
}
