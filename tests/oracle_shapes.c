/* SPDX-License-Identifier: MIT */
/* The oracle for planes, segments, capsules, triangles and oriented boxes (centre, half extents, three axes). */
#include "rational.h"

#include <math.h>

/* a.b of two vectors of inputs. */
static mpq_ptr dot_inputs(const float *a, const float *b)
{
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++)
        sum = plus(sum, times(of(a[k]), of(b[k])));
    return sum;
}

/* Invalid rows of the table, NaN first; s is a sphere. */
static bool invalid_sphere(const float *s)
{
    return any_nan(s, 4) || s[3] < 0 || infinite_point(s);
}

static bool zero_vector(const float *n)
{
    return n[0] == 0 && n[1] == 0 && n[2] == 0;
}

/* A plane without any point: miss; one that bounds nothing: hit; else 0. */
static int odd_plane(const float *b)
{
    if (any_nan(b, 4) || infinite_point(b))
        return MISS;
    if (zero_vector(b))
        return b[3] <= 0 ? HIT : MISS;
    return b[3] == -INFINITY ? HIT : b[3] == INFINITY ? MISS : 0;
}

int oracle_sphere_plane(const float *s, const float *b)
{
    used = 0;
    if (invalid_sphere(s))
        return MISS;
    int odd = odd_plane(b);
    if (odd != 0)
        return odd;
    if (isinf(s[3]))
        return HIT;
    mpq_ptr side = plus(dot_inputs(b, s), of(b[3]));
    mpq_ptr reach = times(square(of(s[3])), dot_inputs(b, b)); /* (R|n|)^2 */
    if (mpq_sgn(side) <= 0)                                    /* s <= 0 <= R|n|, equal if both are 0 */
        return mpq_sgn(side) == 0 && mpq_sgn(reach) == 0 ? TOUCH : HIT;
    return at_most(square(side), reach);
}

int oracle_sphere_in_plane(const float *s, const float *b)
{
    used = 0;
    if (invalid_sphere(s))
        return MISS;
    int odd = odd_plane(b);
    if (odd != 0)
        return odd;
    if (isinf(s[3]))
        return MISS;
    mpq_ptr side = plus(dot_inputs(b, s), of(b[3]));
    mpq_ptr reach = times(square(of(s[3])), dot_inputs(b, b));
    return mpq_sgn(side) > 0 ? MISS : at_most(reach, square(side));
}

static bool invalid_obb(const float *b)
{
    return any_nan(b, 15) || infinite_point(b) || infinite_point(b + 6) || infinite_point(b + 9) ||
           infinite_point(b + 12) || b[3] < 0 || b[4] < 0 || b[5] < 0;
}

/* |a_k.(p - o)|. */
static mpq_ptr along_axis(const float *p, const float *b, int k)
{
    mpq_ptr sum = of(0);
    for (int i = 0; i < 3; i++)
        sum = plus(sum, times(of(b[6 + 3 * k + i]), minus(of(p[i]), of(b[i]))));
    return absolute(sum);
}

int oracle_sphere_obb(const float *s, const float *b)
{
    used = 0;
    if (invalid_sphere(s) || invalid_obb(b))
        return MISS;
    if (isinf(s[3]))
        return HIT;
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++)
        if (!isinf(b[3 + k]))
            sum = plus(sum, square(greater(minus(along_axis(s, b, k), of(b[3 + k])), of(0))));
    return at_most(sum, square(of(s[3])));
}

/* |a_k.(p - o)| + r <= h_k for all k. */
static int in_obb(const float *p, float r, const float *b)
{
    int answer = HIT;
    for (int k = 0; k < 3; k++) {
        if (isinf(b[3 + k]))
            continue;
        if (isinf(r))
            return MISS;
        answer = least(answer, at_most(plus(along_axis(p, b, k), of(r)), of(b[3 + k])));
    }
    return answer;
}

int oracle_sphere_in_obb(const float *s, const float *b)
{
    used = 0;
    return invalid_sphere(s) || invalid_obb(b) ? MISS : in_obb(s, s[3], b);
}

int oracle_point_in_obb(const float *p, const float *b)
{
    used = 0;
    return any_nan(p, 3) || infinite_point(p) || invalid_obb(b) ? MISS : in_obb(p, 0, b);
}

static mpq_ptr dot(mpq_ptr const a[3], mpq_ptr const b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

/* to - from. */
static void vector(const float *from, const float *to, mpq_ptr difference[3])
{
    for (int k = 0; k < 3; k++)
        difference[k] = minus(of(to[k]), of(from[k]));
}

static int near_segment(const float *p, mpq_srcptr r, const float *a, const float *b)
{
    mpq_ptr ap[3], ab[3];
    vector(a, p, ap);
    vector(a, b, ab);
    mpq_ptr t = dot(ap, ab), length2 = dot(ab, ab);
    if (mpq_sgn(t) <= 0)
        return at_most(squared_distance(p, a), square(r));
    if (mpq_cmp(t, length2) >= 0)
        return at_most(squared_distance(p, b), square(r));
    return at_most(minus(times(dot(ap, ap), length2), square(t)), times(square(r), length2));
}

int oracle_sphere_segment(const float *s, const float *b)
{
    used = 0;
    if (invalid_sphere(s) || any_nan(b, 6) || infinite_point(b) || infinite_point(b + 3))
        return MISS;
    return isinf(s[3]) ? HIT : near_segment(s, of(s[3]), b, b + 3);
}

int oracle_sphere_capsule(const float *s, const float *b)
{
    used = 0;
    if (invalid_sphere(s) || any_nan(b, 7) || b[6] < 0 || infinite_point(b) || infinite_point(b + 3))
        return MISS;
    return isinf(s[3]) || isinf(b[6]) ? HIT : near_segment(s, plus(of(s[3]), of(b[6])), b, b + 3);
}

static void cross(mpq_ptr const a[3], mpq_ptr const b[3], mpq_ptr product[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        product[k] = minus(times(a[i], b[j]), times(a[j], b[i]));
    }
}

/* The centre projects into the triangle, and the plane is within the radius. */
static int near_face(const float *s, const float *const vertices[3])
{
    mpq_ptr ab[3], ac[3], n[3], ap[3];
    vector(vertices[0], vertices[1], ab);
    vector(vertices[0], vertices[2], ac);
    cross(ab, ac, n);
    if (mpq_sgn(dot(n, n)) == 0)
        return MISS;
    for (int k = 0; k < 3; k++) {
        mpq_ptr edge[3], inward[3], to_p[3];
        vector(vertices[k], vertices[(k + 1) % 3], edge);
        vector(vertices[k], s, to_p);
        cross(n, edge, inward);
        if (mpq_sgn(dot(inward, to_p)) < 0)
            return MISS;
    }
    vector(vertices[0], s, ap);
    return at_most(square(dot(n, ap)), times(square(of(s[3])), dot(n, n)));
}

int oracle_sphere_triangle(const float *s, const float *t)
{
    used = 0;
    if (invalid_sphere(s) || any_nan(t, 9) || infinite_point(t) || infinite_point(t + 3) || infinite_point(t + 6))
        return MISS;
    if (isinf(s[3]))
        return HIT;
    const float *const vertices[3] = {t, t + 3, t + 6};
    int answer = near_face(s, vertices);
    for (int k = 0; k < 3; k++) {
        int edge = near_segment(s, of(s[3]), vertices[k], vertices[(k + 1) % 3]);
        answer = edge > answer ? edge : answer;
    }
    return answer;
}
