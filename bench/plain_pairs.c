/* SPDX-License-Identifier: MIT */
/* The plain loops of predicates without one in plain.c: their formulas in float32, but for two OBBs. */
#include "plain.h"

#include "exact/features.h"
#include "exact/sign.h"
#include "hull/hull.h"
#include "kernels/items.h"

#include "plain_loop.h"

#include <math.h>

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

#define obb_obb obb_obb_formula
#include "kernels/formulas.h"
#undef obb_obb

/* Whether |distance| is beyond the sum of the reaches along an axis. */
static inline bool apart(float distance, float reach)
{
    return fabsf(distance) > reach;
}

/*
 * Two OBBs as engines test them: along the axes of a, those of b and the products of two, one after the other, with an
 * end at the first that separates. r are the axes of b in the frame of a; for axes that are parallel a little is added.
 */
static inline enum answer obb_obb(struct obb a, struct obb b)
{
    const float p[3][3] = {{a.ux, a.uy, a.uz}, {a.vx, a.vy, a.vz}, {a.wx, a.wy, a.wz}};
    const float q[3][3] = {{b.ux, b.uy, b.uz}, {b.vx, b.vy, b.vz}, {b.wx, b.wy, b.wz}};
    const float g[3] = {a.hx, a.hy, a.hz}, h[3] = {b.hx, b.hy, b.hz};
    const float d[3] = {b.cx - a.cx, b.cy - a.cy, b.cz - a.cz};
    float r[3][3], s[3][3], t[3];
    for (unsigned i = 0; i < 3; i++) {
        t[i] = d[0] * p[i][0] + d[1] * p[i][1] + d[2] * p[i][2];
        for (unsigned j = 0; j < 3; j++) {
            r[i][j] = p[i][0] * q[j][0] + p[i][1] * q[j][1] + p[i][2] * q[j][2];
            s[i][j] = fabsf(r[i][j]) + 1e-6f;
        }
        if (apart(t[i], g[i] + h[0] * s[i][0] + h[1] * s[i][1] + h[2] * s[i][2]))
            return ANSWER_MISS;
    }
    for (unsigned j = 0; j < 3; j++)
        if (apart(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j],
                  h[j] + g[0] * s[0][j] + g[1] * s[1][j] + g[2] * s[2][j]))
            return ANSWER_MISS;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            const unsigned i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            if (apart(t[i2] * r[i1][j] - t[i1] * r[i2][j],
                      g[i1] * s[i2][j] + g[i2] * s[i1][j] + h[j1] * s[i][j2] + h[j2] * s[i][j1]))
                return ANSWER_MISS;
        }
    return ANSWER_HIT;
}

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
