/* SPDX-License-Identifier: MIT */
/* The queries of a join within a distance: grown by it, with all their images in a periodic box that may meet items. */
#ifndef ABUT_BVH_IMAGES_H
#define ABUT_BVH_IMAGES_H

#include "bvh/index.h"
#include "bvh/workspace.h"

/* A query was moved by so many periods. */
struct image {
    uint32_t query;
    int by[3];
};

/*
 * Points are spheres here, OBBs that are searched for among points and spheres stay OBBs, and the other shapes are
 * their AABBs. Each image touches all that is within reach of its query, in spite of rounding.
 */
struct images {
    struct columns columns;
    const struct image *from;
};

bool abut_is_periodic(const struct abut_reach *reach);

/*
 * Makes the images of queries: of points, spheres or AABBs, or of any shapes that an index holds if space does not
 * repeat. Errors: ABUT_ERROR_ARGUMENT if a coordinate is farther than 2^20 periods from 0 or an item infinite in a
 * periodic box; ABUT_ERROR_TOO_MANY; ABUT_ERROR_MEMORY.
 */
enum abut_status abut_images_make(const struct columns *queries, const struct abut_index *index,
                                  const struct abut_reach *reach, struct abut_workspace *workspace,
                                  struct images *images);

#endif
