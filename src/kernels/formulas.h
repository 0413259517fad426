/* SPDX-License-Identifier: MIT */
/*
 * All scalar formulas, for whichever kind of number is current; included once for each.
 *
 * The vocabulary: number, NUMBER(of) from a float, NUMBER(add), NUMBER(sub), NUMBER(mul), NUMBER(sign), and what is
 * made of them here. A sign may be SIGN_UNKNOWN. No include guard: each inclusion makes other functions.
 */
#define KERNEL_FORMULAS

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

/* One is enough: a hit of either is a hit, whatever is not known of the other. */
static inline enum answer JUDGE(either)(enum answer a, enum answer b)
{
    if (a == ANSWER_HIT || b == ANSWER_HIT)
        return ANSWER_HIT;
    if (a == ANSWER_UNKNOWN || b == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return a > b ? a : b;
}

/* A vector of numbers, for the shapes that need dot and cross products. */
struct JUDGE(vector) {
    number x, y, z;
};

static inline struct JUDGE(vector) JUDGE(of_point)(float x, float y, float z)
{
    return (struct JUDGE(vector)){NUMBER(of)(x), NUMBER(of)(y), NUMBER(of)(z)};
}

static inline struct JUDGE(vector) JUDGE(minus)(struct JUDGE(vector) a, struct JUDGE(vector) b)
{
    return (struct JUDGE(vector)){NUMBER(sub)(a.x, b.x), NUMBER(sub)(a.y, b.y), NUMBER(sub)(a.z, b.z)};
}

static inline number JUDGE(dot)(struct JUDGE(vector) a, struct JUDGE(vector) b)
{
    return NUMBER(add)(NUMBER(add)(NUMBER(mul)(a.x, b.x), NUMBER(mul)(a.y, b.y)), NUMBER(mul)(a.z, b.z));
}

static inline struct JUDGE(vector) JUDGE(cross)(struct JUDGE(vector) a, struct JUDGE(vector) b)
{
    return (struct JUDGE(vector)){NUMBER(sub)(NUMBER(mul)(a.y, b.z), NUMBER(mul)(a.z, b.y)),
                                  NUMBER(sub)(NUMBER(mul)(a.z, b.x), NUMBER(mul)(a.x, b.z)),
                                  NUMBER(sub)(NUMBER(mul)(a.x, b.y), NUMBER(mul)(a.y, b.x))};
}

/* The member of v along d, where d is known to be along an axis of the coordinates and not zero, or NULL. */
static inline number *JUDGE(along_axis)(struct JUDGE(vector) * v, const struct JUDGE(vector) * d)
{
    const int x = NUMBER(sign)(d->x), y = NUMBER(sign)(d->y), z = NUMBER(sign)(d->z);
    if ((x != 0) + (y != 0) + (z != 0) != 1 || x + y + z == SIGN_UNKNOWN)
        return NULL;
    return x != 0 ? &v->x : y != 0 ? &v->y : &v->z;
}

#include "kernels/aabb_aabb.h"
#include "kernels/box_hull.h"
#include "kernels/sphere_aabb.h"
#include "kernels/sphere_obb.h"
#include "kernels/sphere_plane.h"
#include "kernels/sphere_segment.h"
#include "kernels/sphere_sphere.h"
#include "kernels/sphere_triangle.h"

/* Asks planes one by one, as their room has it. */
#include "kernels/sphere_hull.h"

#undef KERNEL_FORMULAS
