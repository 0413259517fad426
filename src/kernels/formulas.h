/* SPDX-License-Identifier: MIT */
/*
 * The scalar formulas of all predicates, in the arithmetic of the including file (exact/arithmetic.h).
 *
 * The arithmetic is a type, real, with real_of a float, real_add, real_sub, real_mul, real_max and real_sign, whose
 * result may be SIGN_UNKNOWN.
 */
#ifndef ABUT_KERNELS_FORMULAS_H
#define ABUT_KERNELS_FORMULAS_H

#define KERNEL_FORMULAS

static inline real difference(float a, float b)
{
    return real_sub(real_of(a), real_of(b));
}

static inline real square(real a)
{
    return real_mul(a, a);
}

static inline real sum_of_squares(real x, real y, real z)
{
    return real_add(real_add(square(x), square(y)), square(z));
}

/* a <= b as an answer: a < b is a hit, a = b a touch. */
static inline enum answer at_most(real a, real b)
{
    int sign = real_sign(real_sub(b, a));
    return sign == SIGN_UNKNOWN ? ANSWER_UNKNOWN : (enum answer)sign;
}

/* A conjunction: a miss of either is a miss, even if the other is unknown. */
static inline enum answer both(enum answer a, enum answer b)
{
    if (a == ANSWER_MISS || b == ANSWER_MISS)
        return ANSWER_MISS;
    if (a == ANSWER_UNKNOWN || b == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return a < b ? a : b;
}

/* A disjunction: a hit of either is a hit, even if the other is unknown. */
static inline enum answer either(enum answer a, enum answer b)
{
    if (a == ANSWER_HIT || b == ANSWER_HIT)
        return ANSWER_HIT;
    if (a == ANSWER_UNKNOWN || b == ANSWER_UNKNOWN)
        return ANSWER_UNKNOWN;
    return a > b ? a : b;
}

/* A vector of reals, for the shapes that need dot and cross products. */
struct vector {
    real x, y, z;
};

static inline struct vector of_point(float x, float y, float z)
{
    return (struct vector){real_of(x), real_of(y), real_of(z)};
}

static inline struct vector minus(struct vector a, struct vector b)
{
    return (struct vector){real_sub(a.x, b.x), real_sub(a.y, b.y), real_sub(a.z, b.z)};
}

static inline struct vector plus(struct vector a, struct vector b)
{
    return (struct vector){real_add(a.x, b.x), real_add(a.y, b.y), real_add(a.z, b.z)};
}

static inline struct vector times(struct vector a, real t)
{
    return (struct vector){real_mul(a.x, t), real_mul(a.y, t), real_mul(a.z, t)};
}

static inline real dot(struct vector a, struct vector b)
{
    return real_add(real_add(real_mul(a.x, b.x), real_mul(a.y, b.y)), real_mul(a.z, b.z));
}

static inline struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){real_sub(real_mul(a.y, b.z), real_mul(a.z, b.y)),
                           real_sub(real_mul(a.z, b.x), real_mul(a.x, b.z)),
                           real_sub(real_mul(a.x, b.y), real_mul(a.y, b.x))};
}

/* The member of v along d, if d is certainly nonzero and along a coordinate axis; else NULL. */
static inline real *along_axis(struct vector *v, const struct vector *d)
{
    const int x = real_sign(d->x), y = real_sign(d->y), z = real_sign(d->z);
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

/* Use the formulas of the pages above. */
#include "kernels/convex_body.h"
#include "kernels/convex_distance.h"
#include "kernels/convex_inside.h"
#include "kernels/convex_pairs.h"
#include "kernels/convex_within.h"
#include "kernels/round_pairs.h"

#include "kernels/sphere_hull.h"

#include "kernels/half_spaces.h"

#include "kernels/capsule_hull.h"
#include "kernels/corner_hull.h"

#undef KERNEL_FORMULAS

#endif
