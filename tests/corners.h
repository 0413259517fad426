/* SPDX-License-Identifier: MIT */
/*
 * Convex shapes by their corners, in rational arithmetic: the nearest points of the hulls of two sets of corners, found
 * by Gilbert, Johnson and Keerthi's algorithm. Numbers are per including file.
 */
#ifndef ABUT_TESTS_CORNERS_H
#define ABUT_TESTS_CORNERS_H

#include "rational.h"

#include <string.h>

/* Infinite bounds are this power of two, larger by far than any answer needs; containers extend much farther. */
enum { FAR = 2600, FARTHER = 6000, MOST_CORNERS = 8 };

struct corners {
    mpq_ptr at[MOST_CORNERS][3];
    unsigned n;
};

/* A point of the difference of two hulls, made of a corner of each. */
struct corner_pair {
    mpq_ptr at[3];
};

static inline mpq_ptr far(int exponent, bool negative)
{
    mpq_ptr r = new_number();
    mpq_set_si(r, negative ? -1 : 1, 1);
    mpz_mul_2exp(mpq_numref(r), mpq_numref(r), (mp_bitcnt_t)exponent);
    return r;
}

static inline mpq_ptr bound(float x, int exponent)
{
    return isinf(x) ? far(exponent, x < 0) : of(x);
}

static inline mpq_ptr dot3(mpq_ptr const a[3], mpq_ptr const b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static inline void difference3(mpq_ptr const a[3], mpq_ptr const b[3], mpq_ptr difference[3])
{
    for (unsigned k = 0; k < 3; k++)
        difference[k] = minus(a[k], b[k]);
}

static inline bool invalid_points(const float *points, int n)
{
    for (int k = 0; k < 3 * n; k++)
        if (!isfinite(points[k]))
            return true;
    return false;
}

static inline bool invalid_aabb(const float *b)
{
    for (int k = 0; k < 3; k++)
        if (isnan(b[k]) || isnan(b[3 + k]) || b[k] > b[3 + k] || b[k] == INFINITY || b[3 + k] == -INFINITY)
            return true;
    return false;
}

static inline bool invalid_obb(const float *b)
{
    return invalid_points(b, 1) || invalid_points(b + 6, 3) || !(b[3] >= 0) || !(b[4] >= 0) || !(b[5] >= 0);
}

static inline struct corners corners_of_points(const float *points, unsigned n)
{
    struct corners corners = {.n = n};
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 3; k++)
            corners.at[i][k] = of(points[3 * i + k]);
    return corners;
}

static inline struct corners corners_of_aabb(const float *b, int exponent)
{
    struct corners corners = {.n = 8};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 3; k++)
            corners.at[i][k] = bound(b[(i >> k & 1) * 3 + k], exponent);
    return corners;
}

static inline struct corners corners_of_obb(const float *b, int exponent)
{
    struct corners corners = {.n = 8};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 3; k++) {
            corners.at[i][k] = of(b[k]);
            for (unsigned j = 0; j < 3; j++) {
                mpq_ptr reach = times(bound(b[3 + j], exponent), of(b[6 + 3 * j + k]));
                corners.at[i][k] = i >> j & 1 ? plus(corners.at[i][k], reach) : minus(corners.at[i][k], reach);
            }
        }
    return corners;
}

/* The corner that is least along x. */
static inline unsigned least_corner(const struct corners *corners, mpq_ptr const x[3], bool greatest)
{
    unsigned found = 0;
    mpq_ptr best = dot3(corners->at[0], x);
    for (unsigned i = 1; i < corners->n; i++) {
        mpq_ptr along = dot3(corners->at[i], x);
        const int order = mpq_cmp(along, best);
        if (greatest ? order > 0 : order < 0) {
            best = along;
            found = i;
        }
    }
    return found;
}

/* The point of the plane through some points that is nearest to 0, if it is strictly between them. */
static inline bool nearest_between(const struct corner_pair *points, unsigned n, mpq_ptr nearest[3])
{
    mpq_ptr edge[3][3], a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], rest = of(1);
    for (unsigned i = 1; i < n; i++)
        difference3(points[i].at, points[0].at, edge[i - 1]);
    for (unsigned i = 0; i + 1 < n; i++) {
        for (unsigned j = 0; j + 1 < n; j++)
            a[i][j] = dot3(edge[i], edge[j]);
        a[i][n - 1] = minus(of(0), dot3(edge[i], points[0].at));
    }
    if (!eliminate(a, n - 1))
        return false;
    for (unsigned k = 0; k < 3; k++)
        nearest[k] = points[0].at[k];
    for (unsigned i = 0; i + 1 < n; i++) {
        if (mpq_sgn(a[i][n - 1]) <= 0)
            return false;
        rest = minus(rest, a[i][n - 1]);
        for (unsigned k = 0; k < 3; k++)
            nearest[k] = plus(nearest[k], times(a[i][n - 1], edge[i][k]));
    }
    return mpq_sgn(rest) > 0;
}

/* Reduces the points to those that hold the nearest point of their hull between them. */
static inline unsigned reduce(struct corner_pair *points, unsigned n, mpq_ptr nearest[3])
{
    struct corner_pair best[4];
    mpq_ptr least = NULL, best_at[3] = {NULL};
    unsigned best_n = 0;
    for (unsigned chosen = 1; chosen < 1u << n; chosen++) {
        struct corner_pair some[4];
        mpq_ptr at[3];
        unsigned some_n = 0;
        for (unsigned i = 0; i < n; i++)
            if (chosen >> i & 1)
                some[some_n++] = points[i];
        if (!nearest_between(some, some_n, at))
            continue;
        mpq_ptr d2 = dot3(at, at);
        if (least == NULL || mpq_cmp(d2, least) < 0) {
            least = d2;
            best_n = some_n;
            memcpy(best, some, sizeof best);
            memcpy(best_at, at, sizeof best_at);
        }
    }
    memcpy(points, best, sizeof best);
    memcpy(nearest, best_at, sizeof best_at);
    return best_n;
}

/* The squared distance from shift to the difference a - b, and how many points hold the nearest one between them. */
static inline mpq_ptr distance2(const struct corners *a, const struct corners *b, mpq_ptr const shift[3],
                                unsigned *between)
{
    struct corner_pair points[4];
    mpq_ptr nearest[3];
    unsigned n = 1;
    difference3(a->at[0], b->at[0], points[0].at);
    difference3(points[0].at, shift, points[0].at);
    for (;;) {
        n = reduce(points, n, nearest);
        *between = n;
        mpq_ptr d2 = dot3(nearest, nearest);
        if (mpq_sgn(d2) == 0 || n == 4)
            return d2;
        const unsigned i = least_corner(a, nearest, false), j = least_corner(b, nearest, true);
        difference3(a->at[i], b->at[j], points[n].at);
        difference3(points[n].at, shift, points[n].at);
        if (mpq_cmp(dot3(points[n].at, nearest), d2) >= 0)
            return d2;
        n++;
    }
}

static inline mpq_ptr no_shift_distance2(const struct corners *a, const struct corners *b, unsigned *between)
{
    mpq_ptr none[3] = {of(0), of(0), of(0)};
    return distance2(a, b, none, between);
}

/* The greatest exponent e for which some coordinate is 2^e or more, and the least for which all are multiples. */
static inline void exponents(const struct corners *corners, long *most, long *least)
{
    for (unsigned i = 0; i < corners->n; i++)
        for (unsigned k = 0; k < 3; k++) {
            mpq_srcptr x = corners->at[i][k];
            if (mpq_sgn(x) == 0)
                continue;
            const long size = (long)mpz_sizeinbase(mpq_numref(x), 2), below = (long)mpz_sizeinbase(mpq_denref(x), 2);
            *most = size - below + 1 > *most ? size - below + 1 : *most;
            *least = 1 - below < *least ? 1 - below : *least;
        }
}

/*
 * Whether the difference holds 0 in its interior: whether it holds four points around 0. A plane through corners of the
 * difference that misses 0 has the distance |n.p| / |n| from it, where n.p is a multiple of 2^(3 least), and |n| less
 * than 2^(2 most + 6). The four points are nearer than that.
 */
static inline bool in_interior(const struct corners *a, const struct corners *b)
{
    static const int signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    long most = 0, least = 0;
    exponents(a, &most, &least);
    exponents(b, &most, &least);
    mpq_ptr step = of(1);
    mpq_div_2exp(step, step, (mp_bitcnt_t)(2 * most - 3 * least + 12));
    for (unsigned i = 0; i < 4; i++) {
        mpq_ptr shift[3];
        unsigned between;
        for (unsigned k = 0; k < 3; k++)
            shift[k] = signs[i][k] > 0 ? step : minus(of(0), step);
        if (mpq_sgn(distance2(a, b, shift, &between)) > 0)
            return false;
    }
    return true;
}

/* Two closed sets share a point: a hit if they still do after every small enough shift. */
static inline int share_point(const struct corners *a, const struct corners *b)
{
    unsigned between;
    if (mpq_sgn(no_shift_distance2(a, b, &between)) > 0)
        return MISS;
    return between == 4 || in_interior(a, b) ? HIT : TOUCH;
}

static inline int within(const struct corners *a, const struct corners *b, mpq_srcptr r)
{
    unsigned between;
    return at_most(no_shift_distance2(a, b, &between), square(r));
}

#define point_CORNERS(a, exponent) corners_of_points(a, 1)
#define segment_CORNERS(a, exponent) corners_of_points(a, 2)
#define capsule_CORNERS(a, exponent) corners_of_points(a, 2)
#define triangle_CORNERS(a, exponent) corners_of_points(a, 3)
#define aabb_CORNERS(a, exponent) corners_of_aabb(a, exponent)
#define obb_CORNERS(a, exponent) corners_of_obb(a, exponent)
#define point_INVALID(a) invalid_points(a, 1)
#define sphere_INVALID(a) (invalid_points(a, 1) || !((a)[3] >= 0))
#define segment_INVALID(a) invalid_points(a, 2)
#define capsule_INVALID(a) (invalid_points(a, 2) || !((a)[6] >= 0))
#define triangle_INVALID(a) invalid_points(a, 3)
#define aabb_INVALID(a) invalid_aabb(a)
#define obb_INVALID(a) invalid_obb(a)

#endif
