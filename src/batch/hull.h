/* SPDX-License-Identifier: MIT */
/*
 * The second loop: hulls against many items, 64 to a word. Included by instantiate.h.
 *
 * The number of planes is not known beforehand, so a filter has three parts: what the items are by themselves, which
 * serves several hulls; how far they lie outside of the plane that they are farthest outside of; and what that says. As
 * in batch/elementwise.h a word of which any lane is too close to call or invalid is done again, lane by lane. Hits
 * that are not sure (spheres across the surface of a hull) are left to batch/hull_boundary.h.
 */
#ifndef ABUT_BATCH_HULL_H
#define ABUT_BATCH_HULL_H

#include "batch/all_pairs.h"
#include "hull/hull.h"

#include <math.h>
#include <string.h>

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
    enum hull_predicate predicate;
    unsigned together; /* vectors; divides those of a word */
    bool look_first;   /* at items, before their depths are asked for, as these hide it; else it would cost registers */
    unsigned fields;
    bool centres; /* spheres and points: a hull may have a bound for them, and their arrays are few */
    bool
        has_boundary; /* spheres: hits that are not sure need their distance, and open, a radius of 0 touches nothing */
};

INLINE void hull_require_nonneg(struct hull_filter_state *p, v e)
{
    if (p->mode == FAST || p->mode == UNBOUNDED)
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
 * UNBOUNDED, for spheres and points: nobody looks at centres, as they are near where depths are small. Let the depth at
 * c be at least b |c| - D, where D is the greatest |d| and b > 2^-6 (hull.c), s what is asked whether it is below 0,
 * the depth less r, or with it, t what is computed for s, and e = 6.01 u |c| + 7.01 u D its error as above. The depth
 * is at most r + max(t, 0) (1 + u) + e, so that |c| <= (r + D + max(t, 0) (1 + u) + e) / b; 6.01 u / b is less than
 * 2^-15; and e is less than 6.02 u (r + D) / b + 7.02 u D + 2^-14 max(t, 0). Where |t| is greater than 8 u (r + D) / b
 * + 11 u D, it is greater than e. Where |c| >= 2^125 sums may overflow. That the bound is below CERTAIN leaves r + D <
 * 2^121 b, and some height is above 2^124 b: s is above 0, and so is t, or infinite, since a sum that overflows on its
 * way to a height, whose normal has a length of 1, is of the height's sign. Slabs, too, have no NaN then. Where a
 * coordinate is infinite or NaN, each height is, and t. So t is finite and below 0 for true hits alone; and for all of
 * them, as nothing overflows below 2^125 with such radii.
 */
INLINE v hull_bound_unbounded(const struct hull *hull, v radius)
{
    return v_fma(radius, v_set1(hull->by_radius), v_set1(hull->unbounded));
}

/*
 * The true sign of s, which is the depth plus or minus one input, is known; or else the lane is undecided. Except in
 * RECHECK only the worst of a few words is asked, which spares most of the work and sends few more words to be done
 * again. A NaN is then lost from either, but it is in s, which it makes a miss.
 */
INLINE void hull_known(struct hull_filter_state *p, v s)
{
    if (!INEXACT && (p->mode == FAST || p->mode == PREVALIDATED || p->mode == UNBOUNDED))
        p->nearest = v_min_abs(p->nearest, s);
    if (p->mode == RECHECK)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), m_and(m_lt(p->bound, v_abs(s)), m_lt(p->bound, CERTAIN))));
}

INLINE void hull_below(struct hull_filter_state *p, v s)
{
    p->hit = p->mode == UNBOUNDED ? m_below_zero(s) : m_lt(s, v_set1(0));
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
#undef KERNEL_FILTERS

#include "batch/hull_boundary.h"

struct hull_word {
    uint64_t hits, boundary, undecided;
};

INLINE struct hull_filter_state hull_start(enum mode mode, const struct hull *hull)
{
    return (struct hull_filter_state){.mode = mode,
                                      .hull = hull,
                                      .hit = m_none(),
                                      .valid = m_all(),
                                      .boundary = m_none(),
                                      .undecided = m_none(),
                                      .sticky = sticky_start(),
                                      .coordinate = v_set1(0),
                                      .axis = v_set1(0),
                                      .needed = v_set1(0),
                                      .bound = v_set1(0),
                                      .nearest = CERTAIN};
}

/* Vectors from i on: whether all items are valid, and how great they are. */
INLINE void hull_look(struct hull_filter_state *p, struct hull_filter filter, const struct operand *operand, size_t i,
                      unsigned vectors)
{
    UNROLL for (unsigned k = 0; k < vectors; k++)
    {
        filter.items(p, operand, i + k * WIDTH);
    }
}

/* What is gathered of a few words, of which it is asked at once whether all is decided. */
struct hull_worst {
    bool items_fine; /* as PREVALIDATED was told */
    struct sticky sticky;
    v coordinate, axis, nearest;
};

INLINE struct hull_worst hull_worst_start(void)
{
    return (struct hull_worst){true, sticky_start(), v_set1(0), v_set1(0), CERTAIN};
}

/* Of what was seen of items so far. */
INLINE v hull_bound_so_far(enum mode mode, struct hull_filter filter, const struct hull *hull, v coordinate, v axis,
                           v needed)
{
    return mode == UNBOUNDED ? hull_bound_unbounded(hull, needed)
                             : hull_bound(hull, filter.magnitude(coordinate, axis, needed));
}

/* Not RECHECK. Without planes s is no function of the item, and does not show a NaN. */
INLINE bool hull_certain(enum mode mode, struct hull_filter filter, const struct hull *hull,
                         const struct hull_worst *worst)
{
    const v bound = hull_bound_so_far(mode, filter, hull, worst->coordinate, worst->axis, sticky_most(worst->sticky));
    const m certain = INEXACT ? m_all() : m_lt(bound, worst->nearest);
    const m valid = mode == FAST || mode == UNBOUNDED ? sticky_fine(worst->sticky) : m_all();
    return hull->planes > 0 && worst->items_fine && m_bits(m_and(certain, valid)) == UINT64_MAX >> (64 - WIDTH);
}

/* What that says of a word before any hull is asked: PREVALIDATED takes the magnitude for a coordinate. */
struct hull_items {
    bool ok;
    v magnitude;
};

INLINE struct hull_items hull_look_ahead(struct hull_filter filter, const struct operand *operand, size_t i)
{
    struct hull_filter_state p = hull_start(FAST, NULL);
    hull_look(&p, filter, operand, i, 64 / WIDTH);
    return (struct hull_items){sticky_ok(p.sticky), filter.magnitude(p.coordinate, p.axis, sticky_most(p.sticky))};
}

INLINE void hull_lanes(struct hull_filter_state *p, struct hull_filter filter, const struct operand *operand, size_t i,
                       const v *depths, unsigned vectors, struct hull_word *word)
{
    for (unsigned k = 0; k < vectors; k++) {
        const size_t at = i + k * WIDTH;
        p->valid = m_all();
        p->undecided = m_none();
        if (p->mode == RECHECK) {
            p->coordinate = p->axis = p->needed = v_set1(0);
            filter.items(p, operand, at);
            p->bound = hull_bound(p->hull, filter.magnitude(p->coordinate, p->axis, p->needed));
        }
        filter.lanes(p, operand, at, depths[k]);
        if (p->mode == RECHECK) {
            p->hit = m_and(p->valid, p->hit);
            p->undecided = m_and(p->valid, p->undecided);
        }
        word->hits = push(word->hits, m_bits(p->hit));
        if (filter.has_boundary)
            word->boundary = push(word->boundary, m_bits(p->boundary));
        if (p->mode == RECHECK)
            word->undecided = push(word->undecided, m_bits(p->undecided));
    }
}

/*
 * PREVALIDATED has looked at the items already. Which spheres are unsure takes the bound: where nobody has looked
 * first, their lanes come last.
 */
INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct operand *operand, bool closed, size_t i,
                                    const struct hull_items *items, struct hull_worst *worst)
{
    struct hull_word word = {0, 0, 0};
    struct hull_filter_state p = hull_start(mode, hull);
    p.sticky = worst->sticky;
    p.coordinate = worst->coordinate;
    p.axis = worst->axis;
    p.nearest = worst->nearest;
    if (mode == PREVALIDATED) {
        worst->items_fine &= items->ok;
        p.coordinate = v_max(p.coordinate, items->magnitude);
        p.bound = hull_bound(hull, p.coordinate);
    }
    v depths[64 / WIDTH];
    const bool looks = mode == FAST || mode == UNBOUNDED,
               lanes_last = looks && filter.has_boundary && !filter.look_first;
    for (unsigned j = 0; j < 64; j += filter.together * WIDTH) {
        if (looks && filter.look_first) {
            hull_look(&p, filter, operand, i + j, filter.together);
            p.coordinate = v_keep(p.coordinate); /* or compilers look last, for what is asked last */
            p.bound = hull_bound_so_far(mode, filter, hull, p.coordinate, p.axis, sticky_most(p.sticky));
        }
        filter.depth(hull, operand, i + j, depths + (lanes_last ? j / WIDTH : 0));
        if (!lanes_last)
            hull_lanes(&p, filter, operand, i + j, depths, filter.together, &word);
        if (looks && !filter.look_first)
            hull_look(&p, filter, operand, i + j, filter.together);
    }
    if (lanes_last) {
        p.bound = hull_bound_so_far(mode, filter, hull, p.coordinate, p.axis, sticky_most(p.sticky));
        hull_lanes(&p, filter, operand, i, depths, 64 / WIDTH, &word);
    }
    if (filter.has_boundary && !closed) {
        const uint64_t some = some_radius(operand, i);
        word.hits &= some;
        word.boundary &= some;
    }
    worst->sticky = p.sticky;
    worst->coordinate = p.coordinate;
    worst->axis = p.axis;
    worst->nearest = p.nearest;
    return word;
}

INLINE void lane_of(struct hull_filter filter, const struct hull_args *args, size_t i, float *item)
{
    for (unsigned j = 0; j < filter.fields; j++)
        item[j] = args->items[j][i];
}

/*
 * The lanes asked for of the word at i, lane by lane: those that are undecided, of which not even a plane is known, are
 * resolved, and those on the boundary are left to it.
 */
INLINE struct hull_word hull_recheck_lanes(struct hull_filter filter, const struct hull_args *args, size_t k, size_t i,
                                           uint64_t wanted)
{
    struct operand operand;
    operand_set(&operand, args->items, filter.fields, false);
    struct hull_worst worst = hull_worst_start();
    struct hull_word word = hull_decide(RECHECK, filter, &args->hulls[k], &operand, args->closed, i, NULL, &worst);
    word.hits &= wanted & ~word.undecided;
    word.boundary &= word.hits;
    for (uint64_t left = word.undecided & wanted; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        float item[ABUT_MAX_FIELDS];
        lane_of(filter, args, i + lane, item);
        if (args->perhaps || abut_hull_resolve(filter.predicate, &args->hulls[k], item, args->closed, args->stats))
            word.hits |= UINT64_C(1) << lane;
    }
    return word;
}

/*
 * As FAST would be; but t = -infinity has been no hit, and there is none where radii, which count as coordinates, leave
 * it sure.
 */
COLD static bool hull_certain_by_centres(const struct hull *hull, const float *const *items, size_t i, size_t words,
                                         const v *radius, const v *nearest)
{
    v coordinate = *radius;
    for (size_t at = i; at < i + words * 64; at += WIDTH)
        coordinate = v_max(v_max_abs(v_load(items[0] + at), v_load(items[1] + at), v_load(items[2] + at)), coordinate);
    return m_bits(m_lt(hull_bound(hull, coordinate), *nearest)) == UINT64_MAX >> (64 - WIDTH);
}

/*
 * What UNBOUNDED is not sure of, it mostly is when it has looked at the words, which takes a fraction of doing them
 * again.
 */
INLINE bool hull_certain_after_look(enum mode mode, const struct hull *hull, const float *const *items, size_t i,
                                    size_t words, const struct hull_worst *worst)
{
    if (mode != UNBOUNDED || !sticky_ok(worst->sticky))
        return false;
    const v radius = sticky_most(worst->sticky), nearest = worst->nearest; /* copies: worst stays in registers */
    return hull_certain_by_centres(hull, items, i, words, &radius, &nearest);
}

typedef struct hull_word hull_recheck_function(const struct hull_args *args, size_t k, size_t i, uint64_t wanted);

/* What is not sure of the word at i waits. */
INLINE void hull_enqueue(struct hull_filter filter, const struct hull_args *args, unsigned k, size_t i,
                         struct hull_word word, struct boundary *boundary)
{
    if (!filter.has_boundary)
        return;
    struct queue *queue = &boundary->queue[k];
    queue->words[queue->count] = (struct queued_word){i, word.boundary};
    queue->count += word.boundary != 0;
    if (queue->count == queue->most)
        hull_resolve_queue(args, k, boundary);
}

/*
 * Hull k against the words at i, of whose items is known what PREVALIDATED asks for: each is asked whether it is
 * decided.
 */
INLINE void hull_words_singly(enum mode mode, struct hull_filter filter, const struct hull_args *args, unsigned k,
                              size_t i, size_t words, const struct hull_items *items, struct boundary *boundary,
                              hull_recheck_function *recheck, uint64_t *restrict row)
{
    const struct hull *hull = &args->hulls[k];
    struct operand operand;
    operand_set(&operand, args->items, filter.fields, false);
    for (size_t w = 0; w < words; w++, i += 64) {
        struct hull_worst worst = hull_worst_start();
        struct hull_word word = hull_decide(mode, filter, hull, &operand, args->closed, i, items + w, &worst);
        if (UNLIKELY(mode != UNCHECKED && !hull_certain(mode, filter, hull, &worst) &&
                     !hull_certain_after_look(mode, hull, args->items, i, 1, &worst)))
            word = recheck(args, k, i, UINT64_MAX);
        row[i / 64] = word.hits;
        hull_enqueue(filter, args, k, i, word, boundary);
    }
}

/* The same, where none wait: several are asked at once, as in batch/elementwise.h. */
INLINE void hull_words_together(enum mode mode, struct hull_filter filter, const struct hull_args *args, unsigned k,
                                size_t i, size_t words, const struct hull_items *items, hull_recheck_function *recheck,
                                uint64_t *restrict row)
{
    const struct hull *hull = &args->hulls[k];
    struct operand operand;
    operand_set(&operand, args->items, filter.fields, false);
    row += i / 64;
    for (size_t w = 0, singly = 0; w < words;) {
        const size_t first = w, end = end_of_words(w, words, ONCE, 1, singly);
        struct hull_worst worst = hull_worst_start();
        for (; w < end; w++)
            row[w] = hull_decide(mode, filter, hull, &operand, args->closed, i + w * 64, items + w, &worst).hits;
        if (mode == UNCHECKED || hull_certain(mode, filter, hull, &worst) ||
            hull_certain_after_look(mode, hull, args->items, i + first * 64, end - first, &worst))
            continue;
        if (end - first == 1)
            row[first] = recheck(args, k, i + first * 64, UINT64_MAX).hits;
        else {
            singly = end + BACK_OFF;
            w = first;
        }
    }
}

/* With other vectors than those of AVX-512 it pays, too, to ask several words of few arrays at once. */
INLINE void hull_words(enum mode mode, struct hull_filter filter, const struct hull_args *args, unsigned k, size_t i,
                       size_t words, const struct hull_items *items, struct boundary *boundary,
                       hull_recheck_function *recheck, uint64_t *restrict row)
{
    if (filter.has_boundary || (words_at_once(filter.fields) == 1 && !filter.centres))
        hull_words_singly(mode, filter, args, k, i, words, items, boundary, recheck, row);
    else
        hull_words_together(mode, filter, args, k, i, words, items, recheck, row);
}

/* One hull asks items for what they are as it goes; several are better told. Its bound is for vectors (hull.c). */
INLINE void hull_one(enum mode mode, struct hull_filter filter, const struct hull_args *args, struct boundary *boundary,
                     hull_recheck_function *recheck, uint64_t *restrict hits)
{
    if (mode == FAST && WIDTH > 1 && filter.centres && args->hulls->unbounded < INFINITY)
        hull_words(UNBOUNDED, filter, args, 0, 0, args->n / 64, NULL, boundary, recheck, hits);
    else if (!args->hulls->invalid)
        hull_words(mode, filter, args, 0, 0, args->n / 64, NULL, boundary, recheck, hits);
}

/*
 * Several hulls take turns at a few words of items, which come from memory once for all of them, and evenly: machines
 * then fetch what comes next while they compute.
 */
INLINE void hull_several(enum mode mode, struct hull_filter filter, const struct hull_args *args,
                         struct boundary *boundary, hull_recheck_function *recheck, uint64_t *restrict hits)
{
    struct operand operand;
    operand_set(&operand, args->items, filter.fields, false);
    for (size_t full = args->n / 64, w = 0; w < full; w += CHUNK) {
        const size_t words = full - w < CHUNK ? full - w : CHUNK;
        struct hull_items items[CHUNK];
        for (size_t j = 0; j < words; j++)
            items[j] = hull_look_ahead(filter, &operand, (w + j) * 64);
        for (unsigned k = 0; k < args->rows; k++) {
            uint64_t *row = hits + k * args->row_words;
            ask_for_line(row, w, full);
            ask_ahead(&operand, w * 64, args->n, k, 4);
            if (!args->hulls[k].invalid)
                hull_words(mode, filter, args, k, w * 64, words, items, boundary, recheck, row);
        }
    }
}

/*
 * The last, partial word of n items. It begins early enough to be full where there are items enough, so that nothing
 * need be copied; of those the lowest bits are known already.
 */
struct last_word {
    size_t first;
    unsigned known;
    uint64_t wanted;
};

INLINE struct last_word last_word(size_t n)
{
    const unsigned wanted = (unsigned)(n % 64), known = n < 64 ? 0 : 64 - wanted;
    return (struct last_word){n < 64 ? 0 : n - 64, known, UINT64_MAX >> (64 - wanted) << known};
}

/* The last, partial word. */
INLINE void hull_last_word(enum mode mode, struct hull_filter filter, const struct hull_args *args,
                           struct boundary *boundary, hull_recheck_function *recheck, uint64_t *restrict hits)
{
    const size_t full = args->n / 64;
    float copy[ABUT_MAX_FIELDS][64];
    const float *padded[ABUT_MAX_FIELDS];
    struct operand operand;
    operand_set(&operand, args->items, filter.fields, false);
    struct hull_args last = *args;
    if (full == 0) {
        pad(copy, padded, (struct operand_at){args->items, filter.fields, false}, 0, (unsigned)args->n, 64);
        operand_set(&operand, padded, filter.fields, false);
        last.items = padded;
    }
    const struct last_word at = last_word(args->n);
    for (unsigned k = 0; k < args->rows; k++) {
        if (args->hulls[k].invalid)
            continue;
        struct hull_worst worst = hull_worst_start();
        struct hull_word word =
            hull_decide(mode, filter, &args->hulls[k], &operand, args->closed, at.first, NULL, &worst);
        if (UNLIKELY(mode != UNCHECKED && !hull_certain(mode, filter, &args->hulls[k], &worst)))
            word = recheck(&last, k, at.first, at.wanted);
        word.hits = (word.hits & at.wanted) >> at.known;
        word.boundary = (word.boundary & at.wanted) >> at.known;
        hits[k * args->row_words + full] = word.hits;
        hull_enqueue(filter, args, k, full * 64, word, boundary);
    }
}

typedef void hull_part_function(const struct hull_args *args, struct boundary *boundary, uint64_t *restrict hits);

INLINE void hull_run(struct hull_filter filter, const struct hull_args *args, hull_part_function *one,
                     hull_part_function *several, hull_part_function *last, uint64_t *restrict hits)
{
    args->stats->pairs += args->rows * args->n;
    for (unsigned k = 0; k < args->rows; k++)
        if (args->hulls[k].invalid)
            memset(hits + k * args->row_words, 0, (args->n + 63) / 64 * sizeof *hits);
    hull_part_function *const words = args->rows == 1 ? one : several;
    if (filter.has_boundary) {
        struct boundary boundary;
        boundary_start(&boundary, (unsigned)args->rows, hits);
        words(args, &boundary, hits);
        if (args->n % 64 != 0)
            last(args, &boundary, hits);
        hull_resolve_boundary(args, &boundary);
    } else {
        words(args, NULL, hits);
        if (args->n % 64 != 0)
            last(args, NULL, hits);
    }
}

#endif
