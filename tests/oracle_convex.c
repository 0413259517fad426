/* SPDX-License-Identifier: MIT */
/*
 * The oracle for pairs of points, segments, capsules, triangles, boxes and half spaces, by definition: the nearest
 * points of the hulls of their corners, found by Gilbert, Johnson and Keerthi's algorithm in rational arithmetic.
 */
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

static mpq_ptr far(int exponent, bool negative)
{
    mpq_ptr r = new_number();
    mpq_set_si(r, negative ? -1 : 1, 1);
    mpz_mul_2exp(mpq_numref(r), mpq_numref(r), (mp_bitcnt_t)exponent);
    return r;
}

static mpq_ptr bound(float x, int exponent)
{
    return isinf(x) ? far(exponent, x < 0) : of(x);
}

static mpq_ptr dot3(mpq_ptr const a[3], mpq_ptr const b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static void difference3(mpq_ptr const a[3], mpq_ptr const b[3], mpq_ptr difference[3])
{
    for (unsigned k = 0; k < 3; k++)
        difference[k] = minus(a[k], b[k]);
}

static bool invalid_points(const float *points, int n)
{
    for (int k = 0; k < 3 * n; k++)
        if (!isfinite(points[k]))
            return true;
    return false;
}

static bool invalid_aabb(const float *b)
{
    for (int k = 0; k < 3; k++)
        if (isnan(b[k]) || isnan(b[3 + k]) || b[k] > b[3 + k] || b[k] == INFINITY || b[3 + k] == -INFINITY)
            return true;
    return false;
}

static bool invalid_obb(const float *b)
{
    return invalid_points(b, 1) || invalid_points(b + 6, 3) || !(b[3] >= 0) || !(b[4] >= 0) || !(b[5] >= 0);
}

static struct corners corners_of_points(const float *points, unsigned n)
{
    struct corners corners = {.n = n};
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 3; k++)
            corners.at[i][k] = of(points[3 * i + k]);
    return corners;
}

static struct corners corners_of_aabb(const float *b, int exponent)
{
    struct corners corners = {.n = 8};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 3; k++)
            corners.at[i][k] = bound(b[(i >> k & 1) * 3 + k], exponent);
    return corners;
}

static struct corners corners_of_obb(const float *b, int exponent)
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
static unsigned least_corner(const struct corners *corners, mpq_ptr const x[3], bool greatest)
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

/* Solves G t = r for up to three unknowns; false if G is singular. */
static bool solve(mpq_ptr g[3][3], mpq_ptr r[3], unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned pivot = i;
        while (pivot < n && mpq_sgn(g[pivot][i]) == 0)
            pivot++;
        if (pivot == n)
            return false;
        for (unsigned k = 0; k < n; k++) {
            mpq_ptr swap = g[i][k];
            g[i][k] = g[pivot][k];
            g[pivot][k] = swap;
        }
        mpq_ptr swap = r[i];
        r[i] = r[pivot];
        r[pivot] = swap;
        for (unsigned j = 0; j < n; j++) {
            if (j == i)
                continue;
            mpq_ptr factor = over(g[j][i], g[i][i]);
            for (unsigned k = i; k < n; k++)
                g[j][k] = minus(g[j][k], times(factor, g[i][k]));
            r[j] = minus(r[j], times(factor, r[i]));
        }
    }
    for (unsigned i = 0; i < n; i++)
        r[i] = over(r[i], g[i][i]);
    return true;
}

/* The point of the plane through some points that is nearest to 0, if it is strictly between them. */
static bool nearest_between(const struct corner_pair *points, unsigned n, mpq_ptr nearest[3])
{
    mpq_ptr edge[3][3], g[3][3], t[3], rest = of(1);
    for (unsigned i = 1; i < n; i++)
        difference3(points[i].at, points[0].at, edge[i - 1]);
    for (unsigned i = 0; i + 1 < n; i++) {
        for (unsigned j = 0; j + 1 < n; j++)
            g[i][j] = dot3(edge[i], edge[j]);
        t[i] = minus(of(0), dot3(edge[i], points[0].at));
    }
    if (!solve(g, t, n - 1))
        return false;
    for (unsigned k = 0; k < 3; k++)
        nearest[k] = points[0].at[k];
    for (unsigned i = 0; i + 1 < n; i++) {
        if (mpq_sgn(t[i]) <= 0)
            return false;
        rest = minus(rest, t[i]);
        for (unsigned k = 0; k < 3; k++)
            nearest[k] = plus(nearest[k], times(t[i], edge[i][k]));
    }
    return mpq_sgn(rest) > 0;
}

/* Reduces the points to those that hold the nearest point of their hull between them. */
static unsigned reduce(struct corner_pair *points, unsigned n, mpq_ptr nearest[3])
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
static mpq_ptr distance2(const struct corners *a, const struct corners *b, mpq_ptr const shift[3], unsigned *between)
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

static mpq_ptr no_shift_distance2(const struct corners *a, const struct corners *b, unsigned *between)
{
    mpq_ptr none[3] = {of(0), of(0), of(0)};
    return distance2(a, b, none, between);
}

/* The greatest exponent e for which some coordinate is 2^e or more, and the least for which all are multiples. */
static void exponents(const struct corners *corners, long *most, long *least)
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
static bool in_interior(const struct corners *a, const struct corners *b)
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
static int share_point(const struct corners *a, const struct corners *b)
{
    unsigned between;
    if (mpq_sgn(no_shift_distance2(a, b, &between)) > 0)
        return MISS;
    return between == 4 || in_interior(a, b) ? HIT : TOUCH;
}

static int within(const struct corners *a, const struct corners *b, mpq_srcptr r)
{
    unsigned between;
    return at_most(no_shift_distance2(a, b, &between), square(r));
}

/* All corners of a are in b. */
static int all_inside(const struct corners *a, const struct corners *b)
{
    int answer = HIT;
    for (unsigned i = 0; i < a->n && answer != MISS; i++) {
        struct corners one = {.n = 1};
        memcpy(one.at[0], a->at[i], sizeof one.at[0]);
        answer = least(answer, share_point(&one, b));
    }
    return answer;
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

#define SHARE(name, shape_a, shape_b)                                                                                  \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (shape_a##_INVALID(a) || shape_b##_INVALID(b))                                                              \
            return MISS;                                                                                               \
        const struct corners corners_a = shape_a##_CORNERS(a, FAR), corners_b = shape_b##_CORNERS(b, FAR);             \
        return share_point(&corners_a, &corners_b);                                                                    \
    }
SHARE(point_in_segment, point, segment)
SHARE(point_in_triangle, point, triangle)
SHARE(segment_segment, segment, segment)
SHARE(segment_triangle, segment, triangle)
SHARE(segment_aabb, segment, aabb)
SHARE(segment_obb, segment, obb)
SHARE(triangle_triangle, triangle, triangle)
SHARE(triangle_aabb, triangle, aabb)
SHARE(triangle_obb, triangle, obb)
SHARE(aabb_obb, aabb, obb)
SHARE(obb_obb, obb, obb)

/* ra and rb are the radii; an infinite one touches everything. */
#define WITHIN(name, shape_a, shape_b, ra, rb)                                                                         \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (shape_a##_INVALID(a) || shape_b##_INVALID(b))                                                              \
            return MISS;                                                                                               \
        if (isinf(ra) || isinf(rb))                                                                                    \
            return HIT;                                                                                                \
        const struct corners corners_a = shape_a##_CORNERS(a, FAR), corners_b = shape_b##_CORNERS(b, FAR);             \
        return within(&corners_a, &corners_b, plus(of(ra), of(rb)));                                                   \
    }
WITHIN(point_in_capsule, point, capsule, 0.0f, b[6])
WITHIN(segment_capsule, segment, capsule, 0.0f, b[6])
WITHIN(capsule_capsule, capsule, capsule, a[6], b[6])
WITHIN(capsule_triangle, capsule, triangle, a[6], 0.0f)
WITHIN(capsule_aabb, capsule, aabb, a[6], 0.0f)
WITHIN(capsule_obb, capsule, obb, a[6], 0.0f)

#define IN_BOX(name, shape_a, shape_b)                                                                                 \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (shape_a##_INVALID(a) || shape_b##_INVALID(b))                                                              \
            return MISS;                                                                                               \
        const struct corners corners_a = shape_a##_CORNERS(a, FAR), corners_b = shape_b##_CORNERS(b, FARTHER);         \
        return all_inside(&corners_a, &corners_b);                                                                     \
    }
IN_BOX(segment_in_aabb, segment, aabb)
IN_BOX(segment_in_obb, segment, obb)
IN_BOX(triangle_in_aabb, triangle, aabb)
IN_BOX(triangle_in_obb, triangle, obb)
IN_BOX(aabb_in_aabb, aabb, aabb)
IN_BOX(aabb_in_obb, aabb, obb)
IN_BOX(obb_in_aabb, obb, aabb)
IN_BOX(obb_in_obb, obb, obb)

/* The ball around each end is inside: each end is, and as far from every face as its radius. */
static int ball_in_obb(const float *end, float r, const float *b)
{
    struct corners centre = corners_of_points(end, 1), box = corners_of_obb(b, FARTHER);
    int answer = share_point(&centre, &box);
    for (unsigned k = 0; k < 3 && r > 0 && answer != MISS; k++) {
        mpq_ptr n[3], d[3];
        for (unsigned i = 0; i < 3; i++) {
            const float *u = b + 6 + (k + 1) % 3 * 3, *v = b + 6 + (k + 2) % 3 * 3;
            n[i] = minus(times(of(u[(i + 1) % 3]), of(v[(i + 2) % 3])), times(of(u[(i + 2) % 3]), of(v[(i + 1) % 3])));
            d[i] = minus(centre.at[0][i], of(b[i]));
        }
        mpq_ptr axis[3] = {of(b[6 + 3 * k]), of(b[7 + 3 * k]), of(b[8 + 3 * k])};
        mpq_ptr reach = times(bound(b[3 + k], FARTHER), absolute(dot3(n, axis)));
        mpq_ptr left = minus(reach, absolute(dot3(n, d)));
        if (mpq_sgn(reach) == 0 || mpq_sgn(left) < 0)
            return MISS;
        answer = least(answer, at_most(times(square(of(r)), dot3(n, n)), square(left)));
    }
    return answer;
}

int oracle_capsule_in_obb(const float *a, const float *b)
{
    used = 0;
    if (capsule_INVALID(a) || obb_INVALID(b))
        return MISS;
    if (isinf(a[6]) && !(isinf(b[3]) && isinf(b[4]) && isinf(b[5])))
        return MISS;
    const float r = isinf(a[6]) ? 1 : a[6];
    return least(ball_in_obb(a, r, b), ball_in_obb(a + 3, r, b));
}

/* Ra <= Rb, and the distance of the centre is at most the difference. */
static int ball_inside(const struct corners *a, float ra, const struct corners *b, float rb)
{
    if (isinf(rb))
        return HIT;
    return ra > rb ? MISS : within(a, b, minus(of(rb), of(ra)));
}

#define BALL_INSIDE(name, shape, ends)                                                                                 \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (sphere_INVALID(a) || shape##_INVALID(b))                                                                   \
            return MISS;                                                                                               \
        const struct corners centre = corners_of_points(a, 1), core = corners_of_points(b, ends);                      \
        return ball_inside(&centre, a[3], &core, b[3 * (ends)]);                                                       \
    }
BALL_INSIDE(sphere_in_sphere, sphere, 1)
BALL_INSIDE(sphere_in_capsule, capsule, 2)

/* All corners of a shape are inside a sphere or half space. */
static int corners_in_sphere(const struct corners *corners, const float *s)
{
    int answer = HIT;
    if (isinf(s[3]))
        return HIT;
    for (unsigned i = 0; i < corners->n; i++) {
        mpq_ptr centre[3] = {of(s[0]), of(s[1]), of(s[2])}, d[3];
        difference3(corners->at[i], centre, d);
        answer = least(answer, at_most(dot3(d, d), square(of(s[3]))));
    }
    return answer;
}

#define IN_SPHERE(name, shape)                                                                                         \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (shape##_INVALID(a) || sphere_INVALID(b))                                                                   \
            return MISS;                                                                                               \
        const struct corners corners = shape##_CORNERS(a, FAR);                                                        \
        return corners_in_sphere(&corners, b);                                                                         \
    }
IN_SPHERE(segment_in_sphere, segment)
IN_SPHERE(triangle_in_sphere, triangle)
IN_SPHERE(obb_in_sphere, obb)

/* n.q + d against -R |n| (inside), or against R |n|, of each corner; the least answer, or the greatest. */
static int against_plane(const struct corners *corners, float r, const float *plane, bool inside)
{
    int answer = inside ? HIT : MISS;
    mpq_ptr n[3] = {of(plane[0]), of(plane[1]), of(plane[2])};
    mpq_ptr reach2 = times(square(of(r)), dot3(n, n));
    for (unsigned i = 0; i < corners->n; i++) {
        mpq_ptr side = plus(dot3(n, corners->at[i]), of(plane[3]));
        const int sign = mpq_sgn(side), order = mpq_cmp(square(side), reach2);
        int corner = inside ? sign > 0 ? MISS : order : sign < 0 ? HIT : -order;
        corner = corner > 0 ? HIT : corner < 0 ? MISS : TOUCH;
        answer = inside == (corner < answer) ? corner : answer;
    }
    return answer;
}

static int empty_or_all(const float *plane)
{
    if (any_nan(plane, 4) || infinite_point(plane))
        return MISS;
    if (plane[0] == 0 && plane[1] == 0 && plane[2] == 0)
        return plane[3] <= 0 ? HIT : MISS;
    return isinf(plane[3]) ? plane[3] < 0 ? HIT : MISS : TOUCH;
}

#define AGAINST_PLANE(name, shape, r, inside)                                                                          \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        used = 0;                                                                                                      \
        if (shape##_INVALID(a))                                                                                        \
            return MISS;                                                                                               \
        const int special = empty_or_all(b);                                                                           \
        if (special != TOUCH)                                                                                          \
            return special;                                                                                            \
        if (isinf(r))                                                                                                  \
            return (inside) ? MISS : HIT;                                                                              \
        const struct corners corners = shape##_CORNERS(a, FAR);                                                        \
        return against_plane(&corners, r, b, inside);                                                                  \
    }
AGAINST_PLANE(point_in_plane, point, 0.0f, true)
AGAINST_PLANE(segment_plane, segment, 0.0f, false)
AGAINST_PLANE(segment_in_plane, segment, 0.0f, true)
AGAINST_PLANE(triangle_plane, triangle, 0.0f, false)
AGAINST_PLANE(triangle_in_plane, triangle, 0.0f, true)
AGAINST_PLANE(capsule_plane, capsule, a[6], false)
AGAINST_PLANE(capsule_in_plane, capsule, a[6], true)
AGAINST_PLANE(aabb_plane, aabb, 0.0f, false)
AGAINST_PLANE(aabb_in_plane, aabb, 0.0f, true)
AGAINST_PLANE(obb_plane, obb, 0.0f, false)
AGAINST_PLANE(obb_in_plane, obb, 0.0f, true)

/* A convex container holds a capsule if it holds the balls at both ends. */
#define BALLS_INSIDE(name, sphere_inside)                                                                              \
    int oracle_##name(const float *a, const float *b)                                                                  \
    {                                                                                                                  \
        const float ball_a[4] = {a[0], a[1], a[2], a[6]}, ball_b[4] = {a[3], a[4], a[5], a[6]};                        \
        const int of_a = sphere_inside(ball_a, b), of_b = sphere_inside(ball_b, b);                                    \
        return least(of_a, of_b);                                                                                      \
    }
BALLS_INSIDE(capsule_in_sphere, oracle_sphere_in_sphere)
BALLS_INSIDE(capsule_in_aabb, oracle_sphere_in_aabb)
