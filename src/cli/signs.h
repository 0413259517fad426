/* SPDX-License-Identifier: MIT */
/* Exact signs: on which side of a line or a plane a point is. */
#ifndef ABUT_CLI_SIGNS_H
#define ABUT_CLI_SIGNS_H

#include <stdbool.h>

/* A point of a plane. */
struct spot {
    float x, y;
};

/* The sign of the area of the triangle p q r, which is positive where p q r turns left. All are finite. */
int area_sign(struct spot p, struct spot q, struct spot r);

/* Whether three points of space, x y z each, are on one line. */
bool on_one_line(const float *p, const float *q, const float *r);

/* Whether four points of space are in one plane. */
bool in_one_plane(const float *p, const float *q, const float *r, const float *s);

#endif
