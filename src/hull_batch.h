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

/* A depth of which the true one is off by less than error. */
struct depth {
    v s, error;
};

struct two {
    struct depth first, second;
};

struct hull_pass {
    enum mode mode;
    v below;      /* what a radius must exceed to touch: 0 when open, -2^-149 when closed */
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
};

INLINE void hull_need(struct hull_pass *p, v e)
{
    if (p->mode == FAST)
        p->guard = g_need(p->guard, e);
    if (p->mode == CAREFUL)
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
}

/* A hit if the true depth is below 0. NaN is undecided. */
INLINE void hull_below(struct hull_pass *p, v s, v error)
{
    p->hit = m_lt(s, v_set1(0));
    if (p->mode == FAST)
        p->guard = g_need(p->guard, v_sub(v_abs(s), error));
    if (p->mode == CAREFUL)
        p->undecided = m_andnot(m_all(), m_lt(error, v_abs(s)));
}

/*
 * Errors of s: each product carries 1 rounding of the unit normal, 1 of itself and at most 3 of sums, so that s is off
 * by at most 5 u (1 + 5 u) of A = |x| + |y| + |z| + |d|; 8 u leaves room for the roundings of this bound. Underflow
 * adds at most 2^-150 six times. Partial sums stay below A: doubled it becomes infinite, and then decides nothing,
 * before any of them can overflow.
 */
INLINE v hull_error(v x, v y, v z, v error)
{
    v a = v_add(v_add(x, y), z);
    return v_fma(v_add(a, a), v_set1(0x1p-22f), error);
}

#define ROOM_FILTERS
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"
#undef ROOM_FILTERS

struct hull_word {
    uint64_t hits, unsure;
    bool ok;
};

/* One vector of a word, from bit j on. */
INLINE struct guard hull_lanes(enum mode mode, struct hull_filter filter, const struct side *side, v below, size_t i,
                               struct depth depth, struct guard guard, struct hull_word *word, unsigned j)
{
    struct hull_pass p = {mode, below, m_none(), m_all(), m_all(), m_none(), guard};
    filter.lanes(&p, side, i + j, depth);
    m unsure = m_andnot(p.hit, p.sure);
    if (mode == CAREFUL) {
        unsure = m_and(p.valid, m_or(unsure, p.undecided));
        p.hit = m_and(p.valid, p.hit);
    }
    word->hits |= m_bits(p.hit) << j;
    word->unsure |= m_bits(unsure) << j;
    return p.guard;
}

INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct side *side, v below, size_t i)
{
    struct hull_word word = {0, 0, true};
    struct guard guard = g_start();
    for (unsigned j = 0; j < 64; j += 2 * WIDTH) {
        struct two depth = filter.depth(hull, side, i + j);
        guard = hull_lanes(mode, filter, side, below, i, depth.first, guard, &word, j);
        guard = hull_lanes(mode, filter, side, below, i, depth.second, guard, &word, j + WIDTH);
    }
    if (mode == FAST)
        word.ok = g_ok(guard);
    return word;
}

/* Settles what is unsure among the first n lanes. */
INLINE uint64_t hull_settle_lanes(struct hull_filter filter, const struct hull_job *job, size_t i, unsigned n,
                                  struct hull_word word)
{
    uint64_t unsure = n < 64 ? word.unsure & ((UINT64_C(1) << n) - 1) : word.unsure;
    word.hits &= ~unsure;
    for (; unsure != 0; unsure &= unsure - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(unsure);
        float item[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < filter.fields; k++)
            item[k] = job->items[k][i + lane];
        if (abut_hull_settle(filter.predicate, job->hull, item, job->closed, job->stats))
            word.hits |= UINT64_C(1) << lane;
    }
    return word.hits;
}

INLINE uint64_t hull_decide_carefully(struct hull_filter filter, const struct hull_job *job, size_t i, unsigned n)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    struct hull_word word = hull_decide(CAREFUL, filter, job->hull, &side, below_touch(job->closed), i);
    return hull_settle_lanes(filter, job, i, n, word);
}

typedef uint64_t careful_hull_function(const struct hull_job *job, size_t i, unsigned n);

INLINE uint64_t hull_word_of(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                             const struct side *side, v below, careful_hull_function *careful, size_t i, unsigned n)
{
    struct hull_word word = hull_decide(mode, filter, job->hull, side, below, i);
    if (UNLIKELY(!word.ok))
        return careful(job, i, n);
    return word.unsure == 0 ? word.hits : hull_settle_lanes(filter, job, i, n, word);
}

INLINE void hull_run(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                     careful_hull_function *careful, uint64_t *restrict hits)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    const v below = below_touch(job->closed);
    size_t full = job->n / 64 * 64;
    job->stats->pairs += job->n;
    for (size_t i = 0; i < full; i += 64)
        hits[i / 64] = hull_word_of(mode, filter, job, &side, below, careful, i, 64);
    if (full < job->n) {
        unsigned n = (unsigned)(job->n - full);
        float copy[ABUT_MAX_FIELDS][64];
        const float *at[ABUT_MAX_FIELDS];
        pad(copy, at, &side, full, n);
        side_set(&side, at, filter.fields, false);
        const struct hull_job rest = {job->hull, at, n, job->closed, job->stats};
        uint64_t bits = hull_word_of(mode, filter, &rest, &side, below, careful, 0, n);
        hits[full / 64] = bits & ((UINT64_C(1) << n) - 1);
    }
}

#endif
