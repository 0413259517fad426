/* SPDX-License-Identifier: MIT */
/* Scenes in which moving spheres touch a face, an edge or a corner of a hull exactly at a known time. */
#ifndef ABUT_TESTS_TOUCH_SCENES_H
#define ABUT_TESTS_TOUCH_SCENES_H

#include "cast_scenes.h"

/*
 * Makes hulls, boxes and rays. The hulls are blocks of a lattice in three directions: with volume, flat, a segment or a
 * point; some with planes left out, cut off, repeated, or of other lengths; some empty or invalid; some twice, beside
 * another one, or its mirror image. Many spheres touch them at the end of their ray, or one float before or after it.
 */
void make_touches(struct cast_scene *scene, struct random *random);

#endif
