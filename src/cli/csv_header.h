/* SPDX-License-Identifier: MIT */
/* The columns of a CSV file by their names: the kind that they make, and where each of its fields is. */
#ifndef ABUT_CLI_CSV_HEADER_H
#define ABUT_CLI_CSV_HEADER_H

#include "csv.h"
#include "kinds.h"
#include "problem.h"

/* The names between the commas of a list, or NULL out of memory. */
struct span *names_in(const char *list, size_t *count);

/* The one column of exactly that name. If there is none or more than one, returns field_count, and problem is set. */
size_t csv_find_column(const struct csv *csv, const char *name, struct problem *problem);

/*
 * Finds the columns of kind (for OBBs maybe quaternion_obbs or yaw_obbs, for hulls vertex_hulls), or if that is NULL of
 * the kind with the most columns here. On NULL problem is set.
 */
const struct kind *csv_find_kind(struct csv *csv, const struct kind *kind, const char *kind_option,
                                 struct problem *problem);

#endif
