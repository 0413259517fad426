/* SPDX-License-Identifier: MIT */
/* Two published rules for a sphere and a convex volume; the library has neither. */
#ifndef ABUT_TESTS_RULES_H
#define ABUT_TESTS_RULES_H

#include <stdbool.h>

enum { NO_OPPOSITE = -1 };

/*
 * The face-by-face rule: the sphere crosses a face plane and is outside of no other one but the opposite, or it is
 * inside of all. With any_face the folk rule: the sphere crosses any face plane, or is inside of all. opposite[i] is
 * the plane opposite to plane i, or NO_OPPOSITE. In float64.
 */
bool published_rule(const float (*planes)[4], const int *opposite, unsigned count, const float *sphere, bool any_face);

#endif
