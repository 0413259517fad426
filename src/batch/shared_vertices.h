/* SPDX-License-Identifier: MIT */
/*
 * Triangles and segments with vertices in common, as neighbours in a mesh or in a polyline are. Such a pair touches, so
 * it is a hit by the closed rule. By the open rule it is none where a plane has one of them on each side, or in itself.
 *
 * The planes that are tried: that of either triangle, from the common vertex v; and planes x = c, y = c or z = c that
 * hold all vertices. Common vertices have a height of exactly 0, so the others alone decide. A height is a triple
 * product of differences e0, e1 and f of vertices. Errors, u = 2^-53: a difference is off by u, a member of the cross
 * product by 4 u of its two products, a height by 8 u of the product of the 1-norms of the three. The bound has 16 u.
 * Products of three floats neither overflow nor underflow.
 */
#ifndef ABUT_BATCH_SHARED_VERTICES_H
#define ABUT_BATCH_SHARED_VERTICES_H

#include "exact/resolve.h"

#include <math.h>

/* How many vertices a shape has: 0 if it is neither a segment nor a triangle. */
static inline unsigned vertices_of(enum shape shape)
{
    return shape == shape_segment ? 2 : shape == shape_triangle ? 3 : 0;
}

static inline bool same_vertex(const float *v, const float *w)
{
    return v[0] == w[0] && v[1] == w[1] && v[2] == w[2];
}

/* The number of a vertex of `of`, which has n, with this place; n if there is none. */
static inline unsigned vertex_at(const float *of, unsigned n, const float *v)
{
    unsigned i = 0;
    while (i < n && !same_vertex(of + 3 * i, v))
        i++;
    return i;
}

static inline bool share_vertex(const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    bool share = false;
    for (unsigned i = 0; i < n_b; i++)
        share |= vertex_at(a, n_a, b + 3 * i) < n_a;
    return share;
}

/* Whether all vertices of both have the same x, y or z. */
static inline bool in_axis_plane(const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    bool any = false;
    for (unsigned k = 0; k < 3; k++) {
        bool all = true;
        for (unsigned i = 0; i < n_a; i++)
            all &= a[3 * i + k] == a[k];
        for (unsigned i = 0; i < n_b; i++)
            all &= b[3 * i + k] == a[k];
        any |= all;
    }
    return any;
}

/* Whether the vertices of b, of which some are vertices of the triangle a, are certainly on one side of its plane. */
static inline bool on_one_side(const float *a, const float *b, unsigned n_b)
{
    double e[2][3], n[3], size[2] = {0, 0};
    for (unsigned j = 0; j < 2; j++)
        for (unsigned k = 0; k < 3; k++) {
            e[j][k] = (double)a[3 * (j + 1) + k] - (double)a[k];
            size[j] += fabs(e[j][k]);
        }
    for (unsigned k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    bool above = false, below = false;
    for (unsigned i = 0; i < n_b; i++) {
        double height = 0, norm = 0;
        if (vertex_at(a, 3, b + 3 * i) < 3)
            continue;
        for (unsigned k = 0; k < 3; k++) {
            const double f = (double)b[3 * i + k] - (double)a[k];
            height += n[k] * f;
            norm += fabs(f);
        }
        const double error = size[0] * size[1] * norm * 0x1p-49;
        above |= !(height < -error);
        below |= !(height > error);
    }
    return !(above && below);
}

/* Of two valid shapes with a vertex in common: a touch, or unknown. */
static inline enum answer sharing_answer(const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    const bool apart =
        in_axis_plane(a, n_a, b, n_b) || (n_a == 3 && on_one_side(a, b, n_b)) || (n_b == 3 && on_one_side(b, a, n_a));
    return apart ? ANSWER_TOUCH : ANSWER_UNKNOWN;
}

#endif
