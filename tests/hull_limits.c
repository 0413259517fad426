/* SPDX-License-Identifier: MIT */
/* Tests more spheres across the faces of a hull than the queue of such spheres holds. */
#include "api/sets.h"
#include "batches.h"
#include "hull/hull.h"
#include "report.h"

#include <math.h>

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

int main(void)
{
    struct tested tested[MAX_TESTED];
    const unsigned isas = tested_isas(tested);
    print_isas();
    for (unsigned v = 0; v < isas; v++)
        check_queue(&tested[v]);
    return finish("hull_limits");
}
