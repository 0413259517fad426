/* SPDX-License-Identifier: MIT */
/*
 * The oracle for pairs of points, segments, capsules, triangles, boxes and half spaces that touch, by definition, and
 * for shapes inside half spaces.
 */
#include "corners.h"

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
