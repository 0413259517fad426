/* SPDX-License-Identifier: MIT */
/*
 * Constants that were chosen by measurement, and depend on the width of vectors, the number of registers or the cost of
 * a kernel. Figures are of a Zen 4 and gcc 12 unless they say otherwise. They stand in one place, so that another
 * machine can be tuned without a look at the kernels.
 */
#ifndef ABUT_KERNELS_TUNING_H
#define ABUT_KERNELS_TUNING_H

#include "dispatch/kernel_table.h"

#include <stdbool.h>

/* Unrolled, code is a quarter longer. */
#if defined(__OPTIMIZE_SIZE__) || defined(ABUT_NO_UNROLLING)
#define UNROLL
#define UNROLL_FIELDS
#elif defined(__clang__)
#define UNROLL _Pragma("unroll 8")
#define UNROLL_FIELDS _Pragma("unroll 15")
#else
#define UNROLL _Pragma("GCC unroll 8")
#define UNROLL_FIELDS _Pragma("GCC unroll 15")
#endif

/*
 * Whether the loop over the vectors of a word is unrolled: 2 to 8 % of the time of cheap kernels, 0 to 5 % of that of
 * OBBs, segments and capsules; nothing of that of triangles, whose code it makes five times as long. A recheck is never
 * unrolled.
 */
INLINE bool word_unrolled(enum predicate predicate)
{
    return predicate != predicate_sphere_triangle;
}

/*
 * The same of the rows of a block: 3 to 6 % of the time of spheres, points and AABBs among themselves; planes, OBBs and
 * triangles are up to 3 % faster without, but with AVX-512 OBBs 5 to 10 % slower.
 */
INLINE bool rows_unrolled(enum predicate predicate)
{
    const bool obb = predicate >= predicate_sphere_obb && predicate <= predicate_point_in_obb;
    return predicate <= predicate_aabb_aabb || (WIDTH == 16 && obb);
}

/*
 * The words whose sticky flags are tested together. With sixteen lanes a test takes as long as half a vector: eight
 * words together take 7 to 13 % off spheres and AABBs in a cache, and 6 % off AABBs and a hull. With many arrays the
 * second loop takes the registers that hold their addresses, which costs more. BACK_OFF words are tested one by one
 * after an undecided one, so that rechecks stay a small part where undecided lanes are common: 5 % where one box in 97
 * is undecided.
 */
enum { ONCE = 8, BACK_OFF = 32, FEW_FIELDS = 10 };

INLINE unsigned words_at_once(unsigned fields)
{
    return WIDTH == 16 && fields <= FEW_FIELDS ? ONCE : 1;
}

/*
 * Whether the bits of a word are put together after this vector: vectors are decided in turn, with AVX-512 two by two.
 * Else compilers keep the masks for the end and spill what registers are needed for: with AVX-512 pairs of AABBs take
 * 31 % longer, with AVX2 blocks of AABBs 15 %.
 */
INLINE bool ends_turn(unsigned vector)
{
    return WIDTH == 8 || (WIDTH == 16 && vector % 2 == 1);
}

/*
 * The words that one item (or hull) of a block is tested against before the next: so many that the work for each item
 * and chunk costs little, and so few that they stay in the first cache. Four instead of two, with prefetching, took 4
 * to 15 % off many against many.
 */
enum { CHUNK = 4 };

/*
 * Zen 4 runs minima, maxima and subtractions on the same ports, and products on others. It runs 512-bit compares on the
 * latter, too, and unvalidated shapes need many of those. So differences are products in blocks of AABBs, which take
 * 16 % longer without. Zen 3, which has AVX2 only, runs minima on the ports of products; a Zen 4 that is told to use
 * AVX2 pays 9 % for that.
 */
enum { SUBTRACTS_BY_PRODUCTS = WIDTH == 16 };

/*
 * COMPRESSES_BOXES: wide vectors append the boxes of children to a list at once. With few lanes one loop copies those
 * of all nodes at the end, as each loop ends in a mispredicted branch: a tenth of a join with SSE2.
 * KEYS_ABREAST: vectors of keys on a Hilbert curve that are interleaved, as many as registers allow. Each level of
 * cubes depends on the one before it. On a Zen 5 keys by vectors build an index of a million boxes in 13 ms with
 * AVX-512, 15 with AVX2 and 17.5 with SSE2; keys one by one took 20.
 */
enum { COMPRESSES_BOXES = WIDTH > 4, KEYS_ABREAST = WIDTH / 4 };

/*
 * Whether a member stays in the register that it is loaded into; else compilers may load it for each use, as an
 * operand. With more than 16 registers all members stay, but of the fifteen of OBBs only the half extents. With 16,
 * only the lower bounds of boxes do. Without any, AVX-512 takes 33 to 35 % longer for AABBs and AVX2 13 %; with all,
 * blocks of OBBs take 12 and 32 % longer, and with AVX2 blocks of AABBs 12 %.
 */
INLINE bool member_kept(enum shape shape, unsigned k)
{
    if (REGISTERS <= 16)
        return shape == shape_aabb && k < 3;
    return shape != shape_obb || (k >= 3 && k < 6);
}

/*
 * Items that take each vector of b together, so that it is loaded once for both of them. Not in SSE, whose operations
 * overwrite an operand, so that copies would take as long; and not where b has many arrays, for which registers do not
 * suffice. One by one, blocks of AABBs take 7 to 9 % longer.
 */
INLINE unsigned rows_together(unsigned fields)
{
    return (WIDTH >= 8 || REGISTERS > 16) && fields <= FEW_FIELDS ? 2 : 1;
}

/*
 * CENTRES_TOGETHER vectors are decided together: as many as leave registers for a component of a plane. Two take 15 to
 * 19 % longer than four.
 * CENTRES_READ_AGAIN: instruction count limits eight lanes, and twice as many vectors need fewer, although each plane
 * loads two of the coordinates again: AVX2 takes 8 % longer without.
 * CENTRES_LOOK_FIRST: machines with more registers keep the results of the checks of the items in them.
 */
enum { CENTRES_TOGETHER = WIDTH < 8 ? 2 : 4, CENTRES_READ_AGAIN = WIDTH == 8, CENTRES_LOOK_FIRST = REGISTERS > 16 };

/*
 * Vectors decided together: as many as leave registers for a plane, with both bounds of two axes, as loads are the
 * limit here. The corner changes from plane to plane, but not from item to item, so the branch is predicted. This took
 * AABBs beyond no plane from 0.67 to 0.52 ns with AVX-512, and from 0.84 to 0.70 with AVX2.
 */
enum { CORNERS_TOGETHER = WIDTH == 16 ? 4 : 2 };

#endif
