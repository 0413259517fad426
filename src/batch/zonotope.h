/* SPDX-License-Identifier: MIT */
/*
 * The first float64 test of boxes and segments: whether a direction certainly separates them, or certainly none does.
 *
 * The difference of two such shapes is a centre plus generators g times numbers from -h to h. The directions are the
 * cross products n of two generators (kernels/convex_body.h); n separates where |n.centre| > sum of h |n.g|. Each n.g
 * is a determinant that three pairs of generators share. A certain hit needs all directions to be certain, so the
 * generators with h > 0 span space: else some n that is not 0 has a sum of 0.
 *
 * Errors, u = 2^-53, relative to products of sizes: a generator is off by 1 u, a centre by 4 u, a cross product by 4 u,
 * a determinant by 8 u, with a centre by 11 u, a product with h by 11 u, and the sums add 7 u. The bound has 64 u.
 * Factors are floats, or 0 and sums of such: four of them neither overflow nor underflow.
 */
#ifndef ABUT_BATCH_ZONOTOPE_H
#define ABUT_BATCH_ZONOTOPE_H

#include "exact/resolve.h"

#include <math.h>

enum { MOST_ZONOTOPE = 6 };

struct zonotope {
    unsigned n;
    double centre[3], g[MOST_ZONOTOPE][3], h[MOST_ZONOTOPE];
    double size[MOST_ZONOTOPE]; /* above |g| */
    double all;                 /* the sizes of the centre and of h g, together */
    bool rounded[MOST_ZONOTOPE], invalid;
};

static inline void zonotope_add(struct zonotope *z, double x, double y, double z_, double h, double size, bool rounded)
{
    double *g = z->g[z->n];
    g[0] = x;
    g[1] = y;
    g[2] = z_;
    z->h[z->n] = h;
    z->size[z->n] = size;
    z->rounded[z->n++] = rounded;
    z->all += h * size;
    z->invalid |= !(h >= 0);
}

/* sign: 1 for the first shape, -1 for the one that is subtracted. */
static inline void zonotope_add_obb(struct zonotope *z, const float *b, double sign)
{
    for (unsigned k = 0; k < 3; k++) {
        const float *g = b + 6 + 3 * k;
        z->centre[k] += sign * (double)b[k];
        z->all += fabs((double)b[k]);
        zonotope_add(z, (double)g[0], (double)g[1], (double)g[2], (double)b[3 + k],
                     fabs((double)g[0]) + fabs((double)g[1]) + fabs((double)g[2]), false);
    }
}

static inline void zonotope_add_aabb(struct zonotope *z, const float *b, double sign)
{
    for (unsigned k = 0; k < 3; k++) {
        const double low = (double)b[k], high = (double)b[3 + k];
        z->centre[k] += sign * ((low + high) / 2);
        z->all += fabs(low) + fabs(high);
        zonotope_add(z, k == 0, k == 1, k == 2, (high - low) / 2, 1, false);
    }
}

static inline void zonotope_add_segment(struct zonotope *z, const float *s, double sign)
{
    double g[3], size = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double a = (double)s[k], b = (double)s[3 + k];
        g[k] = b - a;
        size += fabs(a) + fabs(b);
        z->centre[k] += sign * ((a + b) / 2);
    }
    z->all += size;
    zonotope_add(z, g[0], g[1], g[2], 0.5, size, true);
}

/* 1: n separates for certain; -1: it does not; 0: that is unknown, or n is 0 for certain and says nothing. */
static inline int separates(const struct zonotope *z, unsigned i, unsigned j, bool *unknown)
{
    const double *a = z->g[i], *b = z->g[j];
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double reach = 0;
    if (n[0] == 0 && n[1] == 0 && n[2] == 0 && !z->rounded[i] && !z->rounded[j])
        return 0;
    for (unsigned k = 0; k < z->n; k++)
        if (k != i && k != j)
            reach += z->h[k] * fabs(n[0] * z->g[k][0] + n[1] * z->g[k][1] + n[2] * z->g[k][2]);
    const double gap = fabs(n[0] * z->centre[0] + n[1] * z->centre[1] + n[2] * z->centre[2]) - reach;
    const double error = 0x1p-47 * z->size[i] * z->size[j] * z->all;
    if (gap > error)
        return 1;
    *unknown |= !(gap < -error);
    return -1;
}

static inline enum answer zonotope_meets(const struct zonotope *z)
{
    bool unknown = false, any = false;
    if (z->invalid)
        return ANSWER_UNKNOWN;
    for (unsigned i = 0; i < z->n; i++)
        for (unsigned j = i + 1; j < z->n; j++) {
            const int separated = separates(z, i, j, &unknown);
            if (separated == 1)
                return ANSWER_MISS;
            any |= separated != 0;
        }
    return any && !unknown ? ANSWER_HIT : ANSWER_UNKNOWN;
}

/* A name for each predicate that has such a test. */
#define ZONOTOPES(name, shape_a, shape_b)                                                                              \
    static enum answer name##_quick(const float *a, const float *b)                                                    \
    {                                                                                                                  \
        struct zonotope z = {.n = 0};                                                                                  \
        zonotope_add_##shape_a(&z, a, 1);                                                                              \
        zonotope_add_##shape_b(&z, b, -1);                                                                             \
        return zonotope_meets(&z);                                                                                     \
    }

#endif
