/* SPDX-License-Identifier: MIT */
/* From a batch in any order to tiles in Hilbert order. */
#ifndef ABUT_INDEX_SORT_H
#define ABUT_INDEX_SORT_H

#include "team.h"
#include "tiles.h"
#include "variant.h"
#include "workspace.h"

/*
 * The good items of a batch in order, or with keep_bad all of them. tiles->at and ->ids are there, with room for one tile more
 * than all items take.
 */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                                 bool keep_bad, struct tiles *tiles);

/* The good ones, in tiles that live in the workspace, too. */
enum abut_status abut_sort_to_workspace(const struct columns *items, struct abut_workspace *workspace,
                                        const struct team *team, struct tiles *tiles);

#endif
