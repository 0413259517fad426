/* SPDX-License-Identifier: MIT */
/* A capsule against a hull, whose exact answer takes more than one formula. */
#ifndef ABUT_HULL_CAPSULE_H
#define ABUT_HULL_CAPSULE_H

#include "hull/hull.h"

/* Both must be valid. exact: never ANSWER_UNKNOWN; else float64 alone. */
enum answer abut_capsule_hull(struct hull *hull, const float *capsule, bool exact);

#endif
