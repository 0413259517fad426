/* SPDX-License-Identifier: MIT */
/* The generator of hulls, and of items near them, for inputs.c. */
#ifndef ABUT_TESTS_HULL_INPUTS_H
#define ABUT_TESTS_HULL_INPUTS_H

#include "inputs.h"

/* Makes a hull; of kind_hull_mixed, with the exponent that it had unless that is 0. */
void make_hull(enum kind kind, struct random *random, float *hull);

/* Makes the free operands of a pair, as make_pair() does. */
void make_hull_pair(const struct subject *subject, enum kind kind, enum free_sides sides, struct random *random,
                    float *item, float *hull);

/* From -limit to limit. */
float random_integer(struct random *random, int limit);

#endif
