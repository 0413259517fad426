/* SPDX-License-Identifier: MIT */
/* Neighbours in a periodic box. */
#ifndef ABUT_BVH_NEAREST_PERIODIC_H
#define ABUT_BVH_NEAREST_PERIODIC_H

#include "bvh/index.h"
#include "bvh/workspace.h"

/* As abut_find_neighbours, whose arguments were checked and whose outputs hold no item; closest is not wanted. */
enum abut_status abut_nearest_periodic(const struct abut_index *index, const struct columns *points,
                                       const struct abut_neighbours *question, const struct abut_options *options,
                                       struct abut_workspace *workspace, const struct abut_neighbours_found *found);

#endif
