/* SPDX-License-Identifier: MIT */
/* When a moving sphere first touches a convex hull, in rational arithmetic, from the definition. */
#ifndef ABUT_TESTS_MOVING_ORACLE_H
#define ABUT_TESTS_MOVING_ORACLE_H

#include "cast_rows.h"

struct parts;

/* Forgets all hulls and moments. */
void moving_oracle_begin(void);

/* The faces, edges and vertices of the hull of some planes that bound something. */
const struct parts *parts_of(float (*planes)[4], unsigned n);

/* When a ray x y z dx dy dz r end first touches the hull. */
struct moment first_touch(const struct parts *parts, const float ray[8]);

#endif
