/* SPDX-License-Identifier: MIT */
/*
 * abut's broad phase: all pairs of two large sets that touch, without comparing all with all; and nearest neighbours.
 *
 * An index is built over one set; the other set is then searched for as a batch, which is sorted inside, so
 * the order of the input does not matter. Answers are those of the predicates in abut.h, exactly: a touch found here is a touch
 * there, and none is missed. Results do not depend on the instruction set or on the number of threads.
 *
 *   Sets         Points, spheres, AABBs, OBBs, segments, capsules and triangles, wrapped by abut_of_points and so on; or
 *                another index. Hulls can be searched for, but not indexed: index the other set.
 *   Touches      Spheres and anything; AABBs and AABBs; points in spheres, AABBs and OBBs; and hulls and points, spheres,
 *                AABBs or OBBs; as the predicates in abut.h have it. For hulls there are three answers to choose from
 *                (enum abut_hull_answer). Shapes that no predicate knows together are ABUT_ERROR_ARGUMENT: points and
 *                points, say.
 *   Bad input    An index is built of what abut_check_* finds good only (ABUT_ERROR_INVALID says which row is not), unless the
 *                options say to skip bad ones: these keep their numbers, and touch nothing. What abut.h calls bad input is a
 *                miss in a batch that is searched for, where OBBs may have any axes, as for the predicates.
 *   Memory       An index owns a copy of its items, or borrows them. Scratch memory comes from a workspace, which may be kept
 *                between calls: fresh memory is a third of the time of a large join. On an error nothing leaks and no index is
 *                half built.
 *   Order        Pairs and unsorted rows come in an order that depends on the input alone; sorted rows are on offer, and
 *                abut_sort_pairs.
 *   Threads      The calling thread does all the work, unless the options lend it others. Several threads may search one
 *                index at once, each with a workspace and statistics of its own; to refit or free it, none may be searching.
 */
#ifndef ABUT_INDEX_H
#define ABUT_INDEX_H

#include <abut/abut.h>
#include <abut/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct abut_index;

/* The items of an index as a set that is searched for: they need no sorting then. */
static inline struct abut_set abut_of_index(const struct abut_index *index)
{
    struct abut_set set = {ABUT_SET_INDEX, index};
    return set;
}

/* ---- Threads and scratch memory ------------------------------------------------------------------- */

/* One of several parts of some work, numbered from 0. */
typedef void abut_part_function(void *work, unsigned part);

/*
 * Threads of the caller, since abut starts none. run calls part(work, i) once for each i < parts, on any threads and in any
 * order, perhaps one after the other on the calling one, and returns when all have returned. parts is at most count. A part may
 * spin until another that has begun has copied some items that are borrowed. Memory is asked for and given back, and blocks
 * of pairs are taken, on the calling thread alone.
 */
struct abut_threads {
    void (*run)(void *context, unsigned parts, abut_part_function *part, void *work);
    void *context;
    unsigned count; /* how many parts may run at once; more than 256 count as 256 */
    unsigned grain; /* items that are worth one more thread, or 0 for the usual number */
};

/* Scratch memory that is kept for the next call; used by one call at a time. It grows to what the largest call needs. */
ABUT_API enum abut_status abut_workspace_new(const struct abut_allocator *allocator, struct abut_workspace **workspace);
ABUT_API void abut_workspace_free(struct abut_workspace *workspace); /* NULL is fine */

/* Its size in bytes now. */
ABUT_API size_t abut_workspace_bytes(const struct abut_workspace *workspace);

/* ---- Index -------------------------------------------------------------------------------------- */

/*
 * Builds an index that owns a copy of the items; their numbers in the set are the b of all pairs. It takes about 20
 * bytes a point, 24 a sphere, 32 an AABB, 44 a triangle and 68 an OBB. Errors: those of the checks in abut.h, with bad filled
 * (it may be NULL); ABUT_ERROR_ARGUMENT for hulls and for another index; ABUT_ERROR_MEMORY. Then *index is NULL. Where bad
 * items are skipped, which is no error, bad tells of them all the same; NULL spares the time of a check. Where one is bad, a
 * build takes half as much time again; where half are, three times.
 */
ABUT_API enum abut_status abut_index_new(struct abut_set items, const struct abut_options *options,
                                         struct abut_invalid *invalid, struct abut_index **index);
ABUT_API void abut_index_free(struct abut_index *index); /* NULL is fine */

/*
 * Builds an index that borrows the items: they stay in the caller's arrays, which must be there until the index has been freed,
 * or refit with others. It has the box of each with padding on all sides (a "fat" box), in which an item may move without cost,
 * and takes about 36 bytes an item of any shape. Answers are those of any other index: boxes find candidates, and whether an
 * item touches is asked of the item. A build takes about twice as long as that of another index.
 * After a change in the arrays it must be refit before it is searched, or answers are of no use. That reads all items once, in
 * order, and renews a box only if its item has left it or become much smaller: of AABBs in a fifth of the time of another
 * refit where there are none such, in half of it where one in a hundred is, in a third more where all are. Other shapes gain
 * less, OBBs hardly anything, as their axes are checked.
 * A search copies what it looks at to the workspace first, which takes as much memory as the items of another index, and twice
 * that where much is looked at; with a workspace that is kept, some 2 us a query where there are more than 128 items to a
 * query, else, and in self joins, 5 to 20 ns an item of the index. So this is for a large world that hardly moves, and is
 * asked about some things in it. padding: a distance, finite and not below 0; say, as far as most items move in a hundred
 * steps. Errors: as abut_index_new, and ABUT_ERROR_ARGUMENT for a padding that is none.
 */
ABUT_API enum abut_status abut_index_view(struct abut_set items, float padding, const struct abut_options *options,
                                          struct abut_invalid *invalid, struct abut_index **index);

/*
 * After the items have moved: the same number of the same shape, in the same order. Much cheaper than building, and
 * answers stay exact, but the longer the items move on, the less the order suits them. decay (or NULL) is told by what
 * factor the leaves have grown since the index was built, (sum of their edges now / then)^2, as surfaces grow; searches
 * take about that much longer or more, so from about 1.5 on build anew. It is +inf if they had no size and now they
 * have, or if more of them are infinite now than then; these add nothing. Errors: as abut_index_new,
 * ABUT_ERROR_LENGTHS for another number, ABUT_ERROR_ARGUMENT for another shape; then nothing has changed. Items that were
 * skipped may be good now, and the other way round: a slot of a pool that is free has radius -1, say. A workspace in
 * the options spares it 12 (points) to 60 (OBBs) bytes an item. An index that borrows has the items of these arrays from then on,
 * and tells the decay of padded boxes; where the refit is refused it has those of the arrays of before, which must be as they were.
 */
ABUT_API enum abut_status abut_index_refit(struct abut_index *index, struct abut_set items,
                                           const struct abut_options *options, double *growth,
                                           struct abut_invalid *invalid);

ABUT_API size_t abut_index_count(const struct abut_index *index); /* items, with those that are skipped */
ABUT_API size_t abut_index_bytes(const struct abut_index *index); /* memory, all in all */

/* ---- Searches -----------------------------------------------------------------------------------
 *
 * Errors of all: ABUT_ERROR_NULL and ABUT_ERROR_TOO_MANY as everywhere; ABUT_ERROR_ARGUMENT where one shape cannot be searched
 * for among the other (Touches, above), and for a touch rule, an answer or a hull that cannot be; ABUT_ERROR_MEMORY, after
 * which what was written is of no use.
 */

/* Item a of one set and item b of another, or of the same. */
struct abut_pair {
    uint32_t a, b;
};

/*
 * All pairs, unsorted (abut_sort_pairs sorts them): item a of the set that is searched for touches item b of the index.
 * Searched for in itself, an index gives both (a, b) and (b, a), and each item with itself; abut_self_join does not. Into
 * pairs[0 .. capacity), and how many there are: more than capacity means that the buffer was filled to its end and the rest
 * left out. pairs may be NULL if capacity is 0.
 */
ABUT_API enum abut_status abut_join(const struct abut_index *index, struct abut_set queries,
                                    const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                    uint64_t *count);

/* The pairs of the items of one index, spheres or AABBs, each pair once with a < b. */
ABUT_API enum abut_status abut_self_join(const struct abut_index *index, const struct abut_options *options,
                                         struct abut_pair *pairs, size_t capacity, uint64_t *count);

/*
 * Takes a block of pairs, which are gone after it returns. Returning false ends the join, as if it were done; how much more
 * than those pairs has been found by then, and is in the statistics, depends on threads.
 */
typedef bool abut_block_function(void *context, const struct abut_pair *pairs, size_t n);

/* The same, handed over in blocks: memory stays bounded however many pairs there are. */
ABUT_API enum abut_status abut_join_blocks(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_options *options, abut_block_function *take,
                                           void *context);
ABUT_API enum abut_status abut_self_join_blocks(const struct abut_index *index, const struct abut_options *options,
                                                abut_block_function *take, void *context);

/* How many items each query touches: counts has one element a query. */
ABUT_API enum abut_status abut_join_counts(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_options *options, uint32_t *counts);

/* Whether each query touches anything, one bit a query; of a query that has a hit it leaves out most of the rest. */
ABUT_API enum abut_status abut_join_any(const struct abut_index *index, struct abut_set queries,
                                        const struct abut_options *options, uint64_t *mask);

/*
 * Sorts pairs by a, then b, as abut_find_contacts takes them: in linear time, on the calling thread. Scratch memory of 16
 * bytes a pair comes from the workspace in the options; pairs that are sorted already need none. Errors, which leave the
 * pairs as they were: ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY, 2^32 or more; ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_sort_pairs(struct abut_pair *pairs, size_t n, const struct abut_options *options);

/*
 * Compressed rows: the items that query i touches are indices[offsets[i] .. offsets[i + 1]), ascending. offsets has one element
 * more than there are queries; it is right even if capacity is less than offsets[n], and then indices is left as it was. It may
 * be NULL if capacity is 0.
 */
ABUT_API enum abut_status abut_join_rows(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                         size_t capacity);

/*
 * The same rows in the order of the search, the cheapest of all forms: as fast as pairs, with 4 bytes an item where a pair takes
 * 8. Row i is that of query rows[i], and its items are indices[offsets[i] .. offsets[i + 1]), in no order of use. rows has one
 * element a query and names each once, also those that are bad or touch nothing; offsets has one more. offsets[n], the number of all
 * items, is right even if capacity is less, as all offsets are; then indices holds nothing of use. It may be NULL if
 * capacity is 0.
 */
ABUT_API enum abut_status abut_join_rows_unsorted(const struct abut_index *index, struct abut_set queries,
                                                  const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                                  uint32_t *indices, size_t capacity);

/* ---- Contacts ------------------------------------------------------------------------------------ */

/* Room for capacity pairs in each list (or NULL), and how many there are: more than capacity were left out. */
struct abut_contacts {
    struct abut_pair *began, *kept, *ended;
    size_t capacity;
    size_t n_began, n_kept, n_ended;
};

/*
 * Compares the pairs of the last step with those of this one, both sorted by a, then b, without duplicates: which are
 * new, which are in both, which are gone, each list sorted. Linear time, no allocation. abut_join does not sort its pairs:
 * abut_sort_pairs does (index.h). Errors: ABUT_ERROR_NULL.
 */
ABUT_API enum abut_status abut_find_contacts(const struct abut_pair *before, size_t n_before,
                                             const struct abut_pair *now, size_t n_now, struct abut_contacts *contacts);

/* ---- Neighbours ---------------------------------------------------------------------------------- */

/*
 * The k items of the index that are nearest to each point, by their distance in real arithmetic; equally near ones by
 * number. A point inside of a box or sphere is at distance 0, and so is one on its surface. Those of point i are
 * indices[i * k .. i * k + k), the nearest first; UINT32_MAX stands where the index has no more items, and where a point is
 * bad. Of items that are equally near only about as many as are wanted are looked at, unless they are spheres with the point outside.
 * d2 may be NULL; else it gets the squared distances in the same places, +inf where there is no item. They are rounded: the
 * numbers of abut_points_spheres_distance and abut_points_aabbs_distance, where a point of the index is a box, so that the second
 * of two items that are almost equally near may have the lesser one.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for k = 0 and for an index of other shapes than points, spheres and AABBs;
 * ABUT_ERROR_TOO_MANY; ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                                       const struct abut_options *options, uint32_t *indices, float *d2);

/* ---- Meshes ------------------------------------------------------------------------------------- */

/* Triangle i has the vertices indices[3 i], indices[3 i + 1] and indices[3 i + 2]; either winding, degenerate ones too. */
struct abut_mesh {
    size_t vertices;
    const float *x, *y, *z;
    size_t triangles;
    const uint32_t *indices;
};

/*
 * Builds an index over the triangles of a mesh, like abut_index_new over the same triangles one by one: the b of pairs is a
 * triangle. The mesh itself is not needed any more. Spheres and mesh are in one space (see Instances in abut.h). Errors:
 * ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY; ABUT_ERROR_INVALID if a triangle names a vertex that is not there or one that is
 * not finite, with bad filled (it may be NULL): its row is the triangle, its field a, b or c, or a coordinate of these;
 * ABUT_ERROR_MEMORY. Then *index is NULL.
 */
ABUT_API enum abut_status abut_index_of_mesh(const struct abut_mesh *mesh, const struct abut_options *options,
                                             struct abut_invalid *invalid, struct abut_index **index);

#ifdef __cplusplus
}
#endif

#endif
