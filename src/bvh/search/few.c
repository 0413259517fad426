/* SPDX-License-Identifier: MIT */
/* Few queries as leaves, without a sort. */
#include "bvh/search/few.h"

#include "api/predicate_of.h"
#include "api/sets.h"
#include "bvh/build/grid.h"
#include "bvh/build/leaves.h"
#include "dispatch/dispatch.h"

/* Lists the numbers of the valid ones of n items, and returns how many there are. */
static size_t list_valid(enum shape shape, const float *const *at, size_t n, uint32_t list[FEW])
{
    struct centres centres;
    const bool all = abut_isa_for(n)->valid[shape](at, n);
    size_t valid = 0;
    if (!all)
        abut_active_isa()->centres[shape](at, 0, (unsigned)n, false, &centres);
    for (uint32_t i = 0; i < n; i++)
        if (all || !isnan(centres.at[0][i]))
            list[valid++] = i;
    return valid;
}

void abut_leaves_of_few(struct abut_set set, struct few *few, uint32_t *ids, struct leaves *leaves)
{
    const enum shape shape = (enum shape)set.kind;
    const unsigned fields = abut_set_fields[set.kind];
    const float *const *at = batch_arrays(set.items);
    uint32_t list[FEW];
    const size_t n = list_valid(shape, at, batch_length(set.items), list);
    *leaves = (struct leaves){.at = few->at, .ids = ids};
    abut_leaves_begin(leaves, shape, fields, n);
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < fields; k++)
            few->at[(i / LEAF * fields + k) * LEAF + i % LEAF] = at[k][list[i]];
        ids[i] = list[i];
    }
}
