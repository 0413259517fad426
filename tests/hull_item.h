/* SPDX-License-Identifier: MIT */
/* An item of the tests as an array of floats: the members of its row, or a hull, whose planes are as many rows. */
#ifndef ABUT_TESTS_HULL_ITEM_H
#define ABUT_TESTS_HULL_ITEM_H

#include "dispatch/kernel_table.h"

/*
 * A hull begins with the number of its planes, and with what the generator remembers to make items near it: a centre, a
 * size, and the exponent of its scale. The planes nx ny nz d follow.
 */
enum {
    HULL_COUNT,
    HULL_CENTRE,
    HULL_SIZE = HULL_CENTRE + 3,
    HULL_EXPONENT,
    HULL_PLANES,
    MAX_MEMBERS = HULL_PLANES + 4 * ABUT_MAX_PLANES
};

static inline unsigned planes_of(const float *hull)
{
    return (unsigned)hull[HULL_COUNT];
}

static inline const float *plane_of(const float *hull, unsigned plane)
{
    return hull + HULL_PLANES + 4 * plane;
}

#endif
