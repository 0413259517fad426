/* SPDX-License-Identifier: MIT */
/*
 * Squared distances from points to shapes, and the closest points.
 *
 * Shapes are solid: for a point inside, the squared distance is 0 and the closest point is the point itself, both as
 * nearly as is stated below. Whether a point is inside is a predicate of abut.h, which is exact.
 *
 * These numbers are rounded, but they have the same bits on every machine. Zero is +0. Where either shape is invalid,
 * an empty box included, all four numbers are NaN, 0x7FC00000. A squared distance beyond all floats, or perhaps beyond
 * them for its error, is +inf; a coordinate of a closest point is then +inf or -inf.
 *
 * Error bounds. Let D be the true distance, u = 2^-24, and e the bound that each function states, plus an absolute
 * part: 2^-60, or for coordinates beyond 2^60 2^-50 of the greatest. (So nothing is promised for units below about
 * 1e-18.) Then
 *   - sqrt(d2) is within e of D, unless (D + e)^2 is beyond all floats;
 *   - the closest point is within e of the shape, and its distance from the point within e of D, apart from the
 *     rounding of each of its coordinates by at most 2u of the greatest coordinate. It is within sqrt(2De + e^2) of the
 *     true closest point, since the shape is convex.
 * Bounds are made of differences of coordinates: apart from half spaces they do not grow with the distance from the
 * origin.
 */
#ifndef ABUT_DISTANCE_H
#define ABUT_DISTANCE_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

struct abut_closest {
    float *x, *y, *z;
};

/*
 * Computes the distance of points from a batch of any other shape but hulls, item by item, as batches broadcast.
 * Writes the squared distance to d2 and the closest point to the arrays of closest. Either may be NULL, not both;
 * closest has all three arrays.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_LENGTHS, ABUT_ERROR_TOO_MANY, ABUT_ERROR_PREDICATE. On an error nothing is
 * written.
 */
ABUT_API enum abut_status abut_distance(const struct abut_points *points, struct abut_set shapes,
                                        float *ABUT_RESTRICT d2, const struct abut_closest *closest);

/* The same by name, with arguments that the compiler checks. */
#define ABUT_DISTANCE(function, plural)                                                                                \
    static inline enum abut_status function(const struct abut_points *points, const struct abut_##plural *shapes,      \
                                            float *ABUT_RESTRICT d2, const struct abut_closest *closest)               \
    {                                                                                                                  \
        return abut_distance(points, abut_of_##plural(shapes), d2, closest);                                           \
    }

/* e = 6u |p - c|, for the centre c. */
ABUT_DISTANCE(abut_points_spheres_distance, spheres)

/* The closest point is exact; d2 is within 5.1u D^2 + 2^-148 of D^2. */
ABUT_DISTANCE(abut_points_aabbs_distance, aabbs)

/*
 * Axes are used as they stand, as in abut_spheres_touch_obbs: with x = max(|a.(p - o)| - h, 0) for each axis a, d2 is
 * the sum of x^2, and the closest point is p less x a for each axis, signed. For orthonormal axes these are the
 * distance and the closest point. With A the length of the longest axis, e = 12u A |p - o| for d2, and the closest
 * point is within 30u A^2 |p - o| of that formula. Axes with a member beyond 2^20 give NaN.
 */
ABUT_DISTANCE(abut_points_obbs_distance, obbs)

/*
 * To the half space: e = 8u (|p| + |d| / |n|). Where nothing is bounded (zero normal and d <= 0, or d = -inf), all
 * points are inside.
 */
ABUT_DISTANCE(abut_points_planes_distance, planes)

/* e = 8u (|p - a| + |b - a|). */
ABUT_DISTANCE(abut_points_segments_distance, segments)

/* e = 12u (|p - a| + |b - a|). */
ABUT_DISTANCE(abut_points_capsules_distance, capsules)

/* e = 64u (|p - a| + |b - a| + |c - a|), for needles and degenerate triangles too. */
ABUT_DISTANCE(abut_points_triangles_distance, triangles)

#ifdef __cplusplus
}
#endif

#endif
