/* SPDX-License-Identifier: MIT */
/* What each number is, in rational arithmetic, and the scale on which its error bound is told. */
#ifndef ABUT_TESTS_DISTANCE_ORACLE_H
#define ABUT_TESTS_DISTANCE_ORACLE_H

#include "dispatch/kernel_table.h"

#include <gmp.h>

/* The distance is sqrt(core2) - radius, or 0 if that is less. */
struct truth {
    bool invalid;
    mpq_t core2;
    double radius;
    double factor, length; /* e = factor u length, and what underflow and overflow add */
    double square_factor;  /* 0, or d2 itself is off by no more than that factor of u, and 2^-148 */
    double greatest;       /* coordinate */
    bool has_point;        /* the closest point, by a formula of its own: */
    mpq_t point[3];
    double point_error; /* of which that much is allowed, and the rounding of the coordinates unless it is 0 */
};

/* Members in the order of shapes.def. */
typedef void distance_oracle_function(const float *p, const float *b, struct truth *truth);

extern distance_oracle_function *const distance_oracles[distance_count];

#endif
