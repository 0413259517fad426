/* SPDX-License-Identifier: MIT */
/*
 * A world that moves: items come, go and move, and each update reports the pairs that began and ended to touch.
 *
 *     struct abut_world *world;
 *     struct abut_world_changes changes;
 *     uint32_t ids[2];
 *     if (abut_world_new(0.1f, NULL, &world) != ABUT_OK ||
 *         abut_world_add(world, abut_of_spheres(&two), NULL, NULL, ids))
 *         return 1;
 *     if (abut_world_update(world, false, NULL, &changes) == ABUT_OK)
 *         for (size_t i = 0; i < changes.n_began; i++)
 *             printf("%u and %u touch now\n", changes.began[i].a, changes.began[i].b);
 *     abut_world_free(world);
 *
 * The answers are those of the predicates of abut.h: an update reports exactly the pairs whose answer changed since the
 * update before, whatever was called in between. The cost of an update depends on how many items moved, and hardly on
 * how many there are.
 *
 *   Items        Points, spheres, AABBs, OBBs, segments, capsules and triangles, mixed as you like. An item keeps its
 *                id and its shape until it is removed. Ids are small: an added item gets the least one that is free.
 *   Pairs        Two items are a pair if the groups of each have a bit in common with the mask of the other, and they
 *                touch. Their shapes must have a predicate (see the matrix in abut.h): two points have none, and an
 *                item that would need one is refused. Groups and masks can keep such shapes apart.
 *   Order        Pairs have a < b and are sorted by a, then b. So the results of an update depend on the history of
 *                calls alone; instruction set and threads play no part.
 *   Invalid      Items that abut_check finds invalid are refused, and nothing changes.
 *   Errors       A call that fails has changed nothing that a later call can see. After ABUT_ERROR_MEMORY it can be
 *                made again.
 *   Options      A touch rule in the options of a call is the world's, or closed.
 *   Threads      One call at a time. An update may run on several threads that its options lend.
 *   Memory       A world owns all of its memory, its scratch memory included. It takes about 150 bytes an AABB and 40 a
 *                pair.
 */
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include <abut/index.h>

#ifdef __cplusplus
extern "C" {
#endif

struct abut_world;

/*
 * Makes a world without items. Of the options it keeps the touch rule and the allocator. padding is a distance, finite
 * and not negative, by which boxes around neighbouring items are widened, so that they need not be renewed while items
 * move less: say, as far as most items move in ten updates. It changes the cost alone, never an answer.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for another padding or touch rule, and for other options that change
 * answers; ABUT_ERROR_MEMORY. Then *world is NULL.
 */
ABUT_API enum abut_status abut_world_new(float padding, const struct abut_options *options, struct abut_world **world);
ABUT_API void abut_world_free(struct abut_world *world); /* NULL is fine */

/* Labels of items, one element an item in each array; NULL for a group of 1, a mask of all bits, and data of 0. */
struct abut_world_labels {
    const uint32_t *groups, *masks; /* a and b are a pair only if a's group & b's mask and b's group & a's mask */
    const uint64_t *data;           /* the caller's: abut_world_data returns it */
};

/*
 * Adds items of one shape, and stores an id for each in ids. labels may be NULL. An id that was removed is free again
 * after the next update, which reports the end of its pairs.
 * Errors: those of abut_check, with invalid filled, which may be NULL; ABUT_ERROR_ARGUMENT for hulls, planes and an
 * index; ABUT_ERROR_PREDICATE if groups and masks admit a pair of shapes without a predicate; ABUT_ERROR_TOO_MANY for
 * more than 2^31 - 64 items in all; ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_world_add(struct abut_world *world, struct abut_set items,
                                         const struct abut_world_labels *labels, struct abut_invalid *invalid,
                                         uint32_t *ids);

/*
 * Gives items another place and size: item ids[i] becomes item i of the set, which has the shape that they were added
 * with. An item that is where it was costs nothing further. Of an id that is named twice the last item counts.
 * Errors: as abut_world_add but for ABUT_ERROR_PREDICATE, and ABUT_ERROR_ARGUMENT for an id that is not in the world
 * and for an item of another shape.
 */
ABUT_API enum abut_status abut_world_move(struct abut_world *world, const uint32_t *ids, struct abut_set items,
                                          struct abut_invalid *invalid);

/* Gives n items other labels; arrays that are NULL leave theirs. Errors: as abut_world_move. ABUT_ERROR_PREDICATE. */
ABUT_API enum abut_status abut_world_label(struct abut_world *world, const uint32_t *ids, size_t n,
                                           const struct abut_world_labels *labels);

/*
 * Removes n items. The next update reports the end of their pairs. An id may be named twice.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for an id that is not in the world.
 */
ABUT_API enum abut_status abut_world_remove(struct abut_world *world, const uint32_t *ids, size_t n);

/*
 * The pairs of an update, a < b, each list sorted by a, then b. The lists belong to the world, and hold until its next
 * call that adds, moves, labels, removes or updates.
 */
struct abut_world_changes {
    const struct abut_pair *began; /* touch now, and did not at the update before */
    const struct abut_pair *ended; /* touched at the update before, and do not now or are gone */
    const struct abut_pair *kept;  /* touch now, and did before; only if they were asked for */
    size_t n_began, n_ended, n_kept;
};

/*
 * Finds the pairs that began and ended since the update before, and with kept also all others that touch, which costs
 * time for each of them. Of the options it takes stats, threads and proceed.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for options that change answers; ABUT_ERROR_MEMORY; ABUT_ERROR_STOPPED.
 */
ABUT_API enum abut_status abut_world_update(struct abut_world *world, bool kept, const struct abut_options *options,
                                            struct abut_world_changes *changes);

ABUT_API size_t abut_world_count(const struct abut_world *world);               /* of items */
ABUT_API bool abut_world_has(const struct abut_world *world, uint32_t id);      /* whether an item has this id */
ABUT_API uint64_t abut_world_data(const struct abut_world *world, uint32_t id); /* of its label; 0 if it has none */
ABUT_API size_t abut_world_pair_count(const struct abut_world *world);          /* that touch, as of the last update */
ABUT_API size_t abut_world_bytes(const struct abut_world *world);               /* of all its memory */

/*
 * Lists the items that touch an item, as of the last update, ascending: to others[0 .. capacity), and their number to
 * count. If that is more than capacity, the buffer holds as many, of no order. It may be NULL if capacity is 0.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for an id that is not in the world.
 */
ABUT_API enum abut_status abut_world_touching(const struct abut_world *world, uint32_t id, uint32_t *others,
                                              size_t capacity, size_t *count);

/*
 * Finds the pairs of a set with the items of a world where they are now, updated or not: a is the number of a query and
 * b the id of an item. Queries are those of abut_join, hulls and an index included; the touch rule is the world's.
 * Writes the pairs to pairs[0 .. capacity), sorted by a, then b, and their number to count. If that is more than
 * capacity, the buffer holds as many, of no order. It may be NULL if capacity is 0. The lists of the last update stay
 * as they are, and the next one reports what it would without this call.
 * Of the options it takes relation, stats, threads and proceed, and a filter with groups and masks of the queries. With
 * a filter items have those of their labels, and its item arrays are NULL.
 * Errors: as abut_join. ABUT_ERROR_PREDICATE if the queries have no predicate with some items, unless groups and masks
 * keep them apart. ABUT_ERROR_ARGUMENT for item arrays in the filter, and for own.
 */
ABUT_API enum abut_status abut_world_join(struct abut_world *world, struct abut_set queries,
                                          const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                          uint64_t *count);

/*
 * Finds the k items nearest to each point where they are now, updated or not, as abut_find_neighbours does: by exact
 * distance, equally near ones by id, whatever their shapes. wanted has k, and a distance within if it is limited; its
 * other members are zeros. The ids of point i are ids[i * k .. i * k + k), nearest first; UINT32_MAX stands where there
 * are no more items and for invalid points. d2 may be NULL; else it receives the squared distances of distance.h in the
 * same places, +inf where there is no item.
 *     const struct abut_neighbours wanted = {.k = 4};
 *     abut_world_nearest(world, &points, &wanted, NULL, ids, NULL);
 * Of the options it takes stats, threads, proceed, and a filter with groups and masks of the points, in which items
 * have those of their labels. The lists of the last update stay as they are.
 * Errors: as abut_find_neighbours. ABUT_ERROR_ARGUMENT for other members of wanted, and for item arrays or a function
 * in the filter. After ABUT_ERROR_MEMORY and ABUT_ERROR_STOPPED the output holds nothing of use.
 */
ABUT_API enum abut_status abut_world_nearest(struct abut_world *world, const struct abut_points *points,
                                             const struct abut_neighbours *wanted, const struct abut_options *options,
                                             uint32_t *ids, float *d2);

/*
 * Saves a world: writes it to buffer[0 .. capacity), which need not be aligned, and its size to size. If that is more
 * than capacity nothing is written. buffer may be NULL if capacity is 0. What an update would report is saved as well,
 * so that a restored world goes on as this one does: the same calls give the same ids and pairs, and are saved as the
 * same bytes. The bytes are for the same version of abut and byte order.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_world_save(const struct abut_world *world, void *buffer, size_t capacity, size_t *size);

/*
 * Makes a world of what abut_world_save wrote. Of the options it keeps the allocator.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_INVALID for bytes that no save wrote; ABUT_ERROR_ARGUMENT for options that change
 * answers, the open rule in a closed world included; ABUT_ERROR_MEMORY. Then *world is NULL.
 */
ABUT_API enum abut_status abut_world_restore(const void *buffer, size_t size, const struct abut_options *options,
                                             struct abut_world **world);

#ifdef __cplusplus
}
#endif

#endif
