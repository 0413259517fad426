/* SPDX-License-Identifier: MIT */
/*
 * Spheres across the surfaces of hulls, whose distances decide: they wait for each other, and as many are decided together as a
 * vector has lanes. Included by batch/hull.h.
 */
#ifndef ABUT_BATCH_HULL_BOUNDARY_H
#define ABUT_BATCH_HULL_BOUNDARY_H

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
    struct waiting_word words[WAITING + 2]; /* behind the last there are two to look at, and leave */
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

static void crossing_start(struct crossing *crossing, unsigned hulls, uint64_t *hits)
{
    const unsigned most = WAITING / hulls;
    crossing->hits = hits;
    crossing->count = 0;
    crossers_start(&crossing->left);
    for (unsigned k = 0; k < hulls; k++)
        crossing->waiting[k] = (struct waiting){0, most, crossing->words + k * most};
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

/* Not inlined: what it has on the stack, which is much, is gone when the other stages need some. */
__attribute__((noinline)) static struct moved cross_rounds(const struct hull_job *job, const struct crossers *left)
{
    if (job->rows == 1)
        return move_in_rounds(faces_of(job->hulls), crossers_load(left), crossers_asked(left));
    struct mixed_hulls mixed;
    mix_hulls(&mixed, job->hulls, left);
    return move_in_rounds(mixed_faces(&mixed), crossers_load(left), crossers_asked(left));
}

/* Rounds, and the other stages for what is open after these. */
static void cross_left(const struct hull_job *job, struct crossers *left, uint64_t *hits)
{
    const uint64_t asked = crossers_asked(left);
    const struct moved found = cross_rounds(job, left);
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
        found[i] = move_at_once(faces_of(&job->hulls[crossers->hull[0]]), crossers_load(crossers));
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
static void hull_cross_waiting(const struct hull_job *job, unsigned k, struct crossing *crossing)
{
    struct waiting *waiting = &crossing->waiting[k];
    struct side side; /* a copy of where items are: no store can be to it, so that it is not read again after each */
    side_set(&side, job->items, CROSSER_FIELDS, false);
    struct crossers *crossers = NULL;
    /*
     * One loop over the spheres of all words: how many each has, no machine foresees. The next word is loaded before it is known
     * to be wanted, as each sphere would wait for that.
     */
    const struct waiting_word *word = waiting->words, *end = word + waiting->count;
    for (uint64_t unsure = word->unsure, next = word[1].unsure; word < end; next = word[1].unsure) {
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
        unsure = unsure == 0 ? next : unsure;
    }
    waiting->count = 0;
}

/* What waits of all hulls. */
static void hull_cross_all(const struct hull_job *job, struct crossing *crossing)
{
    for (unsigned k = 0; k < job->rows; k++)
        hull_cross_waiting(job, k, crossing);
    cross_first(job, crossing);
    if (crossing->left.n > 0)
        cross_left(job, &crossing->left, crossing->hits);
}

#endif
