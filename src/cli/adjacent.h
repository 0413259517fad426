/* SPDX-License-Identifier: MIT */
/* Triangles that share a vertex touch in any case: self leaves such pairs out. */
#ifndef ABUT_CLI_ADJACENT_H
#define ABUT_CLI_ADJACENT_H

#include "kinds.h"

/* Copies the triangles of the list, numbered from first, that share no vertex with a row to kept; returns how many. */
size_t adjacent_leave_out(const struct rows *triangles, size_t row, size_t first, const uint32_t *list, size_t n,
                          uint32_t *kept);

#endif
