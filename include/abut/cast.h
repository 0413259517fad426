/* SPDX-License-Identifier: MIT */
/*
 * Casts: which items of an index rays and moving spheres hit, and which of them first. Exactly, and many at once.
 *
 *     const struct abut_rays rays = {.n = 1, .x = x, .y = y, .z = z, .dx = dx, .dy = dy, .dz = dz};
 *     uint32_t item;
 *     float t;
 *     if (abut_cast_first(index, &rays, NULL, &item, &t) == ABUT_OK && item != UINT32_MAX)
 *         printf("the ray hits item %u at t = %g\n", item, t);
 *
 * A ray is a sphere that moves: at time t its centre is p + t d. It hits an item at the least t from 0 to end at which
 * the sphere touches the item, by the closed rule of abut.h. With the radius 0 it is a point. All of this is in real
 * numbers: p + t d is not rounded, so d is the motion itself and no end point. Hits are ordered by exact t, and equal
 * ones by number.
 *
 *   Items        Of any shape that an index holds. An OBB measures along its axes as given, as for points and spheres.
 *   Start        t is 0 where the sphere touches the item at its start.
 *   Times        t is rounded to the nearest float32, ties to even; +inf is one beyond all others. So of two items the
 *                first is never at the greater float, but both may be at the same one.
 *   Invalid      NaN anywhere, an infinite p or d, a negative radius or a negative end: such a ray hits nothing. A
 *                sphere of infinite radius hits all valid items at 0.
 *   Cost         A ray passes items from front to back, so the first hit of a long one is cheap (bench/README.md). A
 *                hit or an order that float64 does not decide takes up to 0.3 ms; of a sphere that grazes a hull of 32
 *                planes 3 ms, and 20 ms where their normals have exponents from -100 to 100.
 *   Options      A filter says which items count; its keep gets them one at a time. proceed is called before some
 *                hundreds of rays. The rule is closed.
 */
#ifndef ABUT_CAST_H
#define ABUT_CAST_H

#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each pointer is an array of n floats. */
struct abut_rays {
    size_t n;
    const float *x, *y, *z;    /* p, where each begins */
    const float *dx, *dy, *dz; /* d, its motion from t = 0 to t = 1 */
    const float *r;            /* the radius of the sphere that moves, or NULL: 0 */
    const float *end;          /* the last t, +inf for a ray without end; or NULL: 1 */
};

/*
 * Finds the item that each ray hits first. items[i] is its number, or UINT32_MAX where ray i hits nothing. t (or NULL)
 * gets the times; +inf where there is no hit.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY; ABUT_ERROR_ARGUMENT for the open rule, another relation or own;
 * ABUT_ERROR_MEMORY and ABUT_ERROR_STOPPED, after which the output holds nothing of use.
 */
ABUT_API enum abut_status abut_cast_first(const struct abut_index *index, const struct abut_rays *rays,
                                          const struct abut_options *options, uint32_t *items, float *t);

/*
 * Tells whether each ray hits anything: one bit a ray. A search ends at its first hit. Errors: as abut_cast_first.
 */
ABUT_API enum abut_status abut_cast_any(const struct abut_index *index, const struct abut_rays *rays,
                                        const struct abut_options *options, uint64_t *mask);

/*
 * Finds all items that each ray hits, as compressed rows: those of ray i are items[offsets[i] .. offsets[i + 1]), in
 * the order of their exact times, equal ones by number. t (or NULL) gets the times in the same places. offsets has one
 * element more than there are rays, and is right even if capacity is less than offsets[n]; items and t are then left as
 * they were. They may be NULL if capacity is 0. It searches twice: first to count.
 * Errors: as abut_cast_first.
 */
ABUT_API enum abut_status abut_cast_all(const struct abut_index *index, const struct abut_rays *rays,
                                        const struct abut_options *options, uint64_t *offsets, uint32_t *items,
                                        float *t, size_t capacity);

/*
 * The same among convex hulls, which no index holds: boxes is an index of their AABBs, item i that of hull i. A ray hits
 * a hull at the least t from 0 to end at which the distance of its centre from the points of the hull, those outside of
 * no plane, is at most the radius. items are numbers of hulls.
 *
 *     abut_aabbs_of_hulls(&hulls, columns);
 *     abut_index_new(abut_of_aabbs(&aabbs), &skip_invalid, NULL, &boxes);
 *     abut_cast_hulls_first(boxes, &hulls, &rays, NULL, items, t);
 *
 * Requires: boxes that hold their hulls, as abut_aabbs_of_hulls (engine.h) makes them. An empty hull may have an empty
 * box and an invalid one has NaN, which skip_invalid in the options of the index leaves out: nothing hits these hulls.
 * Errors: as abut_cast_first; ABUT_ERROR_LENGTHS for another number of hulls than of boxes; ABUT_ERROR_PREDICATE for an
 * index of other items than AABBs; ABUT_ERROR_ARGUMENT for a hull of no plane or of more than 32.
 */
ABUT_API enum abut_status abut_cast_hulls_first(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                                const struct abut_rays *rays, const struct abut_options *options,
                                                uint32_t *items, float *t);

/* Tells whether each ray hits any hull, as abut_cast_any. */
ABUT_API enum abut_status abut_cast_hulls_any(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                              const struct abut_rays *rays, const struct abut_options *options,
                                              uint64_t *mask);

/* Finds all hulls that each ray hits, as abut_cast_all. */
ABUT_API enum abut_status abut_cast_hulls_all(const struct abut_index *boxes, const struct abut_hulls *hulls,
                                              const struct abut_rays *rays, const struct abut_options *options,
                                              uint64_t *offsets, uint32_t *items, float *t, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
