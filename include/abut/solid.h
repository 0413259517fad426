/* SPDX-License-Identifier: MIT */
/*
 * Points inside watertight meshes: inside or outside, exactly, and signed distances.
 *
 *     struct abut_solid *solid;
 *     struct abut_invalid invalid;
 *     if (abut_solid_new(&triangles, NULL, &invalid, &solid) != ABUT_OK)
 *         return 1;
 *     uint64_t inside[1];
 *     if (abut_solid_contains(solid, &points, NULL, inside) == ABUT_OK)
 *         printf("point 0 is %s\n", inside[0] & 1 ? "inside" : "outside");
 *     abut_solid_free(solid);
 *
 * A mesh is watertight if every edge belongs to an even number of its triangles. Edges are the same if their ends have
 * equal coordinates, so that vertices need no numbers. A point is inside if a ray from it crosses an odd number of
 * triangles. The winding of triangles does not matter, and where a mesh overlaps itself twice, it is outside.
 */
#ifndef ABUT_SOLID_H
#define ABUT_SOLID_H

#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

struct abut_solid;

/*
 * Builds what answers for one mesh, with a copy of its triangles: about 110 bytes each.
 * Errors: as abut_index_new; ABUT_ERROR_ARGUMENT for skip_invalid; ABUT_ERROR_INVALID for a triangle that is invalid,
 * and for a mesh that is not watertight. Then invalid (which may be NULL) has the first triangle with an open edge, and
 * for its field "ab", "bc" or "ca"; its count is the number of edges that belong to an odd number of triangles. *solid
 * is NULL after an error.
 */
ABUT_API enum abut_status abut_solid_new(const struct abut_triangles *triangles, const struct abut_options *options,
                                         struct abut_invalid *invalid, struct abut_solid **solid);
ABUT_API void abut_solid_free(struct abut_solid *solid); /* NULL is fine */

/*
 * Tells which points are inside: one bit a point, exact for every input. A point on the surface is inside, but under
 * the open rule it is outside. Invalid points are outside.
 * Errors, which leave inside as it was: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY, ABUT_ERROR_ARGUMENT, ABUT_ERROR_MEMORY,
 * ABUT_ERROR_STOPPED.
 */
ABUT_API enum abut_status abut_solid_contains(const struct abut_solid *solid, const struct abut_points *points,
                                              const struct abut_options *options, uint64_t *inside);

/* Arrays of one element a point. Any may be NULL; closest has all or none. */
struct abut_solid_found {
    float *distance;             /* from the surface: negative inside, 0 on it, +inf without triangles */
    float *d2;                   /* its square, with that sign */
    uint32_t *triangles;         /* the nearest one, of equally near ones the first; UINT32_MAX for invalid points */
    struct abut_closest closest; /* the nearest point of the surface */
};

/*
 * Computes signed distances, which have no touch rule. The sign is exact, and so is the choice of the triangle.
 * Distances and closest points are rounded as those of triangles in distance.h; NaN for invalid points.
 * Errors: as abut_solid_contains; ABUT_ERROR_ARGUMENT for the open rule, too. After ABUT_ERROR_MEMORY and
 * ABUT_ERROR_STOPPED the output holds nothing of use.
 */
ABUT_API enum abut_status abut_solid_distance(const struct abut_solid *solid, const struct abut_points *points,
                                              const struct abut_options *options, const struct abut_solid_found *found);

#ifdef __cplusplus
}
#endif

#endif
