/* SPDX-License-Identifier: MIT */
/* Groups of items by offsets, and their masks. */
#ifndef ABUT_API_GROUPS_H
#define ABUT_API_GROUPS_H

#include <abut/engine.h>

/* What must hold of groups before they are read. */
enum abut_status abut_groups_check(const struct abut_groups *groups, size_t items);

static inline bool group_hits(const uint64_t *mask, size_t g)
{
    return (mask[g / 64] >> g % 64 & 1) != 0;
}

static inline void group_set(uint64_t *mask, size_t g)
{
    mask[g / 64] |= UINT64_C(1) << g % 64;
}

#endif
