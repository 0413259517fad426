/* SPDX-License-Identifier: MIT */
/* The members of an item of an index by its number. */
#ifndef ABUT_BVH_PLACES_H
#define ABUT_BVH_PLACES_H

#include "bvh/index.h"
#include "bvh/workspace.h"

struct places {
    const struct abut_index *index;
    const uint32_t *at; /* of each item in the leaves, or NULL for a view */
};

/* Takes linear time, unless the index is a view. False: out of memory. */
static inline bool places_find(struct places *places, const struct abut_index *index, struct abut_workspace *workspace)
{
    const struct leaves *leaves = &index->tree.leaves;
    *places = (struct places){.index = index};
    if (index->view.boxes)
        return true;
    uint32_t *at = abut_workspace_take(workspace, SLOT_PLACES, leaves->n, sizeof *at);
    for (size_t i = 0; at && i < leaves->n; i++)
        at[leaves->ids[i]] = (uint32_t)i;
    places->at = at;
    return at != NULL;
}

static inline void places_item(const struct places *places, uint32_t number, float *item)
{
    const struct leaves *leaves = &places->index->tree.leaves;
    for (unsigned k = 0; k < leaves->fields; k++)
        if (places->at) {
            const size_t place = places->at[number];
            item[k] = leaves->at[(place / LEAF * leaves->fields + k) * LEAF + place % LEAF];
        } else {
            item[k] = places->index->view.items.at[k][number];
        }
}

#endif
