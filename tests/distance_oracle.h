/* SPDX-License-Identifier: MIT */
/* The definition of each distance in rational arithmetic, and the scale of its error bound. */
#ifndef ABUT_TESTS_DISTANCE_ORACLE_H
#define ABUT_TESTS_DISTANCE_ORACLE_H

#include "dispatch/kernel_table.h"

#include <gmp.h>

/* The distance is max(sqrt(core2) - radius, 0). */
struct truth {
    bool invalid;
    mpq_t core2;
    double radius;
    double factor, length; /* the error bound is factor u length, plus underflow and overflow terms */
    double square_factor;  /* if not 0: the error bound of d2 is square_factor u d2 + 2^-148 */
    double greatest;       /* greatest |coordinate| */
    bool has_point;        /* point holds the closest point, from a formula of its own: */
    mpq_t point[3];
    double point_error; /* allowed error of point beside the rounding of coordinates; 0: point is exact */
};

/* Members have the order of shapes.def. */
typedef void distance_oracle_function(const float *p, const float *b, struct truth *truth);

extern distance_oracle_function *const distance_oracles[distance_count];

#endif
