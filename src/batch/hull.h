/* SPDX-License-Identifier: MIT */
/*
 * The second loop: hulls against many items, 64 to a word. Included by instantiate.h.
 *
 * The number of planes is not known beforehand, so a filter has three parts: what the items are by themselves, which
 * serves several hulls; how far they lie outside of the plane that they are farthest outside of; and what that says. As in
 * batch/elementwise.h a word of which any lane is too close to call or invalid is done again, lane by lane. Hits that are not sure
 * (spheres across the surface of a hull) are left to batch/hull_boundary.h.
 */
#ifndef ABUT_BATCH_HULL_H
#define ABUT_BATCH_HULL_H

#include "batch/all_pairs.h"
#include "hull/hull.h"

#include <math.h>
#include <string.h>

/* Vectors are taken together so that a plane is loaded once for all of them: as many as leave registers for it. */
enum { MAX_TOGETHER = 4 };

struct hull_pass {
    enum mode mode;
    const struct hull *hull;
    m hit, valid; /* lanes */
    m unsure;     /* hits that need a second look */
    m undecided;
    struct guard guard;
    /*
     * Of the words so far, lane by lane: the greatest coordinate, member of an axis, and what was needed, which is in the guard
     * unless CAREFUL; what the error of a depth is less than, where it matters; the least distance from what decides.
     */
    v coordinate, axis, needed, bound, nearest;
};

/* Says what makes items valid, and how great their members are. */
typedef void hull_items_function(struct hull_pass *p, const struct side *side, size_t i);

/* What the error of a depth grows with, where members are no greater than that. */
typedef v hull_magnitude_function(v coordinate, v axis, v needed);

/* Sets the depths of the vectors from i on that are taken together. */
typedef void depth_function(const struct hull *hull, const struct side *side, size_t i, v *depths);
typedef void hull_lanes_function(struct hull_pass *p, const struct side *side, size_t i, v depth);

struct hull_filter {
    hull_items_function *items;
    hull_magnitude_function *magnitude;
    depth_function *depth;
    hull_lanes_function *lanes;
    enum hull_predicate predicate;
    unsigned together; /* vectors; divides those of a word */
    bool look_first;   /* at items, before their depths are asked for, as these hide it; else it would cost registers */
    unsigned fields;
    bool centres; /* spheres and points: a hull may have a bound for them, and their arrays are few */
    bool crosses; /* spheres: hits that are not sure need their distance, and open, a radius of 0 touches nothing */
};

INLINE void hull_need(struct hull_pass *p, v e)
{
    if (p->mode == FAST || p->mode == ANYWHERE)
        p->guard = g_need(p->guard, e);
    if (p->mode == CAREFUL) {
        p->valid = m_and(p->valid, m_le(v_set1(0), e));
        p->needed = v_max(p->needed, e);
    }
}

/*
 * The greatest so far, which may lose a NaN: s is NaN too, but without planes, which are for CAREFUL. A sum will do there, and
 * keeps it.
 */
INLINE v hull_greatest(const struct hull_pass *p, v so_far, v x, v y, v z)
{
    return p->mode == CAREFUL ? v_add(so_far, magnitude_of(x, y, z)) : v_max(v_max_abs(x, y, z), so_far);
}

/*
 * Errors of s: each product carries 1 rounding of the unit normal, 1 of itself and at most 3 of sums, so that the height over a
 * plane is off by at most 5 u (1 + 5 u) (|c| + |d|). That over the second plane of a slab is what both add up to, less that over
 * the first: the d of the first is in both and cancels, with its rounding, and 2 u |d| come for the sum, u |d| for the second d and
 * u (|c| + |d|) for the difference, so that it is off by at most 6 u (1 + 6 u) |c| + 7 u (1 + 7 u) |d|. The greatest of three
 * coordinates will do for c: times 16 u that is more than 6 u (1 + 6 u) |c|. Of d 11 u are taken, so that OBBs find room
 * (box_hull.h), and either leaves some for the roundings of the bound and of the test. What is lost to underflow, at most 2^-150
 * six times, is less than the 2^-60 that are added, and where a member of the unit normal underflows, 2^-150 of a coordinate is
 * nothing beside 2^-20 of it. No distance counts for more than CERTAIN: where the magnitude is 2^20 times that, nothing is
 * certain, and below, no sum overflows.
 */
#define CERTAIN v_set1(0x1p100f)

INLINE v hull_bound(const struct hull *hull, v magnitude)
{
    return v_fma(magnitude, v_set1(0x1p-20f), v_set1(hull->error));
}

/*
 * ANYWHERE, for spheres and points: nobody looks at centres, as they are near where depths are small. Let the depth at c be at
 * least b |c| - D, where D is the greatest |d| and b > 2^-6 (hull.c), s what is asked whether it is below 0, the depth less r, or
 * with it, t what is computed for s, and e = 6.01 u |c| + 7.01 u D its error as above. The depth is at most r + max(t, 0) (1 + u)
 * + e, so that |c| <= (r + D + max(t, 0) (1 + u) + e) / b; 6.01 u / b is less than 2^-15; and e is less than 6.02 u (r + D) / b +
 * 7.02 u D + 2^-14 max(t, 0). Where |t| is greater than 8 u (r + D) / b + 11 u D, it is greater than e.
 * Where |c| >= 2^125 sums may overflow. That the bound is below CERTAIN leaves r + D < 2^121 b, and some height is above 2^124 b:
 * s is above 0, and so is t, or infinite, since a sum that overflows on its way to a height, whose normal has a length of 1, is of
 * the height's sign. Slabs, too, have no NaN then. Where a coordinate is infinite or NaN, each height is, and t. So t is finite and
 * below 0 for true hits alone; and for all of them, as nothing overflows below 2^125 with such radii.
 */
INLINE v hull_bound_anywhere(const struct hull *hull, v radius)
{
    return v_fma(radius, v_set1(hull->by_radius), v_set1(hull->anywhere));
}

/*
 * The true sign of s, which is the depth plus or minus one input, is known; or else the lane is undecided. Except in
 * CAREFUL only the worst of a few words is asked, which spares most of the work and sends few more words to be done again. A
 * NaN is then lost from either, but it is in s, which it makes a miss.
 */
INLINE void hull_known(struct hull_pass *p, v s)
{
    if (!INEXACT && (p->mode == FAST || p->mode == TRUSTED || p->mode == ANYWHERE))
        p->nearest = v_min_abs(p->nearest, s);
    if (p->mode == CAREFUL)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_and(m_lt(p->bound, v_abs(s)), m_lt(p->bound, CERTAIN))));
}

INLINE void hull_below(struct hull_pass *p, v s)
{
    p->hit = p->mode == ANYWHERE ? m_below_zero(s) : m_lt(s, v_set1(0));
    hull_known(p, s);
}

/* Where the depth itself decides. */
INLINE void depth_filter(struct hull_pass *p, const struct side *side, size_t i, v depth)
{
    (void)side, (void)i;
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

#define ROOM_FILTERS
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"
#undef ROOM_FILTERS

#include "batch/hull_boundary.h"

struct hull_word {
    uint64_t hits, unsure, undecided;
};

/* Puts the bits of one vector above those of the vectors before it, which move down. */
INLINE uint64_t push(uint64_t bits, m lanes)
{
    return bits >> WIDTH | m_bits(lanes) << (64 - WIDTH);
}

INLINE struct hull_pass hull_start(enum mode mode, const struct hull *hull)
{
    return (struct hull_pass){.mode = mode,
                              .hull = hull,
                              .hit = m_none(),
                              .valid = m_all(),
                              .unsure = m_none(),
                              .undecided = m_none(),
                              .guard = g_start(),
                              .coordinate = v_set1(0),
                              .axis = v_set1(0),
                              .needed = v_set1(0),
                              .bound = v_set1(0),
                              .nearest = CERTAIN};
}

/* Vectors from i on: whether all items are valid, and how great they are. */
INLINE void hull_look(struct hull_pass *p, struct hull_filter filter, const struct side *side, size_t i,
                      unsigned vectors)
{
    UNROLL for (unsigned k = 0; k < vectors; k++)
    {
        filter.items(p, side, i + k * WIDTH);
    }
}

/* What is gathered of a few words, of which it is asked at once whether all is decided. */
struct hull_doubt {
    bool items_fine; /* as TRUSTED was told */
    struct guard guard;
    v coordinate, axis, nearest;
};

INLINE struct hull_doubt hull_no_doubt(void)
{
    return (struct hull_doubt){true, g_start(), v_set1(0), v_set1(0), CERTAIN};
}

/* Of what was seen of items so far. */
INLINE v hull_bound_so_far(enum mode mode, struct hull_filter filter, const struct hull *hull, v coordinate, v axis,
                           v needed)
{
    return mode == ANYWHERE ? hull_bound_anywhere(hull, needed)
                            : hull_bound(hull, filter.magnitude(coordinate, axis, needed));
}

/* Not CAREFUL. Without planes s is no function of the item, and does not show a NaN. */
INLINE bool hull_sure(enum mode mode, struct hull_filter filter, const struct hull *hull,
                      const struct hull_doubt *doubt)
{
    const v bound = hull_bound_so_far(mode, filter, hull, doubt->coordinate, doubt->axis, g_most(doubt->guard));
    const m certain = INEXACT ? m_all() : m_lt(bound, doubt->nearest);
    const m valid = mode == FAST || mode == ANYWHERE ? g_fine(doubt->guard) : m_all();
    return hull->planes > 0 && doubt->items_fine && m_bits(m_and(certain, valid)) == UINT64_MAX >> (64 - WIDTH);
}

/* What that says of a word before any hull is asked: TRUSTED takes the magnitude for a coordinate. */
struct hull_items {
    bool ok;
    v magnitude;
};

INLINE struct hull_items hull_look_ahead(struct hull_filter filter, const struct side *side, size_t i)
{
    struct hull_pass p = hull_start(FAST, NULL);
    hull_look(&p, filter, side, i, 64 / WIDTH);
    return (struct hull_items){g_ok(p.guard), filter.magnitude(p.coordinate, p.axis, g_most(p.guard))};
}

INLINE void hull_lanes(struct hull_pass *p, struct hull_filter filter, const struct side *side, size_t i,
                       const v *depths, unsigned vectors, struct hull_word *word)
{
    for (unsigned k = 0; k < vectors; k++) {
        const size_t at = i + k * WIDTH;
        p->valid = m_all();
        p->undecided = m_none();
        if (p->mode == CAREFUL) {
            p->coordinate = p->axis = p->needed = v_set1(0);
            filter.items(p, side, at);
            p->bound = hull_bound(p->hull, filter.magnitude(p->coordinate, p->axis, p->needed));
        }
        filter.lanes(p, side, at, depths[k]);
        if (p->mode == CAREFUL) {
            p->hit = m_and(p->valid, p->hit);
            p->undecided = m_and(p->valid, p->undecided);
        }
        word->hits = push(word->hits, p->hit);
        if (filter.crosses)
            word->unsure = push(word->unsure, p->unsure);
        if (p->mode == CAREFUL)
            word->undecided = push(word->undecided, p->undecided);
    }
}

/*
 * TRUSTED has looked at the items already. Which spheres are unsure takes the bound: where nobody has looked first, their lanes
 * come last.
 */
INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct side *side, bool closed, size_t i, const struct hull_items *items,
                                    struct hull_doubt *doubt)
{
    struct hull_word word = {0, 0, 0};
    struct hull_pass p = hull_start(mode, hull);
    p.guard = doubt->guard;
    p.coordinate = doubt->coordinate;
    p.axis = doubt->axis;
    p.nearest = doubt->nearest;
    if (mode == TRUSTED) {
        doubt->items_fine &= items->ok;
        p.coordinate = v_max(p.coordinate, items->magnitude);
        p.bound = hull_bound(hull, p.coordinate);
    }
    v depths[64 / WIDTH];
    const bool looks = mode == FAST || mode == ANYWHERE, lanes_last = looks && filter.crosses && !filter.look_first;
    for (unsigned j = 0; j < 64; j += filter.together * WIDTH) {
        if (looks && filter.look_first) {
            hull_look(&p, filter, side, i + j, filter.together);
            p.coordinate = v_keep(p.coordinate); /* or compilers look last, for what is asked last */
            p.bound = hull_bound_so_far(mode, filter, hull, p.coordinate, p.axis, g_most(p.guard));
        }
        filter.depth(hull, side, i + j, depths + (lanes_last ? j / WIDTH : 0));
        if (!lanes_last)
            hull_lanes(&p, filter, side, i + j, depths, filter.together, &word);
        if (looks && !filter.look_first)
            hull_look(&p, filter, side, i + j, filter.together);
    }
    if (lanes_last) {
        p.bound = hull_bound_so_far(mode, filter, hull, p.coordinate, p.axis, g_most(p.guard));
        hull_lanes(&p, filter, side, i, depths, 64 / WIDTH, &word);
    }
    if (filter.crosses && !closed) {
        const uint64_t some = some_radius(side, i);
        word.hits &= some;
        word.unsure &= some;
    }
    doubt->guard = p.guard;
    doubt->coordinate = p.coordinate;
    doubt->axis = p.axis;
    doubt->nearest = p.nearest;
    return word;
}

INLINE void lane_of(struct hull_filter filter, const struct hull_job *job, size_t i, float *item)
{
    for (unsigned j = 0; j < filter.fields; j++)
        item[j] = job->items[j][i];
}

/*
 * The lanes asked for of the word at i, lane by lane: those that are undecided, of which not even a plane is known, are
 * settled, and those that are unsure are left.
 */
INLINE struct hull_word hull_decide_carefully(struct hull_filter filter, const struct hull_job *job, size_t k, size_t i,
                                              uint64_t asked)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    struct hull_doubt doubt = hull_no_doubt();
    struct hull_word word = hull_decide(CAREFUL, filter, &job->hulls[k], &side, job->closed, i, NULL, &doubt);
    word.hits &= asked & ~word.undecided;
    word.unsure &= word.hits;
    for (uint64_t left = word.undecided & asked; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        float item[ABUT_MAX_FIELDS];
        lane_of(filter, job, i + lane, item);
        if (job->perhaps || abut_hull_settle(filter.predicate, &job->hulls[k], item, job->closed, job->stats))
            word.hits |= UINT64_C(1) << lane;
    }
    return word;
}

/* As FAST would be; but t = -infinity has been no hit, and there is none where radii, which count as coordinates, leave it sure. */
COLD static bool hull_sure_of_centres(const struct hull *hull, const float *const *items, size_t i, size_t words,
                                      const v *radius, const v *nearest)
{
    v coordinate = *radius;
    for (size_t at = i; at < i + words * 64; at += WIDTH)
        coordinate = v_max(v_max_abs(v_load(items[0] + at), v_load(items[1] + at), v_load(items[2] + at)), coordinate);
    return m_bits(m_lt(hull_bound(hull, coordinate), *nearest)) == UINT64_MAX >> (64 - WIDTH);
}

/* What ANYWHERE is not sure of, it mostly is when it has looked at the words, which takes a fraction of doing them again. */
INLINE bool hull_sure_after_all(enum mode mode, const struct hull *hull, const float *const *items, size_t i,
                                size_t words, const struct hull_doubt *doubt)
{
    if (mode != ANYWHERE || !g_ok(doubt->guard))
        return false;
    const v radius = g_most(doubt->guard), nearest = doubt->nearest; /* copies: the doubt stays in registers */
    return hull_sure_of_centres(hull, items, i, words, &radius, &nearest);
}

typedef struct hull_word careful_hull_function(const struct hull_job *job, size_t k, size_t i, uint64_t asked);

/* What is not sure of the word at i waits. */
INLINE void hull_wait(struct hull_filter filter, const struct hull_job *job, unsigned k, size_t i,
                      struct hull_word word, struct crossing *crossing)
{
    if (!filter.crosses)
        return;
    struct waiting *waiting = &crossing->waiting[k];
    waiting->words[waiting->count] = (struct waiting_word){i, word.unsure};
    waiting->count += word.unsure != 0;
    if (waiting->count == waiting->most)
        hull_cross_waiting(job, k, crossing);
}

/* Hull k against the words at i, of whose items is known what TRUSTED asks for: each is asked whether it is decided. */
INLINE void hull_words_singly(enum mode mode, struct hull_filter filter, const struct hull_job *job, unsigned k,
                              size_t i, size_t words, const struct hull_items *items, struct crossing *crossing,
                              careful_hull_function *careful, uint64_t *restrict row)
{
    const struct hull *hull = &job->hulls[k];
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    for (size_t w = 0; w < words; w++, i += 64) {
        struct hull_doubt doubt = hull_no_doubt();
        struct hull_word word = hull_decide(mode, filter, hull, &side, job->closed, i, items + w, &doubt);
        if (UNLIKELY(mode != UNCHECKED && !hull_sure(mode, filter, hull, &doubt) &&
                     !hull_sure_after_all(mode, hull, job->items, i, 1, &doubt)))
            word = careful(job, k, i, UINT64_MAX);
        row[i / 64] = word.hits;
        hull_wait(filter, job, k, i, word, crossing);
    }
}

/* The same, where none wait: several are asked at once, as in batch/elementwise.h. */
INLINE void hull_words_together(enum mode mode, struct hull_filter filter, const struct hull_job *job, unsigned k,
                                size_t i, size_t words, const struct hull_items *items, careful_hull_function *careful,
                                uint64_t *restrict row)
{
    const struct hull *hull = &job->hulls[k];
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    row += i / 64;
    for (size_t w = 0, singly = 0; w < words;) {
        const size_t first = w, end = end_of_words(w, words, ONCE, 1, singly);
        struct hull_doubt doubt = hull_no_doubt();
        for (; w < end; w++)
            row[w] = hull_decide(mode, filter, hull, &side, job->closed, i + w * 64, items + w, &doubt).hits;
        if (mode == UNCHECKED || hull_sure(mode, filter, hull, &doubt) ||
            hull_sure_after_all(mode, hull, job->items, i + first * 64, end - first, &doubt))
            continue;
        if (end - first == 1)
            row[first] = careful(job, k, i + first * 64, UINT64_MAX).hits;
        else {
            singly = end + WARY;
            w = first;
        }
    }
}

/* With other vectors than those of AVX-512 it pays, too, to ask several words of few arrays at once. */
INLINE void hull_words(enum mode mode, struct hull_filter filter, const struct hull_job *job, unsigned k, size_t i,
                       size_t words, const struct hull_items *items, struct crossing *crossing,
                       careful_hull_function *careful, uint64_t *restrict row)
{
    if (filter.crosses || (words_at_once(filter.fields) == 1 && !filter.centres))
        hull_words_singly(mode, filter, job, k, i, words, items, crossing, careful, row);
    else
        hull_words_together(mode, filter, job, k, i, words, items, careful, row);
}

/* One hull asks items for what they are as it goes; several are better told. Its bound is for vectors (hull.c). */
INLINE void hull_one(enum mode mode, struct hull_filter filter, const struct hull_job *job, struct crossing *crossing,
                     careful_hull_function *careful, uint64_t *restrict hits)
{
    if (mode == FAST && WIDTH > 1 && filter.centres && job->hulls->anywhere < INFINITY)
        hull_words(ANYWHERE, filter, job, 0, 0, job->n / 64, NULL, crossing, careful, hits);
    else if (!job->hulls->bad)
        hull_words(mode, filter, job, 0, 0, job->n / 64, NULL, crossing, careful, hits);
}

/*
 * Several hulls take turns at a few words of items, which come from memory once for all of them, and evenly: machines then
 * fetch what comes next while they compute.
 */
INLINE void hull_several(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                         struct crossing *crossing, careful_hull_function *careful, uint64_t *restrict hits)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    for (size_t full = job->n / 64, w = 0; w < full; w += CHUNK) {
        const size_t words = full - w < CHUNK ? full - w : CHUNK;
        struct hull_items items[CHUNK];
        for (size_t j = 0; j < words; j++)
            items[j] = hull_look_ahead(filter, &side, (w + j) * 64);
        for (unsigned k = 0; k < job->rows; k++) {
            uint64_t *row = hits + k * job->row_words;
            ask_for_line(row, w, full);
            ask_ahead(&side, w * 64, job->n, k, 4);
            if (!job->hulls[k].bad)
                hull_words(mode, filter, job, k, w * 64, words, items, crossing, careful, row);
        }
    }
}

/*
 * The last, partial word of n items. It begins early enough to be full where there are items enough, so that nothing need
 * be copied; of those the lowest bits are known already.
 */
struct last_word {
    size_t first;
    unsigned known;
    uint64_t asked;
};

INLINE struct last_word last_word(size_t n)
{
    const unsigned asked = (unsigned)(n % 64), known = n < 64 ? 0 : 64 - asked;
    return (struct last_word){n < 64 ? 0 : n - 64, known, UINT64_MAX >> (64 - asked) << known};
}

/* The last, partial word. */
INLINE void hull_last_word(enum mode mode, struct hull_filter filter, const struct hull_job *job,
                           struct crossing *crossing, careful_hull_function *careful, uint64_t *restrict hits)
{
    const size_t full = job->n / 64;
    float copy[ABUT_MAX_FIELDS][64];
    const float *padded[ABUT_MAX_FIELDS];
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    struct hull_job last = *job;
    if (full == 0) {
        pad(copy, padded, (struct operand){job->items, filter.fields, false}, 0, (unsigned)job->n, 64);
        side_set(&side, padded, filter.fields, false);
        last.items = padded;
    }
    const struct last_word at = last_word(job->n);
    for (unsigned k = 0; k < job->rows; k++) {
        if (job->hulls[k].bad)
            continue;
        struct hull_doubt doubt = hull_no_doubt();
        struct hull_word word = hull_decide(mode, filter, &job->hulls[k], &side, job->closed, at.first, NULL, &doubt);
        if (UNLIKELY(mode != UNCHECKED && !hull_sure(mode, filter, &job->hulls[k], &doubt)))
            word = careful(&last, k, at.first, at.asked);
        word.hits = (word.hits & at.asked) >> at.known;
        word.unsure = (word.unsure & at.asked) >> at.known;
        hits[k * job->row_words + full] = word.hits;
        hull_wait(filter, job, k, full * 64, word, crossing);
    }
}

typedef void hull_part_function(const struct hull_job *job, struct crossing *crossing, uint64_t *restrict hits);

INLINE void hull_run(struct hull_filter filter, const struct hull_job *job, hull_part_function *one,
                     hull_part_function *several, hull_part_function *last, uint64_t *restrict hits)
{
    job->stats->pairs += job->rows * job->n;
    for (unsigned k = 0; k < job->rows; k++)
        if (job->hulls[k].bad)
            memset(hits + k * job->row_words, 0, (job->n + 63) / 64 * sizeof *hits);
    hull_part_function *const words = job->rows == 1 ? one : several;
    if (filter.crosses) {
        struct crossing crossing;
        crossing_start(&crossing, (unsigned)job->rows, hits);
        words(job, &crossing, hits);
        if (job->n % 64 != 0)
            last(job, &crossing, hits);
        hull_cross_all(job, &crossing);
    } else {
        words(job, NULL, hits);
        if (job->n % 64 != 0)
            last(job, NULL, hits);
    }
}

#endif
