/* SPDX-License-Identifier: MIT */
/*
 * All scalar formulas, for whichever kind of number is current; included once for each.
 *
 * The vocabulary: number, NUMBER(of) from a float, NUMBER(add), NUMBER(sub), NUMBER(mul), NUMBER(sign), and what is
 * made of them here. A sign may be SIGN_UNKNOWN. No include guard: each inclusion makes other functions.
 */
#define ROOM_JUDGES

static inline number JUDGE(difference)(float a, float b)
{
    return NUMBER(sub)(NUMBER(of)(a), NUMBER(of)(b));
}

static inline number JUDGE(square)(number a)
{
    return NUMBER(mul)(a, a);
}

static inline number JUDGE(sum_of_squares)(number x, number y, number z)
{
    return NUMBER(add)(NUMBER(add)(JUDGE(square)(x), JUDGE(square)(y)), JUDGE(square)(z));
}

/* a <= b as an answer: a < b is a hit, a = b a touch. */
static inline enum answer JUDGE(at_most)(number a, number b)
{
    int sign = NUMBER(sign)(NUMBER(sub)(b, a));
    return sign == SIGN_UNKNOWN ? ANSWER_UNKNOWN : (enum answer)sign;
}

/* Both must hold: a miss of either is a miss, whatever is not known of the other. */
static inline enum answer JUDGE(both)(enum answer a, enum answer b)
{
    if (a == ANSWER_MISS || b == ANSWER_MISS)
        return ANSWER_MISS;
    if (a == ANSWER_UNKNOWN || b == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return a < b ? a : b;
}

#include "aabb_aabb.h"
#include "sphere_aabb.h"
#include "sphere_sphere.h"
#include "sphere_hull.h"
#include "box_hull.h"

#undef ROOM_JUDGES
