/* SPDX-License-Identifier: MIT */
/* Which options that change an answer each public function takes, by tables/options.def, and their one check. */
#ifndef ABUT_API_OPTIONS_H
#define ABUT_API_OPTIONS_H

#include <abut/abut.h>

enum {
    TAKES_TOUCH = 1 << 0,
    TAKES_RELATION = 1 << 1,
    TAKES_OWN = 1 << 2,
    TAKES_FILTER = 1 << 3,
    TAKES_KEEP = 1 << 4,         /* of a filter: the function */
    TAKES_QUERY_LABELS = 1 << 5, /* of a filter: arrays of queries that are not those of items */
    TAKES_ITEM_LABELS = 1 << 6,  /* of a filter: arrays of items */
    TAKES_SKIP_INVALID = 1 << 7
};

/* What the words of the table take. Filters have words of their own. */
#define TAKES_honoured(option) (option)
#define TAKES_same(option) (option)
#define TAKES_refused(option) 0
#define TAKES_if_limited(option) 0
#define TAKES_of_world(option) 0
#define FILTER_honoured (TAKES_FILTER | TAKES_KEEP | TAKES_QUERY_LABELS | TAKES_ITEM_LABELS)
#define FILTER_of_items (TAKES_FILTER | TAKES_KEEP | TAKES_ITEM_LABELS)
#define FILTER_of_queries (TAKES_FILTER | TAKES_KEEP | TAKES_QUERY_LABELS)
#define FILTER_labels_of_queries (TAKES_FILTER | TAKES_QUERY_LABELS)
#define FILTER_refused 0

/* By function, all that it takes in every call: options_of_abut_join, and so on. */
enum {
#define OPTIONS_OF(function, touch, relation, own, filter, skip_invalid, proceed)                                      \
    options_of_##function = TAKES_##touch(TAKES_TOUCH) | TAKES_##relation(TAKES_RELATION) | TAKES_##own(TAKES_OWN) |   \
                            FILTER_##filter | TAKES_##skip_invalid(TAKES_SKIP_INVALID),
#include "tables/options.def"
};

/*
 * ABUT_ERROR_NULL for an allocator with one of its two functions, and for threads that cannot be run. Then
 * ABUT_ERROR_ARGUMENT for a value out of range, and for an option that is not taken and is not what zeros make it.
 */
enum abut_status abut_options_check(unsigned takes, const struct abut_options *options);

/* Whether the caller wants the call to go on. */
static inline bool options_proceed(const struct abut_options *options)
{
    return !options->proceed || options->proceed(options->proceed_context);
}

#endif
