/* SPDX-License-Identifier: MIT */
/* The layout of the kernel tables: the numbering of shapes and predicates, and one struct isa per instruction set. */
#ifndef ABUT_DISPATCH_KERNEL_TABLE_H
#define ABUT_DISPATCH_KERNEL_TABLE_H

#include "tables/layout.h"

#include <abut/abut.h>

#include <stdbool.h>

enum { ABUT_MAX_FIELDS = 15 };

/* The most items, or hulls, that a kernel takes at once. */
enum { ABUT_MAX_ROWS = 64, ABUT_MAX_HULLS = 8 };

#define F(member) +1
#define SHAPE(name, plural, fields) name##_fields = 0 fields,
#define HULL_SHAPE SHAPE
enum {
#include "tables/shapes.def"
};

#define SHAPE(name, plural, fields) shape_##name,
#define HULL_SHAPE SHAPE
enum shape {
#include "tables/shapes.def"
    shape_count
};

/* Some code names predicates, so all have a number. A predicate that is left out has no kernels, formulas, searches. */
#define PREDICATE(name, a, b, relation, function) predicate_##name,
#define LEFT_OUT(name) predicate_##name,
enum predicate {
#include "tables/predicates.def"
    predicate_count
};

/* 0 if a build has no predicate of hulls. */
#define COUNT_columns(one)
#define COUNT_hulls(one) +one
#define PREDICATE(name, a, b, relation, function) BY_LAYOUT(COUNT, b, 1)
enum {
    hull_predicates = 0
#include "tables/predicates.def"
};

#define DISTANCE(name, a, b, function) distance_##name,
enum distance_kind {
#include "tables/predicates.def"
    distance_count
};

/* The arrays of a batch, in the order of shapes.def. Hulls also have offsets (abut_hulls), and others have none. */
struct columns {
    enum shape shape;
    unsigned fields;
    size_t n;
    const float *at[ABUT_MAX_FIELDS];
    const uint32_t *offsets;
};

/* n pairs to decide; n counts pairs, not the items of a batch. stats is never NULL here. */
struct kernel_args {
    const float *const *a, *const *b;
    size_t n;
    bool closed;
    struct abut_stats *stats;
    /* of a block: the number of items of a, at most ABUT_MAX_ROWS, and the distance of their rows of hits in words */
    size_t rows, row_words;
};

/* The searches of an index, numbered as in searches.def. */
#define SEARCH(query, item, predicate, order) search_##query##_##item,
#define SELF(shape, predicate) search_self_##shape,
enum search_kind {
#include "tables/searches.def"
    search_count
};

struct search;
typedef void search_function(const struct search *search);

struct centres;
struct extents;
struct grid;
struct hilbert;

/* Of n items from first on, at most a block. clean: none is invalid. */
typedef void centres_function(const float *const *at, size_t first, unsigned n, bool clean, struct centres *centres);

/* Widens the extents to hold the centres that are not NaN. */
typedef void extent_function(const struct centres *centres, struct extents *extents);

/* The positions of the centres on a Hilbert curve through the cells of the grid. */
typedef void keys_function(const struct grid *grid, const struct centres *centres, const struct hilbert *table,
                           uint32_t *keys);

typedef void batch_function(const struct kernel_args *args, uint64_t *restrict hits);

/* The lanes of the widest vectors. A tile is as many copies of an item that stands for all. */
enum { ABUT_WIDEST = 16 };

/*
 * n pairs of columns, n being a multiple of the vector's lanes. one_a, one_b: the columns of that side are a tile,
 * which is read again for each vector.
 */
struct block_args {
    const float *const *a, *const *b;
    bool one_a, one_b;
    size_t n;
    bool closed;
};

/*
 * Sets two bits of each pair: it hits, or the filter does not decide. No pair has both. Bits beyond n are 0, and no
 * word beyond that of pair n - 1 is written.
 */
typedef void block_function(const struct block_args *args, uint64_t *restrict hits, uint64_t *restrict undecided);

/* The outputs of a distance: d2 x y z, in this order. */
enum { DISTANCE_OUTPUTS = 4 };

/* n pairs to compute; an output that is not wanted is NULL. */
struct distance_args {
    const float *const *a, *const *b;
    size_t n;
    float *out[DISTANCE_OUTPUTS];
};

typedef void distance_function(const struct distance_args *args);

struct distance_kernel {
    distance_function *zip, *one_many, *many_one; /* as in struct kernel */
};

struct hull;

/* The same of one hull, which is valid, and n items of columns. The answer does not depend on the touch rule. */
struct hull_block_args {
    const struct hull *hull;
    const float *const *items;
    size_t n;
};

typedef void hull_block_function(const struct hull_block_args *args, uint64_t *restrict hits,
                                 uint64_t *restrict undecided);

/*
 * n items to decide against each of at most ABUT_MAX_HULLS hulls; stats is never NULL here. Items that are hulls have
 * offsets, and others have none.
 */
struct hull_args {
    struct hull *hulls;
    const float *const *items;
    size_t n;
    bool closed;
    struct abut_stats *stats;
    size_t rows, row_words; /* the number of hulls, and the distance of their rows of hits in words */
    bool perhaps;           /* pairs that the filter leaves undecided count as hits */
    const uint32_t *offsets;
};

typedef void hull_function(const struct hull_args *args, uint64_t *restrict hits);

/*
 * A predicate of columns has loops of its own, the first four, where these pay (batch/elementwise.h), else block
 * functions, the next two, or neither. batch/pairs.h runs all of them. A predicate of hulls has one of the last two, or
 * neither. batch/hull_items.h runs these.
 */
struct kernel {
    batch_function *zip;              /* item by item */
    batch_function *one_many;         /* item 0 of a against every b */
    batch_function *many_one;         /* every a against item 0 of b */
    batch_function *many_many;        /* each of the rows of a against every b */
    block_function *filter;           /* the float32 filter */
    block_function *recheck;          /* with checks of validity, and of exactness, which decides many ties */
    hull_function *hulls;             /* every a against each of the hulls */
    hull_block_function *hull_filter; /* the float32 filter of every a and one hull */
};

struct isa {
    const char *name;
    unsigned width; /* lanes a vector */
    struct kernel kernels[predicate_count];
    bool (*valid[shape_count])(const float *const *columns, size_t n); /* whether all n are valid; NULL for hulls */
    search_function *searches[search_count + 1];                       /* the last is NULL */
    centres_function *centres[shape_count];
    extent_function *extent;
    keys_function *keys;
    struct distance_kernel distances[distance_count];
};

/* The shapes of a predicate's a and b, and the members of each shape (of a plane of a hull). */
extern const unsigned char abut_predicate_shapes[predicate_count][2], abut_shape_fields[shape_count];

#define INSTRUCTION_SET(name, processor, flags) extern const struct isa abut_kernels_##name;
#include "tables/isas.def"

#endif
