/* SPDX-License-Identifier: MIT */
/* What the wide filters of hulls are written in, and the kernels themselves. */
#ifndef ABUT_KERNELS_HULL_FILTER_H
#define ABUT_KERNELS_HULL_FILTER_H

#include "hull/hull.h"
#include "kernels/operand.h"

/* Vectors are taken together so that a plane is loaded once for all of them: as many as leave registers for it. */
enum { MAX_TOGETHER = 4 };

struct hull_filter_state {
    enum mode mode;
    const struct hull *hull;
    m hit, valid; /* lanes */
    m boundary;   /* hits that need a second look */
    m undecided;
    struct sticky sticky;
    /*
     * Of the words so far, lane by lane: the greatest coordinate, member of an axis, and what was needed, which is in
     * the guard unless RECHECK; what the error of a depth is less than, where it matters; the least distance from what
     * decides.
     */
    v coordinate, axis, needed, bound, nearest;
};

/* Says what makes items valid, and how great their members are. */
typedef void hull_items_function(struct hull_filter_state *p, const struct operand *operand, size_t i);

/* What the error of a depth grows with, where members are no greater than that. */
typedef v hull_magnitude_function(v coordinate, v axis, v needed);

/* Sets the depths of the vectors from i on that are taken together. */
typedef void depth_function(const struct hull *hull, const struct operand *operand, size_t i, v *depths);
typedef void hull_lanes_function(struct hull_filter_state *p, const struct operand *operand, size_t i, v depth);

struct hull_filter {
    hull_items_function *items;
    hull_magnitude_function *magnitude;
    depth_function *depth;
    hull_lanes_function *lanes;
    enum predicate predicate;
    unsigned together; /* vectors; divides those of a word */
    bool look_first;   /* at items, before their depths are asked for, as these hide it; else it would cost registers */
    unsigned fields;
    bool centres; /* spheres and points: their arrays are few */
    bool
        has_boundary; /* spheres: hits that are not sure need their distance, and open, a radius of 0 touches nothing */
};

INLINE void hull_require_nonneg(struct hull_filter_state *p, v e)
{
    if (p->mode == FAST)
        p->sticky = sticky_nonneg(p->sticky, e);
    if (p->mode == RECHECK) {
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
        p->needed = v_max(p->needed, e);
    }
}

/*
 * The greatest so far, which may lose a NaN: s is NaN too, but without planes, which are for RECHECK. A sum will do
 * there, and keeps it.
 */
INLINE v hull_greatest(const struct hull_filter_state *p, v so_far, v x, v y, v z)
{
    return p->mode == RECHECK ? v_add(so_far, magnitude_of(x, y, z)) : v_max(v_max_abs(x, y, z), so_far);
}

/*
 * Errors of s: each product carries 1 rounding of the unit normal, 1 of itself and at most 3 of sums, so that the
 * height over a plane is off by at most 5 u (1 + 5 u) (|c| + |d|). That over the second plane of a slab is what both
 * add up to, less that over the first: the d of the first is in both and cancels, with its rounding, and 2 u |d| come
 * for the sum, u |d| for the second d and u (|c| + |d|) for the difference, so that it is off by at most 6 u (1 + 6 u)
 * |c| + 7 u (1 + 7 u) |d|. The greatest of three coordinates will do for c: times 16 u that is more than 6 u (1 + 6 u)
 * |c|. Of d 11 u are taken, which is enough for OBBs too (kernels/box_hull.h), and either leaves some for the roundings
 * of the bound and of the test. What is lost to underflow, at most 2^-150 six times, is less than the 2^-60 that are
 * added, and where a member of the unit normal underflows, 2^-150 of a coordinate is nothing beside 2^-20 of it. No
 * distance counts for more than CERTAIN: where the magnitude is 2^20 times that, nothing is certain, and below, no sum
 * overflows.
 */
#define CERTAIN v_set1(0x1p100f)

INLINE v hull_bound(const struct hull *hull, v magnitude)
{
    return v_fma(magnitude, v_set1(0x1p-20f), v_set1(hull->error));
}

/*
 * The true sign of s, which is the depth plus or minus one input, is known; or else the lane is undecided. Except in
 * RECHECK only the worst of a few words is asked, which spares most of the work and sends few more words to be done
 * again. A NaN is then lost from either, but it is in s, which it makes a miss.
 */
INLINE void hull_known(struct hull_filter_state *p, v s)
{
    if (!INEXACT && (p->mode == FAST || p->mode == PREVALIDATED))
        p->nearest = v_min_abs(p->nearest, s);
    if (p->mode == RECHECK)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_and(m_lt(p->bound, v_abs(s)), m_lt(p->bound, CERTAIN))));
}

INLINE void hull_below(struct hull_filter_state *p, v s)
{
    p->hit = m_lt(s, v_set1(0));
    hull_known(p, s);
}

/* Where the depth itself decides. */
INLINE void depth_filter(struct hull_filter_state *p, const struct operand *operand, size_t i, v depth)
{
    (void)operand, (void)i;
    hull_below(p, depth);
}

INLINE struct v_plane hull_plane(const struct hull *hull, unsigned k)
{
    return (struct v_plane){v_set1(hull->nx[k]), v_set1(hull->ny[k]), v_set1(hull->nz[k]), v_set1(hull->d[k])};
}

INLINE v height(struct v_plane f, v x, v y, v z)
{
    return v_fma(f.nx, x, v_fma(f.ny, y, v_fma(f.nz, z, f.d)));
}

/* The greater of the heights over both planes of the slab whose first is k, over which it is h. */
INLINE v slab_height(const struct hull *hull, unsigned k, v h)
{
    return v_max(h, v_sub(v_set1(hull->across[k / 2]), h));
}

/* The same place, where compilers do not know what they have read: it is no register that they keep, but an operand. */
INLINE const float *read_again(const float *at)
{
    __asm__("" : "+r"(at));
    return at;
}

#define KERNEL_FILTERS
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"

#include "kernels/corner_hull.h"
#undef KERNEL_FILTERS

#endif
