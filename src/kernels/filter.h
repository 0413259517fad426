/* SPDX-License-Identifier: MIT */
/*
 * All wide filters but those of hulls (batch/hull.h), in the vocabulary of the ISA file that includes this one (see
 * isa/scalar.c for the words).
 *
 * A filter is written once and compiled in some of five modes. UNCHECKED is the plain float test. FAST takes one
 * compare a vector and gathers in a guard whether any lane of a few words was too close to call or invalid; if so, such
 * words are done again in RECHECK mode, which finds those lanes. PREVALIDATED is FAST where somebody else sees to bad
 * shapes, UNBOUNDED where a hull has a bound on errors wherever its items are (batch/hull.h).
 *
 * A filter says to the pass:
 *   require_nonneg(p, e)       the shapes are valid only if e >= 0 (NaN is not)
 *   require_both_nonneg(p, x, y) only if x >= 0 and y >= 0, where NaN leaves the pass undecided otherwise
 *   require_le(p, x, y) only if x <= y and y - x is a number
 *   hit_if_less(p, x, y)    a hit if x < y, where both carry rounding errors and are undecided within ULPS floats of
 *   each other hit_if_distance2_below(p, x, y, z, r, one) a hit if x^2 + y^2 + z^2 < r |r|, where x, y and z are
 *   differences of inputs and r is one, or a sum;
 *                    one: it is an input, the same in all lanes, and of a valid shape
 *   track_exact(p, exact)   something has rounded in the other lanes
 *   difference(p, a, b), sum(p, a, b) are a - b and a + b, and the pass notes where these round; track_exact_square(p,
 *   a) where a^2 does decide_if_exact(p, x, y) a hit if x < y or, closed, x = y, whatever has been said before, where
 *   nothing noted has rounded hit_if_scaled_negative(p, s, scale, e) for sums that cancel: a hit if the true real is <
 *   0, from which s differs by less than E;
 *                    undecided if |s| <= E. e is -scale E, and scale a power of two
 *   hit_if_le(p, x, y) a hit only if x < y or, closed, x = y, where both are inputs
 */
#ifndef ABUT_KERNELS_FILTER_H
#define ABUT_KERNELS_FILTER_H

#define KERNEL_FILTERS

/*
 * A constant: no lane is asked whether it is too close to call. The benchmark tells by it what exactness costs from
 * what it costs to look for bad input.
 */
#ifdef ABUT_INEXACT
#define INEXACT true
#else
#define INEXACT false
#endif

enum mode { UNCHECKED, FAST, PREVALIDATED, UNBOUNDED, RECHECK };

/* mode is a constant wherever this is used, and the struct never reaches memory. */
struct filter_state {
    enum mode mode;
    v below;      /* what y - x must exceed in hit_if_le(): 0 when open, -2^-149 when closed */
    m hit, valid; /* lanes; a hit is final only if it is valid and not undecided */
    m undecided;
    m exact; /* in RECHECK mode: nothing that was noted has rounded */
    struct sticky sticky;
    bool has_hit;      /* hit holds the first condition already */
    bool one_a, one_b; /* the same item in all lanes, which is valid; constants like the mode */
    bool prevalidated; /* lanes whose shapes are not valid count for nothing; a constant, too */
};

INLINE struct filter_state start(enum mode mode, v below, struct sticky sticky)
{
    return (struct filter_state){mode, below, m_all(), m_all(), m_none(), m_all(), sticky, false, false, false, false};
}

/* As floats can tell, without bounds on their errors. */
INLINE bool asks_plainly(const struct filter_state *p)
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
    if (p->mode == RECHECK)
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
}

/* For x and y of which a NaN shows elsewhere: half the cost. */
INLINE void require_both_nonneg(struct filter_state *p, v x, v y)
{
    if (p->mode == FAST)
        p->sticky = sticky_both_nonneg(p->sticky, x, y);
    if (p->mode == RECHECK)
        p->valid = m_and(p->valid, m_and(m_le(v_set1(0), x), m_le(v_set1(0), y)));
}

/*
 * A hit only if x <= y; a compare costs less than a guard. [inf, inf] and [-inf, -inf] pass FAST: rooms see to it that
 * they are no hits, as what is subtracted from such a bound leaves an infinite distance or NaN.
 */
INLINE void require_le(struct filter_state *p, v x, v y)
{
    if (p->mode == FAST)
        hit_if(p, m_le(x, y));
    if (p->mode == RECHECK)
        p->valid = m_and(p->valid, m_le(v_set1(0), v_sub(y, x)));
}

INLINE void track_exact(struct filter_state *p, m exact)
{
    if (p->mode == RECHECK)
        p->exact = m_and(p->exact, exact);
}

/*
 * Ties are decided where nothing rounds: on a grid, on the ground, of points as spheres, of centres within boxes. Whole
 * words of them are common, and other stages take them one by one.
 *
 * d = fl(a - b): where |a| >= |b|, a - d is a float (Dekker 1971), so that fl(a - d) = b proves d = a - b; where |b| >
 * |a|, d + b is one, so that fl(d + b) = a proves it. Both must hold. An infinite a or b makes a NaN of one of the two,
 * and an infinite d an infinity. Sums are the same.
 */
INLINE v difference(struct filter_state *p, v a, v b)
{
    v d = v_sub(a, b);
    track_exact(p, m_and(m_eq(v_sub(a, d), b), m_eq(v_add(d, b), a)));
    return d;
}

/*
 * The same bits: what is multiplied with 1 is not rounded. Zen 4 takes minima and maxima on the ports that subtract,
 * and has others for products; but on those it compares 512 bits, as is done much where shapes are not trusted. Zen 3,
 * which has AVX2 alone, takes minima where it multiplies.
 */
INLINE v difference_beside_minima(struct filter_state *p, v a, v b)
{
    if (WIDTH == 16 && p->mode == PREVALIDATED)
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
 * high has no more than 12 bits (Veltkamp 1968); where that is a, so has a, and its square no more than 24. In the
 * range asked for it neither overflows nor underflows.
 */
INLINE void track_exact_square(struct filter_state *p, v a)
{
    v size = v_abs(a), shifted = v_mul(a, v_set1(0x1.001p12f)), high = v_sub(shifted, v_sub(shifted, a));
    m in_range = m_and(m_le(v_set1(0x1p-63f), size), m_le(size, v_set1(0x1p63f)));
    track_exact(p, m_and(m_eq(high, a), m_or(in_range, m_le(size, v_set1(0)))));
}

INLINE void decide_if_exact(struct filter_state *p, v x, v y)
{
    if (p->mode != RECHECK)
        return;
    p->hit = m_or(m_andnot(p->hit, p->exact), m_and(p->exact, m_lt(p->below, v_sub(y, x))));
    p->undecided = m_andnot(p->undecided, p->exact);
}

/*
 * Why a distance in ulps, and not a factor. Let x and y be non-negative sums of squares of differences of the inputs, X
 * and Y their true values, with relative errors of k1 u and k2 u (u = 2^-24) apart from underflow, and X >= Y. Then
 * y - x <= (k1 + k2) u y, to first order, and since the floats around y are at least u y apart (half of that just below
 * a power of two, where u y is half a step above it and one below), y is at most k1 + k2 floats above x. Each rounding
 * in the range of subnormals adds at most 2^-150, half the least step: with q products in all, q / 2 steps more,
 * wherever x and y lie. Overflow gives the next float after the greatest, as rounding with unbounded exponents would at
 * 2^128, and beyond it inf against inf has distance 0. So no separate guard is needed at either end: x < y by more than
 * ULPS floats proves X < Y, and the same with x and y exchanged. A NaN compares as false, and a NaN close enough to
 * infinity in its bits is merely undecided. Rooms say their k1 + k2 + q / 2; second-order terms are far below 1.
 */
INLINE void hit_if_less(struct filter_state *p, v x, v y)
{
    if (asks_plainly(p)) {
        hit_if(p, m_le(x, y));
        return;
    }
    hit_if(p, m_lt(x, y));
    if (p->mode == RECHECK)
        p->undecided = m_or(p->undecided, m_near(v_apart(x, y), APART));
    else
        p->sticky = sticky_near(p->sticky, v_apart(x, y), APART);
}

/*
 * The last rounding of s, to the nearest float, keeps its sign and takes a part of u at most from |s|: bounds have that
 * to spare, and rooms do not count it.
 *
 * The usual scale is for more than saving an operation: rooms whose bounds contain the squares of all their coordinates
 * get infinite ones where these are beyond about 2^61, so that nothing of what they compare can overflow unnoticed. NaN
 * is undecided.
 */
#define BOUND_SCALE 0x1p28f

INLINE void hit_if_scaled_negative(struct filter_state *p, v s, float scale, v minus_e)
{
    if (asks_plainly(p)) {
        hit_if(p, m_le(s, v_set1(0)));
        return;
    }
    hit_if(p, m_lt(s, v_set1(0)));
    v sure = v_fma(v_abs(s), v_set1(scale), minus_e);
    if (p->mode == RECHECK)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_lt(v_set1(0), sure)));
    else
        p->sticky = sticky_nonneg(p->sticky, sure);
}

/*
 * The sign of a rounded difference is exact, so the touch rule can be data. inf - inf is NaN and fails: one side is
 * empty.
 */
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

/* What makes each shape valid; rooms ask for no more of it than their formula needs. */
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
 * A plane whose distance is infinite is no plane or all of space, and so is one with a zero normal: filters leave the
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

/* In the order in which callers have them: a chain that begins early ends early. */
INLINE v sum_of_squares(v x, v y, v z)
{
    return v_fma(z, z, v_fma(y, y, v_mul(x, x)));
}

/*
 * The square of a radius. A negative one becomes negative, below any sum of squares, so it needs no check, and -0
 * becomes +0, as a sum of squares is.
 */
INLINE v radius_squared(v r)
{
    return v_fma(r, v_abs(r), v_set1(0));
}

/* Lanes in which at most one is not 0: not NaN either. */
INLINE m straight(v x, v y, v z)
{
    const v none = v_set1(0);
    const m no_x = m_eq(x, none), no_y = m_eq(y, none), no_z = m_eq(z, none);
    return m_or(m_and(no_x, m_or(no_y, no_z)), m_and(no_y, no_z));
}

/* A sum, as a NaN stays in it. */
INLINE v magnitude_of(v x, v y, v z)
{
    return v_add(v_add(v_abs(x), v_abs(y)), v_abs(z));
}

/* Axes of the coordinates, along which products do not round. */
INLINE m unit_axis(v x, v y, v z)
{
    return m_and(straight(x, y, z), m_eq(magnitude_of(x, y, z), v_set1(1)));
}

/* What is straight ahead, as from a face, needs no squares, and so none that are exact. */
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
 * With one radius, sums begin at e - R^2 and end at t, which is near 0 where it is doubtful: no lane needs a
 * subtraction for its doubts. Let e = 16 u R^2 + 2^-126, D^2 be the true sum and M the greater of D^2 and R^2. Rounding
 * errors, in parts u of M: the differences 1 each, entering squared, so 2; the squares 1, unless fused; four sums, none
 * of whose results is beyond M + e, 4; R^2 itself 1, and its product with 1 - 16 u 1, unless fused: 9 in all, and 5
 * times 2^-150 for results that underflow: less than e. Let D^2 >= R^2: t >= D^2 - R^2 + e - 9 u D^2 - 5 2^-150 > 0.
 * Let D^2 <= R^2: t <= 25 u R^2 + 2^-126 + 5 2^-150, which is below 2 e by more than the three roundings of that. So t
 * <= 0 proves a hit, also if it is -0, which a fused sum may underflow to, and t > 2 e a miss; left are the floats from
 * +0 to 2 e, whose bits are in their order.
 *
 * 2^-146 would do; but 2^-126 is the least float that is not denormal, and Intel's processors take some 150 cycles for
 * a fused product and sum of which one number is.
 *
 * Where R^2 overflows, the greatest float stands for it: what is nearer than that is a hit, and only NaN a miss, as 2 e
 * is infinite. Elsewhere squares of differences of at most r are at most R^2, as rounding is monotone, so that one that
 * overflows is of a greater, and a sum that does is beyond R^2: misses. NaN is not <= 0, and its bits are above those
 * of any limit: a miss. What is one is valid, and valid shapes do not make it, so that only the other one can if it is
 * not; where that has been asked before, as a condition of a hit, or is asked by somebody else, a NaN may pass for a
 * hit here.
 */
INLINE void hit_if_distance2_below(struct filter_state *p, v x, v y, v z, v r, bool one)
{
    if (p->mode == UNCHECKED || p->mode == RECHECK || !one) {
        hit_if_less(p, sum_of_squares(x, y, z), radius_squared(r));
        decide_distance2_if_exact(p, x, y, z, r);
        return;
    }
    v rr = v_mul(r, r), finite = v_min(v_set1(0x1.fffffep127f), rr);
    v from = v_fma(finite, v_set1(-(1 - 0x1p-20f)), v_set1(0x1p-126f));
    if (INEXACT) /* what touches is a hit */
        from = v_fma(finite, v_set1(-(1 + 0x1p-20f)), v_set1(-0x1p-126f));
    v t = v_fma(z, z, v_fma(y, y, v_fma(x, x, from)));
    hit_if(p, p->has_hit || p->prevalidated ? m_negative(t) : m_le(t, v_set1(0)));
    if (!INEXACT)
        p->sticky = sticky_near(p->sticky, t, v_fma(rr, v_set1(0x1p-19f), v_set1(0x1p-125f)));
}

/* A dot product and the partial sums that it went through, of which its rounding errors are small parts. */
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

#undef KERNEL_FILTERS

#endif
