/* SPDX-License-Identifier: MIT */
/* Whether the edges of a polygon cross. */
#ifndef ABUT_CLI_CROSSING_H
#define ABUT_CLI_CROSSING_H

#include "signs.h"

#include <stddef.h>

enum crossing { CROSSING_NONE, CROSSING_FOUND, CROSSING_NO_MEMORY };

/*
 * Whether two edges of a polygon of n corners cross in a point that is inside of both. Edges that only touch do not,
 * nor those that lie on each other. The time is in proportion to n log n.
 */
enum crossing find_crossing(const struct spot *corners, size_t n);

#endif
