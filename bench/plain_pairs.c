/* SPDX-License-Identifier: MIT */
/* The plain loops of scalar predicates: their formulas in float32. */
#include "plain.h"

#include "exact/sign.h"
#include "hull/hull.h"
#include "kernels/items.h"

#include "plain_loop.h"

typedef float real;

static inline real real_of(float x)
{
    return x;
}

static inline real real_add(real a, real b)
{
    return a + b;
}

static inline real real_sub(real a, real b)
{
    return a - b;
}

static inline real real_mul(real a, real b)
{
    return a * b;
}

static inline real real_max(real a, real b)
{
    return a > b ? a : b;
}

static inline int real_sign(real a)
{
    return (a > 0) - (a < 0);
}

#include "kernels/formulas.h"

#define PREDICATE(name, shape_a, shape_b, relation, function)
#define HIT_hulls(name, shape_a, shape_b) /* plain.c */
#define HIT_columns(name, shape_a, shape_b)                                                                            \
    static inline bool name##_hit(struct shape_a a, struct shape_b b)                                                  \
    {                                                                                                                  \
        return name(a, b) >= ANSWER_TOUCH;                                                                             \
    }
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(HIT, shape_b, name, shape_a, shape_b)
#include "tables/predicates.def"

#define PREDICATE(name, shape_a, shape_b, relation, function)
#define LOOP_hulls(name, shape_a, shape_b)
#define LOOP_columns(name, shape_a, shape_b) PLAIN_LOOP(name, name##_hit, shape_a, shape_b)
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(LOOP, shape_b, name, shape_a, shape_b)
#include "tables/predicates.def"
