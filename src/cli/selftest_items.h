/* SPDX-License-Identifier: MIT */
/* Items for the self-test, drawn in several moods, and how they are told. */
#ifndef ABUT_CLI_SELFTEST_ITEMS_H
#define ABUT_CLI_SELFTEST_ITEMS_H

#include "kinds.h"
#include "util/splitmix.h"

enum mood { UNIFORM, INTEGERS, TANGENT, INVALID, ANY_BITS, mood_count };

void item_draw(struct random *random, enum shape shape, enum mood mood, float *p);

/* NULL if the shape has none. */
float *item_radius(enum shape shape, float *p);

/* Sets a radius to one of the two neighbours between which the answer changes, if it changes at all. */
void make_tangent(struct random *random, float *radius, bool (*hits)(const void *context), const void *context);

/* One line on standard error. */
void item_tell(const char *name, const struct kind *kind, const float *p);

#endif
