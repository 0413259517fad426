/* SPDX-License-Identifier: MIT */
/* From a batch in any order to tiles in Hilbert order. */
#ifndef ABUT_INDEX_SORT_H
#define ABUT_INDEX_SORT_H

#include "team.h"
#include "tree.h"
#include "variant.h"
#include "workspace.h"

/* The batch of a set that is no index. */
struct columns abut_columns_of(struct abut_set set);

/*
 * A batch in order: entry i says in its low half which item comes i-th, and rows holds the members of all items side by
 * side.
 */
struct sorted {
    const uint64_t *entries;
    const float *rows;
    size_t n; /* without the bad ones */
};

/* Both live in the workspace. */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                                 struct sorted *sorted);

/* Floats and ids that the tiles of n items take. */
size_t abut_tiles_count(size_t n);

/* Sets all of tiles; its arrays at and ids must be there. */
void abut_tiles_fill(struct tiles *tiles, const struct columns *items, const struct sorted *sorted,
                     const struct team *team);

/* The good items of a batch in order, as tiles in the workspace. */
enum abut_status abut_sort_to_tiles(const struct columns *items, struct abut_workspace *workspace,
                                    const struct team *team, struct tiles *tiles);

/* The members of all items side by side, in the workspace; NULL if there is no memory. */
const float *abut_rows_stage(const struct columns *items, struct abut_workspace *workspace, const struct team *team);

/* The members of the items of some tiles, whose ids are there, from such rows. */
void abut_tiles_gather(const struct tiles *tiles, const float *rows, size_t first, size_t end);

#endif
