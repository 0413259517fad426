/* SPDX-License-Identifier: MIT */
/* Resolves one pair in scalar code, after the wide filter left it undecided. */
#ifndef ABUT_EXACT_RESOLVE_H
#define ABUT_EXACT_RESOLVE_H

#include "dispatch/kernel_table.h"

enum answer {
    ANSWER_MISS = -1,
    ANSWER_TOUCH = 0, /* a hit under the closed rule only */
    ANSWER_HIT = 1,
    ANSWER_UNKNOWN = 2,  /* the arithmetic does not decide */
    ANSWER_ELSEWHERE = 3 /* within the stages: the guessed planes certainly do not decide */
};

/* The exact answer, never ANSWER_UNKNOWN. a and b are the members of one item each, in the order of shapes.def. */
enum answer abut_exact(enum predicate predicate, const float *a, const float *b);

/* The float64 filter, then the exact stage; counts one undecided pair, and one exact if that stage was needed. */
bool abut_resolve(enum predicate predicate, const float *a, const float *b, bool closed, struct abut_stats *stats);

/*
 * Whether two valid items, each an AABB, OBB, segment, capsule or triangle, are at most a distance above 0 apart; under
 * the open rule, less. Counts as abut_resolve does, but not what the first scalar filter decides.
 */
bool abut_resolve_within(enum shape shape_a, const float *a, enum shape shape_b, const float *b, float distance,
                         bool closed, struct abut_stats *stats);

/* Whether an item is invalid: all its answers are misses. */
bool abut_is_invalid(enum shape shape, const float *item);

#endif
