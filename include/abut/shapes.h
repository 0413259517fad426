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
 * They are aligned to 64 bytes and start a few cache lines apart. (Arrays of a round size from malloc start at the same
 * offset within a page. More than eight of them read side by side overflow the sets of an 8-way first-level cache and
 * run 1.3 to 3.5 times slower.) n = 0 is fine. Errors, which leave columns[0] NULL: ABUT_ERROR_NULL,
 * ABUT_ERROR_ARGUMENT, ABUT_ERROR_TOO_MANY, ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_columns_new(size_t n, unsigned count, float *columns[],
                                           const struct abut_allocator *allocator);

/* Frees what abut_columns_new stored in columns, with the same allocator. columns[0] = NULL is fine. */
ABUT_API void abut_columns_free(float *columns[], const struct abut_allocator *allocator);

/*
 * Array of structs? Doubles? These make columns of them.
 *
 * Copies the members of n rows into columns: column k takes member k of each row, minus origin[k], rounded to float32.
 * Member k of row i is first[k], i * stride bytes further on; stride is the size of one struct. origin has count
 * numbers, or is NULL for none.
 *
 *     struct ball { double at[3], radius; int colour; } balls[n];
 *     float *columns[4];
 *     double moved, radius_moved, origin[3] = {500000, 5600000, 0};
 *     abut_columns_new(n, 4, columns, NULL);
 *     abut_gather_doubles(n, balls[0].at, sizeof *balls, 3, origin, ABUT_ROUND_NEAREST, columns, &moved);
 *     abut_gather_doubles(n, &balls[0].radius, sizeof *balls, 1, NULL, ABUT_ROUND_NEAREST, columns + 3, &radius_moved);
 *
 * The difference is exact before it is rounded. ABUT_ROUND_DOWN and ABUT_ROUND_UP never round to the other side: lower
 * bounds of boxes rounded down, and upper ones rounded up, hold the boxes as they were.
 * Answers are exact about the rounded shapes. Coordinates far from the origin lose digits: floats near 5,600,000 are
 * 0.5 apart. Subtract an origin near the data, the same for all sets.
 *
 * Requires: doubles and floats aligned as usual; count 1 to 32; columns of n floats that do not overlap the rows.
 * Sets *greatest, unless greatest is NULL, to how far the rounding moved any finite value: infinite if one was too
 * large for a float32, which makes it infinite. NaN stays NaN, and infinities stay.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY, ABUT_ERROR_ARGUMENT for a count or rounding that does not exist.
 */
enum abut_round { ABUT_ROUND_NEAREST, ABUT_ROUND_DOWN, ABUT_ROUND_UP };
ABUT_API enum abut_status abut_gather_floats(size_t n, const float *first, size_t stride, unsigned count,
                                             const double *origin, enum abut_round round, float *const columns[],
                                             double *greatest);
ABUT_API enum abut_status abut_gather_doubles(size_t n, const double *first, size_t stride, unsigned count,
                                              const double *origin, enum abut_round round, float *const columns[],
                                              double *greatest);

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
 * Invalid are: NaN; a negative radius or half extent; an infinite centre, point, vertex, axis, normal or plane
 * distance; a zero normal; a box with min > max, min = +inf or max = -inf; axes off orthonormal by more than 1e-3; and
 * a hull of no plane, of more than 32 (the field is then "offsets") or with an invalid plane. Flat and infinite boxes
 * are valid.
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

/* ---- Making shapes --------------------------------------------------------------------------------
 *
 * Shapes are computed in float64 and rounded once: exact answers are about the rounded shape.
 */

/*
 * Makes a box of two arbitrary corners each, in place, in columns minx miny minz maxx maxy maxz of n floats: swaps an
 * axis where the first is greater. NaN stays where it is.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabbs_sort_corners(size_t n, float *const columns[6]);

/*
 * Makes the axes of OBBs, ux uy uz vx vy vz wx wy wz, from quaternions x y z w of any length. A quaternion that is zero
 * or not finite makes NaN, so that the box is invalid. The quaternions may be the first four of the axes' arrays.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_obbs_axes_from_quaternions(size_t n, float *const quaternions[4], float *const axes[9]);

/*
 * Computes the AABB of each shape, in columns minx miny minz maxx maxy maxz of n floats, rounded outwards: it surely
 * holds the shape. For spheres, capsules and triangles it is the least such box. The box of an OBB holds both sets that
 * struct abut_obbs names: the points between its slabs, and what its edges span. Each bound is wider by at most one
 * float and 2^-38 of the coordinates' size. Where the axes have a member beyond 2 or a determinant below 1/2, so that
 * they are far from orthonormal, the box is all of space. An infinite radius or half extent gives infinite bounds. An
 * invalid shape gives NaN in all six.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabbs_of_spheres(const struct abut_spheres *spheres, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_obbs(const struct abut_obbs *boxes, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_capsules(const struct abut_capsules *capsules, float *const columns[6]);
ABUT_API enum abut_status abut_aabbs_of_triangles(const struct abut_triangles *triangles, float *const columns[6]);

/*
 * The same for a batch of any shape but planes and hulls: points, AABBs and segments have exact boxes.
 * Errors: ABUT_ERROR_ARGUMENT for planes, hulls and an index; ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabbs_of(struct abut_set shapes, float *const columns[6]);

/*
 * Computes the one AABB of all valid points. Without any it is the empty box, min = +inf and max = -inf.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_aabb_of_points(const struct abut_points *points, float min[3], float max[3]);

/*
 * Makes the OBB of an AABB under an affine map, as the fifteen members of abut_obbs in their order. The matrix has 16
 * floats, row after row: p' = M p for column vectors, with the translation in the last column; p' = p M for row
 * vectors, with the translation in the last row. (A matrix as OpenGL stores it, column after column, is the matrix for
 * row vectors.) Axes have unit length, and any scale along the box's edges goes into its half extents.
 * Returns false, and writes nothing, if the map shears an angle of the box by more than 1e-3 (abut_hull_box takes such
 * maps), if it flattens the box, if its last row (for row vectors: column) is not 0 0 0 1, if anything is not finite,
 * if min is above max, or if an argument is null.
 */
enum abut_vectors { ABUT_COLUMN_VECTORS, ABUT_ROW_VECTORS };
ABUT_API bool abut_obb_from_affine(const float *matrix, enum abut_vectors vectors, const float min[3],
                                   const float max[3], float box[15]);

/* ---- Planes, hulls and frusta ----------------------------------------------------------------------
 *
 * Planes are nx ny nz d with outward normals, to be stored in the arrays of abut_planes or abut_hulls. A null argument
 * makes none: false, or 0 planes.
 */

/*
 * Makes the plane through a point with an outward normal of any length: d = -n.p, rounded once.
 * Returns false, and writes nothing, if the normal is zero, anything is not finite, or d is too large.
 */
ABUT_API bool abut_plane_normal(const float point[3], const float normal[3], float plane[4]);

/*
 * Makes the plane through three points that turn counterclockwise when seen from outside, with a unit normal.
 * Returns false, and writes nothing, if float64 finds the points on one line.
 */
ABUT_API bool abut_plane_points(const float a[3], const float b[3], const float c[3], float plane[4]);

/*
 * Turns n planes, in columns nx ny nz d, from inward to outward or back, in place. Errors: ABUT_ERROR_NULL,
 * ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_planes_flip(size_t n, float *const columns[4]);

/*
 * The following functions return the number of planes, or 0 if the input makes no volume; then planes may hold
 * anything.
 */

/*
 * Makes the planes of an AABB, exactly. Infinite bounds need no plane. Returns 0 if the box is empty, or all of space.
 */
ABUT_API unsigned abut_hull_aabb(const float min[3], const float max[3], float planes[6][4]);

/*
 * Makes the planes of a box with any three edges: its centre, and the vectors from there to the middle of three faces.
 * (For an oriented box these are its axes times their half extents; for the cube from -1 to 1 under an affine map, the
 * columns of the matrix.)
 * Returns 0 if the box is flat or nearly so (the unit normals of its faces have a determinant below 2^-44), or beyond
 * float32.
 */
ABUT_API unsigned abut_hull_box(const float centre[3], const float edges[3][3], float planes[6][4]);

#define ABUT_MAX_HULL_POINTS 128

/*
 * Makes the planes of the convex hull of points: one plane a face, normals outward, of unit length but for rounding.
 * Which points make a face is decided exactly, so that points in one plane make one face, and points inside make none.
 * Each plane is rounded outwards: no point is outside of any. Takes time with the cube of the number of points: about
 * 1 ms for 50.
 * Returns the number of planes; 0, and writes nothing, if there are fewer than 4 or more than ABUT_MAX_HULL_POINTS
 * points, if all are in one plane, if one is not finite, if a plane is beyond float32, or if there are more than 32
 * faces.
 */
ABUT_API unsigned abut_hull_of_points(const struct abut_points *points, float planes[ABUT_MAX_PLANES][4]);

/*
 * Makes the view frustum of a view-projection matrix of 16 floats, row after row: clip = M v with column vectors, clip
 * = v M with row vectors. (A matrix as OpenGL stores it, column after column, is the matrix for row vectors.) Depths in
 * clip space go from 0 to w or from -w to w; reversed or not is the same.
 * A far plane is left out if it is at infinity, beyond float32, or if the matrix holds it with fewer than 22 bits: from
 * about 2^22 times the near distance on (2^23 for depths from -w to w), never for depths that are reversed and from 0
 * to w.
 * Returns 0 if a number is not finite, if a plane of a side is at infinity or beyond float32, or if a constant depth is
 * outside by more than 2^-20. Planes that contradict each other otherwise make a hull without points.
 */
enum abut_depth { ABUT_DEPTH_0_1, ABUT_DEPTH_MINUS_1_1 };
ABUT_API unsigned abut_frustum_from_matrix(const float *matrix, enum abut_vectors vectors, enum abut_depth depth,
                                           float planes[6][4]);

/* direction and up need neither unit length nor a right angle. far_distance may be infinite. */
struct abut_camera {
    float eye[3], direction[3], up[3];
    float tangent;                     /* of half the vertical field of view */
    float aspect;                      /* width over height */
    float near_distance, far_distance; /* near <= 0: no near plane, the frustum is a pyramid with the eye as its tip */
};

/*
 * Makes the view frustum of a camera.
 * Returns 0 if direction or up is zero, or both are parallel; if tangent or aspect is not positive; if far is not
 * beyond near; if anything but far_distance is not finite; or if a plane is beyond float32.
 */
ABUT_API unsigned abut_frustum_from_camera(const struct abut_camera *camera, float planes[6][4]);

/* ---- Instances -----------------------------------------------------------------------------------
 *
 * A box, hull or mesh that stands in many places is kept once, in its own space, and placed in the world by a rigid
 * transform: world = R own + t, where R is a rotation. No function takes a transform: all arguments of a call are in
 * one space. Mixing spaces is the commonest mistake, and it is silent, since all numbers are valid. There are two ways.
 *
 *   Shapes to the world   Move an OBB by abut_obb_from_affine, a hull by abut_hull_box or by its planes: n' = R n,
 *                         d' = d - n'.t. Spheres, points and answers are then all in the world.
 *   Spheres to the shape  Move the centres: own = R^T (world - t); radii stay. This suits large shapes, above all the
 *                         index of a mesh (index.h), which stays as it is:
 *
 *                             float dx = x - t[0], dy = y - t[1], dz = z - t[2];
 *                             own_x = R[0][0] * dx + R[1][0] * dy + R[2][0] * dz;    // the columns of R; and so on
 *
 *                         Answers are then exact for the rounded centres. Hits need no way back; closest points do:
 *                         world = R own + t. Squared distances are the same in both spaces.
 *
 * A uniform scale s is fine as well: divide centres and radii by s on the way to the shape, and multiply d2 by s^2 on
 * the way back. Any other scale or shear makes ellipsoids of spheres: move the shape instead (abut_hull_box). Mirror
 * images are fine, but reverse the order of the points of abut_plane_points.
 */

#ifdef __cplusplus
}
#endif

#endif
