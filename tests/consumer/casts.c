/* SPDX-License-Identifier: MIT */
/* Casts a sphere among hulls in a library without predicates of hulls: it touches a cube at the start, or just misses. */
#include <abut/cast.h>
#include <math.h>
#include <stdio.h>

static const uint32_t offsets[] = {0, 6};
static const float nx[] = {-1, 1, 0, 0, 0, 0}, ny[] = {0, 0, -1, 1, 0, 0}, nz[] = {0, 0, 0, 0, -1, 1};
static const float d[] = {-1, -1, -1, -1, -1, -1}, low = -1, high = 1, one = 1, y = 0.25f, none = 0;

/* The item that is hit first by a ball of radius 1 that moves away from the cube. */
static uint32_t hit_from(const struct abut_index *boxes, float x)
{
    const struct abut_hulls cube = {1, offsets, nx, ny, nz, d};
    const struct abut_rays ray = {1, &x, &y, &none, &one, &none, &none, &one, NULL};
    uint32_t item = 7;
    float t;
    return abut_cast_hulls_first(boxes, &cube, &ray, NULL, &item, &t) == ABUT_OK ? item : 8;
}

int main(void)
{
    const struct abut_aabbs box = {1, &low, &low, &low, &high, &high, &high};
    struct abut_index *boxes = NULL;
    if (abut_index_new(abut_of_aabbs(&box), NULL, NULL, &boxes) != ABUT_OK)
        return 1;
    const uint32_t touching = hit_from(boxes, 2), apart = hit_from(boxes, nextafterf(2, 3));
    printf("touching: %u, apart: %u\n", (unsigned)touching, (unsigned)apart);
    abut_index_free(boxes);
    return touching != 0 || apart != UINT32_MAX;
}
