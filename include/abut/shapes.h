/* SPDX-License-Identifier: MIT */
/* Making shapes: columns of memory, strict checks, boxes and planes of other shapes, view frusta, and instances. */
#ifndef ABUT_SHAPES_H
#define ABUT_SHAPES_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Columns -------------------------------------------------------------------------------------- */

/*
 * Allocates count (1 to 32) arrays of n floats in one block, uninitialised, and stores them in columns.
 *
 * Kernels read four to nineteen arrays side by side. Arrays of a round size from malloc all start at the
 * same offset within a page; an 8-way first-level cache holds only eight such lines, and more streams than that run
 * 1.3 to 3.5 times slower. These start a few cache lines apart and are aligned to 64 bytes.
 * n = 0 is fine. Errors, which leave columns[0] NULL (count above 0): ABUT_ERROR_NULL, ABUT_ERROR_ARGUMENT,
 * ABUT_ERROR_TOO_MANY, ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_columns_new(size_t n, unsigned count, float *columns[],
                                           const struct abut_allocator *allocator);

/* Frees what abut_columns_new stored in columns, with the same allocator. columns[0] = NULL is fine. */
ABUT_API void abut_columns_free(float *columns[], const struct abut_allocator *allocator);

/* ---- Checks --------------------------------------------------------------------------------------- */

/* The first invalid row and how many there are. */
struct abut_invalid {
    size_t count;
    size_t row;        /* from 0; of hulls, the hull */
    const char *field; /* "r", "minx" */
    const char *what;  /* "is negative" */
    size_t plane;      /* of hulls, where the arrays hold the invalid plane; else 0 */
};

/*
 * Checks a batch strictly, for readers and builders that want errors instead of misses.
 * Invalid are: NaN; a negative radius or half extent; an infinite centre, point, vertex, axis, normal or plane distance; a zero normal;
 * a box with min > max, min = +inf or max = -inf; axes off orthonormal by more than 1e-3; and a hull of no plane, of more than 32 (the
 * field is then "offsets") or with an invalid plane. Flat and infinite boxes are valid.
 * Returns ABUT_OK; ABUT_ERROR_INVALID, and fills invalid, which may be NULL; ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY; or
 * ABUT_ERROR_ARGUMENT for an index and for a kind that does not exist.
 */
ABUT_API enum abut_status abut_check(struct abut_set set, struct abut_invalid *invalid);

/* The same by name, with arguments that the compiler checks. */
#define ABUT_CHECK(plural)                                                                                             \
    static inline enum abut_status abut_check_##plural(const struct abut_##plural *items,                              \
                                                       struct abut_invalid *invalid)                                   \
    {                                                                                                                  \
        return abut_check(abut_of_##plural(items), invalid);                                                           \
    }
ABUT_CHECK(points)
ABUT_CHECK(spheres)
ABUT_CHECK(aabbs)
ABUT_CHECK(planes)
ABUT_CHECK(obbs)
ABUT_CHECK(segments)
ABUT_CHECK(capsules)
ABUT_CHECK(triangles)
ABUT_CHECK(hulls)

/* ---- Making shapes -------------------------------------------------------------------------------- */

/*
 * Two arbitrary corners a box, in columns minx miny minz maxx maxy maxz of n floats each: swaps where the
 * first is greater, in place, so that each box is the one its corners span. NaN stays where it is.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabbs_sort_corners(size_t n, float *const columns[6]);

/*
 * The nine members ux uy uz vx vy vz wx wy wz of OBBs from quaternions x y z w, in this order, of any length, rounded
 * once from double. A zero quaternion gives NaN, and one that is not finite some: the box is bad. The quaternions may be the
 * first four of the axes' arrays.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_obbs_axes_from_quaternions(size_t n, float *const quaternions[4], float *const axes[9]);

/*
 * The AABB of each shape, in columns minx miny minz maxx maxy maxz of n floats: rounded outwards, so that it holds the
 * shape for certain. Those of spheres, capsules and triangles are the least such boxes. A bound of an OBB is wider by 2^-38
 * of the centre's coordinate and what the box reaches from there, and a float, at most; but where its axes have a member
 * beyond 2 or a determinant below 1/2 (as float64 has it), it is all of space. An infinite radius or half extent gives
 * infinite bounds; bad input gives NaN in all six. Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabbs_of_spheres(const struct abut_spheres *spheres, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_obbs(const struct abut_obbs *boxes, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_capsules(const struct abut_capsules *capsules, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_triangles(const struct abut_triangles *triangles, float *const columns[6]);

/*
 * The one AABB of all points that are not bad; of none the empty box, min = +inf and max = -inf. Errors: ABUT_ERROR_NULL,
 * ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabb_of_points(const struct abut_points *points, float min[3], float max[3]);

/*
 * The plane through a point with an outward normal of any length, as nx ny nz d: the normal as it is, and d = -n.p rounded
 * once from double. False, and nothing is written, if the normal is zero, anything is not finite, or d is too large.
 */
ABUT_API bool abut_plane_normal(const float point[3], const float normal[3], float plane[4]);

/*
 * The plane through three points that turn counterclockwise when seen from outside, with a unit normal. Computed in float64 and
 * rounded: exact answers are about the rounded plane. False, and nothing is written, if the points are on one line, as far
 * as float64 can tell.
 */
ABUT_API bool abut_plane_points(const float a[3], const float b[3], const float c[3], float plane[4]);

/*
 * The planes of common convex volumes, outward, with unit normals, as nx ny nz d, to be stored in the arrays of abut_hulls.
 * They return how many; 0 where the input makes no volume, and then planes may hold anything. Planes are computed in
 * float64 and rounded: the hull that answers are exact for is the rounded one.
 */

/* An AABB; exact. Infinite bounds are left out. 0 if it is empty, or all of space, which needs no plane. */
ABUT_API unsigned abut_hull_aabb(const float min[3], const float max[3], float planes[6][4]);

/*
 * A box with any three edges: centre, and from there the vectors to the middle of three faces (for an oriented box its axes
 * times their half extents; for the cube from -1 to 1 under an affine map the columns of its matrix). 0 if it is flat, or
 * so nearly that the unit normals of its faces, rounded to floats, have a determinant below 2^-44, or beyond the range of
 * float.
 */
ABUT_API unsigned abut_hull_box(const float centre[3], const float edges[3][3], float planes[6][4]);

/*
 * The view frustum of a view-projection matrix, matrix[row][column]. With column vectors clip = M v; with row vectors clip
 * = v M. (16 floats as OpenGL stores them, column after column, are the matrix for row vectors.) Depths in clip space go
 * from 0 to w or from -w to w; reversed or not is the same. A far plane at infinity, or beyond the range of float, is left
 * out. So is one that the rows of z and w tell by less than 2^-22 of w's, about their rounding errors: from about 2^22 times
 * the near distance on, 2^23 with depths from -w to w; never where depths are reversed and from 0 to w. 0 if a number is
 * infinite or NaN, if a plane of a side is at infinity or beyond the range of float, or if nothing is inside of what is left
 * out (a depth that is the same everywhere, and outside by more than 2^-20); planes that contradict each other otherwise make
 * a hull without points.
 */
enum abut_vectors { ABUT_COLUMN_VECTORS, ABUT_ROW_VECTORS };
enum abut_depth { ABUT_DEPTH_0_1, ABUT_DEPTH_MINUS_1_1 };
ABUT_API unsigned abut_frustum_from_matrix(const float *matrix, enum abut_vectors vectors, enum abut_depth depth,
                                           float planes[6][4]);

/*
 * The OBB of an AABB under an affine map, as the fifteen members of abut_obbs in their order: matrix[row][column], p' = M p
 * for column vectors, whose translation is the last column, and p' = p M for row vectors, whose translation is the last
 * row. (16 floats as OpenGL stores them, column after column, are the matrix for row vectors.) Any scale along the box's
 * edges goes into its half extents; axes have unit length. Computed in float64 and rounded. False, and nothing is written,
 * if the map is none of this kind: it shears, so that an angle of the box is off by more than 1e-3 of a right one
 * (abut_hull_box takes such), it flattens, its last row (column) is not 0 0 0 1, or anything is not finite or min above
 * max.
 */
ABUT_API bool abut_obb_from_affine(const float *matrix, enum abut_vectors vectors, const float min[3],
                                   const float max[3], float box[15]);

/*
 * direction and up need not have unit length, nor be at a right angle. far_distance may be infinite. Where near_distance is 0 or
 * less, the near plane cuts nothing off the pyramid of the others, the tip of which is the eye.
 */
struct abut_camera {
    float eye[3], direction[3], up[3];
    float tangent; /* of half the vertical field of view */
    float aspect;  /* width over height */
    float near_distance, far_distance;
};

/*
 * The view frustum of a camera. 0 if direction or up is zero, or both are parallel; if tangent or aspect is not positive;
 * if far is not beyond near; if anything but far_distance is infinite or NaN; if a plane is beyond the range of float.
 */
ABUT_API unsigned abut_frustum_from_camera(const struct abut_camera *camera, float planes[6][4]);

/*
 * Turns n planes, in columns nx ny nz d, from inward to outward, or back, in place. Errors: ABUT_ERROR_NULL,
 * ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_planes_flip(size_t n, float *const columns[4]);

/* ---- Instances -----------------------------------------------------------------------------------
 *
 * A box, hull or mesh that stands in many places is kept once, in a space of its own, and moved to the world by a rigid
 * transform: world = R own + t, R a rotation. No function here takes a transform: **all arguments of a call are in one
 * space**, and to mix spaces, spheres of the world with a box of its own, is the commonest mistake; it is silent, since all
 * numbers are good. There are two ways:
 *
 *   Shapes to the world   An OBB in the world by abut_obb_from_affine, a hull by abut_hull_box or its planes turned: n' = R n, d' = d - n'.t.
 *                         Once a moved shape; then spheres, points and answers are all in the world.
 *   Spheres to the shape  own = R^T (world - t) for the centres, whose radius stays; for many shapes that do not fit into the
 *                         first way, above all the mesh of abut/index.h, whose index stays as it is:
 *
 *                             float dx = x - t[0], dy = y - t[1], dz = z - t[2];
 *                             own_x = R[0][0] * dx + R[1][0] * dy + R[2][0] * dz;    // the columns of R; and so on
 *
 *                         Answers are then exact for the centres as they were rounded on the way; hits need no way back. Closest points do:
 *                         world = R own + t. Squared distances are the same in both spaces.
 *
 * A uniform scale s is fine, too: divide centres and radii by s on the way to the shape, and multiply d2 by s^2 on the way
 * back. Any other scale, or a shear, makes ellipsoids of spheres: move the shape instead (abut_hull_box). Mirror images do
 * no harm, but turn the planes of abut_plane_points around.
 */

#ifdef __cplusplus
}
#endif

#endif
