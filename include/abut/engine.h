/* SPDX-License-Identifier: MIT */
/*
 * What engines, planners and simulations ask besides: any hit in groups of items, masks of hulls for each item, classes
 * and bits from a search of an index, corners of hulls, neighbour lists, and how deep a sphere is in a shape.
 *
 *     // Spheres offsets[i] to offsets[i + 1] - 1 are configuration i of a robot. Which of them are in collision?
 *     uint64_t hits[(CONFIGURATIONS + 63) / 64];
 *     const struct abut_groups groups = {CONFIGURATIONS, offsets};
 *     if (abut_join_groups(obstacles, abut_of_spheres(&spheres), &groups, NULL, hits) != ABUT_OK)
 *         return 1;
 *
 * Answers are those of the predicates of abut.h. They do not depend on the instruction set or on the number of threads.
 * What abut.h and index.h say about errors, memory and threads holds here too.
 */
#ifndef ABUT_ENGINE_H
#define ABUT_ENGINE_H

#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Groups of items ------------------------------------------------------------------------------
 *
 * Group g holds the items offsets[g] to offsets[g + 1] - 1 of a set, possibly none. There are n + 1 offsets, ascending,
 * and offsets[n] is the number of items; offsets[0] may be above 0. A group hits if at least one of its items does.
 * The search leaves a group soon after its first hit, so put items first that hit often. Bit g % 64 of word g / 64 of
 * the mask is group g, as in the masks of abut.h. Statistics count the pairs that were tested.
 *
 * Errors besides those of abut_test or of searches: ABUT_ERROR_ARGUMENT for offsets that descend, or that are not for
 * this number of items.
 */
struct abut_groups {
    size_t n;
    const uint32_t *offsets;
};

/* Tells of each group whether any of its pairs of items hits: a and b item by item, as in abut_test. */
ABUT_API enum abut_status abut_test_groups(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                           const struct abut_groups *groups, const struct abut_options *options,
                                           uint64_t *ABUT_RESTRICT mask);

/*
 * Tells of each group of a whether any of its items hits any item of b. This suits few items of b; for more, build an
 * index of b and use abut_join_groups.
 */
ABUT_API enum abut_status abut_test_all_groups(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                               const struct abut_groups *groups, const struct abut_options *options,
                                               uint64_t *ABUT_RESTRICT mask);

/* Tells of each group of queries whether any of them touches any item of the index. */
ABUT_API enum abut_status abut_join_groups(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_groups *groups, const struct abut_options *options,
                                           uint64_t *ABUT_RESTRICT mask);

/* ---- Masks, bits and classes ---------------------------------------------------------------------- */

/*
 * Tests every item against up to 32 hulls: bit j of masks[i] tells whether item i touches, is inside or is beyond no
 * plane of hull j. So one pass over the objects of a scene serves all cameras and lamps. Unused bits are zero.
 * Errors: those of abut_test; ABUT_ERROR_TOO_MANY for more than 32 hulls.
 */
ABUT_API enum abut_status abut_test_masks(enum abut_relation relation, struct abut_set items,
                                          const struct abut_hulls *hulls, const struct abut_options *options,
                                          uint32_t *ABUT_RESTRICT masks);

/*
 * The same from a search: bit j of masks[b] tells whether query j, of at most 32 of any kind, touches item b (of hulls:
 * what options->relation says). Errors: as all searches; ABUT_ERROR_TOO_MANY for more than 32 queries.
 */
ABUT_API enum abut_status abut_join_masks(const struct abut_index *index, struct abut_set queries,
                                          const struct abut_options *options, uint32_t *ABUT_RESTRICT masks);

/*
 * Finds the bits that abut_test_all would write: row i is query i against all items of the index, and begins at word
 * i * abut_mask_words(n of items). Errors: as all searches.
 */
ABUT_API enum abut_status abut_join_bits(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_options *options, uint64_t *ABUT_RESTRICT bits);

/*
 * Finds the classes that abut_classify would write of the items and each hull: classes[i * n + b] is the enum
 * abut_class of item b and hull i, for n items. Items that the index skips have no class. The touch rule of the options
 * plays no part.
 * Errors: as all searches; ABUT_ERROR_PREDICATE for items that have no classes with hulls; ABUT_ERROR_ARGUMENT for a
 * relation, a filter, and own.
 */
ABUT_API enum abut_status abut_join_classes(const struct abut_index *index, const struct abut_hulls *hulls,
                                            const struct abut_options *options, uint8_t *ABUT_RESTRICT classes);

/*
 * Computes an AABB of each hull, in columns minx miny minz maxx maxy maxz of n floats, which surely holds the hull.
 * Axis-aligned planes give their bounds to one float. Another bound is wider by at most one float and 2^-26 of the
 * greatest |bound| or distance of a plane from the origin. An unbounded hull gives infinite bounds. So may one whose
 * corners are sharper than 2^-20 (the determinant of three unit normals). A hull without points may get any box, and
 * an invalid one gets NaN.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_TOO_MANY; ABUT_ERROR_ARGUMENT for a hull of no plane or of more than 32.
 */
ABUT_API enum abut_status abut_aabbs_of_hulls(const struct abut_hulls *hulls, float *const columns[6]);

/* Whether a hull has corners: only bounded ones do here. */
enum abut_extent { ABUT_EXTENT_BOUNDED, ABUT_EXTENT_UNBOUNDED, ABUT_EXTENT_EMPTY, ABUT_EXTENT_INVALID };

/* No hull of 32 planes has more corners. */
enum { ABUT_MAX_CORNERS = 2 * ABUT_MAX_PLANES - 4 };

/*
 * Finds the corners of bounded hulls: the points where three planes or more meet and that no plane has outside. Those
 * of hull i are elements offsets[i] to offsets[i + 1] - 1 of the columns x y z. Each corner is there once. Its place is
 * that of the first planes i < j < k which meet in no other point: in ascending order of i, then j, then k.
 * Which points are corners is exact. A coordinate is the float nearest to the exact one, so it is off by at most half a
 * unit in the last place, and infinite beyond the greatest float. Different corners may round to the same floats.
 *     uint64_t offsets[2];
 *     float x[ABUT_MAX_CORNERS], y[ABUT_MAX_CORNERS], z[ABUT_MAX_CORNERS];
 *     float *const columns[3] = {x, y, z};
 *     abut_corners_of_hulls(&one_hull, offsets, columns, ABUT_MAX_CORNERS, NULL);
 *
 * offsets has hulls->n + 1 elements. If offsets[n] is more than capacity, the columns are full and the rest is left
 * out. columns may be NULL if capacity is 0. extents (or NULL) receives an enum abut_extent for each hull. A flat hull
 * is bounded. One that is unbounded, has no points, or is invalid (NaN, an infinite normal) has no corners here. Planes
 * that bound nothing do not matter. The time grows with the fourth power of the number of planes.
 * Errors: as abut_aabbs_of_hulls.
 */
ABUT_API enum abut_status abut_corners_of_hulls(const struct abut_hulls *hulls, uint64_t *offsets,
                                                float *const columns[3], size_t capacity, uint8_t *extents);

/*
 * Beyond no plane of the hull, and touching its AABB: what engines often cull by. It keeps what ABUT_CULL keeps, less
 * most items that are off edges and corners. b has as many hulls as boxes has AABBs (abut_aabbs_of_hulls makes them),
 * and both pair up with the items as in abut_test. Items: spheres, AABBs and OBBs.
 * Errors: those of abut_test.
 */
ABUT_API enum abut_status abut_test_cull_box(struct abut_set items, const struct abut_hulls *hulls,
                                             const struct abut_aabbs *boxes, const struct abut_options *options,
                                             uint64_t *ABUT_RESTRICT hits);

/* ---- Neighbour lists ------------------------------------------------------------------------------ */

/* Full rows name each pair twice, half rows once: row i has the items above i alone. No item is in its own row. */
enum abut_rows { ABUT_ROWS_FULL, ABUT_ROWS_HALF };

/*
 * Finds the compressed rows of an index searched for in itself: abut_join_rows and abut_join_rows_unsorted, without
 * self. For particles within a distance of each other, index spheres of half that radius.
 * Errors: as these functions; ABUT_ERROR_PREDICATE for items that have no predicate with themselves;
 * ABUT_ERROR_ARGUMENT for rows that do not exist.
 */
ABUT_API enum abut_status abut_self_rows(const struct abut_index *index, enum abut_rows form,
                                         const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                         size_t capacity);
ABUT_API enum abut_status abut_self_rows_unsorted(const struct abut_index *index, enum abut_rows form,
                                                  const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                                  uint32_t *indices, size_t capacity);

/*
 * A distance for each pair of types: a point of type s and one of type t are neighbours if they are at most
 * distances[s * types + t] apart (open: less). A distance that is negative or NaN has no neighbours.
 */
struct abut_cutoffs {
    size_t types;
    const float *distances;  /* types * types */
    const uint32_t *type_of; /* of each point, below types */
};

/*
 * The same rows for points with cutoffs: row i has the points j, but not i, that are within distances[type of i * types
 * + type of j] of point i, exactly. index holds the same points as points, in the same order.
 * Errors: as abut_join_rows; ABUT_ERROR_PREDICATE for an index of another shape; ABUT_ERROR_LENGTHS for another number
 * of points; ABUT_ERROR_ARGUMENT for rows or a type that do not exist.
 */
ABUT_API enum abut_status abut_cutoff_rows(const struct abut_index *index, const struct abut_points *points,
                                           const struct abut_cutoffs *cutoffs, enum abut_rows form,
                                           const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                           size_t capacity);
ABUT_API enum abut_status abut_cutoff_rows_unsorted(const struct abut_index *index, const struct abut_points *points,
                                                    const struct abut_cutoffs *cutoffs, enum abut_rows form,
                                                    const struct abut_options *options, uint32_t *rows,
                                                    uint64_t *offsets, uint32_t *indices, size_t capacity);

/*
 * Tells whether any point has moved further than distance, exactly: sets *moved. A list of neighbours that was made
 * with a skin stays right while no point has moved further than half of it. A point that is or was invalid has moved.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_LENGTHS if the numbers of points differ; ABUT_ERROR_TOO_MANY; ABUT_ERROR_ARGUMENT
 * for a distance that is negative or NaN.
 */
ABUT_API enum abut_status abut_any_moved(const struct abut_points *before, const struct abut_points *now,
                                         float distance, bool *moved);

/* ---- Penetration ------------------------------------------------------------------------------------ */

/* Unit vectors, one element a pair in each array. */
struct abut_directions {
    float *x, *y, *z;
};

/*
 * Computes how deep spheres are in AABBs, OBBs or triangles, item by item, as batches broadcast: depth is the radius
 * less the distance of the centre from the shape, which counts as negative inside of a box. So it is positive where
 * both overlap, and how far apart they are, negated, where they do not. Moving the sphere by depth along the direction
 * leaves both touching, and no shorter way does. Either output may be NULL, not both; directions has all three arrays.
 *
 * Outside, the direction is away from the closest point; inside of a box, through the nearest face; on a triangle,
 * along its normal, at a right angle to one that is flat. OBBs measure along their axes (distance.h); the bounds below
 * are for orthonormal ones. A box that is all of space has depth +inf and no direction (NaN). Where either is invalid,
 * all are NaN, 0x7FC00000. The numbers have the same bits on every machine.
 *
 * Error bounds, for the exact depth p and u = 2^-24: depth is within u |p| + e of p, and a member of the direction
 * within u of that of a unit vector along which a move of p leaves the shapes within e of touching. S is the sum of the
 * distances from the sphere's centre to the box's, or to a, and for triangles from a to b and to c.
 *   AABBs: e = 2^-48 (R + |p|). OBBs: e = 2^-30 (R + S). Triangles: e = 2^-18 (R + S), and 2^-13 (R + S) where the sine
 *   of the angle at a is below 2^-21.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_LENGTHS, ABUT_ERROR_TOO_MANY; ABUT_ERROR_PREDICATE for other shapes. On an error
 * nothing is written.
 */
ABUT_API enum abut_status abut_penetration(const struct abut_spheres *spheres, struct abut_set shapes,
                                           float *ABUT_RESTRICT depth, const struct abut_directions *directions);

#ifdef __cplusplus
}
#endif

#endif
