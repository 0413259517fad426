/* SPDX-License-Identifier: MIT */
/* The columns of a CSV file by their names: which kind they make, and where each of its fields is. */
#ifndef ABUT_CLI_CSV_HEADER_H
#define ABUT_CLI_CSV_HEADER_H

#include "csv.h"

/* The one column of that name; if it is missing or here more than once, field_count, and the problem is told. */
size_t csv_find_column(const struct csv *csv, const char *name, struct problem *problem);

/*
 * Finds the columns of kind (for OBBs maybe quaternion_obbs), or if that is NULL of the kind with the most columns
 * here. NULL: the problem is told.
 */
const struct kind *csv_find_kind(struct csv *csv, const struct kind *kind, const char *kind_option,
                                 struct problem *problem);

/* A column that is not read for want of the name r, with which the kind would be another; NULL if there is none. */
const struct span *csv_lost_radius(const struct csv *csv, const struct kind *kind);

#endif
