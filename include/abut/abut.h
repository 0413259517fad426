/* SPDX-License-Identifier: MIT */
/*
 * abut: which of these bounding volumes touch which of those? Exactly, and many pairs at once.
 *
 *     #include <abut/abut.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         const float x[] = {1}, y[] = {0}, z[] = {1}, r[] = {2};
 *         const float minx[] = {-2, 2}, miny[] = {-2, 1}, minz[] = {-2, 2};
 *         const float maxx[] = {-1, 4}, maxy[] = {-1, 3}, maxz[] = {-1, 4};
 *         const struct abut_spheres sphere = {1, x, y, z, r};
 *         const struct abut_aabbs boxes = {2, minx, miny, minz, maxx, maxy, maxz};
 *         uint64_t hits[1];
 *         if (abut_spheres_touch_aabbs(&sphere, &boxes, NULL, hits) != ABUT_OK)
 *             return 1;
 *         printf("box 0: %d, box 1: %d\n", (int)(hits[0] & 1), (int)(hits[0] >> 1 & 1));
 *         return 0;
 *     }
 *
 * It compiles as C11 and as C++17, and prints "box 0: 0, box 1: 1".
 *
 * Predicates. T: touches, I: the row's shape is inside the column's, C: cull (beyond no plane), D: distance
 * (distance.h).
 *
 *                sphere  AABB   OBB    half space  segment  capsule  triangle  hull
 *     point      T=I D   T=I D  T=I D  T=I D       T=I D    T=I D    T=I D     T=I
 *     sphere     T I     T I    T I    T I         T        T I      T         T I C
 *     segment    T I     T I    T I    T I         T        T        T         T I
 *     capsule    T I     T I    T I    T I         T        T        T         T I
 *     triangle   T I     T I    T I    T I         T        T        T         T I
 *     AABB       T I     T I    T I    T I         T        T        T         T I C
 *     OBB        T I     T I    T I    T I         T        T        T         T I C
 *     hull       T       T      T                  T        T        T         T
 *
 * Every predicate is a statement about real numbers, made of the exact values of the float32 inputs. abut returns
 * whether that statement is true. The answer is the same on every processor, at every batch size and for any split of a
 * batch.
 *
 * Conventions
 *   Batches      A batch is a view of the caller's memory: a count n and one array of n floats per member (structure of
 *                arrays). All coordinates share one unit and one coordinate space. Initialise batches by member name
 *                (designated initialisers) where you can: the order of fifteen pointers is easy to get wrong.
 *   Broadcast    Two batches of equal length pair up item by item. A batch of one item pairs with every item of the
 *                other. Other lengths are ABUT_ERROR_LENGTHS. A batch of 0 with a batch of 1 makes 0 pairs.
 *   Hits         One bit a pair: pair i is bit i % 64 of word i / 64. Unused bits of the last word are zero, and
 *                nothing beyond it is written. abut_mask_words(n) words hold n pairs.
 *   Touch rule   Closed, the default: touching is a hit. Open: a distance equal to the radius is a miss, and boxes and
 *                points must overlap strictly. Under the open rule a sphere or capsule of radius 0 touches no shape
 *                without a radius but half spaces. A point is a hit inside a sphere or capsule whose radius is above 0,
 *                and so is a sphere of radius 0.
 *   Invalid      Invalid input is never undefined behaviour and never an error: the pair is a miss. Invalid are NaN
 *                anywhere; a negative radius or half extent; an infinite centre, point, vertex, normal or axis; an
 *                empty box (min > max, min = +inf or max = -inf); and an empty half space (d = +inf, or a zero normal
 *                and d > 0). -0 counts as 0. abut_check (shapes.h) finds the invalid rows for callers who want an
 *                error: call it in debug builds.
 *   Infinity     An infinite radius touches every shape that is not empty, under both rules. Infinite box bounds and
 *                half extents make slabs and half spaces. A plane with d = -inf, or with a zero normal and d <= 0,
 *                bounds nothing. A sphere of infinite radius is inside a shape only if that shape is all of space,
 *                under both rules. An infinite bound is no face, so [-inf, 0] is inside [-inf, 1] under both rules.
 *   Cost         Ordinary pairs take 0.2 to 8 ns with AVX2 or AVX-512, those of one hull and many items among them.
 *                Where each pair has a hull of its own, and two hulls, they take microseconds. A pair whose
 *                answer float32 and float64 cannot decide takes longer. bench/README.md has the longest times that a
 *                search has found, one by one: up to 40 us for points and spheres, 500 us for other shapes, 8 ms for
 *                hulls, and 60 ms for a capsule and a hull of 32 planes. Whoever chooses the coordinates can choose
 *                all pairs so: limit the pairs of a call where its input comes from strangers.
 *   Aliasing     Inputs may not overlap outputs.
 *   Threads      Every function may be called from any thread on const data. abut starts no thread and reads no
 *                environment variable.
 *   Callbacks    A function that the caller passes to a function of these headers must return: it throws no exception
 *                and calls no longjmp. Else memory leaks, and the floating-point mode stays changed. abut.hpp catches
 *                the exceptions of functions that take blocks of pairs, and throws them again after the call.
 *   Floats       Answers do not depend on the floating-point mode of the calling thread (rounding, flush-to-zero,
 *                denormals-are-zero, trapped exceptions). Each call works in the default mode and puts the caller's
 *                mode back. In the default mode a call may raise sticky exception flags.
 *   Stack        A call takes less than 96 KiB in optimised builds, and most take less than half of that.
 *
 * Sources: Arvo 1990 (Graphics Gems: box and sphere), Ericson 2005 (Real-Time Collision Detection, chapter 5), Shewchuk
 * 1997 (adaptive exact predicates), Assarsson and Moeller 2000 (view-frustum culling).
 *
 * Other headers: distance.h (squared distances and closest points), shapes.h (making, gathering and checking shapes),
 * index.h (all pairs of two large sets, nearest neighbours), solid.h (points in meshes), cast.h (rays and moving
 * spheres), world.h (pairs that begin and end in a world that moves), engine.h (groups of items, masks of many hulls,
 * classes by index, neighbour lists, penetration).
 */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0
#define ABUT_VERSION "0.1.0"

#if defined(ABUT_SHARED) && defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#ifdef __cplusplus
#define ABUT_RESTRICT __restrict
extern "C" {
#else
#define ABUT_RESTRICT restrict
#endif

/* ---- Status ------------------------------------------------------------------------------------ */

/* What a function returns. On an error nothing is written, unless the function says otherwise. */
enum abut_status {
    ABUT_OK = 0,
    ABUT_ERROR_NULL,      /* a null pointer where n > 0, or a null argument */
    ABUT_ERROR_LENGTHS,   /* lengths that do not broadcast */
    ABUT_ERROR_TOO_MANY,  /* more than ABUT_MAX_ITEMS items in a batch, a size that overflows, or too many images */
    ABUT_ERROR_ARGUMENT,  /* a value that an argument cannot have, as the function says */
    ABUT_ERROR_PREDICATE, /* no such predicate of these shapes, or not in this build; abut_predicates lists all */
    ABUT_ERROR_ISA,       /* an instruction set that this machine lacks */
    ABUT_ERROR_MEMORY,    /* the allocator returned NULL */
    ABUT_ERROR_INVALID,   /* a check or an index builder found at least one invalid row */
    ABUT_ERROR_STOPPED    /* options->proceed ended the call; the output holds nothing of use */
};

/* Indices are uint32_t; UINT32_MAX itself is kept free. */
#define ABUT_MAX_ITEMS ((size_t)4294967294u)

/* Describes a status in one English sentence without a full stop. Any value is allowed. */
ABUT_API const char *abut_status_text(enum abut_status status);

/* The version that the library was built as, "MAJOR.MINOR.PATCH"; compare it with ABUT_VERSION. */
ABUT_API const char *abut_version(void);

/* ---- Shapes ------------------------------------------------------------------------------------ */

/* Each pointer is an array of n floats. abut_columns_new (shapes.h) makes arrays that are fast to read together. */
struct abut_points {
    size_t n;
    const float *x, *y, *z;
};

/* Closed balls: centre x y z, radius r. */
struct abut_spheres {
    size_t n;
    const float *x, *y, *z, *r;
};

/* Closed axis-aligned boxes. */
struct abut_aabbs {
    size_t n;
    const float *minx, *miny, *minz, *maxx, *maxy, *maxz;
};

/* Half spaces: outside where n.p + d > 0, so the normal n faces outward. The normal need not have unit length. */
struct abut_planes {
    size_t n;
    const float *nx, *ny, *nz, *d;
};

/*
 * Oriented boxes: centre c, half extents h = hx, hy, hz along the axes a = u, v, w. The axes are meant orthonormal and
 * used as they stand. Where they are not quite orthonormal, as after rounding, a box is one set for points and spheres
 * and another for shapes with edges:
 *   points and spheres measure along the axes: the box is the points p with |a.(p - c)| <= h for each axis. A scale s
 *   in the axes makes a radius count as R/s. A zero axis measures 0 everywhere, and its h is compared all the same:
 *   0 <= h holds any point, 0 < h of the open rule none if h = 0, and a sphere is inside only if R <= h.
 *   segments, capsules, triangles, boxes, half spaces and hulls meet the box that its edges span: c plus the axes times
 *   all numbers from -h to h. A zero axis makes it flat.
 * Let e be the greatest sum, for one axis a, of |a.a - 1| and of |a.b| for the two others b, and let e be below 1. Each
 * of the two sets is in the other if that has e / (1 - e) times the greatest half extent added to each half extent. For
 * a rotation rounded to float32 that is less than 2^-21 of the greatest half extent. For axes that pass the strict
 * checks (shapes.h) it is at most 0.41 %.
 */
struct abut_obbs {
    size_t n;
    const float *cx, *cy, *cz, *hx, *hy, *hz, *ux, *uy, *uz, *vx, *vy, *vz, *wx, *wy, *wz;
};

/* From a to b; a = b is a point. */
struct abut_segments {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz;
};

/* All points within r of a segment. */
struct abut_capsules {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz, *r;
};

/* Flat and closed, of either winding. Vertices on one line, or in one point, make a segment or a point. */
struct abut_triangles {
    size_t n;
    const float *ax, *ay, *az, *bx, *by, *bz, *cx, *cy, *cz;
};

#define ABUT_MAX_PLANES 32 /* of one hull */

/*
 * Convex volumes. Hull i has the planes offsets[i] to offsets[i + 1] - 1, at least 1 and at most 32 of them, and holds
 * the points that are outside of none. There are n + 1 offsets, and the other arrays hold offsets[n] planes, with the
 * meaning of abut_planes. Six planes make a box, a sheared box or a view frustum: shapes.h makes them.
 *
 * A plane with a zero normal bounds nothing if d <= 0, and leaves no point if d > 0; so do d = -inf and d = +inf. A NaN
 * or an infinite normal in any plane makes every answer of its hull a miss. Two planes that are opposite to each other
 * cost little more than one; boxes and cameras have such pairs.
 */
struct abut_hulls {
    size_t n;
    const uint32_t *offsets;
    const float *nx, *ny, *nz, *d;
};

/* ---- Sets ---------------------------------------------------------------------------------------
 *
 * A set is a batch of any shape, so that one function serves all shapes. abut_of_spheres(&spheres) makes one, and so
 * on.
 */

enum abut_set_kind {
    ABUT_SET_POINTS,
    ABUT_SET_SPHERES,
    ABUT_SET_AABBS,
    ABUT_SET_PLANES,
    ABUT_SET_OBBS,
    ABUT_SET_SEGMENTS,
    ABUT_SET_CAPSULES,
    ABUT_SET_TRIANGLES,
    ABUT_SET_HULLS,
    ABUT_SET_INDEX /* the items of an index, for searches (index.h) */
};

/* A view of one batch: items points to it. */
struct abut_set {
    enum abut_set_kind kind;
    const void *items;
};

#define ABUT_SET_OF(plural, set_kind)                                                                                  \
    static inline struct abut_set abut_of_##plural(const struct abut_##plural *items)                                  \
    {                                                                                                                  \
        struct abut_set set = {set_kind, items};                                                                       \
        return set;                                                                                                    \
    }
ABUT_SET_OF(points, ABUT_SET_POINTS)
ABUT_SET_OF(spheres, ABUT_SET_SPHERES)
ABUT_SET_OF(aabbs, ABUT_SET_AABBS)
ABUT_SET_OF(planes, ABUT_SET_PLANES)
ABUT_SET_OF(obbs, ABUT_SET_OBBS)
ABUT_SET_OF(segments, ABUT_SET_SEGMENTS)
ABUT_SET_OF(capsules, ABUT_SET_CAPSULES)
ABUT_SET_OF(triangles, ABUT_SET_TRIANGLES)
ABUT_SET_OF(hulls, ABUT_SET_HULLS)

/* ---- Options ------------------------------------------------------------------------------------ */

enum abut_touch { ABUT_CLOSED = 0, ABUT_OPEN = 1 };

/* What is asked of a pair. A predicate for it does not exist for all shapes: see the matrix above. */
enum abut_relation {
    ABUT_TOUCHES = 0, /* a and b have a point in common */
    ABUT_INSIDE,      /* all of a is in b */
    ABUT_CULL /* a is beyond no plane of the hull b: never misses a touch, keeps some items off edges and corners */
};

/*
 * What one or more calls did. Calls add to it; start from zeros. Hits do not depend on it, but undecided depends on the
 * instruction set: fewer pairs than a vector has lanes are decided by a narrower one. For one hull against many items
 * it also depends on how a batch is split. A filter may have another bound where one item stands for all, so a pair of
 * two single items may count as undecided there, and not in a batch, or the reverse.
 */
struct abut_stats {
    uint64_t pairs;     /* that reached a predicate; of abut_nearest, comparisons of two items; of casts, both */
    uint64_t undecided; /* of these, left undecided by the float32 filter, or the first float64 one if they have none */
    uint64_t exact;     /* of these, left undecided by the float64 filter too, and decided by exact arithmetic */
    uint64_t node_tests; /* of searches: a node's sixteen boxes against a packet of queries, one hull or one point */
    uint64_t leaf_tests; /* of searches: a leaf's eight items against one query */
};

/*
 * allocate returns size bytes aligned as by malloc, or NULL; release takes what allocate returned. NULL, or all zeros,
 * means malloc. One function without the other is ABUT_ERROR_NULL. On Linux blocks of 4 MiB and more from malloc ask
 * for huge pages (madvise).
 */
struct abut_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory);
    void *context;
};

struct abut_workspace;
struct abut_threads;
struct abut_filter;

/* A half-open box, min <= p < max on each axis; infinite bounds are fine. */
struct abut_own {
    float min[3], max[3];
};

/*
 * How to do it. All zeros, or NULL in its place, is fine: closed, no statistics.
 *
 * No function ignores an option that could change its answer. Each honours it, or returns ABUT_ERROR_ARGUMENT if it is
 * not what zeros make it:
 *
 *                                                   touch    relation  own  filter
 *   abut_test and its like, abut_test_pairs         x
 *   abut_classify, abut_join_classes                same
 *   abut_join_ in all other forms                   x        x         x    x
 *   abut_join_within                                x                  x    x
 *   abut_self_, abut_join_some, abut_cutoff_rows    x                  x    of items
 *   abut_find_neighbours                            limited                 x
 *   abut_nearest, abut_cast_                                                x
 *   abut_solid_contains, abut_world_new             x
 *   abut_world_join                                 world's  x              of queries
 *   abut_world_nearest                              world's                 of queries, without a function
 *   abut_world_update, abut_world_restore           world's
 *   abut_index_, abut_sort_pairs, abut_solid_new, abut_solid_distance: none of these
 *
 * same: the classes are the same under both rules. limited: only where within limits the neighbours. world's: ABUT_OPEN
 * in an open world alone. of items: without arrays of queries other than those of items. of queries: without arrays of
 * items. The relation of abut_test is an argument.
 * abut_index_ functions honour skip_invalid; abut_solid_new, abut_world_new and abut_world_restore refuse it. To all
 * others invalid input is no error, and skip_invalid changes nothing.
 * In every function a touch rule or relation that does not exist is ABUT_ERROR_ARGUMENT, and so is a box with NaN. Half
 * an allocator, or threads without run, are ABUT_ERROR_NULL. stats, workspace, allocator and threads change no answer,
 * and may go unused. So may proceed: predicates, abut_sort_pairs, abut_world_new and abut_world_restore do not call it.
 */
struct abut_options {
    enum abut_touch touch;
    struct abut_stats *stats;         /* to add to, or NULL */
    enum abut_relation relation;      /* of searches for hulls: the item touches, is inside, or is beyond no plane */
    struct abut_workspace *workspace; /* scratch memory to reuse, or NULL: new memory for this call */
    const struct abut_allocator *allocator; /* of an index or of new scratch memory, copied; NULL means malloc */
    const struct abut_threads *threads;     /* or NULL: the calling thread alone */
    bool skip_invalid;                      /* build or refit an index in spite of invalid items, which touch nothing */
    const struct abut_own *own;             /* of joins: report only the pairs that this box owns (index.h), or NULL */
    bool (*proceed)(void *context); /* called again and again, on the calling thread; false ends the call; or NULL */
    void *proceed_context;
    const struct abut_filter *filter; /* of searches: which pairs count, or NULL for all (index.h) */
};

/* ---- Predicates, for any shapes -------------------------------------------------------------------
 *
 * Errors of all predicates: ABUT_ERROR_NULL; ABUT_ERROR_LENGTHS; ABUT_ERROR_TOO_MANY; ABUT_ERROR_PREDICATE if the
 * shapes have no such predicate; ABUT_ERROR_ARGUMENT for a touch rule, relation or kind that does not exist, for an
 * option that is not taken, and for a hull of no plane or of more than 32. On an error nothing is written.
 */

/*
 * Tests a against b item by item, as batches broadcast.
 * A point touches a shape if it is inside, so both relations exist for points. Where only b touches a is in the table,
 * a touches b is the same predicate.
 * Writes one bit a pair to hits.
 */
ABUT_API enum abut_status abut_test(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                    const struct abut_options *options, uint64_t *ABUT_RESTRICT hits);

/*
 * Tests every item of a against every item of b, in one pass over the memory of b. From main memory eight or more items
 * of a in one call cost a fraction, per pair, of one call each.
 * Row i of the hits is item i of a against all of b and begins at word i * abut_mask_words(n of b). Where b is hulls,
 * row i is hull i against all of a, and begins at word i * abut_mask_words(n of a). Each row starts a new word.
 */
ABUT_API enum abut_status abut_test_all(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                        const struct abut_options *options, uint64_t *ABUT_RESTRICT hits);

/*
 * Decides every pair by exact arithmetic alone, item by item: the definition of the right answer, some thousand times
 * slower than abut_test. It is for tests: of a compiler, of a processor, of this library.
 */
ABUT_API enum abut_status abut_test_exactly(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                            const struct abut_options *options, uint64_t *ABUT_RESTRICT hits);

enum abut_class { ABUT_CLASS_NONE, ABUT_CLASS_OUTSIDE, ABUT_CLASS_CROSSING, ABUT_CLASS_INSIDE };

/*
 * Writes one enum abut_class a pair, item by item: outside where a does not touch b (closed), inside where a is inside
 * b (open), crossing otherwise. Touching is exact: a box off an edge of a hull is outside, also where it is beyond no
 * plane and abut_aabbs_cull_hulls keeps it. The touch rule plays no part. Statistics count both predicates.
 * Invalid input has no class, nor has a hull that one plane alone leaves empty.
 * Shapes have classes if a predicate asks whether a touches b, and another whether a is inside b, in that order:
 *   spheres with spheres, capsules, AABBs, OBBs, half spaces and hulls;
 *   segments, capsules, triangles and AABBs with AABBs, OBBs, half spaces and hulls;
 *   OBBs with OBBs, half spaces and hulls.
 * Points have none. Other pairs are ABUT_ERROR_PREDICATE.
 */
ABUT_API enum abut_status abut_classify(struct abut_set a, struct abut_set b, const struct abut_options *options,
                                        uint8_t *ABUT_RESTRICT classes);

/* The same by name, with arguments that the compiler checks. */
#define ABUT_CLASSIFY(function, plural_a, plural_b)                                                                    \
    static inline enum abut_status function(const struct abut_##plural_a *a, const struct abut_##plural_b *b,          \
                                            const struct abut_options *options, uint8_t *ABUT_RESTRICT classes)        \
    {                                                                                                                  \
        return abut_classify(abut_of_##plural_a(a), abut_of_##plural_b(b), options, classes);                          \
    }
ABUT_CLASSIFY(abut_spheres_classify_aabbs, spheres, aabbs)
ABUT_CLASSIFY(abut_spheres_classify_obbs, spheres, obbs)
ABUT_CLASSIFY(abut_spheres_classify_planes, spheres, planes)
ABUT_CLASSIFY(abut_spheres_classify_hulls, spheres, hulls)
ABUT_CLASSIFY(abut_aabbs_classify_hulls, aabbs, hulls)
ABUT_CLASSIFY(abut_obbs_classify_hulls, obbs, hulls)

/* One predicate of the library. */
struct abut_predicate {
    const char *name; /* "sphere_aabb" */
    enum abut_relation relation;
    enum abut_set_kind a, b;
    const char *function;        /* "abut_spheres_touch_aabbs"; the same with _all tests all pairs */
    bool search, search_swapped; /* b can be an index that a searches; a can be an index that b searches */
    bool self;                   /* one index can be searched for pairs of its own items */
};

/* All predicates of the library, in the order of the header, and how many they are. */
ABUT_API const struct abut_predicate *abut_predicates(size_t *count);

/* ---- Predicates, by name --------------------------------------------------------------------------
 *
 * Each is one line over abut_test and over abut_test_all (with _all behind its name), whose arguments the compiler
 * checks:
 *
 *     enum abut_status abut_spheres_touch_aabbs(const struct abut_spheres *a, const struct abut_aabbs *b,
 *                                               const struct abut_options *options, uint64_t *hits);
 *
 * R is the radius, D a distance between centres. Formulas are for the closed rule; the open rule has < for <=.
 */
#define ABUT_PREDICATE(function, plural_a, plural_b, relation)                                                         \
    static inline enum abut_status function(const struct abut_##plural_a *a, const struct abut_##plural_b *b,          \
                                            const struct abut_options *options, uint64_t *ABUT_RESTRICT hits)          \
    {                                                                                                                  \
        return abut_test(relation, abut_of_##plural_a(a), abut_of_##plural_b(b), options, hits);                       \
    }                                                                                                                  \
    static inline enum abut_status function##_all(const struct abut_##plural_a *a, const struct abut_##plural_b *b,    \
                                                  const struct abut_options *options, uint64_t *ABUT_RESTRICT hits)    \
    {                                                                                                                  \
        return abut_test_all(relation, abut_of_##plural_a(a), abut_of_##plural_b(b), options, hits);                   \
    }

/* Sphere touches AABB: the sum over the axes of max(min - c, 0, c - max)^2 is <= R^2. */
ABUT_PREDICATE(abut_spheres_touch_aabbs, spheres, aabbs, ABUT_TOUCHES)

/* Sphere inside AABB: c - R >= min and c + R <= max on every axis. */
ABUT_PREDICATE(abut_spheres_inside_aabbs, spheres, aabbs, ABUT_INSIDE)

/* AABB inside sphere: its farthest corner is, sum over the axes of max(|c - min|, |c - max|)^2 <= R^2. */
ABUT_PREDICATE(abut_aabbs_inside_spheres, aabbs, spheres, ABUT_INSIDE)

/* Point inside sphere: D^2 <= R^2. */
ABUT_PREDICATE(abut_points_inside_spheres, points, spheres, ABUT_INSIDE)

/* Point inside AABB: min <= p <= max on every axis. */
ABUT_PREDICATE(abut_points_inside_aabbs, points, aabbs, ABUT_INSIDE)

/* Sphere touches sphere: D^2 <= (Ra + Rb)^2. Each radius must be valid by itself: -1 and 5 is a miss. */
ABUT_PREDICATE(abut_spheres_touch_spheres, spheres, spheres, ABUT_TOUCHES)

/*
 * AABB touches AABB: min_a <= max_b and min_b <= max_a on every axis. Under the open rule a flat box hits the boxes
 * that it cuts through, and no box that is flat in the same plane.
 */
ABUT_PREDICATE(abut_aabbs_touch_aabbs, aabbs, aabbs, ABUT_TOUCHES)

/* Sphere touches half space: with s = n.c + d, s <= R |n|. */
ABUT_PREDICATE(abut_spheres_touch_planes, spheres, planes, ABUT_TOUCHES)

/* Sphere inside half space: s <= -R |n|. */
ABUT_PREDICATE(abut_spheres_inside_planes, spheres, planes, ABUT_INSIDE)

/* Sphere touches OBB: the sum over the axes of max(|a.(c - o)| - h, 0)^2 is <= R^2, where o is the box's centre. */
ABUT_PREDICATE(abut_spheres_touch_obbs, spheres, obbs, ABUT_TOUCHES)

/* Sphere inside OBB: |a.(c - o)| + R <= h for each axis. */
ABUT_PREDICATE(abut_spheres_inside_obbs, spheres, obbs, ABUT_INSIDE)

/* Point inside OBB: |a.(p - o)| <= h for each axis. */
ABUT_PREDICATE(abut_points_inside_obbs, points, obbs, ABUT_INSIDE)

/*
 * Sphere touches segment: with t = ap.ab and L = ab.ab, |ap|^2 where t <= 0, |bp|^2 where t >= L, else |ap|^2 - t^2 / L
 * is <= R^2.
 */
ABUT_PREDICATE(abut_spheres_touch_segments, spheres, segments, ABUT_TOUCHES)

/* Sphere touches capsule: the same with the sum of the radii for R. Each radius must be valid by itself. */
ABUT_PREDICATE(abut_spheres_touch_capsules, spheres, capsules, ABUT_TOUCHES)

/*
 * Sphere touches triangle: an edge does as a segment, or the centre projects into the triangle, whose normal n = ab x
 * ac is not zero, and (n.ap)^2 <= R^2 n.n. Degenerate triangles are the segments or points that they look like.
 */
ABUT_PREDICATE(abut_spheres_touch_triangles, spheres, triangles, ABUT_TOUCHES)

/*
 * Shapes with straight edges: segments, triangles, AABBs and OBBs. Two of them touch if they have a point in common.
 * Under the open rule they must still have one however little one of them is shifted: so a segment must pierce a
 * triangle between its edges, segments never touch, and flat shapes in one plane never do. In these predicates an OBB
 * is spanned by its edges: it is the centre plus the axes times all numbers from -h to h.
 *
 * Capsules touch a shape whose distance D from the segment in them is at most the radius, or the sum of two radii.
 *
 * Filters in lanes decide nearly all of these pairs, and float64 and exact arithmetic the others, one by one.
 */

/* Segment touches segment: they have a point in common. Never under the open rule. */
ABUT_PREDICATE(abut_segments_touch_segments, segments, segments, ABUT_TOUCHES)

/* Segment touches triangle: they have a point in common. */
ABUT_PREDICATE(abut_segments_touch_triangles, segments, triangles, ABUT_TOUCHES)

/* Segment touches AABB: they have a point in common. */
ABUT_PREDICATE(abut_segments_touch_aabbs, segments, aabbs, ABUT_TOUCHES)

/* Segment touches OBB: they have a point in common. */
ABUT_PREDICATE(abut_segments_touch_obbs, segments, obbs, ABUT_TOUCHES)

/* Triangle touches triangle: they have a point in common. Neighbours in a mesh do. */
ABUT_PREDICATE(abut_triangles_touch_triangles, triangles, triangles, ABUT_TOUCHES)

/* Triangle touches AABB: they have a point in common. */
ABUT_PREDICATE(abut_triangles_touch_aabbs, triangles, aabbs, ABUT_TOUCHES)

/* Triangle touches OBB: they have a point in common. */
ABUT_PREDICATE(abut_triangles_touch_obbs, triangles, obbs, ABUT_TOUCHES)

/* AABB touches OBB: they have a point in common. */
ABUT_PREDICATE(abut_aabbs_touch_obbs, aabbs, obbs, ABUT_TOUCHES)

/* OBB touches OBB: they have a point in common. */
ABUT_PREDICATE(abut_obbs_touch_obbs, obbs, obbs, ABUT_TOUCHES)

/* Segment touches capsule: D <= R. */
ABUT_PREDICATE(abut_segments_touch_capsules, segments, capsules, ABUT_TOUCHES)

/* Capsule touches capsule: D <= Ra + Rb. Each radius must be valid by itself. */
ABUT_PREDICATE(abut_capsules_touch_capsules, capsules, capsules, ABUT_TOUCHES)

/* Capsule touches triangle: D <= R. */
ABUT_PREDICATE(abut_capsules_touch_triangles, capsules, triangles, ABUT_TOUCHES)

/* Capsule touches AABB: D <= R. */
ABUT_PREDICATE(abut_capsules_touch_aabbs, capsules, aabbs, ABUT_TOUCHES)

/* Capsule touches OBB: D <= R. */
ABUT_PREDICATE(abut_capsules_touch_obbs, capsules, obbs, ABUT_TOUCHES)

/*
 * Points on thin shapes, and shapes and half spaces. A segment, triangle or box touches a half space if its corner
 * farthest inwards does, and is inside if its corner farthest outwards is.
 */

/* Point inside segment: it is one of its points. Never under the open rule. */
ABUT_PREDICATE(abut_points_inside_segments, points, segments, ABUT_INSIDE)

/* Point inside triangle: it is one of its points. Never under the open rule. */
ABUT_PREDICATE(abut_points_inside_triangles, points, triangles, ABUT_INSIDE)

/* Point inside capsule: D <= R. */
ABUT_PREDICATE(abut_points_inside_capsules, points, capsules, ABUT_INSIDE)

/* Point inside half space: n.p + d <= 0. */
ABUT_PREDICATE(abut_points_inside_planes, points, planes, ABUT_INSIDE)

/* Segment touches half space: an end has n.p + d <= 0. */
ABUT_PREDICATE(abut_segments_touch_planes, segments, planes, ABUT_TOUCHES)

/* Segment inside half space: both ends have n.p + d <= 0. */
ABUT_PREDICATE(abut_segments_inside_planes, segments, planes, ABUT_INSIDE)

/* Capsule touches half space: the sphere at an end does, n.p + d <= R |n|. */
ABUT_PREDICATE(abut_capsules_touch_planes, capsules, planes, ABUT_TOUCHES)

/* Capsule inside half space: the spheres at both ends are, n.p + d <= -R |n|. */
ABUT_PREDICATE(abut_capsules_inside_planes, capsules, planes, ABUT_INSIDE)

/* Triangle touches half space: a corner has n.p + d <= 0. */
ABUT_PREDICATE(abut_triangles_touch_planes, triangles, planes, ABUT_TOUCHES)

/* Triangle inside half space: all corners have n.p + d <= 0. */
ABUT_PREDICATE(abut_triangles_inside_planes, triangles, planes, ABUT_INSIDE)

/* AABB touches half space: a corner has n.q + d <= 0. */
ABUT_PREDICATE(abut_aabbs_touch_planes, aabbs, planes, ABUT_TOUCHES)

/* AABB inside half space: all corners have n.q + d <= 0. */
ABUT_PREDICATE(abut_aabbs_inside_planes, aabbs, planes, ABUT_INSIDE)

/* OBB touches half space: n.c + d - (hx |n.u| + hy |n.v| + hz |n.w|) <= 0. */
ABUT_PREDICATE(abut_obbs_touch_planes, obbs, planes, ABUT_TOUCHES)

/* OBB inside half space: n.c + d + (hx |n.u| + hy |n.v| + hz |n.w|) <= 0. */
ABUT_PREDICATE(abut_obbs_inside_planes, obbs, planes, ABUT_INSIDE)

/*
 * Shapes inside spheres, capsules and boxes: all of the first is in the second, and under the open rule in its
 * interior. OBBs that hold or are held are spanned by their edges. A sphere or capsule of infinite radius is all of
 * space.
 */

/* Sphere inside sphere: D + Ra <= Rb. */
ABUT_PREDICATE(abut_spheres_inside_spheres, spheres, spheres, ABUT_INSIDE)

/* Sphere inside capsule: D + Ra <= Rb for the distance D of the centre from the segment. */
ABUT_PREDICATE(abut_spheres_inside_capsules, spheres, capsules, ABUT_INSIDE)

/* Segment inside sphere: both ends are. */
ABUT_PREDICATE(abut_segments_inside_spheres, segments, spheres, ABUT_INSIDE)

/* Segment inside AABB: both ends are. */
ABUT_PREDICATE(abut_segments_inside_aabbs, segments, aabbs, ABUT_INSIDE)

/* Segment inside OBB: both ends are. */
ABUT_PREDICATE(abut_segments_inside_obbs, segments, obbs, ABUT_INSIDE)

/* Capsule inside sphere: the spheres at both ends are. */
ABUT_PREDICATE(abut_capsules_inside_spheres, capsules, spheres, ABUT_INSIDE)

/* Capsule inside AABB: the spheres at both ends are. */
ABUT_PREDICATE(abut_capsules_inside_aabbs, capsules, aabbs, ABUT_INSIDE)

/* Capsule inside OBB: both ends are, and no face of the box is nearer to them than R. */
ABUT_PREDICATE(abut_capsules_inside_obbs, capsules, obbs, ABUT_INSIDE)

/* Triangle inside sphere: all corners are. */
ABUT_PREDICATE(abut_triangles_inside_spheres, triangles, spheres, ABUT_INSIDE)

/* Triangle inside AABB: all corners are. */
ABUT_PREDICATE(abut_triangles_inside_aabbs, triangles, aabbs, ABUT_INSIDE)

/* Triangle inside OBB: all corners are. */
ABUT_PREDICATE(abut_triangles_inside_obbs, triangles, obbs, ABUT_INSIDE)

/* AABB inside AABB: min_b <= min_a and max_a <= max_b on every axis. An infinite bound of b holds any, also if open. */
ABUT_PREDICATE(abut_aabbs_inside_aabbs, aabbs, aabbs, ABUT_INSIDE)

/* AABB inside OBB: all corners are. */
ABUT_PREDICATE(abut_aabbs_inside_obbs, aabbs, obbs, ABUT_INSIDE)

/* OBB inside sphere: all corners are. */
ABUT_PREDICATE(abut_obbs_inside_spheres, obbs, spheres, ABUT_INSIDE)

/* OBB inside AABB: all corners are. */
ABUT_PREDICATE(abut_obbs_inside_aabbs, obbs, aabbs, ABUT_INSIDE)

/* OBB inside OBB: all corners are. */
ABUT_PREDICATE(abut_obbs_inside_obbs, obbs, obbs, ABUT_INSIDE)

/*
 * Hulls. For a sphere inside implies touches, and touches implies cull (under the open rule for R > 0). One hull
 * against many items is fast; hulls that differ from pair to pair are decided one by one.
 */

/* Sphere touches hull: the distance from the centre to the hull is <= R. Nothing touches a hull without points. */
ABUT_PREDICATE(abut_spheres_touch_hulls, spheres, hulls, ABUT_TOUCHES)

/*
 * Sphere beyond no plane of hull: n.c + d <= R |n| for every plane. This is what culling usually asks. It may keep
 * large spheres for a hull without points, and keeps every valid sphere of infinite radius unless one plane alone
 * leaves the hull empty.
 */
ABUT_PREDICATE(abut_spheres_cull_hulls, spheres, hulls, ABUT_CULL)

/* Sphere inside hull: n.c + d <= -R |n| for every plane, and the hull has points. */
ABUT_PREDICATE(abut_spheres_inside_hulls, spheres, hulls, ABUT_INSIDE)

/* Point inside hull: n.p + d <= 0 for every plane. */
ABUT_PREDICATE(abut_points_inside_hulls, points, hulls, ABUT_INSIDE)

/*
 * AABB beyond no plane of hull: for every plane the corner that is least far out has n.q + d <= 0. Never misses a
 * touching box.
 */
ABUT_PREDICATE(abut_aabbs_cull_hulls, aabbs, hulls, ABUT_CULL)

/* AABB inside hull: every corner has n.q + d <= 0 for every plane. */
ABUT_PREDICATE(abut_aabbs_inside_hulls, aabbs, hulls, ABUT_INSIDE)

/*
 * OBB beyond no plane of hull: n.c + d - (hx |n.u| + hy |n.v| + hz |n.w|) <= 0 for every plane. Here the axes span the
 * box as edges. For spheres and points the box lies between its slabs. Both are the same set if the axes are
 * orthonormal; struct abut_obbs says by how much they can differ.
 */
ABUT_PREDICATE(abut_obbs_cull_hulls, obbs, hulls, ABUT_CULL)

/* OBB inside hull: n.c + d + (hx |n.u| + hy |n.v| + hz |n.w|) <= 0 for every plane. The axes span the box as edges. */
ABUT_PREDICATE(abut_obbs_inside_hulls, obbs, hulls, ABUT_INSIDE)

/*
 * Shapes with straight edges and capsules touch a hull by the same rules as other shapes with straight edges: they have
 * a point in common, and under the open rule still do however little the hull is shifted. Unlike cull, these answers
 * keep nothing that is off edges and corners. They are decided pair by pair, in float64 first.
 */

/* Segment touches hull: a point of it is outside of no plane. */
ABUT_PREDICATE(abut_segments_touch_hulls, segments, hulls, ABUT_TOUCHES)

/*
 * Capsule touches hull: the distance from the segment in it to the hull is <= R. The edges and corners of the hull are
 * tried in turn: a capsule near a hull of 32 planes may take 3 ms, and one that is nearly tangent up to 60 ms.
 */
ABUT_PREDICATE(abut_capsules_touch_hulls, capsules, hulls, ABUT_TOUCHES)

/* Triangle touches hull: a point of it is outside of no plane. */
ABUT_PREDICATE(abut_triangles_touch_hulls, triangles, hulls, ABUT_TOUCHES)

/* AABB touches hull: a point of it is outside of no plane. */
ABUT_PREDICATE(abut_aabbs_touch_hulls, aabbs, hulls, ABUT_TOUCHES)

/* OBB touches hull: a point of it is outside of no plane. The axes span the box as edges. */
ABUT_PREDICATE(abut_obbs_touch_hulls, obbs, hulls, ABUT_TOUCHES)

/*
 * Hull touches hull: a point is outside of no plane of either. Hulls cannot be indexed. To search many hulls for those
 * that touch, make an index of their AABBs (abut_aabbs_of_hulls, engine.h), and test the pairs whose AABBs touch by
 * abut_test_pairs (index.h).
 */
ABUT_PREDICATE(abut_hulls_touch_hulls, hulls, hulls, ABUT_TOUCHES)

/* Segment inside hull: both ends are. */
ABUT_PREDICATE(abut_segments_inside_hulls, segments, hulls, ABUT_INSIDE)

/* Capsule inside hull: the spheres at both ends are. */
ABUT_PREDICATE(abut_capsules_inside_hulls, capsules, hulls, ABUT_INSIDE)

/* Triangle inside hull: all corners are. */
ABUT_PREDICATE(abut_triangles_inside_hulls, triangles, hulls, ABUT_INSIDE)

/* ---- Masks -------------------------------------------------------------------------------------- */

/* The number of words that n bits take: n / 64, rounded up. */
ABUT_API size_t abut_mask_words(size_t n);

/* How many of n bits are set; whether any is; whether all are (true for n = 0). No bit of a NULL mask is set. */
ABUT_API uint64_t abut_mask_count(const uint64_t *mask, size_t n);
ABUT_API bool abut_mask_any(const uint64_t *mask, size_t n);
ABUT_API bool abut_mask_all(const uint64_t *mask, size_t n);

/*
 * Writes the indices of the set bits, ascending, to indices[0 .. capacity), and returns how many bits are set. If that
 * is more than capacity, the buffer is full and the rest is left out. With NULL for indices nothing is written. n <=
 * ABUT_MAX_ITEMS.
 */
ABUT_API size_t abut_mask_list(const uint64_t *mask, size_t n, uint32_t *ABUT_RESTRICT indices, size_t capacity);

/* ---- Instruction sets ---------------------------------------------------------------------------
 *
 * "scalar", "sse" (SSE2), "avx2" (with FMA), "avx512" (F VL DQ BW), "neon" (AArch64), "wasm" (WebAssembly's SIMD). The
 * best that this machine runs is active from the start; every choice gives the same answers. A batch too short for one
 * vector goes to a narrower set.
 */

/* The name of the active one. */
ABUT_API const char *abut_isa(void);

/* The names of those that run here, fastest first, ended by NULL. */
ABUT_API const char *const *abut_isas(void);

/*
 * Makes one active, for all threads. Errors: ABUT_ERROR_NULL for NULL; ABUT_ERROR_ARGUMENT for an unknown name;
 * ABUT_ERROR_ISA if this machine lacks it. On an error the active one stays.
 */
ABUT_API enum abut_status abut_use_isa(const char *name);

#ifdef __cplusplus
}
#endif

#endif
