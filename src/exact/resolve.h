/* SPDX-License-Identifier: MIT */
/* Deciding one pair in scalar code: what is left when the wide filter cannot tell. */
#ifndef ABUT_EXACT_RESOLVE_H
#define ABUT_EXACT_RESOLVE_H

#include "dispatch/kernel_table.h"

enum answer {
    ANSWER_MISS = -1,
    ANSWER_TOUCH = 0, /* a hit under the closed rule only */
    ANSWER_HIT = 1,
    ANSWER_UNKNOWN = 2,  /* the middle stage cannot tell */
    ANSWER_ELSEWHERE = 3 /* within the stages: planes that were guessed are surely not those that matter */
};

/* a and b are the members of one item each, in the order of shapes.def. Exact; never ANSWER_UNKNOWN. */
enum answer abut_exact(enum predicate predicate, const float *a, const float *b);

/* Middle stage, then judge; counts one undecided pair, and one judged if it came to that. */
bool abut_resolve(enum predicate predicate, const float *a, const float *b, bool closed, struct abut_stats *stats);

/* Whether an item is bad input, all of whose answers are misses. */
bool abut_is_invalid(enum shape shape, const float *item);

#endif
