/* SPDX-License-Identifier: MIT */
/*
 * abut: which of these bounding volumes touch which of those? Exactly, and many pairs at once.
 *
 * This header is the manual. Every predicate is a statement about real numbers, made of the exact
 * values of the float32 inputs; abut returns whether that statement is true. The answer is therefore
 * the same on every processor, at every batch size and for any split of a batch.
 *
 * Conventions
 *   Batches      A batch is a view on the caller's memory: a count n and one array of n floats per
 *                member (structure of arrays). All coordinates share one unit and one coordinate space.
 *   Broadcast    Two batches pair up item by item when their lengths are equal; a batch of one pairs
 *                with every item of the other. Other lengths are ABUT_ERROR_LENGTHS. 0 with 1 is 0 pairs.
 *   Hits         One bit a pair: bit i % 64 of word i / 64 is pair i. Unused bits of the last word are
 *                zero; nothing beyond it is written. abut_mask_words(n) words hold n pairs.
 *   Touch rule   Closed: touching is a hit. Open: a distance equal to the radius is a miss, and boxes
 *                and points must overlap strictly. So a sphere of radius 0 then touches half spaces at most, and
 *                shapes with a radius of their own: where a point is, the predicates of points tell.
 *   Bad input    Never undefined and never an error: NaN anywhere, a negative radius or half extent, an
 *                infinite centre, point, vertex, normal or axis, an empty box (min > max, min = +inf or
 *                max = -inf), and a half space that is empty (d = +inf, or a zero normal and d > 0) are
 *                misses. -0 is 0. A radius of +inf touches every shape that is not empty. Infinite box
 *                bounds and half extents make slabs and half spaces; a plane with d = -inf, or a zero
 *                normal and d <= 0, leaves all of space. abut_check_* finds the bad rows for callers who
 *                want errors.
 *   Aliasing     Inputs may not overlap outputs.
 *   Threads      Every function may be called from any thread on const data. abut starts no thread,
 *                reads no environment variable and changes no floating-point mode.
 *   Stack        A call takes less than 96 KiB where compilers optimise, and most take less than half of that.
 *   Environment  Round to nearest with denormals kept (abut_environment_ok() tells), and no exception of floating
 *                point trapped: good input, too, may raise any of their flags, which then stay set.
 *
 * Sources: Arvo 1990 (Graphics Gems: box-sphere), Ericson 2005 (Real-Time Collision Detection, ch. 5),
 * Shewchuk 1997 (adaptive exact predicates).
 */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0
#define ABUT_VERSION "0.1.0"

#if defined(ABUT_SHARED) && defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#ifdef __cplusplus
#define ABUT_RESTRICT __restrict
extern "C" {
#else
#define ABUT_RESTRICT restrict
#endif

/* ---- Status ------------------------------------------------------------------------------------ */

enum abut_status {
    ABUT_OK = 0,
    ABUT_ERROR_NULL,     /* a null pointer where n > 0, or a null argument */
    ABUT_ERROR_LENGTHS,  /* lengths that do not broadcast */
    ABUT_ERROR_TOO_MANY, /* more than ABUT_MAX_ITEMS items in a batch, or a size that overflows */
    ABUT_ERROR_ARGUMENT, /* a value that an argument cannot have, as the function says */
    ABUT_ERROR_ISA,      /* an instruction set that this machine lacks */
    ABUT_ERROR_MEMORY,   /* the allocator returned NULL */
    ABUT_ERROR_INVALID   /* strict checks, and what makes an index: at least one bad row */
};

/* Indices are uint32_t; UINT32_MAX itself is kept free. */
#define ABUT_MAX_ITEMS ((size_t)4294967294u)

/* One English sentence without a full stop, for any value. */
ABUT_API const char *abut_status_text(enum abut_status status);

/* The version the library was built as, "MAJOR.MINOR.PATCH"; compare with ABUT_VERSION. */
ABUT_API const char *abut_version(void);

/* ---- Shapes ------------------------------------------------------------------------------------ */

/* Each pointer is an array of n floats. See abut_columns_new for arrays that are fast to read together. */
struct abut_points {
    size_t n;
    const float *x, *y, *z;
};

/* Closed balls: centre x y z, radius r. */
struct abut_spheres {
    size_t n;
    const float *x, *y, *z, *r;
};

/* Closed axis-aligned boxes. */
struct abut_aabbs {
    size_t n;
    const float *minx, *miny, *minz, *maxx, *maxy, *maxz;
};

/* Half spaces: outside where n.p + d > 0, so that the normal n faces outward. It need not have unit length. */
struct abut_planes {
    size_t n;
    const float *nx, *ny, *nz, *d;
};

/*
 * Oriented boxes: the points p with |a.(p - c)| <= h for each axis a = u, v, w and its half extent h = hx, hy, hz.
 * Axes are meant orthonormal and used as they stand: a scale s in them makes a radius count as R/s, and a zero
 * axis bounds nothing.
 */
struct abut_obbs {
    size_t n;
    const float *cx, *cy, *cz, *hx, *hy, *hz, *ux, *uy, *uz, *vx, *vy, *vz, *wx, *wy, *wz;
};

/* From a to b; a = b is a point. */
struct abut_segments {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz;
};

/* All points within r of a segment. */
struct abut_capsules {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz, *r;
};

/* Flat and closed, of either winding; vertices on one line or in one point make a segment or a point. */
struct abut_triangles {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz, *cx, *cy, *cz;
};

#define ABUT_MAX_PLANES 32 /* of one hull */

/*
 * Convex volumes: hull i has the 1 to 32 planes offsets[i] to offsets[i + 1] - 1, and holds the points that are outside of
 * none; a point p is outside of a plane where nx p.x + ny p.y + nz p.z + d > 0, so normals point outward, and may have any
 * length. Six planes make a box, a sheared box or a view frustum (abut_hull_aabb and what follows it, below). There are n +
 * 1 offsets, and the arrays hold offsets[n] planes.
 *
 * A plane without a normal bounds nothing if d <= 0, and else leaves no point; likewise d = -inf and d = +inf. A NaN or
 * an infinite normal in any plane makes every answer of its hull a miss.
 *
 * Two planes with the same normal but for its sign, as of boxes and of abut_hull_camera, cost many spheres, points or OBBs little
 * more than one.
 */
struct abut_hulls {
    size_t n;
    const uint32_t *offsets;
    const float *nx, *ny, *nz, *d;
};

enum abut_touch { ABUT_CLOSED = 0, ABUT_OPEN = 1 };

/*
 * What one or more calls did. Calls add to it; start from zeros. For hulls, undecided depends on how a batch is split into calls
 * and on the instruction set; where each pair has a hull of its own, it counts them all. Hits depend on neither.
 */
struct abut_stats {
    uint64_t pairs;     /* decided in all */
    uint64_t undecided; /* handed on by the float32 filter */
    uint64_t exact;     /* of those, also undecided in float64, and settled by exact arithmetic */
};

/* ---- Predicates ---------------------------------------------------------------------------------
 *
 * Each takes two batches, the touch rule, statistics to add to (or NULL) and the hits to write, one bit
 * a pair (see Hits above). They return ABUT_OK, ABUT_ERROR_NULL, ABUT_ERROR_LENGTHS,
 * ABUT_ERROR_TOO_MANY or ABUT_ERROR_ARGUMENT; on an error nothing is written. R is the radius, D a
 * distance between centres; formulas are for the closed rule, the open rule has < for <=.
 */

/* Sphere touches AABB: the sum over the axes of max(min - c, 0, c - max)^2 is <= R^2. */
ABUT_API enum abut_status abut_spheres_aabbs(const struct abut_spheres *spheres, const struct abut_aabbs *boxes,
                                             enum abut_touch touch, struct abut_stats *stats,
                                             uint64_t *ABUT_RESTRICT hits);

/* Sphere inside AABB: c - R >= min and c + R <= max on every axis. An infinite radius is inside all of space only. */
ABUT_API enum abut_status abut_spheres_in_aabbs(const struct abut_spheres *spheres, const struct abut_aabbs *boxes,
                                                enum abut_touch touch, struct abut_stats *stats,
                                                uint64_t *ABUT_RESTRICT hits);

/* AABB inside sphere: its farthest corner is, sum over the axes of max(|c - min|, |c - max|)^2 <= R^2. */
ABUT_API enum abut_status abut_aabbs_in_spheres(const struct abut_aabbs *boxes, const struct abut_spheres *spheres,
                                                enum abut_touch touch, struct abut_stats *stats,
                                                uint64_t *ABUT_RESTRICT hits);

/* Point in sphere: D^2 <= R^2. */
ABUT_API enum abut_status abut_points_in_spheres(const struct abut_points *points, const struct abut_spheres *spheres,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);

/* Point in AABB: min <= p <= max on every axis. */
ABUT_API enum abut_status abut_points_in_aabbs(const struct abut_points *points, const struct abut_aabbs *boxes,
                                               enum abut_touch touch, struct abut_stats *stats,
                                               uint64_t *ABUT_RESTRICT hits);

/* Sphere touches sphere: D^2 <= (Ra + Rb)^2. Each radius is judged alone: -1 and 5 is a miss. */
ABUT_API enum abut_status abut_spheres_spheres(const struct abut_spheres *a, const struct abut_spheres *b,
                                               enum abut_touch touch, struct abut_stats *stats,
                                               uint64_t *ABUT_RESTRICT hits);

/*
 * AABB touches AABB: min_a <= max_b and min_b <= max_a on every axis. Open, a flat box still hits what it cuts through, and no
 * box that is flat in the same plane.
 */
ABUT_API enum abut_status abut_aabbs_aabbs(const struct abut_aabbs *a, const struct abut_aabbs *b,
                                           enum abut_touch touch, struct abut_stats *stats,
                                           uint64_t *ABUT_RESTRICT hits);

/*
 * Sphere touches half space: with s = n.c + d, s <= R |n|. A zero normal with d <= 0, or d = -inf, is no
 * plane: a hit.
 */
ABUT_API enum abut_status abut_spheres_planes(const struct abut_spheres *spheres, const struct abut_planes *planes,
                                              enum abut_touch touch, struct abut_stats *stats,
                                              uint64_t *ABUT_RESTRICT hits);

/* Sphere inside half space: s <= -R |n|. A sphere of infinite radius is inside only of what is no plane. */
ABUT_API enum abut_status abut_spheres_in_planes(const struct abut_spheres *spheres, const struct abut_planes *planes,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);

/* Sphere touches OBB: the sum over the axes of max(|a.(c - o)| - h, 0)^2 is <= R^2, where o is the box's centre. */
ABUT_API enum abut_status abut_spheres_obbs(const struct abut_spheres *spheres, const struct abut_obbs *boxes,
                                            enum abut_touch touch, struct abut_stats *stats,
                                            uint64_t *ABUT_RESTRICT hits);

/* Sphere inside OBB: |a.(c - o)| + R <= h for each axis. An infinite radius asks for infinite half extents. */
ABUT_API enum abut_status abut_spheres_in_obbs(const struct abut_spheres *spheres, const struct abut_obbs *boxes,
                                               enum abut_touch touch, struct abut_stats *stats,
                                               uint64_t *ABUT_RESTRICT hits);

/* Point in OBB: |a.(p - o)| <= h for each axis. */
ABUT_API enum abut_status abut_points_in_obbs(const struct abut_points *points, const struct abut_obbs *boxes,
                                              enum abut_touch touch, struct abut_stats *stats,
                                              uint64_t *ABUT_RESTRICT hits);

/*
 * Sphere touches segment: with t = ap.ab and L = ab.ab, |ap|^2 where t <= 0, |bp|^2 where t >= L, else |ap|^2
 * - t^2 / L is <= R^2.
 */
ABUT_API enum abut_status abut_spheres_segments(const struct abut_spheres *spheres,
                                                const struct abut_segments *segments, enum abut_touch touch,
                                                struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);

/* Sphere touches capsule: the same with the sum of the radii for R. Each radius is judged alone. */
ABUT_API enum abut_status abut_spheres_capsules(const struct abut_spheres *spheres,
                                                const struct abut_capsules *capsules, enum abut_touch touch,
                                                struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);

/*
 * Sphere touches triangle: an edge does as a segment, or the centre projects into the triangle, whose normal
 * n = ab x ac is not zero, and (n.ap)^2 <= R^2 n.n.
 */
ABUT_API enum abut_status abut_spheres_triangles(const struct abut_spheres *spheres,
                                                 const struct abut_triangles *triangles, enum abut_touch touch,
                                                 struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);

enum abut_class { ABUT_NO_CLASS, ABUT_OUTSIDE, ABUT_CROSSING, ABUT_INSIDE };

/*
 * Where each sphere is, one enum abut_class a pair: outside where it does not touch the box or half space (closed), inside
 * where it is inside (open), crossing otherwise. Bad input has no class. Statistics count both questions.
 */
ABUT_API enum abut_status abut_spheres_aabbs_classes(const struct abut_spheres *spheres, const struct abut_aabbs *boxes,
                                                     struct abut_stats *stats, uint8_t *ABUT_RESTRICT classes);
ABUT_API enum abut_status abut_spheres_obbs_classes(const struct abut_spheres *spheres, const struct abut_obbs *boxes,
                                                    struct abut_stats *stats, uint8_t *ABUT_RESTRICT classes);
ABUT_API enum abut_status abut_spheres_planes_classes(const struct abut_spheres *spheres,
                                                      const struct abut_planes *planes, struct abut_stats *stats,
                                                      uint8_t *ABUT_RESTRICT classes);

/* ---- Many against many --------------------------------------------------------------------------
 *
 * The same questions for every item of a against every item of b, in one pass over the memory of b. Row i
 * of the hits is item i of a against all of b; each row starts a new word, so row i begins at word
 * i * abut_mask_words(b->n) and the whole needs a->n times as many. (With hulls, below, a row is a hull.) From main
 * memory eight or more items of a in one call cost a fraction, per pair, of one call each.
 */
ABUT_API enum abut_status abut_spheres_aabbs_all(const struct abut_spheres *spheres, const struct abut_aabbs *boxes,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_in_aabbs_all(const struct abut_spheres *spheres, const struct abut_aabbs *boxes,
                                                    enum abut_touch touch, struct abut_stats *stats,
                                                    uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_aabbs_in_spheres_all(const struct abut_aabbs *boxes, const struct abut_spheres *spheres,
                                                    enum abut_touch touch, struct abut_stats *stats,
                                                    uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_points_in_spheres_all(const struct abut_points *points,
                                                     const struct abut_spheres *spheres, enum abut_touch touch,
                                                     struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_points_in_aabbs_all(const struct abut_points *points, const struct abut_aabbs *boxes,
                                                   enum abut_touch touch, struct abut_stats *stats,
                                                   uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_spheres_all(const struct abut_spheres *a, const struct abut_spheres *b,
                                                   enum abut_touch touch, struct abut_stats *stats,
                                                   uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_aabbs_aabbs_all(const struct abut_aabbs *a, const struct abut_aabbs *b,
                                               enum abut_touch touch, struct abut_stats *stats,
                                               uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_planes_all(const struct abut_spheres *spheres, const struct abut_planes *planes,
                                                  enum abut_touch touch, struct abut_stats *stats,
                                                  uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_in_planes_all(const struct abut_spheres *spheres,
                                                     const struct abut_planes *planes, enum abut_touch touch,
                                                     struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_obbs_all(const struct abut_spheres *spheres, const struct abut_obbs *boxes,
                                                enum abut_touch touch, struct abut_stats *stats,
                                                uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_in_obbs_all(const struct abut_spheres *spheres, const struct abut_obbs *boxes,
                                                   enum abut_touch touch, struct abut_stats *stats,
                                                   uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_points_in_obbs_all(const struct abut_points *points, const struct abut_obbs *boxes,
                                                  enum abut_touch touch, struct abut_stats *stats,
                                                  uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_segments_all(const struct abut_spheres *spheres,
                                                    const struct abut_segments *segments, enum abut_touch touch,
                                                    struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_capsules_all(const struct abut_spheres *spheres,
                                                    const struct abut_capsules *capsules, enum abut_touch touch,
                                                    struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_triangles_all(const struct abut_spheres *spheres,
                                                     const struct abut_triangles *triangles, enum abut_touch touch,
                                                     struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);

/* ---- Hulls ---------------------------------------------------------------------------------------
 *
 * A sphere has three answers for a convex volume; inside implies touching implies planes (under the open rule touching
 * takes a radius above 0, too). Batches pair up as above; one hull against many items is what is fast, and hulls that
 * differ from pair to pair are decided one by one. Errors are those of the predicates above, and ABUT_ERROR_ARGUMENT for
 * a hull of no plane or more than 32.
 */

/* Sphere touches hull: the distance from the centre to the hull is <= R. A hull without points is touched by nothing. */
ABUT_API enum abut_status abut_spheres_hulls(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                             enum abut_touch touch, struct abut_stats *stats,
                                             uint64_t *ABUT_RESTRICT hits);

/*
 * Sphere beyond no plane: n.c + d <= R |n| for every plane. What culling usually asks: never misses a touching sphere, and
 * keeps some that lie off an edge or a corner (and all spheres large enough, of a hull without points).
 */
ABUT_API enum abut_status abut_spheres_hulls_planes(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                                    enum abut_touch touch, struct abut_stats *stats,
                                                    uint64_t *ABUT_RESTRICT hits);

/* Sphere inside hull: n.c + d <= -R |n| for every plane. */
ABUT_API enum abut_status abut_spheres_in_hulls(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                                enum abut_touch touch, struct abut_stats *stats,
                                                uint64_t *ABUT_RESTRICT hits);

/* Point in hull: n.p + d <= 0 for every plane. */
ABUT_API enum abut_status abut_points_in_hulls(const struct abut_points *points, const struct abut_hulls *hulls,
                                               enum abut_touch touch, struct abut_stats *stats,
                                               uint64_t *ABUT_RESTRICT hits);

/* AABB beyond no plane: for every plane its corner that is least far out has n.q + d <= 0. Never misses a touching box. */
ABUT_API enum abut_status abut_aabbs_hulls_planes(const struct abut_aabbs *boxes, const struct abut_hulls *hulls,
                                                  enum abut_touch touch, struct abut_stats *stats,
                                                  uint64_t *ABUT_RESTRICT hits);

/* AABB inside hull: every corner has n.q + d <= 0 for every plane. */
ABUT_API enum abut_status abut_aabbs_in_hulls(const struct abut_aabbs *boxes, const struct abut_hulls *hulls,
                                              enum abut_touch touch, struct abut_stats *stats,
                                              uint64_t *ABUT_RESTRICT hits);

/*
 * OBB beyond no plane: n.c + d - (hx |n.u| + hy |n.v| + hz |n.w|) <= 0 for every plane. The axes are used as they stand, as
 * edges. The box of abut_points_in_obbs lies between them, and is the same only where they are orthonormal; a rotation as it
 * is rounded to float makes the two differ by about 2^-23 of the box's size, and so much may be missed of that one.
 */
ABUT_API enum abut_status abut_obbs_hulls_planes(const struct abut_obbs *boxes, const struct abut_hulls *hulls,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);

/* OBB inside hull: n.c + d + (hx |n.u| + hy |n.v| + hz |n.w|) <= 0 for every plane. Axes are edges here, too. */
ABUT_API enum abut_status abut_obbs_in_hulls(const struct abut_obbs *boxes, const struct abut_hulls *hulls,
                                             enum abut_touch touch, struct abut_stats *stats,
                                             uint64_t *ABUT_RESTRICT hits);

/*
 * Where each item is, one enum abut_class a pair, as for boxes and planes above: outside where it does not touch (closed; of
 * boxes: where it is beyond a plane), inside where it is inside (open), crossing otherwise. Bad input has no class, nor have
 * pairs with a hull that is bad, or that one plane alone leaves no point.
 */
ABUT_API enum abut_status abut_spheres_hulls_classes(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                                     struct abut_stats *stats, uint8_t *ABUT_RESTRICT classes);
ABUT_API enum abut_status abut_aabbs_hulls_classes(const struct abut_aabbs *boxes, const struct abut_hulls *hulls,
                                                   struct abut_stats *stats, uint8_t *ABUT_RESTRICT classes);

/*
 * Every item against every hull, in one pass over the memory of the items for eight hulls at a time: culling for several
 * cameras at once. Row i of the hits is hull i against all items, and begins at word i * abut_mask_words(items->n).
 */
ABUT_API enum abut_status abut_spheres_hulls_all(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_hulls_planes_all(const struct abut_spheres *spheres,
                                                        const struct abut_hulls *hulls, enum abut_touch touch,
                                                        struct abut_stats *stats, uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_spheres_in_hulls_all(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                                    enum abut_touch touch, struct abut_stats *stats,
                                                    uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_points_in_hulls_all(const struct abut_points *points, const struct abut_hulls *hulls,
                                                   enum abut_touch touch, struct abut_stats *stats,
                                                   uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_aabbs_hulls_planes_all(const struct abut_aabbs *boxes, const struct abut_hulls *hulls,
                                                      enum abut_touch touch, struct abut_stats *stats,
                                                      uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_aabbs_in_hulls_all(const struct abut_aabbs *boxes, const struct abut_hulls *hulls,
                                                  enum abut_touch touch, struct abut_stats *stats,
                                                  uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_obbs_hulls_planes_all(const struct abut_obbs *boxes, const struct abut_hulls *hulls,
                                                     enum abut_touch touch, struct abut_stats *stats,
                                                     uint64_t *ABUT_RESTRICT hits);
ABUT_API enum abut_status abut_obbs_in_hulls_all(const struct abut_obbs *boxes, const struct abut_hulls *hulls,
                                                 enum abut_touch touch, struct abut_stats *stats,
                                                 uint64_t *ABUT_RESTRICT hits);

/* ---- Distances ----------------------------------------------------------------------------------
 *
 * From points to shapes, which are solid: inside, the squared distance is 0 and the closest point the point itself, both as
 * nearly as is stated below (to ask whether a point is inside, there are predicates). Each function takes two batches and
 * writes one float a pair to d2, the squared distance, and to each array of closest, the point of the shape that is nearest;
 * either of the two may be NULL, not both, and closest has all three arrays. They return ABUT_OK, ABUT_ERROR_NULL,
 * ABUT_ERROR_LENGTHS or ABUT_ERROR_TOO_MANY; on an error nothing is written.
 *
 * These numbers are rounded, but the same bits on every machine: zero is +0, and where either shape is bad
 * input (an empty box, too) all four are NaN, 0x7FC00000. A squared distance that is beyond all floats, or may be for its
 * error, is +inf; a coordinate of a closest point +inf or -inf.
 *
 * How wrong they can be: let D be the true distance, u = 2^-24, and e what the function states, plus 2^-60 (beyond
 * coordinates of 2^60, 2^-50 of the greatest). Then sqrt(d2) is within e of D, unless (D + e)^2 is beyond all floats, and
 * the closest point, apart from the rounding of its coordinates (2u of the greatest), is within e of the shape, and its
 * distance from the point within e of D. (That makes it within sqrt(2De + e^2) of the nearest point, as the shape is
 * convex.) All e are made of differences of coordinates: they do not grow with the distance from the origin, other than for
 * planes.
 */
struct abut_closest {
    float *x, *y, *z;
};

/* e = 6u |p - c|, for the centre c. */
ABUT_API enum abut_status abut_points_spheres_distance(const struct abut_points *points,
                                                       const struct abut_spheres *spheres, float *ABUT_RESTRICT d2,
                                                       const struct abut_closest *closest);

/* The closest point is exact; d2 is within 5.1u D^2 + 2^-148 of D^2. */
ABUT_API enum abut_status abut_points_aabbs_distance(const struct abut_points *points, const struct abut_aabbs *boxes,
                                                     float *ABUT_RESTRICT d2, const struct abut_closest *closest);

/*
 * The axes are used as they stand, as in abut_spheres_obbs: with x = max(|a.(p - o)| - h, 0) for each axis a, d2 is the sum
 * of x^2, and the closest point is p less x a for each axis, signed. That is the distance, and the closest point, for
 * orthonormal axes. With A the length of the longest axis, e = 12u A |p - o| for d2, and the closest point is within 30u
 * A^2 |p - o| of that formula. Axes with a member beyond 2^20 give NaN.
 */
ABUT_API enum abut_status abut_points_obbs_distance(const struct abut_points *points, const struct abut_obbs *boxes,
                                                    float *ABUT_RESTRICT d2, const struct abut_closest *closest);

/*
 * To the half space. e = 8u (|p| + |d| / |n|). Where there is no plane (a zero normal, d <= 0; d = -inf), all points are
 * inside.
 */
ABUT_API enum abut_status abut_points_planes_distance(const struct abut_points *points,
                                                      const struct abut_planes *planes, float *ABUT_RESTRICT d2,
                                                      const struct abut_closest *closest);

/* e = 8u (|p - a| + |b - a|). */
ABUT_API enum abut_status abut_points_segments_distance(const struct abut_points *points,
                                                        const struct abut_segments *segments, float *ABUT_RESTRICT d2,
                                                        const struct abut_closest *closest);

/* e = 12u (|p - a| + |b - a|). */
ABUT_API enum abut_status abut_points_capsules_distance(const struct abut_points *points,
                                                        const struct abut_capsules *capsules, float *ABUT_RESTRICT d2,
                                                        const struct abut_closest *closest);

/* e = 64u (|p - a| + |b - a| + |c - a|), needles and points among them. */
ABUT_API enum abut_status abut_points_triangles_distance(const struct abut_points *points,
                                                         const struct abut_triangles *triangles,
                                                         float *ABUT_RESTRICT d2, const struct abut_closest *closest);

/* ---- Instances -----------------------------------------------------------------------------------
 *
 * A box, hull or mesh that stands in many places is kept once, in a space of its own, and moved to the world by a rigid
 * transform: world = R own + t, R a rotation. No function here takes a transform: **all arguments of a call are in one
 * space**, and to mix spaces, spheres of the world with a box of its own, is the commonest mistake; it is silent, since all
 * numbers are good. There are two ways:
 *
 *   Shapes to the world   An OBB in the world by abut_obb_affine, a hull by abut_hull_box or its planes turned: n' = R n, d' = d - n'.t.
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

/* ---- Masks -------------------------------------------------------------------------------------- */

/* Words that n bits take: n / 64, rounded up. */
ABUT_API size_t abut_mask_words(size_t n);

/* How many of n bits are set; whether any is; whether all are (true for n = 0). */
ABUT_API uint64_t abut_mask_count(const uint64_t *mask, size_t n);
ABUT_API bool abut_mask_any(const uint64_t *mask, size_t n);
ABUT_API bool abut_mask_all(const uint64_t *mask, size_t n);

/*
 * The indices of the set bits, ascending, into indices[0 .. capacity). Returns how many bits are set: more
 * than capacity means that the buffer was filled to its end and the rest left out; indices may be NULL if capacity is 0.
 * n <= ABUT_MAX_ITEMS.
 */
ABUT_API size_t abut_mask_list(const uint64_t *mask, size_t n, uint32_t *ABUT_RESTRICT indices, size_t capacity);

/* ---- Contacts ------------------------------------------------------------------------------------ */

/* Item a of one set and item b of another, or of the same. */
struct abut_pair {
    uint32_t a, b;
};

/* Room for capacity pairs in each list (or NULL), and how many there are: more than capacity were left out. */
struct abut_contacts {
    struct abut_pair *began, *kept, *ended;
    size_t capacity;
    size_t n_began, n_kept, n_ended;
};

/*
 * Compares the pairs of the last step with those of this one, both sorted by a, then b, without duplicates: which are
 * new, which are in both, which are gone, each list sorted. Linear time, no allocation. abut_join does not sort its pairs:
 * abut_sort_pairs does (index.h). Errors: ABUT_ERROR_NULL.
 */
ABUT_API enum abut_status abut_find_contacts(const struct abut_pair *before, size_t n_before,
                                             const struct abut_pair *now, size_t n_now, struct abut_contacts *contacts);

/* ---- Instruction sets ---------------------------------------------------------------------------
 *
 * "scalar", "sse" (SSE2), "avx2" (with FMA), "avx512" (F VL DQ BW), "neon" (AArch64). The best that this
 * machine runs is active from the start; every choice gives the same answers. Batches too short for one of its vectors go to
 * a narrower one.
 */

/* The active one. */
ABUT_API const char *abut_isa(void);

/* The names that run here, fastest first, ended by NULL. */
ABUT_API const char *const *abut_isas(void);

/* Makes one active, for all threads. ABUT_ERROR_ARGUMENT: no such name; ABUT_ERROR_ISA: this machine lacks it. */
ABUT_API enum abut_status abut_use_isa(const char *name);

/* Whether the calling thread rounds to nearest and keeps denormals, as exact answers require. */
ABUT_API bool abut_environment_ok(void);

/* ---- Memory -------------------------------------------------------------------------------------- */

/*
 * allocate returns size bytes aligned as malloc's, or NULL; release takes what allocate returned. NULL, or all zeros, means
 * malloc; on Linux blocks of 4 MiB and more ask for huge pages (madvise), which the kernel may grant.
 */
struct abut_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory);
    void *context;
};

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

/* ---- Checks and helpers --------------------------------------------------------------------------- */

/* The first bad row and how many there are. */
struct abut_invalid {
    size_t count;
    size_t row;        /* from 0; of hulls, the hull */
    const char *field; /* "r", "minx" */
    const char *what;  /* "is negative" */
    size_t plane;      /* of hulls, where the arrays hold the bad plane; else 0 */
};

/*
 * Strict checks, for readers and builders: NaN, a negative radius, an infinite centre or point, and a box
 * with min > max, min = +inf or max = -inf are bad; flat and infinite boxes are not. Returns ABUT_OK,
 * ABUT_ERROR_INVALID (and fills bad, which may be NULL), ABUT_ERROR_NULL or ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_check_points(const struct abut_points *points, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_spheres(const struct abut_spheres *spheres, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_aabbs(const struct abut_aabbs *boxes, struct abut_invalid *invalid);

/*
 * Likewise; bad are also a zero or infinite normal, an infinite plane distance, a negative half extent, an infinite axis or
 * vertex, and axes off orthonormal by more than 1e-3.
 */
ABUT_API enum abut_status abut_check_planes(const struct abut_planes *planes, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_obbs(const struct abut_obbs *boxes, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_segments(const struct abut_segments *segments, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_capsules(const struct abut_capsules *capsules, struct abut_invalid *invalid);
ABUT_API enum abut_status abut_check_triangles(const struct abut_triangles *triangles, struct abut_invalid *invalid);

/*
 * The same of hulls, as of planes: a hull is bad if one of its planes is, which is told, or if it has none or more than 32:
 * then the field is "offsets" and the plane its first. count is that of bad hulls.
 */
ABUT_API enum abut_status abut_check_hulls(const struct abut_hulls *hulls, struct abut_invalid *invalid);

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
ABUT_API unsigned abut_hull_matrix(const float matrix[4][4], enum abut_vectors vectors, enum abut_depth depth,
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
ABUT_API bool abut_obb_affine(const float matrix[4][4], enum abut_vectors vectors, const float min[3],
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
ABUT_API unsigned abut_hull_camera(const struct abut_camera *camera, float planes[6][4]);

/*
 * Turns n planes, in columns nx ny nz d, from inward to outward, or back, in place. Errors: ABUT_ERROR_NULL,
 * ABUT_ERROR_TOO_MANY.
 */
ABUT_API enum abut_status abut_planes_flip(size_t n, float *const columns[4]);

#ifdef __cplusplus
}
#endif

#endif
