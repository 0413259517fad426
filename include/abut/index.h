/* SPDX-License-Identifier: MIT */
/*
 * abut's broad phase: all pairs of two large sets that touch, without comparing all with all; and nearest neighbours.
 *
 *     struct abut_index *index;
 *     if (abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) != ABUT_OK)
 *         return 1;
 *     struct abut_pair pairs[1000];
 *     uint64_t count;
 *     if (abut_join(index, abut_of_spheres(&spheres), NULL, pairs, 1000, &count) == ABUT_OK)
 *         printf("%llu pairs; the first is sphere %u and box %u\n", (unsigned long long)count, pairs[0].a, pairs[0].b);
 *     abut_index_free(index);
 *
 * An index is built over one set of items. Another set is then searched for as a batch of queries. Answers are those of
 * the predicates of abut.h: a pair found here touches there, and none is missed. The order of the input does not matter
 * for speed. Results do not depend on the instruction set or on the number of threads.
 *
 *   Items        Points, spheres, AABBs, OBBs, segments, capsules and triangles. Hulls cannot be indexed: index the
 *                other set and search for the hulls.
 *   Queries      Any set, or another index, that has a predicate with the items: spheres and anything; AABBs and AABBs;
 *                points in spheres, AABBs and OBBs; hulls with points, spheres, AABBs or OBBs. abut_predicates lists
 *                them. Other pairs are ABUT_ERROR_PREDICATE. For hulls options->relation chooses touches, inside or
 *                cull; else it is touches, or of points inside, which is the same.
 *   Invalid      An index is built of items that abut_check finds valid, or is refused with ABUT_ERROR_INVALID. With
 *                skip_invalid invalid items keep their numbers and touch nothing. Invalid queries touch nothing, as in
 *                the predicates; OBBs that are searched for may have any axes.
 *   Memory       An index owns a copy of its items, or is a view of the caller's arrays. Scratch memory comes from a
 *                workspace that may be kept between calls; fresh memory takes a third of the time of a large join. On
 *                an error nothing leaks and no index is half built.
 *   Order        Pairs and unsorted rows come in an order that depends on the input alone. abut_sort_pairs and
 *                abut_join_rows sort.
 *   Tiles        Data beyond one machine are joined tile by tile. Half-open boxes (options->own) part all of space, and
 *                a shape is sent to each of them that its AABB meets, rounded outwards (abut_aabbs_of). A pair is owned
 *                by the box that holds its reference point: on each axis the greater of the lower bounds of both AABBs.
 *                So each pair is reported by exactly one tile. Hulls have no AABBs, and are ABUT_ERROR_ARGUMENT with
 *                own. AABBs of a sphere and an OBB that touch may be apart by 2^-8 of the radius, where the axes are
 *                off orthonormal: tiles with such pairs send spheres that much further. All other shapes that touch
 *                have AABBs that meet, OBBs with any valid axes included.
 *   Callbacks    Functions that the caller passes must return, as abut.h says: no exception and no longjmp leaves them.
 *   Threads      The calling thread does all the work, unless options lend others. Several threads may search one index
 *                at once, each with its own workspace and statistics. No thread may be searching while another refits
 *                or frees the index.
 */
#ifndef ABUT_INDEX_H
#define ABUT_INDEX_H

#include <abut/abut.h>
#include <abut/distance.h>
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

/* Does part number part of some work. */
typedef void abut_part_function(void *work, unsigned part);

/*
 * Threads that the caller lends. run calls part(work, i) once for each i < parts, on any threads and in any order, and
 * returns when all have returned. NULL in its place is ABUT_ERROR_NULL where count is above 1. parts is at most count.
 * A part may spin until another one that has begun has copied some items. Memory is allocated and released, and blocks
 * of pairs are taken, on the calling thread alone.
 */
struct abut_threads {
    void (*run)(void *context, unsigned parts, abut_part_function *part, void *work);
    void *context;
    unsigned count; /* how many parts may run at once; more than 256 count as 256 */
    unsigned grain; /* items that are worth one more thread, or 0 for the usual number */
};

/*
 * Makes scratch memory that is kept for the next call. One call at a time may use it. It grows to what the largest call
 * needs.
 * Errors: ABUT_ERROR_NULL, ABUT_ERROR_MEMORY; then *workspace is NULL.
 */
ABUT_API enum abut_status abut_workspace_new(const struct abut_allocator *allocator, struct abut_workspace **workspace);
ABUT_API void abut_workspace_free(struct abut_workspace *workspace); /* NULL is fine */

/* The size of a workspace now, in bytes. */
ABUT_API size_t abut_workspace_bytes(const struct abut_workspace *workspace);

/* ---- Index -------------------------------------------------------------------------------------- */

/*
 * Builds an index that owns a copy of the items. The number of an item in the set is the b of all pairs. It takes about
 * 20 bytes a point, 24 a sphere, 32 an AABB, 44 a triangle and 68 an OBB.
 * Errors: those of abut_check, with invalid filled, which may be NULL; ABUT_ERROR_ARGUMENT for hulls, planes and
 * another index; ABUT_ERROR_MEMORY; ABUT_ERROR_STOPPED. Then *index is NULL. With skip_invalid, invalid (if not NULL)
 * reports the invalid items without an error. The touch rule is that of each search.
 */
ABUT_API enum abut_status abut_index_new(struct abut_set items, const struct abut_options *options,
                                         struct abut_invalid *invalid, struct abut_index **index);
ABUT_API void abut_index_free(struct abut_index *index); /* NULL is fine */

/*
 * Builds an index that is a view of the items: they stay in the caller's arrays, which must live until the index is
 * freed or refit with other arrays. The index keeps a box around each item with padding on all sides (a "fat" box),
 * about 36 bytes an item. Answers are those of any other index.
 * After the arrays have changed, the index must be refit before it is searched. The refit renews a box only if its item
 * has left it or has become much smaller. A search copies the items that it looks at. So a view suits a large world
 * that hardly moves and is asked about some of its items; bench/README.md has the figures.
 * padding is a distance, finite and not negative: say, as far as most items move in a hundred steps.
 * Errors: as abut_index_new, and ABUT_ERROR_ARGUMENT for another padding.
 */
ABUT_API enum abut_status abut_index_view(struct abut_set items, float padding, const struct abut_options *options,
                                          struct abut_invalid *invalid, struct abut_index **index);

/*
 * Updates an index after its items have moved: the same number of the same shape, in the same order. This is much
 * cheaper than building. Answers stay exact, but the order of the tree suits the items less and less. growth (or NULL)
 * receives how much the leaves have grown since the index was built: the square of (sum of their edges now / then).
 * Searches take about that much longer: from 1.5 on build anew. growth is +inf if the leaves had no size and have one
 * now, or if more of them are infinite. Items that were invalid may be valid now, and the reverse: give a free slot of
 * a pool the radius -1, say. A workspace in the options saves allocations of 12 (points) to 60 (OBBs) bytes an item. A
 * view looks at these arrays from then on.
 * Errors: as abut_index_new; ABUT_ERROR_LENGTHS for another number of items; ABUT_ERROR_ARGUMENT for another shape.
 * Then nothing has changed, and a view still needs its earlier arrays, unchanged.
 */
ABUT_API enum abut_status abut_index_refit(struct abut_index *index, struct abut_set items,
                                           const struct abut_options *options, double *growth,
                                           struct abut_invalid *invalid);

/*
 * Updates an index after some of its items have moved. items is the whole set as it is now; moved[0 .. n) are the
 * numbers of those that may have changed, in any order, perhaps twice. All others are as they were at the last refit.
 * Answers are then those after abut_index_refit with this set; of an index that owns its items in the same order, too.
 * A view looks at these arrays from then on, even if n is 0. The cost depends on n, and hardly on how many items there
 * are; but growth takes linear time, so mostly pass NULL. When all have moved it is up to 1.4 times that of a refit.
 *     for (size_t i = 0; i < n; i++)
 *         x[moved[i]] += 1;
 *     abut_index_refit_some(index, abut_of_spheres(&spheres), moved, n, NULL, NULL, NULL);
 * An index that owns its items allocates 4 bytes an item in the first such call, and keeps them. invalid reports on
 * listed items alone.
 * Errors: as abut_index_refit, and ABUT_ERROR_ARGUMENT for a number that is no item's.
 */
ABUT_API enum abut_status abut_index_refit_some(struct abut_index *index, struct abut_set items, const uint32_t *moved,
                                                size_t n, const struct abut_options *options, double *growth,
                                                struct abut_invalid *invalid);

ABUT_API size_t abut_index_count(const struct abut_index *index); /* of all items, invalid ones included */
ABUT_API size_t abut_index_bytes(const struct abut_index *index); /* of all its memory */

/*
 * Finds a box that holds all valid items, rounded outwards; that of a view is padded. Without items it is the empty
 * box, min = +inf and max = -inf. Errors: ABUT_ERROR_NULL.
 */
ABUT_API enum abut_status abut_index_bounds(const struct abut_index *index, float min[3], float max[3]);

/* ---- Searches -----------------------------------------------------------------------------------
 *
 * Errors of all searches: ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY; ABUT_ERROR_PREDICATE; ABUT_ERROR_ARGUMENT for a touch
 * rule, a relation or a hull that cannot be, for an option that is not taken (struct abut_options), and for hulls or
 * NaN with own; ABUT_ERROR_MEMORY and ABUT_ERROR_STOPPED, after which the output holds nothing of use.
 *
 * A search has a fixed cost, which all queries of a call share. For one query and up to some 500 items abut_test and
 * abut_mask_list are faster, without an index.
 */

/* Item a of one set and item b of another, or of the same. */
struct abut_pair {
    uint32_t a, b;
};

/*
 * Finds all pairs, unsorted: query a touches item b. Writes them to pairs[0 .. capacity) and their number to count. If
 * that is more than capacity, the buffer is full and the rest is left out. pairs may be NULL if capacity is 0.
 * An index that is searched for in itself gives (a, b), (b, a) and (a, a); abut_self_join does not.
 */
ABUT_API enum abut_status abut_join(const struct abut_index *index, struct abut_set queries,
                                    const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                    uint64_t *count);

/* Finds the pairs among the items of one index, each once with a < b. */
ABUT_API enum abut_status abut_self_join(const struct abut_index *index, const struct abut_options *options,
                                         struct abut_pair *pairs, size_t capacity, uint64_t *count);

/*
 * Takes a block of pairs, which are gone after it returns. It runs in the default floating-point mode. Returning false
 * ends the join without an error; how many more pairs had been found by then, as the statistics count them, depends on
 * threads.
 */
typedef bool abut_block_function(void *context, const struct abut_pair *pairs, size_t n);

/* The same joins, with the pairs handed over in blocks: memory stays bounded however many pairs there are. */
ABUT_API enum abut_status abut_join_blocks(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_options *options, abut_block_function *take,
                                           void *context);
ABUT_API enum abut_status abut_self_join_blocks(const struct abut_index *index, const struct abut_options *options,
                                                abut_block_function *take, void *context);

/* Counts the items that each query touches: one element a query. */
ABUT_API enum abut_status abut_join_counts(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_options *options, uint32_t *counts);

/* Tells whether each query touches anything: one bit a query. A search of a query ends soon after its first hit. */
ABUT_API enum abut_status abut_join_any(const struct abut_index *index, struct abut_set queries,
                                        const struct abut_options *options, uint64_t *mask);

/*
 * Sorts pairs by a, then b, as abut_find_contacts takes them, in linear time on the calling thread. It takes 16 bytes a
 * pair of scratch memory from the workspace, and none if the pairs are sorted already.
 * Errors, which leave the pairs as they were: ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY for 2^32 or more; ABUT_ERROR_MEMORY.
 */
ABUT_API enum abut_status abut_sort_pairs(struct abut_pair *pairs, size_t n, const struct abut_options *options);

/*
 * Finds compressed rows (CSR): query i touches the items indices[offsets[i] .. offsets[i + 1]), ascending. offsets has
 * one element more than there are queries, and is right even if capacity is less than offsets[n]; indices is then left
 * as it was. It may be NULL if capacity is 0.
 */
ABUT_API enum abut_status abut_join_rows(const struct abut_index *index, struct abut_set queries,
                                         const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                         size_t capacity);

/*
 * Finds the same rows in the order of the search, the cheapest form of all: row i is that of query rows[i], and its
 * items indices[offsets[i] .. offsets[i + 1]) are unsorted. rows names each query once. offsets is right even if
 * capacity is less than offsets[n]; indices then holds nothing of use. It may be NULL if capacity is 0.
 */
ABUT_API enum abut_status abut_join_rows_unsorted(const struct abut_index *index, struct abut_set queries,
                                                  const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                                  uint32_t *indices, size_t capacity);

/*
 * Finds the pairs of the listed items with all items of the same index: each pair once with a < b, and no item with
 * itself. So after some items have moved these are all pairs that may have changed. The shape must have a predicate
 * with itself. An item may be listed twice.
 * Errors: as all searches, and ABUT_ERROR_ARGUMENT for a number that is no item's.
 */
ABUT_API enum abut_status abut_join_some(const struct abut_index *index, const uint32_t *items, size_t n,
                                         const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                         uint64_t *count);

/*
 * Returns memory for count pairs, which is asked for once, after all have been found; NULL ends the join with
 * ABUT_ERROR_MEMORY. It is not called if there are none.
 */
typedef struct abut_pair *abut_pairs_function(void *context, size_t count);

/*
 * The same joins, where the caller gives memory for the pairs when their number is known: no second search is needed.
 */
ABUT_API enum abut_status abut_join_to(const struct abut_index *index, struct abut_set queries,
                                       const struct abut_options *options, abut_pairs_function *get, void *context);
ABUT_API enum abut_status abut_self_join_to(const struct abut_index *index, const struct abut_options *options,
                                            abut_pairs_function *get, void *context);
ABUT_API enum abut_status abut_join_some_to(const struct abut_index *index, const uint32_t *items, size_t n,
                                            const struct abut_options *options, abut_pairs_function *get,
                                            void *context);

/*
 * Tests a list of pairs: item pairs[i].a of a with item pairs[i].b of b, the same answer as abut_test gives. Writes one
 * bit a pair to hits. a and b may be one set.
 * Errors, which leave hits as they were: those of abut_test; ABUT_ERROR_ARGUMENT for a number that is no item's.
 */
ABUT_API enum abut_status abut_test_pairs(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                          const struct abut_pair *pairs, size_t n, const struct abut_options *options,
                                          uint64_t *hits);

/*
 * Which pairs count in a search, as if the others did not touch. It holds for every form of joins, for neighbours and
 * for casts. Searches of hulls, OBBs, segments, capsules and triangles ask groups and masks before they compare two
 * shapes; to others, which compare them faster than that, they save the memory and the sorting of the pairs alone.
 * A query and an item count if the groups of each have a bit in common with the mask of the other; NULL stands for all
 * bits. In a self join and in abut_join_some items are queries, too, and the arrays of items serve both. Other arrays
 * of queries are ABUT_ERROR_ARGUMENT there.
 * keep may be NULL. Else it gets the items that a query touches (some of them at a time), moves those that count to the
 * front, and returns how many. Neighbours ask it about one item at a time, among them some that are not near enough. It
 * may be called on lent threads at once, and more than once with one query and item.
 */
struct abut_filter {
    const uint32_t *query_groups, *query_masks, *item_groups, *item_masks;
    size_t (*keep)(void *context, uint32_t query, uint32_t *items, size_t n);
    void *context;
};

/* ---- Contacts ------------------------------------------------------------------------------------ */

/* Buffers for capacity pairs each (or NULL), and how many pairs there are: more than capacity were left out. */
struct abut_contacts {
    struct abut_pair *began, *kept, *ended;
    size_t capacity;
    size_t n_began, n_kept, n_ended;
};

/*
 * Compares the pairs of the last step with those of this one: which began, which were kept, which ended. Both lists are
 * sorted by a, then b (abut_sort_pairs), without duplicates, and so is each result. Linear time, no allocation. Errors:
 * ABUT_ERROR_NULL.
 */
ABUT_API enum abut_status abut_find_contacts(const struct abut_pair *before, size_t n_before,
                                             const struct abut_pair *now, size_t n_now, struct abut_contacts *contacts);

/* ---- Neighbours ---------------------------------------------------------------------------------- */

/*
 * Finds the k items nearest to each point, by exact distance; equally near ones by number. Items are of any shape that
 * an index holds. A point inside an item is at distance 0; an OBB measures along its axes as given (distance.h). Those
 * of point i are indices[i * k .. i * k + k), nearest first. UINT32_MAX stands where the index has no more items and
 * for invalid points. d2 may be NULL; else it receives the squared distances in the same places, +inf where there is no
 * item. They are the rounded ones of distance.h, so of two items that are almost equally near the second may have the
 * smaller one. A filter says which items count; points are its queries.
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_ARGUMENT for k = 0, the open rule, a relation or own; ABUT_ERROR_TOO_MANY;
 * ABUT_ERROR_MEMORY; ABUT_ERROR_STOPPED.
 */
ABUT_API enum abut_status abut_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                                       const struct abut_options *options, uint32_t *indices, float *d2);

/* Which neighbours are wanted. All zeros but k ask for those of abut_nearest. */
struct abut_neighbours {
    size_t k;
    bool limited;      /* only items whose exact distance is at most within; under the open rule, less */
    float within;      /* finite, and not negative; 0 unless limited */
    bool exclude_self; /* item first + i is no neighbour of point i: where points and items are the same */
    size_t first;      /* 0, unless points are only a part of the items, from this one on */
    float period[3];   /* of a periodic box, as in struct abut_reach; 0 where space does not repeat */
    unsigned images;   /* as in struct abut_reach */
};

/* Arrays of k elements a point, in the order of abut_nearest. Any but indices may be NULL; closest has all or none. */
struct abut_neighbours_found {
    uint32_t *indices;
    float *d2;
    uint32_t *ranks;             /* how many of the items are nearer; of equally near ones all have the same */
    struct abut_closest closest; /* the closest point of the item (distance.h); NaN where there is none */
};

/*
 * Finds neighbours as abut_nearest does, by more conditions and with more results. Ranks tell which neighbours are
 * exactly equally near; UINT32_MAX stands where there is no item. To find all that are as near as the k-th, ask for
 * more than k: there are no others once a rank is k or more, or an index is UINT32_MAX.
 * In a periodic box distances are those of the nearest images, compared exactly; an item is found once. Items are then
 * points, spheres or AABBs (else ABUT_ERROR_PREDICATE). d2 is computed in float64 and rounded, and closest must be
 * NULL.
 * Errors: as abut_nearest, but the open rule is one of limited neighbours; and ABUT_ERROR_ARGUMENT for a distance or a
 * period that cannot be, and for a distance without limited. A periodic box has the errors of abut_join_within as well.
 */
ABUT_API enum abut_status abut_find_neighbours(const struct abut_index *index, const struct abut_points *points,
                                               const struct abut_neighbours *question,
                                               const struct abut_options *options,
                                               const struct abut_neighbours_found *found);

/* ---- Pairs within a distance, and in periodic boxes ------------------------------------------------ */

/* How far apart two items may be, and where space repeats, as the boxes of simulations do. All zeros: they touch. */
struct abut_reach {
    float within;    /* finite and not negative */
    float period[3]; /* along each axis: finite and above 0, or 0 where space does not repeat */
    unsigned images; /* the most images for each query and item, on average; 0 stands for 64 */
};

/*
 * Finds all pairs, unsorted, whose distance is at most within; under the open rule, less. For within = 0 these are the
 * pairs that touch, of the nearest images in a periodic box: under the open rule boxes, and points in boxes, that
 * overlap strictly, and spheres that are nearer than their radii. The distance is that of the surfaces of solid shapes,
 * 0 where they overlap. In a periodic box it is that of the nearest images: with d and D the bounds of a (its centre
 * for a sphere), e and E those of b, and L the period of an axis, the least over all integers n of max(e + nL - D, d -
 * E - nL, 0) on each axis; the root of the sum of their squares, less the radii. All of this is decided exactly. So the
 * answer for (a, b) is that for (b, a), and coordinates need not be inside the box. A pair comes once, even if several
 * images of it are near enough.
 * For the pairs among the items of one index, search for these items and keep those with a < b.
 *   Queries    Points, spheres, AABBs, OBBs, segments, capsules and triangles, or an index, for items of any shape.
 *              Periodic boxes are for points, spheres and AABBs. For within = 0 without periods, all that abut_join
 *              takes for the relation ABUT_TOUCHES.
 *   Images     A query is searched for once an image that may be the nearest to some item, and within reach of it. If
 *              the items span at most two periods on each axis, a query has at most 64 images. If they span more, all
 *              queries together may have 64 for each query and item. Beyond that the call is refused with
 *              ABUT_ERROR_TOO_MANY before any pair is found: wrap the coordinates into one box, or raise
 *              reach->images. Time grows with the images; memory does not.
 *   Options    As in abut_join but for relation, whatever the distance. For tiles (own) send each shape to all tiles
 *              that its AABB meets when it is grown by the distance. A filter's keep gets one item at a time where the
 *              distance is above 0.
 * Errors: as abut_join; ABUT_ERROR_ARGUMENT for a distance or period that cannot be, and in a periodic box for own, for
 * coordinates beyond 2^20 periods and for items with boxes that are or round to infinity; ABUT_ERROR_TOO_MANY for too
 * many images; ABUT_ERROR_PREDICATE for other shapes.
 */
ABUT_API enum abut_status abut_join_within(const struct abut_index *index, struct abut_set queries,
                                           const struct abut_reach *reach, const struct abut_options *options,
                                           struct abut_pair *pairs, size_t capacity, uint64_t *count);

/* The same, with the pairs handed over in blocks. */
ABUT_API enum abut_status abut_join_within_blocks(const struct abut_index *index, struct abut_set queries,
                                                  const struct abut_reach *reach, const struct abut_options *options,
                                                  abut_block_function *take, void *context);

/* ---- Meshes ------------------------------------------------------------------------------------- */

/* Triangle i has the vertices indices[3 i] to indices[3 i + 2], in either winding; degenerate triangles are fine. */
struct abut_mesh {
    size_t vertices;
    const float *x, *y, *z;
    size_t triangles;
    const uint32_t *indices;
};

/*
 * Builds an index over the triangles of a mesh: the b of pairs is a triangle. The mesh is not needed any more
 * afterwards. Queries and mesh must be in one space (see Instances in shapes.h).
 * Errors: ABUT_ERROR_NULL; ABUT_ERROR_TOO_MANY; ABUT_ERROR_INVALID if a triangle names a vertex that does not exist or
 * is not finite, with invalid filled (it may be NULL): its row is the triangle, its field a, b or c, or a coordinate of
 * these; ABUT_ERROR_MEMORY; ABUT_ERROR_STOPPED. Then *index is NULL. skip_invalid skips such triangles, and invalid (if
 * not NULL) reports them.
 */
ABUT_API enum abut_status abut_index_of_mesh(const struct abut_mesh *mesh, const struct abut_options *options,
                                             struct abut_invalid *invalid, struct abut_index **index);

#ifdef __cplusplus
}
#endif

#endif
