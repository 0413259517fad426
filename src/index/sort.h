/* SPDX-License-Identifier: MIT */
/* From a batch in any order to its items in Hilbert order. */
#ifndef ABUT_INDEX_SORT_H
#define ABUT_INDEX_SORT_H

#include "team.h"
#include "variant.h"
#include "workspace.h"

/* The batch of a set that is no index. */
struct columns abut_columns_of(struct abut_set set);

/*
 * A batch in order: the low half of order[i] says which record comes i-th, and the high half of which item it is. Records
 * that are close in order are close in memory.
 */
struct sorted {
    const uint64_t *order;
    const float *records;
    size_t n; /* without the bad ones */
};

/* All of it lives in the workspace. */
enum abut_status abut_sort_items(const struct columns *items, struct abut_workspace *workspace, const struct team *team,
                                 struct sorted *sorted);

#endif
