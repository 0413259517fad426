/* SPDX-License-Identifier: MIT */
/* The queries of a join within a distance: grown by it, with all their images in a periodic box that may meet items. */
#ifndef ABUT_BVH_IMAGES_H
#define ABUT_BVH_IMAGES_H

#include "bvh/index.h"
#include "bvh/search/places.h"
#include "bvh/search/separation.h"
#include "bvh/workspace.h"

/* A query was moved by so many periods. */
struct image {
    uint32_t query;
    int by[3];
};

/* A query, and which of its images come next: each by the moves along the axes, the last axis first. */
struct imaged {
    uint32_t number;
    float item[ABUT_MAX_FIELDS];
    struct grown box;
    int first[3], last[3], by[3];
};

/*
 * Points are spheres here, OBBs that are searched for among points and spheres stay OBBs, and the other shapes are
 * their AABBs. Each image touches all that is within reach of its query, in spite of rounding. They come in rounds, so
 * that memory stays bounded however many there are.
 */
struct images {
    struct columns columns; /* those of this round */
    const struct image *from;
    /* how they are made */
    const struct columns *queries;
    const struct abut_reach *reach;
    float min[3], max[3]; /* of all items */
    struct spread {
        float least_centre, most_centre;                  /* of items that are not wide */
        float least_low, least_high, most_low, most_high; /* ends of all of them */
        bool some_wide;
    } spread[3]; /* along each axis, or bounds on these */
    float *at[ABUT_MAX_FIELDS];
    struct image *made;
    size_t room;   /* for so many in a round */
    uint64_t left; /* so many were counted and are not made yet */
    size_t next;   /* the first query that has not begun */
    struct imaged now;
    bool begun; /* now has images left */
};

bool abut_is_periodic(const struct abut_reach *reach);

/*
 * Counts the images of queries: of points, spheres or AABBs, or of any shapes that an index holds if space does not
 * repeat. Errors: ABUT_ERROR_ARGUMENT if a coordinate is farther than 2^20 periods from 0 or an item infinite in a
 * periodic box; ABUT_ERROR_TOO_MANY for more than most; ABUT_ERROR_MEMORY.
 */
enum abut_status abut_images_begin(struct images *images, const struct columns *queries, const struct places *places,
                                   const struct abut_reach *reach, double most, struct abut_workspace *workspace);

/* Makes the images of the next round; false if there are none. */
bool abut_images_next(struct images *images);

/* How many images so many queries may have: images for each of them and of the items, where 0 is the usual number. */
double abut_most_images(unsigned images, size_t queries, size_t items);

/* abut_join_within_blocks() after its checks, with at most so many images (results/within.c). */
enum abut_status abut_join_within_most(const struct abut_index *index, struct abut_set queries,
                                       const struct abut_reach *reach, double most, const struct abut_options *options,
                                       abut_block_function *take, void *context);

#endif
