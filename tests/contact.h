/* SPDX-License-Identifier: MIT */
/* Pairs of shapes with corners that touch, or have no volume, far more often than random ones. */
#ifndef ABUT_TESTS_CONTACT_H
#define ABUT_TESTS_CONTACT_H

#include "inputs.h"

/* Whether the predicate is one between points, segments, capsules, triangles, boxes and half spaces. */
bool has_corners(const struct subject *subject);

/* Whether exact answers take so long that tests run a share of the scenes: these, and hulls without wide kernels. */
bool takes_long(const struct subject *subject);

/* Whether the shapes of a predicate are so thin that they touch, but never hit under the open rule. */
bool is_thin(const struct subject *subject);

/* At times changes the free operands: one in a plane, a line or a point; both in one plane; a corner of both. */
void make_contact(const struct subject *subject, enum free_sides sides, struct random *random, float *a, float *b);

#endif
