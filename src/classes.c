/* SPDX-License-Identifier: MIT */
/* Three-way classes, made of two predicates. */
#include <abut/abut.h>

#include "kernels/items.h"

/* One word of pairs; n <= 64, and a batch of one stands for all. */
static enum abut_status classify_word(const struct abut_spheres *spheres, const struct abut_planes *planes, size_t n,
                                      struct abut_stats *stats, uint8_t *classes)
{
    uint64_t touches = 0, inside = 0;
    enum abut_status status = abut_spheres_planes(spheres, planes, ABUT_CLOSED, stats, &touches);
    if (status == ABUT_OK)
        status = abut_spheres_in_planes(spheres, planes, ABUT_OPEN, stats, &inside);
    for (size_t i = 0; i < n && status == ABUT_OK; i++) {
        size_t s = spheres->n == 1 ? 0 : i, p = planes->n == 1 ? 0 : i;
        struct sphere sphere = {spheres->x[s], spheres->y[s], spheres->z[s], spheres->r[s]};
        struct plane plane = {planes->nx[p], planes->ny[p], planes->nz[p], planes->d[p]};
        bool bad = sphere_bad(sphere) || plane_bad(plane);
        classes[i] = (uint8_t)(bad                   ? ABUT_NO_CLASS
                               : !(touches >> i & 1) ? ABUT_OUTSIDE
                               : inside >> i & 1     ? ABUT_INSIDE
                                                     : ABUT_CROSSING);
    }
    return status;
}

enum abut_status abut_spheres_planes_classes(const struct abut_spheres *spheres, const struct abut_planes *planes,
                                             struct abut_stats *stats, uint8_t *restrict classes)
{
    if (spheres == NULL || planes == NULL)
        return ABUT_ERROR_NULL;
    if (spheres->n > ABUT_MAX_ITEMS || planes->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    if (spheres->n != planes->n && spheres->n != 1 && planes->n != 1)
        return ABUT_ERROR_LENGTHS;
    size_t n = spheres->n == 1 ? planes->n : spheres->n;
    if (n > 0 && classes == NULL)
        return ABUT_ERROR_NULL;
    enum abut_status status = ABUT_OK;
    for (size_t i = 0; i < n && status == ABUT_OK; i += 64) {
        size_t count = n - i < 64 ? n - i : 64, s = spheres->n == 1 ? 0 : i, p = planes->n == 1 ? 0 : i;
        const struct abut_spheres some = {spheres->n == 1 ? 1 : count, spheres->x + s, spheres->y + s, spheres->z + s,
                                          spheres->r + s};
        const struct abut_planes part = {planes->n == 1 ? 1 : count, planes->nx + p, planes->ny + p, planes->nz + p,
                                         planes->d + p};
        status = classify_word(&some, &part, count, stats, classes + i);
    }
    return status;
}
