/* SPDX-License-Identifier: MIT */
/*
 * The wide filters of all predicates but those of hulls (batch/hull.h), in the vocabulary of the including ISA file
 * (isa/scalar.c defines its words).
 *
 * A filter is written once and compiled in up to five modes. UNCHECKED is the plain float test. FAST takes one compare
 * a vector and collects in the sticky flags whether any lane of a few words is undecided or invalid; RECHECK then
 * computes those words again and finds the lanes. PREVALIDATED is FAST where the caller handles invalid shapes. Block
 * functions (batch/block.h) have DECIDE in place of these two: it finds the lanes at once, but does not track what is
 * exact.
 *
 * Verbs of a filter, p being its state:
 *   require_nonneg(p, e)          the shapes are valid only if e >= 0 (NaN is invalid)
 *   require_both_nonneg(p, x, y)  the same for x and y, where a NaN makes the lane undecided by another condition
 *   require_le(p, x, y)           the shapes are valid only if x <= y and y - x is not NaN
 *   hit_if_less(p, x, y)          a hit if x < y; both carry rounding errors, and the lane is undecided where they are
 *                                 within ULPS floats of each other
 *   hit_if_distance2_below(p, x, y, z, r, one)  a hit if x^2 + y^2 + z^2 < r |r|; x, y and z are differences of
 *                                 inputs, r is an input or a sum; one: r is an input of one valid shape in all lanes
 *   hit_if_scaled_negative(p, s, scale, e)  for sums that cancel: a hit if the true value is < 0; s differs from it by
 *                                 less than E, and the lane is undecided if |s| <= E; e is -scale E, scale a power of 2
 *   hit_if_le(p, x, y)            a hit only if x < y or, closed, x = y; both are inputs
 *   track_exact(p, exact)         operations may have rounded in the lanes outside of exact
 *   track_exact_square(p, a)      the same in the lanes where a^2 rounds
 *   difference(p, a, b), sum(p, a, b)  a - b and a + b; they track where these round
 *   decide_if_exact(p, x, y)      where no tracked operation has rounded, x < y or, closed, x = y decides and overrides
 *                                 earlier results
 *   part_of(p), require_part(p, q)  a filter q for a part of the question, with results of its own; a hit only if it is
 *                                 one, too
 * Block functions have two more:
 *   hit_if_proved(p, hit, miss)   a hit where hit, no hit where miss, and the lane is undecided where neither holds
 *   leave_undecided(p, lanes)     lanes that a filter does not look into
 */
#ifndef ABUT_KERNELS_FILTER_H
#define ABUT_KERNELS_FILTER_H

#include "kernels/tuning.h"

#include <math.h>

#define KERNEL_FILTERS

/* A constant: filters leave no lane undecided. The benchmark measures the cost of exactness by it. */
#ifdef ABUT_INEXACT
#define INEXACT true
#else
#define INEXACT false
#endif

enum mode { UNCHECKED, FAST, PREVALIDATED, DECIDE, RECHECK };

/* mode is a constant at every use, and the struct never reaches memory. */
struct filter_state {
    enum mode mode;
    v below;      /* hit_if_le() requires y - x > below: 0 when open, -2^-149 when closed */
    m hit, valid; /* lanes; a hit is final only where it is valid and not undecided */
    m undecided;  /* in the modes DECIDE and RECHECK, like valid */
    m exact;      /* in RECHECK mode: no tracked operation has rounded */
    struct sticky sticky;
    bool has_hit;      /* hit holds the first condition */
    bool one_a, one_b; /* the same item, a valid one, in all lanes; constants like the mode */
    bool prevalidated; /* the caller discards lanes with invalid shapes; a constant, too */
};

INLINE struct filter_state start(enum mode mode, v below, struct sticky sticky)
{
    return (struct filter_state){mode, below, m_all(), m_all(), m_none(), m_all(), sticky, false, false, false, false};
}

/* Whether the state holds the valid and the undecided lanes; else the sticky flags tell that there are some. */
INLINE bool lists_lanes(const struct filter_state *p)
{
    return p->mode == DECIDE || p->mode == RECHECK;
}

/* Plain float compares, without error bounds. */
INLINE bool compares_plainly(const struct filter_state *p)
{
    return p->mode == UNCHECKED || (INEXACT && p->mode != RECHECK);
}

INLINE void hit_if(struct filter_state *p, m condition)
{
    p->hit = p->has_hit ? m_and(p->hit, condition) : condition;
    p->has_hit = true;
}

INLINE void require_nonneg(struct filter_state *p, v e)
{
    if (p->mode == FAST)
        p->sticky = sticky_nonneg(p->sticky, e);
    if (lists_lanes(p))
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
}

/* Half the cost of require_nonneg(), where a NaN in x or y shows by another condition. */
INLINE void require_both_nonneg(struct filter_state *p, v x, v y)
{
    if (p->mode == FAST)
        p->sticky = sticky_both_nonneg(p->sticky, x, y);
    if (lists_lanes(p))
        p->valid = m_and(p->valid, m_and(m_le(v_set1(0), x), m_le(v_set1(0), y)));
}

/*
 * A hit only if x <= y: a compare costs less than the sticky flags. [inf, inf] and [-inf, -inf] pass in FAST mode; the
 * kernel pages make them misses, since a difference from such a bound is an infinite distance or NaN.
 */
INLINE void require_le(struct filter_state *p, v x, v y)
{
    if (p->mode == FAST)
        hit_if(p, m_le(x, y));
    if (lists_lanes(p))
        p->valid = m_and(p->valid, m_le(v_set1(0), v_sub(y, x)));
}

INLINE void track_exact(struct filter_state *p, m exact)
{
    if (p->mode == RECHECK)
        p->exact = m_and(p->exact, exact);
}

/*
 * Ties are decided where no operation rounds: shapes on a grid or on the ground, points as spheres, centres inside
 * boxes. Whole words of such ties are common, and the scalar stages take one pair at a time.
 *
 * d = fl(a - b). Where |a| >= |b|, a - d is a float (Dekker 1971), so fl(a - d) = b proves d = a - b. Where |b| > |a|,
 * d + b is a float, so fl(d + b) = a proves it. Both must hold. An infinite a or b makes one of the two sides NaN, and
 * an infinite d makes one infinite. Sums are the same.
 */
INLINE v difference(struct filter_state *p, v a, v b)
{
    v d = v_sub(a, b);
    track_exact(p, m_and(m_eq(v_sub(a, d), b), m_eq(v_add(d, b), a)));
    return d;
}

/* The same bits as difference(): a product with 1 does not round. */
INLINE v difference_beside_minima(struct filter_state *p, v a, v b)
{
    if (SUBTRACTS_BY_PRODUCTS && p->mode == PREVALIDATED)
        return v_fnma(b, v_set1(1), a);
    return difference(p, a, b);
}

INLINE v sum(struct filter_state *p, v a, v b)
{
    v s = v_add(a, b);
    track_exact(p, m_and(m_eq(v_sub(s, a), b), m_eq(v_sub(s, b), a)));
    return s;
}

/*
 * Lanes with at most 12 significant bits, and 0. high is a rounded to 12 bits (Veltkamp 1968). A product of two such
 * numbers has at most 24 bits, and within the range below it neither overflows nor underflows.
 */
INLINE m few_bits(v a)
{
    v size = v_abs(a), shifted = v_mul(a, v_set1(0x1.001p12f)), high = v_sub(shifted, v_sub(shifted, a));
    m in_range = m_and(m_le(v_set1(0x1p-63f), size), m_le(size, v_set1(0x1p63f)));
    return m_and(m_eq(high, a), m_or(in_range, m_le(size, v_set1(0))));
}

INLINE void track_exact_square(struct filter_state *p, v a)
{
    track_exact(p, few_bits(a));
}

/* A product with 0, 1 or -1 does not round. */
INLINE void track_exact_factor(struct filter_state *p, v a)
{
    track_exact(p, m_or(m_eq(a, v_set1(0)), m_eq(v_abs(a), v_set1(1))));
}

INLINE void decide_if_exact(struct filter_state *p, v x, v y)
{
    if (p->mode != RECHECK)
        return;
    p->hit = m_or(m_andnot(p->hit, p->exact), m_and(p->exact, m_lt(p->below, v_sub(y, x))));
    p->undecided = m_andnot(p->undecided, p->exact);
}

INLINE void leave_undecided(struct filter_state *p, m lanes)
{
    if (lists_lanes(p))
        p->undecided = m_or(p->undecided, lanes);
}

/* Where both hold, the caller has made a mistake. */
INLINE void hit_if_proved(struct filter_state *p, m hit, m miss)
{
    hit_if(p, hit);
    leave_undecided(p, m_andnot(m_all(), m_or(hit, miss)));
}

INLINE struct filter_state part_of(const struct filter_state *p)
{
    struct filter_state part = start(p->mode, p->below, sticky_start());
    part.prevalidated = p->prevalidated;
    return part;
}

/* A certain miss of one part is certain, even if the other is undecided. */
INLINE void require_part(struct filter_state *p, struct filter_state part)
{
    const m left_p = m_and(p->undecided, p->has_hit ? m_or(part.hit, part.undecided) : m_all());
    const m left_part = m_and(part.undecided, p->has_hit ? m_or(p->hit, p->undecided) : m_all());
    p->undecided = m_or(left_p, left_part);
    hit_if(p, part.hit);
    p->valid = m_and(p->valid, part.valid);
}

/*
 * Why a distance in ulps, and not a factor. Let x and y be non-negative sums of squares of differences of the inputs, X
 * and Y their true values, with relative errors of k1 u and k2 u (u = 2^-24) apart from underflow, and X >= Y. Then
 * y - x <= (k1 + k2) u y, to first order. The floats around y are at least u y apart (just below a power of two half of
 * that, where u y is half a step above it and one step below). So y is at most k1 + k2 floats above x. Each rounding in
 * the range of subnormals adds at most 2^-150, half the least step: with q products in all, q / 2 steps more, wherever
 * x and y lie. Overflow gives the next float after the greatest, as rounding with unbounded exponents would at 2^128,
 * and beyond it inf against inf has distance 0. So neither end needs a check of its own: x < y by more than ULPS floats
 * proves X < Y, and the same holds with x and y exchanged. A NaN compares as false, and a NaN whose bits are close to
 * those of infinity is undecided. Each kernel page states its k1 + k2 + q / 2; second-order terms are far below 1.
 */
INLINE void hit_if_less(struct filter_state *p, v x, v y)
{
    if (compares_plainly(p)) {
        hit_if(p, m_le(x, y));
        return;
    }
    hit_if(p, m_lt(x, y));
    if (lists_lanes(p))
        p->undecided = m_or(p->undecided, m_near(v_apart(x, y), APART));
    else
        p->sticky = sticky_near(p->sticky, v_apart(x, y), APART);
}

/*
 * The last rounding of s, to the nearest float, keeps the sign and moves s by at most u |s|. The bounds have that to
 * spare, and the kernel pages do not count it.
 *
 * The usual scale does more than save an operation. A bound that contains the squares of all coordinates becomes
 * infinite where these are beyond about 2^61, so no compared value can overflow unnoticed. NaN is undecided.
 */
#define BOUND_SCALE 0x1p28f

INLINE void hit_if_scaled_negative(struct filter_state *p, v s, float scale, v minus_e)
{
    if (compares_plainly(p)) {
        hit_if(p, m_le(s, v_set1(0)));
        return;
    }
    hit_if(p, m_lt(s, v_set1(0)));
    v margin = v_fma(v_abs(s), v_set1(scale), minus_e);
    if (lists_lanes(p))
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_lt(v_set1(0), margin)));
    else
        p->sticky = sticky_nonneg(p->sticky, margin);
}

/* The touch rule is data: the sign of a rounded difference is exact. inf - inf is NaN and fails: one shape is empty. */
INLINE void hit_if_le(struct filter_state *p, v x, v y)
{
    hit_if(p, p->mode == UNCHECKED ? m_le(x, y) : m_lt(p->below, v_sub(y, x)));
}

#define F(member) v member;
#define SHAPE(name, plural, fields)                                                                                    \
    struct v_##name {                                                                                                  \
        fields                                                                                                         \
    };
#include "tables/shapes.def"

INLINE void require_finite(struct filter_state *p, v x)
{
    require_nonneg(p, v_sub(v_set1(0x1.fffffep127f), v_abs(x)));
}

/* The conditions that make each shape valid. Kernel pages require only those that their formula needs. */
INLINE void point_valid(struct filter_state *p, struct v_point a)
{
    require_finite(p, a.x);
    require_finite(p, a.y);
    require_finite(p, a.z);
}

INLINE void sphere_valid(struct filter_state *p, struct v_sphere s)
{
    point_valid(p, (struct v_point){s.x, s.y, s.z});
    require_nonneg(p, s.r);
}

/* [inf, inf] and [-inf, -inf] are empty. */
INLINE void aabb_valid(struct filter_state *p, struct v_aabb b)
{
    require_le(p, b.minx, b.maxx);
    require_le(p, b.miny, b.maxy);
    require_le(p, b.minz, b.maxz);
}

/*
 * A plane with an infinite distance is empty or all of space, and so is one with a zero normal. Filters leave the
 * former undecided, and the sign of the distance decides the latter.
 */
INLINE void plane_valid(struct filter_state *p, struct v_plane b)
{
    point_valid(p, (struct v_point){b.nx, b.ny, b.nz});
    require_nonneg(p, v_abs(b.d));
}

INLINE void obb_valid(struct filter_state *p, struct v_obb b)
{
    point_valid(p, (struct v_point){b.cx, b.cy, b.cz});
    point_valid(p, (struct v_point){b.ux, b.uy, b.uz});
    point_valid(p, (struct v_point){b.vx, b.vy, b.vz});
    point_valid(p, (struct v_point){b.wx, b.wy, b.wz});
    require_nonneg(p, b.hx);
    require_nonneg(p, b.hy);
    require_nonneg(p, b.hz);
}

INLINE void segment_valid(struct filter_state *p, struct v_segment s)
{
    point_valid(p, (struct v_point){s.ax, s.ay, s.az});
    point_valid(p, (struct v_point){s.bx, s.by, s.bz});
}

INLINE void capsule_valid(struct filter_state *p, struct v_capsule c)
{
    segment_valid(p, (struct v_segment){c.ax, c.ay, c.az, c.bx, c.by, c.bz});
    require_nonneg(p, c.r);
}

INLINE void triangle_valid(struct filter_state *p, struct v_triangle t)
{
    segment_valid(p, (struct v_segment){t.ax, t.ay, t.az, t.bx, t.by, t.bz});
    point_valid(p, (struct v_point){t.cx, t.cy, t.cz});
}

/* x first: callers compute the members in this order, so the chain of operations starts and ends early. */
INLINE v sum_of_squares(v x, v y, v z)
{
    return v_fma(z, z, v_fma(y, y, v_mul(x, x)));
}

/*
 * The square of a radius. A negative radius gives a negative value, below any sum of squares, and needs no check. -0
 * becomes +0, as in a sum of squares.
 */
INLINE v radius_squared(v r)
{
    return v_fma(r, v_abs(r), v_set1(0));
}

/* Lanes in which at most one member differs from 0; a NaN differs. */
INLINE m straight(v x, v y, v z)
{
    const v none = v_set1(0);
    const m no_x = m_eq(x, none), no_y = m_eq(y, none), no_z = m_eq(z, none);
    return m_or(m_and(no_x, m_or(no_y, no_z)), m_and(no_y, no_z));
}

/* A sum and not a maximum: it keeps a NaN. */
INLINE v magnitude_of(v x, v y, v z)
{
    return v_add(v_add(v_abs(x), v_abs(y)), v_abs(z));
}

/* Lanes with a unit vector along a coordinate axis: products with it do not round. */
INLINE m unit_axis(v x, v y, v z)
{
    return m_and(straight(x, y, z), m_eq(magnitude_of(x, y, z), v_set1(1)));
}

/* An offset along one coordinate axis, as from a face, is compared with r itself, so no square needs to be exact. */
INLINE void decide_distance2_if_exact(struct filter_state *p, v x, v y, v z, v r)
{
    if (p->mode != RECHECK)
        return;
    const m ahead = straight(x, y, z), before = p->exact;
    v d2 = sum(p, sum(p, v_mul(x, x), v_mul(y, y)), v_mul(z, z));
    track_exact_square(p, x);
    track_exact_square(p, y);
    track_exact_square(p, z);
    track_exact_square(p, r);
    p->exact = m_or(p->exact, m_and(before, ahead));
    decide_if_exact(p, v_select(ahead, magnitude_of(x, y, z), d2), v_select(ahead, r, radius_squared(r)));
}

/*
 * With one radius the sum begins at e - R^2 and ends at t. Undecided values of t are near 0, so no lane needs a
 * subtraction to be tested. Let e = 16 u R^2 + 2^-126, D^2 be the true sum and M the greater of D^2 and R^2. Rounding
 * errors, in parts u of M: the differences 1 each, entering squared, so 2; the squares 1, unless fused; four sums, none
 * of whose results is beyond M + e, 4; R^2 itself 1, and its product with 1 - 16 u 1, unless fused: 9 in all, and 5
 * times 2^-150 for results that underflow: less than e. If D^2 >= R^2, t >= D^2 - R^2 + e - 9 u D^2 - 5 2^-150 > 0. If
 * D^2 <= R^2, t <= 25 u R^2 + 2^-126 + 5 2^-150, which is below 2 e by more than the three roundings of 2 e. So t <= 0
 * proves a hit, also if it is -0, to which a fused sum may underflow, and t > 2 e proves a miss. Undecided are the
 * floats from +0 to 2 e, whose bits are in their order.
 *
 * 2^-146 would do instead of 2^-126. But 2^-126 is the least normal float, and Intel's processors take some 150 cycles
 * for a fused multiply-add with a denormal operand.
 *
 * Where R^2 overflows, the greatest float stands for it: any D^2 below it is a hit, and only NaN a miss, as 2 e is
 * infinite. Elsewhere rounding is monotone, so squares of differences of at most r are at most R^2. A square that
 * overflows belongs to a greater difference, and a sum that overflows is beyond R^2: both are misses. NaN is not <= 0,
 * and its bits are above those of any limit: a miss. The shape of the one radius is valid, and valid shapes do not make
 * NaN; only an invalid other shape does. Where an earlier condition of the hit excludes that, or the caller does, a NaN
 * may pass as a hit here.
 */
INLINE void hit_if_distance2_below(struct filter_state *p, v x, v y, v z, v r, bool one)
{
    if (p->mode == UNCHECKED || lists_lanes(p) || !one) {
        hit_if_less(p, sum_of_squares(x, y, z), radius_squared(r));
        decide_distance2_if_exact(p, x, y, z, r);
        return;
    }
    v rr = v_mul(r, r), finite = v_min(v_set1(0x1.fffffep127f), rr);
    v from = v_fma(finite, v_set1(-(1 - 0x1p-20f)), v_set1(0x1p-126f));
    if (INEXACT) /* a touch is a hit */
        from = v_fma(finite, v_set1(-(1 + 0x1p-20f)), v_set1(-0x1p-126f));
    v t = v_fma(z, z, v_fma(y, y, v_fma(x, x, from)));
    hit_if(p, p->has_hit || p->prevalidated ? m_negative(t) : m_le(t, v_set1(0)));
    if (!INEXACT)
        p->sticky = sticky_near(p->sticky, t, v_fma(rr, v_set1(0x1p-19f), v_set1(0x1p-125f)));
}

/* A dot product and its partial sums; its rounding errors are small parts of these. */
struct dot {
    v first, second, sum;
};

INLINE struct dot dot_product(v ax, v ay, v az, v bx, v by, v bz)
{
    v first = v_mul(ax, bx), second = v_fma(ay, by, first);
    return (struct dot){first, second, v_fma(az, bz, second)};
}

INLINE v dot_magnitudes(struct dot d)
{
    return magnitude_of(d.first, d.second, d.sum);
}

INLINE v dot_greatest(struct dot d)
{
    return v_max_abs(d.first, d.second, d.sum);
}

#include "kernels/aabb_aabb.h"
#include "kernels/sphere_aabb.h"
#include "kernels/sphere_obb.h"
#include "kernels/sphere_plane.h"
#include "kernels/sphere_segment.h"
#include "kernels/sphere_sphere.h"
#include "kernels/sphere_triangle.h"

/* Use the filters of the pages above. */
#include "kernels/box_pairs.h"
#include "kernels/convex_inside.h"
#include "kernels/round_pairs.h"

#include "kernels/vectors.h"

/* Use the words of the page above. */
#include "kernels/triangle_box.h"
#include "kernels/triangle_triangle.h"

/* The first has what the others share. */
#include "kernels/segment_segment.h"

#include "kernels/capsule_box.h"
#include "kernels/capsule_triangle.h"

#undef KERNEL_FILTERS

#endif
