/* SPDX-License-Identifier: MIT */
/*
 * The second loop: hulls against many items, 64 to a word. Included by instantiate.h.
 *
 * The number of planes is not known beforehand, so a filter has three parts: what the items are by themselves, which
 * serves several hulls; how far they lie outside of the plane that they are farthest outside of; and what that says. As in
 * batch.h a word of which any lane is too close to call or invalid is done again, lane by lane. Hits that are not sure
 * (spheres across the surface of a hull) wait for each other, and their distances are decided as many together as a vector
 * has lanes.
 */
#ifndef ABUT_HULL_BATCH_H
#define ABUT_HULL_BATCH_H

#include "batch.h"
#include "hull.h"

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
    v nearest; /* of a word so far, lane by lane: the least distance from what decides */
};

/* Says what makes items valid, and what the error of their depth grows with. */
typedef v hull_items_function(struct hull_pass *p, const struct side *side, size_t i);

/* Sets the depths of the vectors from i on, and returns of how many: a constant that divides those of a word. */
typedef unsigned depth_function(const struct hull *hull, const struct side *side, size_t i, v *depths);
typedef void hull_lanes_function(struct hull_pass *p, const struct side *side, size_t i, v depth, v magnitude);

struct hull_filter {
    hull_items_function *items;
    depth_function *depth;
    hull_lanes_function *lanes;
    enum hull_predicate predicate;
    unsigned fields;
    bool crosses; /* spheres: hits that are not sure need their distance, and open, a radius of 0 touches nothing */
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
 * the bound and of the test, and for members of the unit normal that underflow, each off by 2^-150. The squares of the
 * magnitude and of d are taken 4 times, so that the greatest of three coordinates will do for c, and OBBs find room. What
 * else is lost to underflow, at most 2^-150 six times, is below 2^-147, and the bound is never below 2^-120. It is
 * infinite, and decides nothing, before any partial sum can overflow.
 */
INLINE m hull_certain(const struct hull *hull, v s, v magnitude)
{
    return m_lt(v_fma(v_mul(magnitude, magnitude), v_set1(0x1p-40f), v_set1(hull->error2)), v_mul(s, s));
}

/*
 * The true sign of s, which is the depth plus or minus one input, is known; or else the lane is undecided. Except in
 * CAREFUL only the worst of a word is asked, which spares most of the work and sends few more words to be done again. A
 * NaN is then lost from either, but it is in s, which it makes a miss.
 */
INLINE void hull_known(struct hull_pass *p, v s, v magnitude)
{
    if (p->mode == FAST || p->mode == TRUSTED)
        p->nearest = v_min_abs(p->nearest, s);
    if (p->mode == CAREFUL)
        p->undecided = m_or(p->undecided, m_andnot(m_all(), hull_certain(p->hull, s, magnitude)));
}

INLINE void hull_below(struct hull_pass *p, v s, v magnitude)
{
    p->hit = m_lt(s, v_set1(0));
    hull_known(p, s, magnitude);
}

/* Where the depth itself decides. */
INLINE void depth_filter(struct hull_pass *p, const struct side *side, size_t i, v depth, v magnitude)
{
    (void)side, (void)i;
    hull_below(p, depth, magnitude);
}

/* The greatest coordinate, which may lose a NaN: s is NaN too, but without planes, which are for CAREFUL. */
INLINE v centre_magnitude(const struct hull_pass *p, const struct side *side, size_t i)
{
    v x = v_load(side->at[0] + i), y = v_load(side->at[1] + i), z = v_load(side->at[2] + i);
    return p->mode == CAREFUL ? magnitude_of(x, y, z) : v_max_abs(x, y, z);
}

#define ROOM_FILTERS
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"
#undef ROOM_FILTERS

struct hull_word {
    uint64_t hits, unsure, undecided;
    bool ok;
};

/* Puts the bits of one vector above those of the vectors before it, which move down. */
INLINE uint64_t push(uint64_t bits, m lanes)
{
    return bits >> WIDTH | m_bits(lanes) << (64 - WIDTH);
}

INLINE struct hull_pass hull_start(enum mode mode, const struct hull *hull)
{
    return (struct hull_pass){mode, hull, m_none(), m_all(), m_none(), m_none(), g_start(), v_set1(INFINITY)};
}

/* What is known of the items of a word before any hull is: whether all are valid, and the greatest magnitude of a lane. */
struct hull_items {
    bool ok;
    v magnitude;
};

INLINE struct hull_items hull_look(struct hull_filter filter, const struct side *side, size_t i)
{
    struct hull_pass p = hull_start(FAST, NULL);
    v magnitude = v_set1(0);
    UNROLL for (unsigned j = 0; j < 64; j += WIDTH)
    {
        magnitude = v_max(filter.items(&p, side, i + j), magnitude);
    }
    return (struct hull_items){g_ok(p.guard), magnitude};
}

INLINE void hull_lanes(struct hull_pass *p, struct hull_filter filter, const struct side *side, size_t i, v depth,
                       struct hull_word *word, v *greatest)
{
    p->valid = m_all();
    p->undecided = m_none();
    v magnitude = v_set1(0);
    if (p->mode == FAST || p->mode == CAREFUL)
        magnitude = filter.items(p, side, i);
    filter.lanes(p, side, i, depth, magnitude);
    if (p->mode == FAST)
        *greatest = v_max(magnitude, *greatest);
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

/* TRUSTED has looked at the items already. */
INLINE struct hull_word hull_decide(enum mode mode, struct hull_filter filter, const struct hull *hull,
                                    const struct side *side, bool closed, size_t i, const struct hull_items *items)
{
    struct hull_word word = {0, 0, 0, true};
    struct hull_pass p = hull_start(mode, hull);
    v magnitude = v_set1(0);
    const size_t end = i + 64;
    while (i < end) {
        v depths[MAX_TOGETHER];
        unsigned together = filter.depth(hull, side, i, depths);
        for (unsigned k = 0; k < together; k++, i += WIDTH)
            hull_lanes(&p, filter, side, i, depths[k], &word, &magnitude);
    }
    if (filter.crosses && !closed) {
        const uint64_t some = some_radius(side, end - 64);
        word.hits &= some;
        word.unsure &= some;
    }
    if (mode == FAST || mode == TRUSTED) {
        /* Without planes s is no function of the item, and does not show a NaN. */
        const m certain = hull_certain(hull, p.nearest, mode == FAST ? magnitude : items->magnitude);
        const m valid = mode == FAST ? g_fine(p.guard) : m_all();
        word.ok = hull->planes > 0 && (mode == FAST || items->ok) &&
                  m_bits(m_and(certain, valid)) == UINT64_MAX >> (64 - WIDTH);
    }
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
    struct hull_word word = hull_decide(CAREFUL, filter, &job->hulls[k], &side, job->closed, i, NULL);
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

typedef struct hull_word careful_hull_function(const struct hull_job *job, size_t k, size_t i, uint64_t asked);

/*
 * Words with spheres across the surface wait, so that the loop over words need not branch on them; and many of them, as
 * whenever old items are gone back to, machines stop fetching what comes next. The hulls of a pass share the room.
 */
enum { WAITING = 256 };

struct waiting_word {
    size_t i;
    uint64_t unsure;
};

struct waiting {
    unsigned count, most;
    struct waiting_word *words;
};

/* Spheres across the surfaces of hulls of the pass, up to a vector of them: each bit of all hits that one is. */
enum { CROSSER_FIELDS = 4 };
struct crossers {
    unsigned n;
    unsigned hull[WIDTH];
    size_t at[WIDTH];
    float items[CROSSER_FIELDS][WIDTH];
};

/* All that is not decided yet of the hits of a pass: vectors are of one hull each, and what a first guess leaves of any. */
enum { CROSSER_VECTORS = 16 };
struct crossing {
    uint64_t *hits;
    struct waiting_word words[WAITING + 1];
    struct waiting waiting[ABUT_MAX_HULLS];
    unsigned count;
    struct crossers vectors[CROSSER_VECTORS], left;
};

/* Lanes that stay empty are a point. */
INLINE void crossers_start(struct crossers *crossers)
{
    crossers->n = 0;
    for (unsigned j = 0; j < CROSSER_FIELDS; j++)
        v_store(crossers->items[j], v_set1(0));
}

/* The lane that the sphere is to be put in. */
INLINE unsigned crossers_add(struct crossers *crossers, unsigned hull, size_t at)
{
    crossers->hull[crossers->n] = hull;
    crossers->at[crossers->n] = at;
    return crossers->n++;
}

INLINE struct v_sphere crossers_load(const struct crossers *crossers)
{
    return (struct v_sphere){v_load(crossers->items[0]), v_load(crossers->items[1]), v_load(crossers->items[2]),
                             v_load(crossers->items[3])};
}

INLINE uint64_t crossers_asked(const struct crossers *crossers)
{
    return UINT64_MAX >> (64 - crossers->n);
}

/* Lanes that stay empty are of the first one's hull. */
static void mix_hulls(struct mixed_hulls *mixed, const struct hull *hulls, const struct crossers *crossers)
{
    mixed->planes = 0;
    for (unsigned lane = 0; lane < crossers->n; lane++) {
        const unsigned planes = hulls[crossers->hull[lane]].planes;
        mixed->planes = planes > mixed->planes ? planes : mixed->planes;
    }
    for (unsigned lane = 0; lane < WIDTH; lane++) {
        const struct hull *hull = &hulls[crossers->hull[lane < crossers->n ? lane : 0]];
        mixed->reach[lane] = (float)hull->reach;
        for (unsigned k = 0; k < mixed->planes; k++) {
            const bool there = k < hull->planes;
            mixed->nx[k][lane] = there ? hull->nx[k] : 0;
            mixed->ny[k][lane] = there ? hull->ny[k] : 0;
            mixed->nz[k][lane] = there ? hull->nz[k] : 0;
            mixed->d[k][lane] = there ? hull->d[k] : -0x1p100f;
        }
    }
}

/* Rounds, and the other stages for what is open after these. */
static void cross_left(const struct hull_job *job, struct crossers *left, uint64_t *hits)
{
    const uint64_t asked = crossers_asked(left);
    struct moved found;
    if (job->rows == 1) {
        found = move_inwards(faces_of(job->hulls), crossers_load(left), MOST_ROUNDS, asked);
    } else {
        struct mixed_hulls mixed;
        mix_hulls(&mixed, job->hulls, left);
        found = move_inwards(mixed_faces(&mixed), crossers_load(left), MOST_ROUNDS, asked);
    }
    for (uint64_t open = asked & ~found.hits; open != 0; open &= open - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(open);
        float item[CROSSER_FIELDS];
        for (unsigned j = 0; j < CROSSER_FIELDS; j++)
            item[j] = left->items[j][lane];
        if ((found.misses >> lane & 1) != 0 ||
            !abut_hull_settle(hull_predicate_sphere_hull, &job->hulls[left->hull[lane]], item, job->closed, job->stats))
            hits[left->at[lane] / 64] &= ~(UINT64_C(1) << left->at[lane] % 64);
    }
    crossers_start(left);
}

/*
 * The first guess mostly does: what it leaves of several vectors fills one, and rounds are for that. All guesses are made
 * before the first is looked at, as machines then work at several at a time.
 */
static void cross_first(const struct hull_job *job, struct crossing *crossing)
{
    struct moved found[CROSSER_VECTORS];
    struct crossers *left = &crossing->left;
    for (unsigned i = 0; i < crossing->count; i++) {
        const struct crossers *crossers = &crossing->vectors[i];
        found[i] = move_inwards(faces_of(&job->hulls[crossers->hull[0]]), crossers_load(crossers), 0, UINT64_MAX);
    }
    for (unsigned i = 0; i < crossing->count; i++) {
        const struct crossers *crossers = &crossing->vectors[i];
        for (uint64_t open = crossers_asked(crossers) & ~found[i].hits; open != 0; open &= open - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(open);
            const uint64_t miss = found[i].misses >> lane & 1;
            const size_t at = crossers->at[lane];
            const unsigned to = crossers_add(left, crossers->hull[0], at);
            for (unsigned j = 0; j < CROSSER_FIELDS; j++)
                left->items[j][to] = crossers->items[j][lane];
            /* No branch: a miss is forgotten, and its lane given to the next. */
            left->n -= (unsigned)miss;
            crossing->hits[at / 64] &= ~(miss << at % 64);
            if (left->n == WIDTH)
                cross_left(job, left, crossing->hits);
        }
    }
    crossing->count = 0;
}

/* Gathers the spheres of the words that wait for hull k. */
INLINE void hull_cross_waiting(const struct hull_job *job, unsigned k, struct crossing *crossing)
{
    struct waiting *waiting = &crossing->waiting[k];
    struct side side; /* a copy of where items are: no store can be to it, so that it is not read again after each */
    side_set(&side, job->items, CROSSER_FIELDS, false);
    struct crossers *crossers = NULL;
    unsigned count = 0;
    for (unsigned w = 0; w < waiting->count; w++)
        count += (unsigned)__builtin_popcountll(waiting->words[w].unsure);
    /* One loop over the spheres of all words: how many each has, no machine foresees. */
    const struct waiting_word *word = waiting->words;
    for (uint64_t unsure = word->unsure; count > 0; count--) {
        if (crossers == NULL || crossers->n == WIDTH) {
            if (crossing->count == CROSSER_VECTORS)
                cross_first(job, crossing);
            crossers = &crossing->vectors[crossing->count++];
            crossers_start(crossers);
        }
        const size_t i = word->i + (unsigned)__builtin_ctzll(unsure);
        const unsigned lane = crossers_add(crossers, k, k * job->row_words * 64 + i);
        for (unsigned j = 0; j < CROSSER_FIELDS; j++)
            crossers->items[j][lane] = side.at[j][i];
        unsure &= unsure - 1;
        word += unsure == 0;
        unsure = unsure == 0 ? word->unsure : unsure;
    }
    waiting->count = 0;
}

/* What waits of all hulls. */
INLINE void hull_cross_all(const struct hull_job *job, struct crossing *crossing)
{
    for (unsigned k = 0; k < job->rows; k++)
        hull_cross_waiting(job, k, crossing);
    cross_first(job, crossing);
    if (crossing->left.n > 0)
        cross_left(job, &crossing->left, crossing->hits);
}

/* What is known of the word at i is noted, and what is not, waits. */
INLINE void hull_put_word(struct hull_filter filter, const struct hull_job *job, unsigned k, size_t i,
                          struct hull_word word, struct crossing *crossing, uint64_t *restrict row)
{
    row[i / 64] = word.hits;
    if (!filter.crosses)
        return;
    struct waiting *waiting = &crossing->waiting[k];
    waiting->words[waiting->count] = (struct waiting_word){i, word.unsure};
    waiting->count += word.unsure != 0;
    if (waiting->count == waiting->most)
        hull_cross_waiting(job, k, crossing);
}

/* Hull k against the words at i, of whose items is known what TRUSTED asks for. */
INLINE void hull_words(enum mode mode, struct hull_filter filter, const struct hull_job *job, unsigned k, size_t i,
                       size_t words, const struct hull_items *items, struct crossing *crossing,
                       careful_hull_function *careful, uint64_t *restrict row)
{
    struct side side;
    side_set(&side, job->items, filter.fields, false);
    for (size_t w = 0; w < words; w++, i += 64) {
        struct hull_word word = hull_decide(mode, filter, &job->hulls[k], &side, job->closed, i, items + w);
        if (UNLIKELY(!word.ok))
            word = careful(job, k, i, UINT64_MAX);
        hull_put_word(filter, job, k, i, word, crossing, row);
    }
}

/* One hull asks items for what they are as it goes; several are better told. */
INLINE void hull_one(enum mode mode, struct hull_filter filter, const struct hull_job *job, struct crossing *crossing,
                     careful_hull_function *careful, uint64_t *restrict hits)
{
    if (!job->hulls->bad)
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
            items[j] = hull_look(filter, &side, (w + j) * 64);
        for (unsigned k = 0; k < job->rows; k++) {
            uint64_t *row = hits + k * job->row_words;
            ask_for_line(row, w, full);
            ask_ahead(&side, w * 64, job->n, k, 4);
            if (!job->hulls[k].bad)
                hull_words(mode, filter, job, k, w * 64, words, items, crossing, careful, row);
        }
    }
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
        pad(copy, padded, &side, 0, (unsigned)job->n, 64);
        side_set(&side, padded, filter.fields, false);
        last.items = padded;
    }
    const struct last_word at = last_word(job->n);
    for (unsigned k = 0; k < job->rows; k++) {
        if (job->hulls[k].bad)
            continue;
        struct hull_word word = hull_decide(mode, filter, &job->hulls[k], &side, job->closed, at.first, NULL);
        if (UNLIKELY(!word.ok))
            word = careful(&last, k, at.first, at.asked);
        word.hits = (word.hits & at.asked) >> at.known;
        word.unsure = (word.unsure & at.asked) >> at.known;
        hull_put_word(filter, job, k, full * 64, word, crossing, hits + k * job->row_words);
    }
}

INLINE void hull_run(enum mode mode, enum mode mode_of_several, struct hull_filter filter, const struct hull_job *job,
                     careful_hull_function *careful, uint64_t *restrict hits)
{
    struct crossing crossing;
    const unsigned most = WAITING / (unsigned)job->rows;
    job->stats->pairs += job->rows * job->n;
    crossing.hits = hits;
    crossing.count = 0;
    crossers_start(&crossing.left);
    for (unsigned k = 0; k < job->rows; k++) {
        crossing.waiting[k] = (struct waiting){0, most, crossing.words + k * most};
        if (job->hulls[k].bad)
            memset(hits + k * job->row_words, 0, (job->n + 63) / 64 * sizeof *hits);
    }
    if (job->rows == 1)
        hull_one(mode, filter, job, &crossing, careful, hits);
    else
        hull_several(mode_of_several, filter, job, &crossing, careful, hits);
    if (job->n % 64 != 0)
        hull_last_word(mode, filter, job, &crossing, careful, hits);
    if (filter.crosses)
        hull_cross_all(job, &crossing);
}

#endif
