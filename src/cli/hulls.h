/* SPDX-License-Identifier: MIT */
/* Hulls in files: one row a plane, the rows of one volume together. */
#ifndef ABUT_CLI_HULLS_H
#define ABUT_CLI_HULLS_H

#include "kinds.h"

/* The kind; its check looks at planes alone. */
extern const char *const hull_names[];
enum { HULL_NAMES = 5 };
enum abut_status check_hulls(const struct columns *rows, struct abut_bad *bad);

/* Hulls of more than 32 planes, and the first row that is too many; without any the count of rows. */
struct excess {
    size_t hulls, first;
};

/*
 * Turns a table of planes into one of hulls, numbered in the order in which their volumes first appear; inward normals
 * are turned. A hull with a bad plane, or too many, becomes one that touches nothing. Labels become those of the hulls, the
 * labels of their first rows; mixed is the first row that has another, or the count of rows.
 */
enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed);

#endif
