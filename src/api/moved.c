/* SPDX-License-Identifier: MIT */
/* Whether any point has moved too far: the exact test of points in spheres around where they were. */
#include "api/sets.h"
#include "util/float_mode.h"

#include <abut/engine.h>

enum { BLOCK = 2048 };

enum abut_status abut_any_moved(const struct abut_points *before, const struct abut_points *now, float distance,
                                bool *moved)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!before || !now || !moved)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_check_set(abut_of_points(before));
    if (status == ABUT_OK)
        status = abut_check_set(abut_of_points(now));
    if (status != ABUT_OK)
        return status;
    if (before->n != now->n)
        return ABUT_ERROR_LENGTHS;
    if (!(distance >= 0))
        return ABUT_ERROR_ARGUMENT;
    float radii[BLOCK];
    for (size_t i = 0; i < BLOCK && i < now->n; i++)
        radii[i] = distance;
    *moved = false;
    for (size_t i = 0; i < now->n && !*moved; i += BLOCK) {
        const size_t n = now->n - i < BLOCK ? now->n - i : BLOCK;
        const struct abut_spheres there = {n, before->x + i, before->y + i, before->z + i, radii};
        const struct abut_points here = {n, now->x + i, now->y + i, now->z + i};
        uint64_t near[BLOCK / 64];
        abut_points_inside_spheres(&here, &there, NULL, near);
        *moved = !abut_mask_all(near, n);
    }
    return ABUT_OK;
}
