/* SPDX-License-Identifier: MIT */
/* Scenes of a few hulls and rays among them, for casts. */
#ifndef ABUT_TESTS_CAST_SCENES_H
#define ABUT_TESTS_CAST_SCENES_H

#include "hull_inputs.h"
#include "hull_item.h"

#include <abut/cast.h>

enum { HULLS = 20, RAYS = 9, HITS = HULLS * RAYS };

struct cast_scene {
    uint32_t offsets[HULLS + 1];
    float plane[4][HULLS * ABUT_MAX_PLANES], box[6][HULLS];
    float ray[8][RAYS]; /* x y z dx dy dz r end */
};

struct abut_hulls hulls_of(const struct cast_scene *scene);
struct abut_aabbs boxes_of(const struct cast_scene *scene);
struct abut_rays rays_of(const struct cast_scene *scene);

/* Sets hull i, after those before it. */
void set_hull(struct cast_scene *scene, size_t i, const float *hull);
void set_ray(struct cast_scene *scene, size_t i, const float ray[8]);
void get_ray(const struct cast_scene *scene, size_t i, float ray[8]);

/* Turns planes along an axis by so little that float64 does not see on which side of them the points of a grid are. */
void tilt(struct random *random, float *hull);

/* Makes the boxes of all hulls. */
void make_boxes(struct cast_scene *scene);

/* The kinds of hulls with integers for all members. */
bool is_grid(enum kind kind);

/* Makes all hulls, some of them more than once and some grids tilted, and their boxes. */
void make_hulls(struct cast_scene *scene, struct random *random, enum kind kind);

/*
 * Makes a ray without a radius along a grid, or from far or near towards a point near the box of a hull, or of a plane
 * of its. Returns that hull.
 */
size_t make_ray(const struct cast_scene *scene, struct random *random, bool grid, float ray[8]);

/* Copies the planes of a hull that bound something. False if it is invalid, or empty by one plane without a normal. */
bool bounding_planes(const struct cast_scene *scene, size_t hull, float planes[ABUT_MAX_PLANES][4], unsigned *n);

#endif
