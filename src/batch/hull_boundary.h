/* SPDX-License-Identifier: MIT */
/*
 * Spheres across the surfaces of hulls, whose distances decide: they wait for each other, and as many are decided
 * together as a vector has lanes. Included by batch/hull.h.
 */
#ifndef ABUT_BATCH_HULL_BOUNDARY_H
#define ABUT_BATCH_HULL_BOUNDARY_H

#include "kernels/hull_projection.h"

/*
 * Words with spheres across the surface wait, so that the loop over words need not branch on them; and many of them, as
 * whenever old items are gone back to, machines stop fetching what comes next. The hulls of one call share the queue.
 */
enum { QUEUED_WORDS = 256 };

struct queued_word {
    size_t i;
    uint64_t boundary;
};

struct queue {
    unsigned count, most;
    struct queued_word *words;
};

/* Spheres across the surfaces of hulls of the pass, up to a vector of them: each bit of all hits that one is. */
enum { BOUNDARY_FIELDS = 4 };
struct boundary_vector {
    unsigned n;
    unsigned hull[WIDTH];
    size_t at[WIDTH];
    float items[BOUNDARY_FIELDS][WIDTH];
};

/*
 * All that is not decided yet of the hits of a pass: vectors are of one hull each, and what a first guess leaves of
 * any.
 */
enum { BOUNDARY_VECTORS = 16 };
struct boundary {
    uint64_t *hits;
    struct queued_word words[QUEUED_WORDS + 2]; /* behind the last there are two to look at, and leave */
    struct queue queue[ABUT_MAX_HULLS];
    unsigned count;
    struct boundary_vector vectors[BOUNDARY_VECTORS], left;
};

/* Lanes that stay empty are a point. */
INLINE void boundary_vector_start(struct boundary_vector *boundary_vector)
{
    boundary_vector->n = 0;
    for (unsigned j = 0; j < BOUNDARY_FIELDS; j++)
        v_store(boundary_vector->items[j], v_set1(0));
}

static void boundary_start(struct boundary *boundary, unsigned hulls, uint64_t *hits)
{
    const unsigned most = QUEUED_WORDS / hulls;
    boundary->hits = hits;
    boundary->count = 0;
    boundary_vector_start(&boundary->left);
    for (unsigned k = 0; k < hulls; k++)
        boundary->queue[k] = (struct queue){0, most, boundary->words + k * most};
}

/* The lane that the sphere is to be put in. */
INLINE unsigned boundary_vector_add(struct boundary_vector *boundary_vector, unsigned hull, size_t at)
{
    boundary_vector->hull[boundary_vector->n] = hull;
    boundary_vector->at[boundary_vector->n] = at;
    return boundary_vector->n++;
}

INLINE struct v_sphere boundary_vector_load(const struct boundary_vector *boundary_vector)
{
    return (struct v_sphere){v_load(boundary_vector->items[0]), v_load(boundary_vector->items[1]),
                             v_load(boundary_vector->items[2]), v_load(boundary_vector->items[3])};
}

INLINE uint64_t boundary_vector_wanted(const struct boundary_vector *boundary_vector)
{
    return UINT64_MAX >> (64 - boundary_vector->n);
}

/* Lanes that stay empty are of the first one's hull. */
static void mix_hulls(struct mixed_hulls *mixed, const struct hull *hulls,
                      const struct boundary_vector *boundary_vector)
{
    mixed->planes = 0;
    for (unsigned lane = 0; lane < boundary_vector->n; lane++) {
        const unsigned planes = hulls[boundary_vector->hull[lane]].planes;
        mixed->planes = planes > mixed->planes ? planes : mixed->planes;
    }
    for (unsigned lane = 0; lane < WIDTH; lane++) {
        const struct hull *hull = &hulls[boundary_vector->hull[lane < boundary_vector->n ? lane : 0]];
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
__attribute__((noinline)) static struct moved resolve_rounds(const struct hull_args *args,
                                                             const struct boundary_vector *left)
{
    if (args->rows == 1)
        return move_in_rounds(faces_of(args->hulls), boundary_vector_load(left), boundary_vector_wanted(left));
    struct mixed_hulls mixed;
    mix_hulls(&mixed, args->hulls, left);
    return move_in_rounds(mixed_faces(&mixed), boundary_vector_load(left), boundary_vector_wanted(left));
}

/* Rounds, and the other stages for what is open after these. */
static void resolve_left(const struct hull_args *args, struct boundary_vector *left, uint64_t *hits)
{
    const uint64_t wanted = boundary_vector_wanted(left);
    const struct moved found = resolve_rounds(args, left);
    for (uint64_t open = wanted & ~found.hits; open != 0; open &= open - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(open);
        float item[BOUNDARY_FIELDS];
        for (unsigned j = 0; j < BOUNDARY_FIELDS; j++)
            item[j] = left->items[j][lane];
        if ((found.misses >> lane & 1) != 0 ||
            !abut_hull_resolve(predicate_sphere_hull, &args->hulls[left->hull[lane]], item, args->closed, args->stats))
            hits[left->at[lane] / 64] &= ~(UINT64_C(1) << left->at[lane] % 64);
    }
    boundary_vector_start(left);
}

/*
 * The first guess mostly does: what it leaves of several vectors fills one, and rounds are for that. All guesses are
 * made before the first is looked at, as machines then work at several at a time.
 */
static void resolve_first(const struct hull_args *args, struct boundary *boundary)
{
    struct moved found[BOUNDARY_VECTORS];
    struct boundary_vector *left = &boundary->left;
    for (unsigned i = 0; i < boundary->count; i++) {
        const struct boundary_vector *boundary_vector = &boundary->vectors[i];
        found[i] =
            move_at_once(faces_of(&args->hulls[boundary_vector->hull[0]]), boundary_vector_load(boundary_vector));
    }
    for (unsigned i = 0; i < boundary->count; i++) {
        const struct boundary_vector *boundary_vector = &boundary->vectors[i];
        for (uint64_t open = boundary_vector_wanted(boundary_vector) & ~found[i].hits; open != 0; open &= open - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(open);
            const uint64_t miss = found[i].misses >> lane & 1;
            const size_t at = boundary_vector->at[lane];
            const unsigned to = boundary_vector_add(left, boundary_vector->hull[0], at);
            for (unsigned j = 0; j < BOUNDARY_FIELDS; j++)
                left->items[j][to] = boundary_vector->items[j][lane];
            /* No branch: a miss is forgotten, and its lane given to the next. */
            left->n -= (unsigned)miss;
            boundary->hits[at / 64] &= ~(miss << at % 64);
            if (left->n == WIDTH)
                resolve_left(args, left, boundary->hits);
        }
    }
    boundary->count = 0;
}

/* Gathers the spheres of the words that wait for hull k. */
static void hull_resolve_queue(const struct hull_args *args, unsigned k, struct boundary *boundary)
{
    struct queue *queue = &boundary->queue[k];
    struct operand
        operand; /* a copy of where items are: no store can be to it, so that it is not read again after each */
    operand_set(&operand, args->items, BOUNDARY_FIELDS, false);
    struct boundary_vector *boundary_vector = NULL;
    /*
     * One loop over the spheres of all words: how many each has, no machine foresees. The next word is loaded before it
     * is known to be wanted, as each sphere would wait for that.
     */
    const struct queued_word *word = queue->words, *end = word + queue->count;
    for (uint64_t uncertain = word->boundary, next = word[1].boundary; word < end; next = word[1].boundary) {
        if (boundary_vector == NULL || boundary_vector->n == WIDTH) {
            if (boundary->count == BOUNDARY_VECTORS)
                resolve_first(args, boundary);
            boundary_vector = &boundary->vectors[boundary->count++];
            boundary_vector_start(boundary_vector);
        }
        const size_t i = word->i + (unsigned)__builtin_ctzll(uncertain);
        const unsigned lane = boundary_vector_add(boundary_vector, k, k * args->row_words * 64 + i);
        for (unsigned j = 0; j < BOUNDARY_FIELDS; j++)
            boundary_vector->items[j][lane] = operand.at[j][i];
        uncertain &= uncertain - 1;
        word += uncertain == 0;
        uncertain = uncertain == 0 ? next : uncertain;
    }
    queue->count = 0;
}

/* What waits of all hulls. */
static void hull_resolve_boundary(const struct hull_args *args, struct boundary *boundary)
{
    for (unsigned k = 0; k < args->rows; k++)
        hull_resolve_queue(args, k, boundary);
    resolve_first(args, boundary);
    if (boundary->left.n > 0)
        resolve_left(args, &boundary->left, boundary->hits);
}

#endif
