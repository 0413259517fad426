/* SPDX-License-Identifier: MIT */
/*
 * The second loop: one hull against many items, 64 to a word. Included by instantiate.h.
 *
 * The number of planes is not known beforehand, so a filter has two parts: how far the items lie outside of the plane
 * that they are farthest outside of, and what that says. As in batch.h a word of which any lane is too close to call or
 * invalid is done again, lane by lane. A hit that is not sure (a sphere across the surface of a hull) is settled
 * without that.
 */
#ifndef ABUT_HULL_BATCH_H
#define ABUT_HULL_BATCH_H

#include "batch.h"
#include "hull.h"

#include <math.h>

/* How far items lie outside of the plane that they are farthest outside of, and less than minus the square of the error
 * of that. */
struct depth {
    v s, minus_error2;
};

struct two {
    struct depth first, second;
};

struct hull_pass {
    enum mode mode;
    v least;      /* the least radius that touches anything: 0 when closed, 2^-149 when open */
    m hit, valid; /* lanes */
    m sure;       /* hits that need no second look */
    m undecided;
    struct guard guard;
};

typedef struct two depth_function(const struct hull *hull, const struct side *side, size_t i);
typedef void hull_lanes_function(struct hull_pass *p, const struct side *side, size_t i, struct depth depth);

struct hull_filter {
    depth_function *depth;
    hull_lanes_function *lanes;
    enum hull_predicate predicate;
    unsigned fields;
    bool crosses; /* hits that are not sure need more than another look at the planes */
};

INLINE void hull_need(struct hull_pass *p, v e)
{
    if (p->mode == FAST)
        p->guard = g_need(p->guard, e);
    if (p->mode == CAREFUL)
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
}

/* The true sign of s, which is depth.s plus or minus one input, is known; or else the lane is undecided. So is NaN. */
INLINE void hull_known(struct hull_pass *p, v s, struct depth depth)
{
    v known = v_fma(s, s, depth.minus_error2);
    if (p->mode == FAST)
        p->guard = g_need(p->guard, known);
    if (p->mode == CAREFUL)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_lt(v_set1(0), known)));
}

INLINE void hull_below(struct hull_pass *p, v s, struct depth depth)
{
    p->hit = m_lt(s, v_set1(0));
    hull_known(p, s, depth);
}

/*
 * Errors of s: each product carries 1 rounding of the unit normal, 1 of itself and at most 3 of sums, so that s is off
 * by at most 5 u (1 + 5 u) (|c| + |d|), and its square by 50 u^2 (c^2 + d^2); 64 u^2 leaves room for the roundings of
 * the bound and of the test. What is lost to underflow, at most 2^-150 six times, is below 2^-147, and the bound is
 * never below 2^-120. It is infinite, and decides nothing, before any partial sum can overflow. x y z are at least as
 * great as the coordinates.
 */
INLINE v hull_minus_error2(const struct hull *hull, v x, v y, v z)
{
    return v_fma(sum_of_squares(x, y, z), v_set1(-0x1p-42f), v_set1(-hull->error2));
}

#define ROOM_FILTERS
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"
#undef ROOM_FILTERS

struct hull_word {
    uint64_t hits, unsure, undecided;
    bool ok;
};

INLINE v least_radius(bool closed)
{
    return v_set1(closed ? 0 : 0x1p-149f);
}

/* Puts the bits of one vector above those of the vectors before it, which move down. */
INLINE uint64_t push(uint64_t bits, m lanes)
{
    return bits >> WIDTH | m_bits(lanes) << (64 - WIDTH);
}

INLINE struct guard hull_lanes(enum mode mode, struct hull_filter filter, const struct side *side, v least, size_t i,
                               struct depth depth, struct guard guard, struct hull_word *word)
{
    struct hull_pass p = {mode, least, m_none(), m_all(), m_all(), m_none(), guard};
    filter.lanes(&p, side, i, depth);
    if (mode == CAREFUL) {
        p.hit = m_and(p.valid, p.hit);
        p.undecided = m_and(p.valid, p.undecided);
    }
    word->hits = push(word->hits, p.hit);
    if (filter.crosses)
        word->unsure = push(word->unsure, m_andnot(p.hit, p.sure));
    if (mode == CAREFUL)
        word->undecided = push(word->undecided, p.undecided);
    return p.guard;
}

INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct side *side, v least, size_t i)
{
    struct hull_word word = {0, 0, 0, true};
    struct guard guard = g_start();
    for (size_t end = i + 64; i < end; i += 2 * WIDTH) {
        struct two depth = filter.depth(hull, side, i);
        guard = hull_lanes(mode, filter, side, least, i, depth.first, guard, &word);
        guard = hull_lanes(mode, filter, side, least, i + WIDTH, depth.second, guard, &word);
    }
    if (mode == FAST)
        word.ok = g_ok(guard);
    return word;
}

/* Settles these lanes of the word at i, and returns those that hit. Of the undecided not even a plane is known. */
INLINE uint64_t hull_settle_lanes(struct hull_filter filter, const struct hull_job *job, size_t i, uint64_t unsure,
                                  uint64_t undecided)
{
    uint64_t hits = 0;
    for (uint64_t left = unsure | undecided; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        float item[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < filter.fields; k++)
            item[k] = job->items[k][i + lane];
        if ((filter.crosses && (undecided >> lane & 1) == 0 && touches_face(job->hull, item)) ||
            abut_hull_settle(filter.predicate, job->hull, item, job->closed, job->stats))
            hits |= UINT64_C(1) << lane;
    }
    return hits;
}

/* Only the first n lanes are asked for. */
INLINE uint64_t hull_decide_carefully(struct hull_filter filter, const struct hull_job *job, size_t i, unsigned n)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    struct hull_word word = hull_decide(CAREFUL, filter, job->hull, &side, least_radius(job->closed), i);
    uint64_t asked = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    uint64_t settled = hull_settle_lanes(filter, job, i, word.unsure & asked, word.undecided & asked);
    return (word.hits & ~(word.unsure | word.undecided)) | settled;
}

typedef uint64_t careful_hull_function(const struct hull_job *job, size_t i, unsigned n);

/* Words with spheres across the surface wait here, so that the loop over words need not branch on them. */
enum { WAITING = 64 };

struct waiting {
    size_t i;
    uint64_t unsure;
};

INLINE void hull_settle_waiting(struct hull_filter filter, const struct hull_job *job, const struct waiting *waiting,
                                unsigned count, uint64_t *restrict hits)
{
    for (unsigned k = 0; k < count; k++) {
        uint64_t unsure = waiting[k].unsure;
        hits[waiting[k].i / 64] &= ~unsure | hull_settle_lanes(filter, job, waiting[k].i, unsure, 0);
    }
}

INLINE void hull_full_words(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                            careful_hull_function *careful, uint64_t *restrict hits)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    struct waiting waiting[WAITING];
    unsigned count = 0;
    for (size_t i = 0; i + 64 <= job->n; i += 64) {
        struct hull_word word = hull_decide(mode, filter, job->hull, &side, least_radius(job->closed), i);
        if (UNLIKELY(!word.ok)) {
            word.hits = careful(job, i, 64);
            word.unsure = 0;
        }
        hits[i / 64] = word.hits;
        if (filter.crosses) {
            waiting[count] = (struct waiting){i, word.unsure};
            count += word.unsure != 0;
            if (count == WAITING) {
                hull_settle_waiting(filter, job, waiting, count, hits);
                count = 0;
            }
        }
    }
    if (filter.crosses)
        hull_settle_waiting(filter, job, waiting, count, hits);
}

INLINE void hull_run(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                     careful_hull_function *careful, uint64_t *restrict hits)
{
    size_t full = job->n / 64 * 64;
    job->stats->pairs += job->n;
    hull_full_words(mode, filter, job, careful, hits);
    if (full < job->n) {
        unsigned n = (unsigned)(job->n - full);
        float copy[ABUT_MAX_FIELDS][64];
        const float *at[ABUT_MAX_FIELDS];
        struct side side;
        side_set(&side, job->items, filter.fields, false);
        pad(copy, at, &side, full, n);
        const struct hull_job rest = {job->hull, at, n, job->closed, job->stats};
        hits[full / 64] = careful(&rest, 0, n) & ((UINT64_C(1) << n) - 1);
    }
}

#endif
