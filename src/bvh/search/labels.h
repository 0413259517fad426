/* SPDX-License-Identifier: MIT */
/* Groups and masks: which pairs of query and item the caller's filter lets count. */
#ifndef ABUT_BVH_SEARCH_LABELS_H
#define ABUT_BVH_SEARCH_LABELS_H

#include <abut/index.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array of labels; one without elements is read at index 0 only, and has all bits. */
struct labels {
    const uint32_t *at;
    uint32_t index_bits;
};

static inline struct labels labels_of(const uint32_t *at)
{
    static const uint32_t all = UINT32_MAX;
    return at ? (struct labels){at, UINT32_MAX} : (struct labels){&all, 0};
}

static inline uint32_t label(struct labels labels, uint32_t i)
{
    return labels.at[i & labels.index_bits];
}

/* The labels of both sides. */
struct label_filter {
    struct labels query_groups, query_masks, groups, masks;
    bool any;
};

/* filter: may be NULL. own: the queries are items of the index. */
static inline struct label_filter label_filter_of(const struct abut_filter *filter, bool own)
{
    static const struct abut_filter none = {0};
    filter = filter ? filter : &none;
    return (struct label_filter){labels_of(own ? filter->item_groups : filter->query_groups),
                                 labels_of(own ? filter->item_masks : filter->query_masks),
                                 labels_of(filter->item_groups), labels_of(filter->item_masks),
                                 filter->query_groups || filter->query_masks || filter->item_groups ||
                                     filter->item_masks};
}

static inline bool labels_agree(const struct label_filter *filter, uint32_t query, uint32_t item)
{
    return (label(filter->query_groups, query) & label(filter->masks, item)) != 0 &&
           (label(filter->groups, item) & label(filter->query_masks, query)) != 0;
}

#endif
