/* SPDX-License-Identifier: MIT */
/* The oracle for shapes inside boxes, spheres and capsules, by definition. */
#include "corners.h"

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
