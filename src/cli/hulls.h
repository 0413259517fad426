/* SPDX-License-Identifier: MIT */
/* Hulls in files: one row a plane, the rows of one volume together. */
#ifndef ABUT_CLI_HULLS_H
#define ABUT_CLI_HULLS_H

#include "kinds.h"
#include <abut/shapes.h>

/* The kind; its check looks at planes, and takes a volume for bad that is NaN. */
extern const char *const hull_names[];
enum { HULL_NAMES = 5, HULL_VOLUME = 4 };
enum abut_status check_hulls(const struct columns *rows, struct abut_invalid *invalid);

/*
 * Whether a number can be a volume, and what is said of one that cannot. Readers ask it of the number in the file,
 * which two volumes must not share once it is rounded, and make NaN of one that cannot.
 */
bool hull_volume(double number);
extern const char no_hull_volume[];

/* Hulls of more than 32 planes, and the first row that is too many; without any the count of rows. */
struct excess {
    size_t hulls, first;
};

/*
 * Turns a table of planes into one of hulls, numbered in the order in which their volumes first appear; inward normals
 * are turned. A hull with a bad plane, or too many, becomes one that touches nothing. Labels become those of the hulls,
 * the labels of their first rows; mixed is the first row that has another, or the count of rows.
 */
enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed);

#endif
