/* SPDX-License-Identifier: MIT */
/* Squared distances and closest points: arguments checked, then handed to the active kernels. */
#include "api/sets.h"
#include "dispatch/dispatch.h"
#include "util/float_mode.h"

#include <abut/distance.h>

/* 1 + the kernel, by the kind of the shape; 0 where there is none. */
#define DISTANCE(name, shape_a, shape_b, function) [shape_##shape_b] = 1 + distance_##name,
static const unsigned char kernels[ABUT_SET_INDEX + 1] = {
#include "tables/predicates.def"
};

enum abut_status abut_distance(const struct abut_points *points, struct abut_set shapes, float *restrict d2,
                               const struct abut_closest *closest)
{
    IN_DEFAULT_FLOAT_MODE;
    if (points == NULL)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_check_set(shapes);
    if (status != ABUT_OK)
        return status;
    if (kernels[shapes.kind] == 0)
        return ABUT_ERROR_PREDICATE;
    status = abut_check_batch(points, point_fields);
    if (status != ABUT_OK)
        return status;
    const size_t n_shapes = batch_length(shapes.items);
    if (points->n != n_shapes && points->n != 1 && n_shapes != 1)
        return ABUT_ERROR_LENGTHS;
    struct distance_args args = {
        batch_arrays(points), batch_arrays(shapes.items), points->n == 1 ? n_shapes : points->n, {d2}};
    if (closest != NULL) {
        args.out[1] = closest->x;
        args.out[2] = closest->y;
        args.out[3] = closest->z;
    }
    const bool partial = closest != NULL && (closest->x == NULL || closest->y == NULL || closest->z == NULL);
    if (args.n > 0 && (partial || (d2 == NULL && closest == NULL)))
        return ABUT_ERROR_NULL;
    const struct distance_kernel *kernel = &abut_isa_for(args.n)->distances[kernels[shapes.kind] - 1];
    distance_function *batch = points->n == n_shapes ? kernel->zip
                               : points->n == 1      ? kernel->one_many
                                                     : kernel->many_one;
    batch(&args);
    return ABUT_OK;
}
