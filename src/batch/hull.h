/* SPDX-License-Identifier: MIT */
/*
 * The loop of hulls against many items, 64 to a word. Included by instantiate.h.
 *
 * A hull has any number of planes, so a filter has three parts. The first looks at the items alone: whether they are
 * valid and how great they are, which serves several hulls. The second computes their depths: how far each is outside
 * of the plane that it is farthest outside of. The third compares. A word with an undecided or invalid lane is decided
 * again, as in batch/elementwise.h. Spheres across the surface of a hull are left to batch/hull_boundary.h.
 */
#ifndef ABUT_BATCH_HULL_H
#define ABUT_BATCH_HULL_H

#include "batch/all_pairs.h"
#include "kernels/hull_filter.h"

#include <math.h>
#include <string.h>

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

/* Looks at several vectors from i on: whether all items are valid, and how great they are. */
INLINE void hull_look(struct hull_filter_state *p, struct hull_filter filter, const struct operand *operand, size_t i,
                      unsigned vectors)
{
    UNROLL for (unsigned k = 0; k < vectors; k++)
    {
        filter.items(p, operand, i + k * WIDTH);
    }
}

/* The worst values of a few words, by which they are certain together or not. */
struct hull_worst {
    bool items_fine; /* of PREVALIDATED: those who looked at the items found them valid */
    struct sticky sticky;
    v coordinate, axis, nearest;
};

INLINE struct hull_worst hull_worst_start(void)
{
    return (struct hull_worst){true, sticky_start(), v_set1(0), v_set1(0), CERTAIN};
}

/* The error bound for the items seen so far. */
INLINE v hull_bound_so_far(struct hull_filter filter, const struct hull *hull, v coordinate, v axis, v needed)
{
    return hull_bound(hull, filter.magnitude(coordinate, axis, needed));
}

/* Whether all lanes were decided. Not for RECHECK. Depths without planes do not show a NaN of the item. */
INLINE bool hull_certain(enum mode mode, struct hull_filter filter, const struct hull *hull,
                         const struct hull_worst *worst)
{
    const v bound = hull_bound_so_far(filter, hull, worst->coordinate, worst->axis, sticky_most(worst->sticky));
    const m certain = INEXACT ? m_all() : m_lt(bound, worst->nearest);
    const m valid = mode == FAST ? sticky_fine(worst->sticky) : m_all();
    return hull->planes > 0 && worst->items_fine && m_bits(m_and(certain, valid)) == UINT64_MAX >> (64 - WIDTH);
}

/* The items of a word without any hull, for PREVALIDATED, which takes the magnitude for a coordinate. */
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
 * Decides a word. In mode PREVALIDATED items has the look at its items. Lanes on the boundary are found by the error
 * bound, which needs the look: where that does not come first, the lanes come last.
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
    const bool looks = mode == FAST, lanes_last = looks && filter.has_boundary && !filter.look_first;
    for (unsigned j = 0; j < 64; j += filter.together * WIDTH) {
        if (looks && filter.look_first) {
            hull_look(&p, filter, operand, i + j, filter.together);
            p.coordinate = v_keep(p.coordinate); /* else compilers move the look behind the depths */
            p.bound = hull_bound_so_far(filter, hull, p.coordinate, p.axis, sticky_most(p.sticky));
        }
        filter.depth(hull, operand, i + j, depths + (lanes_last ? j / WIDTH : 0));
        if (!lanes_last)
            hull_lanes(&p, filter, operand, i + j, depths, filter.together, &word);
        if (looks && !filter.look_first)
            hull_look(&p, filter, operand, i + j, filter.together);
    }
    if (lanes_last) {
        p.bound = hull_bound_so_far(filter, hull, p.coordinate, p.axis, sticky_most(p.sticky));
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
 * Decides again the wanted lanes of the word at i. Undecided lanes, for which no plane is known, are resolved here.
 * Lanes on the boundary are returned as such.
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

typedef struct hull_word hull_recheck_function(const struct hull_args *args, size_t k, size_t i, uint64_t wanted);

/* Puts the lanes of the word at i that are on the boundary into the queue of hull k. */
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

/* Hull k against the words at i, each with a look of its own at whether it is certain. */
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
        if (UNLIKELY(mode != UNCHECKED && !hull_certain(mode, filter, hull, &worst)))
            word = recheck(args, k, i, UINT64_MAX);
        row[i / 64] = word.hits;
        hull_enqueue(filter, args, k, i, word, boundary);
    }
}

/* The same without a boundary: several words share a look, as in batch/elementwise.h. */
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
        if (mode == UNCHECKED || hull_certain(mode, filter, hull, &worst))
            continue;
        if (end - first == 1)
            row[first] = recheck(args, k, i + first * 64, UINT64_MAX).hits;
        else {
            singly = end + BACK_OFF;
            w = first;
        }
    }
}

/* Words of points and spheres share a look in every instruction set, others as in batch/elementwise.h. */
INLINE void hull_words(enum mode mode, struct hull_filter filter, const struct hull_args *args, unsigned k, size_t i,
                       size_t words, const struct hull_items *items, struct boundary *boundary,
                       hull_recheck_function *recheck, uint64_t *restrict row)
{
    if (filter.has_boundary || (words_at_once(filter.fields) == 1 && !filter.centres))
        hull_words_singly(mode, filter, args, k, i, words, items, boundary, recheck, row);
    else
        hull_words_together(mode, filter, args, k, i, words, items, recheck, row);
}

/* One hull looks at the items as it goes. */
INLINE void hull_one(enum mode mode, struct hull_filter filter, const struct hull_args *args, struct boundary *boundary,
                     hull_recheck_function *recheck, uint64_t *restrict hits)
{
    if (!args->hulls->invalid)
        hull_words(mode, filter, args, 0, 0, args->n / 64, NULL, boundary, recheck, hits);
}

/*
 * Each of several hulls against one chunk of items after the other. So the items come from memory once for all hulls,
 * and are looked at once.
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
            prefetch_line(row, w, full);
            prefetch_ahead(&operand, w * 64, args->n, k, 4);
            if (!args->hulls[k].invalid)
                hull_words(mode, filter, args, k, w * 64, words, items, boundary, recheck, row);
        }
    }
}

/*
 * The last, partial word of n items. Where there are 64 items it begins early enough to be full, so that nothing is
 * copied. Its lowest bits are then known from the word before.
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
