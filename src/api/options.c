/* SPDX-License-Identifier: MIT */
/* The check of options, by what a function takes. */
#include "api/options.h"

#include "util/allocator.h"

#include <abut/index.h>

/* Whether labels of queries are there, and others than those of items. */
static bool differ(const uint32_t *of_queries, const uint32_t *of_items)
{
    return of_queries && of_queries != of_items;
}

static bool takes_filter(unsigned takes, const struct abut_filter *filter)
{
    if (!filter)
        return true;
    const bool of_queries =
        differ(filter->query_groups, filter->item_groups) || differ(filter->query_masks, filter->item_masks);
    const bool of_items = filter->item_groups || filter->item_masks;
    return (takes & TAKES_FILTER) && (!filter->keep || (takes & TAKES_KEEP)) &&
           (!of_queries || (takes & TAKES_QUERY_LABELS)) && (!of_items || (takes & TAKES_ITEM_LABELS));
}

enum abut_status abut_options_check(unsigned takes, const struct abut_options *options)
{
    const struct abut_threads *threads = options->threads;
    if (!allocator_is_whole(options->allocator) || (threads && !threads->run && threads->count > 1))
        return ABUT_ERROR_NULL;
    if ((unsigned)options->touch > ABUT_OPEN || (unsigned)options->relation > ABUT_CULL)
        return ABUT_ERROR_ARGUMENT;
    const bool taken = (options->touch == ABUT_CLOSED || (takes & TAKES_TOUCH)) &&
                       (options->relation == ABUT_TOUCHES || (takes & TAKES_RELATION)) &&
                       (!options->own || (takes & TAKES_OWN)) &&
                       (!options->skip_invalid || (takes & TAKES_SKIP_INVALID)) && takes_filter(takes, options->filter);
    return taken ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}
