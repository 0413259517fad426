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

/* How far items lie outside of the plane that they are farthest outside of, and what its error grows with. */
struct depth {
    v s, magnitude;
};

/* Vectors are taken together so that a plane is loaded once for all of them: as many as leave registers for it. */
enum { MAX_TOGETHER = 4 };

/* The worst of each lane so far. */
struct span {
    v depth, magnitude; /* the least distance from what decides, the greatest magnitude */
};

struct hull_pass {
    enum mode mode;
    const struct hull *hull;
    v least;      /* the least radius that touches anything: 0 when closed, 2^-149 when open */
    m hit, valid; /* lanes */
    m sure;       /* hits that need no second look */
    m undecided;
    struct guard guard;
    struct span span;
};

/* Sets the depths of the vectors from i on, and returns of how many: a constant that divides those of a word. */
typedef unsigned depth_function(const struct hull *hull, const struct side *side, size_t i, struct depth *depths);
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

/*
 * Errors of s: each product carries 1 rounding of the unit normal, 1 of itself and at most 3 of sums, so that s is off
 * by at most 5 u (1 + 5 u) (|c| + |d|), and its square by 50 u^2 (c^2 + d^2); 64 u^2 leaves room for the roundings of
 * the bound and of the test. The square of the magnitude stands for c^2 and is taken 4 times, so that the greatest of three
 * coordinates will do for it. What is lost to underflow, at most 2^-150 six times, is below 2^-147, and the bound is never
 * below 2^-120. It is infinite, and decides nothing, before any partial sum can overflow.
 */
INLINE m hull_certain(const struct hull *hull, v s, v magnitude)
{
    return m_lt(v_fma(v_mul(magnitude, magnitude), v_set1(0x1p-40f), v_set1(hull->error2)), v_mul(s, s));
}

/*
 * The true sign of s, which is depth.s plus or minus one input, is known; or else the lane is undecided. FAST asks this of
 * the worst of a word, which spares it most of the work and sends few more words to be done again. A NaN is then lost from
 * either, but it is in s, which it makes a miss.
 */
INLINE void hull_known(struct hull_pass *p, v s, struct depth depth)
{
    if (p->mode == FAST)
        p->span.depth = v_min_abs(p->span.depth, s);
    if (p->mode == CAREFUL)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), hull_certain(p->hull, s, depth.magnitude)));
}

INLINE void hull_below(struct hull_pass *p, v s, struct depth depth)
{
    p->hit = m_lt(s, v_set1(0));
    hull_known(p, s, depth);
}

/* A sum, as a NaN stays in it. */
INLINE v magnitude_of(v x, v y, v z)
{
    return v_add(v_abs(x), v_add(v_abs(y), v_abs(z)));
}

/*
 * The greatest coordinate, which may lose a NaN: with planes s is NaN too. Without planes s shows nothing of the item, and a
 * sum keeps it.
 */
INLINE v centre_magnitude(const struct hull *hull, v x, v y, v z)
{
    return hull->planes > 0 ? v_max_abs(v_max_abs(v_abs(x), y), z) : magnitude_of(x, y, z);
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

INLINE void hull_lanes(struct hull_pass *p, struct hull_filter filter, const struct side *side, size_t i,
                       struct depth depth, struct hull_word *word)
{
    p->valid = p->sure = m_all();
    p->undecided = m_none();
    filter.lanes(p, side, i, depth);
    if (p->mode == FAST)
        p->span.magnitude = v_max(depth.magnitude, p->span.magnitude);
    if (p->mode == CAREFUL) {
        p->hit = m_and(p->valid, p->hit);
        p->undecided = m_and(p->valid, p->undecided);
    }
    word->hits = push(word->hits, p->hit);
    if (filter.crosses)
        word->unsure = push(word->unsure, m_andnot(p->hit, p->sure));
    if (p->mode == CAREFUL)
        word->undecided = push(word->undecided, p->undecided);
}

INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct side *side, v least, size_t i)
{
    struct hull_word word = {0, 0, 0, true};
    const struct span none = {v_set1(INFINITY), v_set1(0)};
    struct hull_pass p = {mode, hull, least, m_none(), m_all(), m_all(), m_none(), g_start(), none};
    for (size_t end = i + 64; i < end;) {
        struct depth depths[MAX_TOGETHER];
        unsigned together = filter.depth(hull, side, i, depths);
        for (unsigned k = 0; k < together; k++, i += WIDTH)
            hull_lanes(&p, filter, side, i, depths[k], &word);
    }
    if (mode == FAST) {
        /* Without planes s is no function of the item, and does not show a NaN. */
        uint64_t certain = m_bits(hull_certain(hull, p.span.depth, p.span.magnitude));
        word.ok = hull->planes > 0 && g_ok(p.guard) && certain == UINT64_MAX >> (64 - WIDTH);
    }
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
        enum answer answer = ANSWER_UNKNOWN;
        if (filter.crosses && (undecided >> lane & 1) == 0)
            answer = holds_inner(job->hull, item) ? ANSWER_HIT : move_inwards(job->hull, item);
        if (answer == ANSWER_HIT ||
            (answer == ANSWER_UNKNOWN && abut_hull_settle(filter.predicate, job->hull, item, job->closed, job->stats)))
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
        ask_ahead(job->ahead, i);
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
        const struct hull_job rest = {job->hull, at, n, job->closed, job->stats, NULL};
        hits[full / 64] = careful(&rest, 0, n) & ((UINT64_C(1) << n) - 1);
    }
}

#endif
