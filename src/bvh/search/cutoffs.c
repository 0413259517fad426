/* SPDX-License-Identifier: MIT */
/* Which hits are within the distance of their types: exact tests of blocks of pairs. */
#include "bvh/search/cutoffs.h"

enum { BLOCK = 256 };

/* Points and spheres to test, item by item. */
struct block {
    float point[3][BLOCK], sphere[4][BLOCK];
};

static void put_pair(struct block *block, size_t at, const struct cutoffs *cutoffs, uint32_t query, uint32_t item)
{
    const struct abut_points *points = cutoffs->points;
    const struct abut_cutoffs *by_type = cutoffs->by_type;
    const float *const columns[] = {points->x, points->y, points->z};
    for (unsigned k = 0; k < 3; k++) {
        block->point[k][at] = columns[k][item];
        block->sphere[k][at] = columns[k][query];
    }
    block->sphere[3][at] =
        by_type->distances[(size_t)by_type->type_of[query] * by_type->types + by_type->type_of[item]];
}

size_t abut_keep_within(const struct cutoffs *cutoffs, enum abut_touch touch, const struct rows *rows, size_t n,
                        uint8_t *row_of)
{
    const struct abut_options options = {.touch = touch};
    size_t kept = 0;
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t some = n - first < BLOCK ? n - first : BLOCK;
        struct block block;
        uint64_t near[BLOCK / 64];
        for (size_t i = 0; i < some; i++)
            put_pair(&block, i, cutoffs, rows->queries[row_of[first + i]], rows->ids[first + i]);
        const struct abut_points points = {some, block.point[0], block.point[1], block.point[2]};
        const struct abut_spheres spheres = {some, block.sphere[0], block.sphere[1], block.sphere[2], block.sphere[3]};
        abut_points_inside_spheres(&points, &spheres, &options, near);
        for (size_t i = 0; i < some; i++) {
            rows->ids[kept] = rows->ids[first + i];
            row_of[kept] = row_of[first + i];
            kept += near[i / 64] >> i % 64 & 1;
        }
    }
    return kept;
}
