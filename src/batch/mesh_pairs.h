/* SPDX-License-Identifier: MIT */
/*
 * Triangles and segments as meshes, walls and polylines have them: with vertices in common, or all in one plane x = c,
 * y = c or z = c. Such pairs are ties of any float filter.
 *
 * A vertex in common is a touch: a hit by the closed rule. By the open rule it is none where a plane has one of the two
 * on each side, or in itself. The planes that are tried are those of the triangles, from the common vertex v. Common
 * vertices have a height of exactly 0, so the others alone decide. A height is a triple product of differences e0, e1
 * and f of vertices. Errors, u = 2^-53: a difference is off by u, a member of the cross product by 4 u of its two
 * products, a height by 8 u of the product of the 1-norms of the three. The bound has 16 u.
 *
 * In one plane no pair is a hit by the open rule. By the closed rule two convex polygons of a plane meet unless the line
 * through an edge of one has the other on its outer side. The side of a point is a difference of two products, off by
 * less than 5 u of their sizes; the bound has 8 u.
 *
 * Products of three floats neither overflow nor underflow.
 */
#ifndef ABUT_BATCH_MESH_PAIRS_H
#define ABUT_BATCH_MESH_PAIRS_H

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

/* The axis along which all vertices of both have the same coordinate; 3 if there is none. */
static inline unsigned level_axis(const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    unsigned axis = 3;
    for (unsigned k = 0; k < 3; k++) {
        bool all = true;
        for (unsigned i = 0; i < n_a; i++)
            all &= a[3 * i + k] == a[k];
        for (unsigned i = 0; i < n_b; i++)
            all &= b[3 * i + k] == a[k];
        axis = all ? k : axis;
    }
    return axis;
}

/* On which side of the line through p and q the point r is, in the plane across an axis: 1, -1, or 0 if unknown. */
static inline int side_of(unsigned axis, const float *p, const float *q, const float *r)
{
    const unsigned i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double x = (double)q[i] - (double)p[i], y = (double)q[j] - (double)p[j];
    const double one = x * ((double)r[j] - (double)p[j]), other = y * ((double)r[i] - (double)p[i]);
    const double side = one - other, error = (fabs(one) + fabs(other)) * 0x1p-50;
    return side > error ? 1 : side < -error ? -1 : 0;
}

/* By the edges of a alone: a miss, a touch if none of them separates the two, or unknown. */
static inline enum answer beside_edges(unsigned axis, const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    enum answer answer = ANSWER_TOUCH;
    for (unsigned i = 0; i < (n_a == 3 ? 3u : 1u); i++) {
        const float *p = a + 3 * i, *q = a + 3 * ((i + 1) % n_a);
        const int inner = n_a == 3 ? side_of(axis, p, q, a + 3 * ((i + 2) % 3)) : 0;
        unsigned left = 0, right = 0;
        for (unsigned k = 0; k < n_b; k++) {
            const int side = side_of(axis, p, q, b + 3 * k);
            left += side > 0;
            right += side < 0;
        }
        if ((left == n_b && (n_a == 2 || inner < 0)) || (right == n_b && (n_a == 2 || inner > 0)))
            return ANSWER_MISS;
        const bool meets = n_a == 2 ? left > 0 && right > 0 : (inner > 0 && left > 0) || (inner < 0 && right > 0);
        answer = meets ? answer : ANSWER_UNKNOWN;
    }
    return answer;
}

/* Of two shapes in one plane across an axis: a miss, a touch, or unknown. */
static inline enum answer level_answer(unsigned axis, const float *a, unsigned n_a, const float *b, unsigned n_b)
{
    const enum answer by_a = beside_edges(axis, a, n_a, b, n_b);
    if (by_a == ANSWER_MISS)
        return by_a;
    const enum answer by_b = beside_edges(axis, b, n_b, a, n_a);
    return by_b == ANSWER_MISS || by_a == ANSWER_TOUCH ? by_b : ANSWER_UNKNOWN;
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
    const bool apart = (n_a == 3 && on_one_side(a, b, n_b)) || (n_b == 3 && on_one_side(b, a, n_a));
    return apart ? ANSWER_TOUCH : ANSWER_UNKNOWN;
}

#endif
