/* SPDX-License-Identifier: MIT */
/* Hulls in files: one row a plane or a vertex, the rows of one volume together. */
#ifndef ABUT_CLI_HULLS_H
#define ABUT_CLI_HULLS_H

#include "kinds.h"

/* Of the fields of the kinds, the one that tells hulls apart: of planes, and of vertices. */
enum { HULL_VOLUME = 4, VERTEX_VOLUME = 3 };

/* That of any kind; MOST_FIELDS for kinds that are no hulls. */
unsigned volume_field(const struct kind *kind);

/* Checks rows that are planes with a volume, or vertices. An invalid volume is NaN. */
enum abut_status hulls_check(const struct rows *rows, struct abut_invalid *invalid);
enum abut_status hulls_check_vertices(const struct rows *rows, struct abut_invalid *invalid);

/*
 * Whether a number can be a volume, and the message for one that cannot. Readers test the number in the file, since two
 * volumes may be one after rounding, and store NaN for one that cannot.
 */
bool hull_volume(double number);
extern const char no_hull_volume[];

/* How many hulls have more than 32 planes, or vertices without a hull; the first such row, or the count of rows. */
struct excess {
    size_t hulls, first;
    const char *what; /* is wrong with the volume of that row */
};

/*
 * Turns a table of planes into one of hulls, numbered in the order in which their volumes first appear; inward normals
 * are flipped. A hull with an invalid plane, or with too many, becomes one that touches nothing. Labels become those
 * of the hulls, the labels of their first rows; mixed is the first row that has another, or the count of rows.
 */
enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed);

/* The same of a table of vertices: the planes are those of their convex hull (abut_hull_of_points). */
enum abut_status hulls_from_vertices(struct table *table, struct excess *excess, size_t *mixed);

#endif
