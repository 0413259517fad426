/* SPDX-License-Identifier: MIT */
/*
 * Everything that was chosen by measurement, and depends on the width of vectors, the number of registers or the cost of a kernel.
 * Figures are of a Zen 4 and gcc 12 unless they say otherwise. Included by instantiate.h.
 */
#ifndef ABUT_BATCH_TUNING_H
#define ABUT_BATCH_TUNING_H

#include "dispatch/kernel_table.h"

#include <stdbool.h>

#if defined(__clang__)
#define UNROLL _Pragma("unroll 8")
#define UNROLL_FIELDS _Pragma("unroll 15")
#else
#define UNROLL _Pragma("GCC unroll 8")
#define UNROLL_FIELDS _Pragma("GCC unroll 15")
#endif

/*
 * Whether the loop over the vectors of a word is unrolled: 2 to 8 % of the time of cheap kernels, 0 to 5 % of that of OBBs, segments
 * and capsules; nothing of that of triangles, whose code it makes five times as long. A recheck is never unrolled.
 */
INLINE bool word_unrolled(enum predicate predicate)
{
    return predicate != predicate_sphere_triangle;
}

/*
 * The same of the rows of a block: 3 to 6 % of the time of spheres, points and AABBs among themselves; planes, OBBs and triangles
 * are up to 3 % faster without, but with AVX-512 OBBs 5 to 10 % slower.
 */
INLINE bool rows_unrolled(enum predicate predicate)
{
    const bool obb = predicate >= predicate_sphere_obb && predicate <= predicate_point_in_obb;
    return predicate <= predicate_aabb_aabb || (WIDTH == 16 && obb);
}

#endif
