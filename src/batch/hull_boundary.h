/* SPDX-License-Identifier: MIT */
/*
 * Spheres across the surfaces of hulls: their distances decide. They are queued, and a vector of them is decided at a
 * time. Included by batch/hull.h.
 */
#ifndef ABUT_BATCH_HULL_BOUNDARY_H
#define ABUT_BATCH_HULL_BOUNDARY_H

#include "kernels/hull_projection.h"

/*
 * Words with spheres across the surface are queued, so that the loop over words need not branch on them. The queue is
 * long, as each return to old items disturbs the hardware prefetcher. The hulls of one call share it.
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

/* Up to a vector of queued spheres: their hulls, the numbers of their bits in the hits, and their members. */
enum { BOUNDARY_FIELDS = 4 };
struct boundary_vector {
    unsigned n;
    unsigned hull[WIDTH];
    size_t at[WIDTH];
    float items[BOUNDARY_FIELDS][WIDTH];
};

/*
 * The bits of the hits that are not final yet. Each of the vectors is of one hull. What a first guess leaves undecided
 * goes to left, whose lanes may be of any hull.
 */
enum { BOUNDARY_VECTORS = 16 };
struct boundary {
    uint64_t *hits;
    struct queued_word words[QUEUED_WORDS + 2]; /* the two behind the last are read, and not used */
    struct queue queue[ABUT_MAX_HULLS];
    unsigned count;
    struct boundary_vector vectors[BOUNDARY_VECTORS], left;
};

/* Empty lanes are a point. */
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

/* Adds a sphere, and returns the lane for its members. */
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

/* The planes of the hull of each lane. Empty lanes take the first hull. */
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

/* Not inlined: its large stack frame ends before the other stages begin. */
__attribute__((noinline)) static struct moved resolve_rounds(const struct hull_args *args,
                                                             const struct boundary_vector *left)
{
    if (args->rows == 1)
        return move_in_rounds(faces_of(args->hulls), boundary_vector_load(left), boundary_vector_wanted(left));
    struct mixed_hulls mixed;
    mix_hulls(&mixed, args->hulls, left);
    return move_in_rounds(mixed_faces(&mixed), boundary_vector_load(left), boundary_vector_wanted(left));
}

/* Decides the lanes in rounds, and those that are still open by the float64 filter and the exact stage. */
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
 * A first guess decides most lanes. The open lanes of several vectors are gathered in one vector, for rounds. All
 * guesses are made before the first is looked at, so that the processor works on several at a time.
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
            /* Without a branch: the lane of a miss is free for the next. */
            left->n -= (unsigned)miss;
            boundary->hits[at / 64] &= ~(miss << at % 64);
            if (left->n == WIDTH)
                resolve_left(args, left, boundary->hits);
        }
    }
    boundary->count = 0;
}

/* Gathers the spheres of the queued words of hull k. */
static void hull_resolve_queue(const struct hull_args *args, unsigned k, struct boundary *boundary)
{
    struct queue *queue = &boundary->queue[k];
    struct operand operand; /* a local copy of the pointers, which no store can change: they are not loaded again */
    operand_set(&operand, args->items, BOUNDARY_FIELDS, false);
    struct boundary_vector *boundary_vector = NULL;
    /*
     * One loop over the spheres of all words, as the number in a word is not predictable. The next word is loaded
     * before it is needed, as every sphere would wait for the load.
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

/* Decides the queued spheres of all hulls. */
static void hull_resolve_boundary(const struct hull_args *args, struct boundary *boundary)
{
    for (unsigned k = 0; k < args->rows; k++)
        hull_resolve_queue(args, k, boundary);
    resolve_first(args, boundary);
    if (boundary->left.n > 0)
        resolve_left(args, &boundary->left, boundary->hits);
}

#endif
