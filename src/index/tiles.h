/* SPDX-License-Identifier: MIT */
/* Tiles of items in Hilbert order: made of a batch, and made anew where the items have moved. */
#ifndef ABUT_INDEX_TILES_H
#define ABUT_INDEX_TILES_H

#include "sort.h"
#include "tree.h"

/* Tiles that n items take. */
size_t abut_tiles_count(size_t n);

/* Sets all of tiles; its arrays at and ids must be there. */
void abut_tiles_fill(struct tiles *tiles, const struct columns *items, const struct sorted *sorted,
                     const struct team *team);

/* The good items of a batch in order, as tiles in the workspace. */
enum abut_status abut_sort_to_tiles(const struct columns *items, struct abut_workspace *workspace,
                                    const struct team *team, struct tiles *tiles);

/* All items as records, in the workspace; NULL if there is no memory. */
const float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace, const struct team *team);

/* The members of some tiles, whose ids are there, from such records. */
void abut_tiles_refill(const struct tiles *tiles, const float *records, size_t first, size_t end);

#endif
