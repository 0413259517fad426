/* SPDX-License-Identifier: MIT */
/* Hulls in files: one row a plane, the rows of one volume together. */
#ifndef ABUT_CLI_HULLS_H
#define ABUT_CLI_HULLS_H

#include "kinds.h"

/* Of the fields of the kind, the one that tells hulls apart. */
enum { HULL_VOLUME = 4 };

/* Checks rows that are planes with a volume. An invalid volume is NaN. */
enum abut_status hulls_check(const struct rows *rows, struct abut_invalid *invalid);

/*
 * Whether a number can be a volume, and the message for one that cannot. Readers test the number in the file, since two
 * volumes may be one after rounding, and store NaN for one that cannot.
 */
bool hull_volume(double number);
extern const char no_hull_volume[];

/* How many hulls have more than 32 planes, and the first row that is too many, or the count of rows. */
struct excess {
    size_t hulls, first;
};

/*
 * Turns a table of planes into one of hulls, numbered in the order in which their volumes first appear; inward normals
 * are flipped. A hull with an invalid plane, or with too many, becomes one that touches nothing. Labels become those
 * of the hulls, the labels of their first rows; mixed is the first row that has another, or the count of rows.
 */
enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed);

#endif
