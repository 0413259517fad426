/* SPDX-License-Identifier: MIT */
/* From a batch in any order to tiles in Hilbert order. */
#ifndef ABUT_INDEX_SORT_H
#define ABUT_INDEX_SORT_H

#include "team.h"
#include "tiles.h"
#include "variant.h"
#include "workspace.h"

/* The good items of a batch in order. tiles->at and ->ids are there, with room for one tile more than all items take. */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                                 struct tiles *tiles);

/* The same, where the tiles live in the workspace, too. */
enum abut_status abut_sort_to_workspace(const struct columns *items, struct abut_workspace *workspace,
                                        const struct team *team, struct tiles *tiles);

#endif
