/* SPDX-License-Identifier: MIT */
/* Inputs on which a filter rounds as badly as a search can find: random inputs come nowhere near its proved bound. */
#ifndef ABUT_TESTS_WORST_H
#define ABUT_TESTS_WORST_H

#include "inputs.h"

/*
 * Climbs from a pair to one whose squared distance has a larger rounding error, by small changes to members of the free
 * operands. Leaves predicates alone that are not about a squared distance of points, spheres, AABBs and OBBs.
 */
void worsen(const struct subject *subject, enum free_sides sides, struct random *random, float *a, float *b);

#endif
