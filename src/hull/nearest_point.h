/* SPDX-License-Identifier: MIT */
/* The distance from a sphere's centre to a hull against its radius, in plain float64. */
#ifndef ABUT_HULL_NEAREST_POINT_H
#define ABUT_HULL_NEAREST_POINT_H

#include "hull/hull.h"

/*
 * The height over a plane of a point p with |x| + |y| + |z| = A is off by less than HULL_ERROR (A + hull->reach): unit
 * normals carry 4 roundings, the sum 5 more, and A of its own; 9 * 2^-53 would do.
 */
#define HULL_ERROR 0x1p-46

/* sphere is x y z r, valid. A certain answer, or ANSWER_UNKNOWN and the findings, which begin as NOTHING_FOUND. */
enum answer abut_hull_nearest(const struct hull *hull, const float *sphere, struct findings *found);

/*
 * The planes that hold the point of a hull that is nearest to a centre outside of it, and multipliers t >= 0: the point
 * is the centre less the sum of t times unit normal. All of it is approximate.
 */
struct hull_foot {
    struct active active;
    double t[3];
};

/* False if the centre is not outside, or no such planes are found. */
bool abut_hull_foot(const struct hull *hull, const double c[3], struct hull_foot *nearest);

#endif
