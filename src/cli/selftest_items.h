/* SPDX-License-Identifier: MIT */
/* Generated items for the self-test. */
#ifndef ABUT_CLI_SELFTEST_ITEMS_H
#define ABUT_CLI_SELFTEST_ITEMS_H

#include "kinds.h"
#include "random.h"

/* Kinds of input. TANGENT is UNIFORM until a radius is tuned to another item. */
enum input { UNIFORM, INTEGERS, TANGENT, INVALID, ANY_BITS, input_count };

enum { MOST_ITEMS = 300, MOST_PLANES = 6 };

/* How far coordinates and sizes go. */
enum { REACH = 4, SMALL_REACH = 1 };

struct items {
    struct rows rows; /* a view of what follows */
    float memory[MOST_FIELDS][MOST_ITEMS * MOST_PLANES];
    uint32_t offsets[MOST_ITEMS + 1];
};

/* Draws n items, at most MOST_ITEMS. */
void items_draw(struct items *items, struct random *random, enum abut_set_kind kind, enum input input, unsigned reach,
                size_t n);

/* The radius of an item, or NULL if the shape has none. */
float *items_radius(struct items *items, size_t i);

/* One line on standard error; of a hull, one for each plane. */
void items_print(const char *name, const struct items *items, size_t i);

#endif
