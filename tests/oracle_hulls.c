/* SPDX-License-Identifier: MIT */
/*
 * The oracle for hulls, without any code of the library: tests the planes one by one, and finds the distance by solving
 * for the nearest point on every set of at most three planes, by elimination in rational numbers.
 */
#include "hull_item.h"
#include "rational.h"

#include <string.h>

enum { MAX_PLANES_OF_ORACLE = 32 };

struct planes {
    unsigned count;
    float at[MAX_PLANES_OF_ORACLE][4];
};

/* Keeps the planes that bound something; false if the hull is invalid, or one plane alone leaves no points. */
static bool bounding(const float *hull, struct planes *planes)
{
    planes->count = 0;
    for (unsigned i = 0; i < planes_of(hull); i++) {
        const float *p = plane_of(hull, i);
        if (isnan(p[0]) || isnan(p[1]) || isnan(p[2]) || isnan(p[3]) || isinf(p[0]) || isinf(p[1]) || isinf(p[2]))
            return false;
        if (p[3] == INFINITY || (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] > 0))
            return false;
        if (p[3] != -INFINITY && (p[0] != 0 || p[1] != 0 || p[2] != 0))
            memcpy(planes->at[planes->count++], p, sizeof planes->at[0]);
    }
    return true;
}

static bool invalid_point(const float *p)
{
    return !(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]));
}

static bool invalid_box(const float *b)
{
    for (int k = 0; k < 3; k++)
        if (!(b[k] <= b[3 + k]) || b[k] == INFINITY || b[3 + k] == -INFINITY)
            return true;
    return false;
}

static mpq_ptr product(const float *a, const float *b)
{
    return plus(times(of(a[0]), of(b[0])), plus(times(of(a[1]), of(b[1])), times(of(a[2]), of(b[2]))));
}

static mpq_ptr height(const float *plane, const float *point)
{
    return plus(product(plane, point), of(plane[3]));
}

int oracle_point_in_hull(const float *p, const float *hull)
{
    used = 0;
    struct planes planes;
    int answer = HIT;
    if (!bounding(hull, &planes) || invalid_point(p))
        return MISS;
    for (unsigned i = 0; i < planes.count; i++)
        answer = least(answer, at_most(height(planes.at[i], p), of(0)));
    return answer;
}

/* h <= sign R |n|: rearranged so that both sides are >= 0, then squared. */
static int height_at_most(mpq_srcptr h, float r, int sign, mpq_srcptr n2)
{
    mpq_ptr h2 = times(h, h), reach2 = times(times(of(r), of(r)), n2);
    if (sign > 0)
        return mpq_sgn(h) < 0 ? HIT : at_most(h2, reach2);
    return mpq_sgn(h) > 0 ? MISS : at_most(reach2, h2);
}

static int sphere_planes(const float *s, const float *hull, int sign)
{
    used = 0;
    struct planes planes;
    int answer = HIT;
    if (!bounding(hull, &planes) || invalid_point(s) || !(s[3] >= 0))
        return MISS;
    if (isinf(s[3]))
        return sign > 0 || planes.count == 0 ? HIT : MISS;
    for (unsigned i = 0; i < planes.count; i++) {
        /* A centre strictly inside of a plane is a hit even where R is 0. */
        int here = height_at_most(height(planes.at[i], s), s[3], sign, product(planes.at[i], planes.at[i]));
        answer = least(answer, here);
    }
    return answer;
}

int oracle_sphere_hull_planes(const float *s, const float *hull)
{
    return sphere_planes(s, hull, 1);
}

int oracle_sphere_in_hull(const float *s, const float *hull)
{
    return sphere_planes(s, hull, -1);
}

static int box_planes(const float *b, const float *hull, bool nearest)
{
    used = 0;
    struct planes planes;
    int answer = HIT;
    if (!bounding(hull, &planes) || invalid_box(b))
        return MISS;
    for (unsigned i = 0; i < planes.count; i++) {
        const float *n = planes.at[i];
        mpq_ptr h = of(n[3]);
        int infinite = 0; /* the sign of an infinite sum */
        for (int k = 0; k < 3; k++) {
            float q = (n[k] > 0) == nearest ? b[k] : b[3 + k];
            if (n[k] != 0 && isinf(q))
                infinite = (q > 0) == (n[k] > 0) ? 1 : -1;
            else if (n[k] != 0)
                h = plus(h, times(of(n[k]), of(q)));
        }
        answer = least(answer, infinite ? -infinite : at_most(h, of(0)));
    }
    return answer;
}

int oracle_aabb_hull_planes(const float *b, const float *hull)
{
    return box_planes(b, hull, true);
}

int oracle_aabb_in_hull(const float *b, const float *hull)
{
    return box_planes(b, hull, false);
}

static bool invalid_obb(const float *b)
{
    for (int k = 3; k < 6; k++)
        if (!(b[k] >= 0))
            return true;
    return invalid_point(b) || invalid_point(b + 6) || invalid_point(b + 9) || invalid_point(b + 12);
}

static int obb_planes(const float *b, const float *hull, int sign)
{
    used = 0;
    struct planes planes;
    int answer = HIT;
    if (!bounding(hull, &planes) || invalid_obb(b))
        return MISS;
    for (unsigned i = 0; i < planes.count; i++) {
        mpq_ptr h = height(planes.at[i], b);
        bool infinite = false;
        for (int k = 0; k < 3; k++) {
            mpq_ptr along = product(planes.at[i], b + 6 + 3 * k);
            mpq_abs(along, along);
            if (!isinf(b[3 + k]))
                h = plus(h, times(times(of((float)sign), of(b[3 + k])), along));
            else if (mpq_sgn(along) != 0)
                infinite = true;
        }
        answer = least(answer, infinite ? -sign : at_most(h, of(0)));
    }
    return answer;
}

int oracle_obb_hull_planes(const float *b, const float *hull)
{
    return obb_planes(b, hull, -1);
}

int oracle_obb_in_hull(const float *b, const float *hull)
{
    return obb_planes(b, hull, 1);
}

/* The squared distance from c if the nearest point of the hull is the projection to these planes, else NULL. */
static mpq_ptr distance_by(const struct planes *planes, const float *c, const unsigned *set, unsigned m)
{
    mpq_ptr a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], point[3] = {of(c[0]), of(c[1]), of(c[2])}, d2 = of(0);
    for (unsigned i = 0; i < m; i++) {
        for (unsigned j = 0; j < m; j++)
            a[i][j] = product(planes->at[set[i]], planes->at[set[j]]);
        a[i][m] = height(planes->at[set[i]], c);
    }
    if (!eliminate(a, m))
        return NULL;
    for (unsigned i = 0; i < m; i++) {
        if (mpq_sgn(a[i][m]) < 0)
            return NULL;
        for (int k = 0; k < 3; k++)
            point[k] = minus(point[k], times(a[i][m], of(planes->at[set[i]][k])));
    }
    for (unsigned i = 0; i < planes->count; i++) {
        mpq_ptr h = of(planes->at[i][3]);
        for (int k = 0; k < 3; k++)
            h = plus(h, times(of(planes->at[i][k]), point[k]));
        if (mpq_sgn(h) > 0)
            return NULL;
    }
    for (int k = 0; k < 3; k++) {
        mpq_ptr step = minus(point[k], of(c[k]));
        d2 = plus(d2, times(step, step));
    }
    return d2;
}

int oracle_sphere_hull(const float *s, const float *hull)
{
    struct planes planes;
    if (!bounding(hull, &planes) || invalid_point(s) || !(s[3] >= 0))
        return MISS;
    const unsigned n = planes.count;
    /* i <= j <= k; repeated indices stand for smaller sets, and n for no plane. */
    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = i; j <= n; j++)
            for (unsigned k = j; k <= n; k++) {
                used = 0;
                const unsigned set[3] = {i, j, k};
                unsigned m = i == n ? 0 : j == n ? 1 : k == n ? 2 : 3;
                mpq_ptr d2 = distance_by(&planes, s, set, m);
                if (d2 != NULL)
                    return isinf(s[3]) ? HIT : at_most(d2, times(of(s[3]), of(s[3])));
            }
    return MISS;
}
