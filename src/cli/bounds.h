/* SPDX-License-Identifier: MIT */
/* Whether two files lie in one place. */
#ifndef ABUT_CLI_BOUNDS_H
#define ABUT_CLI_BOUNDS_H

#include "kinds.h"

/*
 * Describes an axis on which the shapes of two tables lie farther apart than either reaches, and than the distance that
 * is asked for: other units, or another origin, are likely. False if there is none, or if a table has planes, or
 * something infinite.
 */
bool bounds_apart(const struct table *a, const struct table *b, double within, char *text, size_t text_size);

#endif
