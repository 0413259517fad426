/* SPDX-License-Identifier: MIT */
/*
 * The batches of the public headers as columns, columns as batches and sets, and what must hold before either is read.
 */
#ifndef ABUT_API_SETS_H
#define ABUT_API_SETS_H

#include "api/options.h"
#include "dispatch/kernel_table.h"

#include <abut/abut.h>

/* The kinds of sets are numbered as shapes are, so that one table serves both. */
_Static_assert(ABUT_SET_HULLS == (int)shape_hull, "hulls come last");

#define F(member) +1
#define SHAPE(name, plural, fields)                                                                                    \
    _Static_assert(sizeof(struct abut_##plural) == sizeof(size_t) + (0 fields) * sizeof(float *),                      \
                   "the pointers of a batch follow its count without gaps");
#include "tables/shapes.def"

/* A batch of any shape begins with its count; the pointers to its arrays follow, in the order of shapes.def. */
static inline size_t batch_length(const void *batch)
{
    return *(const size_t *)batch;
}

static inline const float *const *batch_arrays(const void *batch)
{
    return (const float *const *)((const size_t *)batch + 1);
}

/* Of hulls. */
static inline const float *const *plane_arrays(const struct abut_hulls *hulls)
{
    return &hulls->nx;
}

#define F(member) batch->member,
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural name##_batch;                                                                         \
    static inline struct columns name##_columns(const name##_batch *batch)                                             \
    {                                                                                                                  \
        return (struct columns){shape_##name, name##_fields, batch->n, {fields}, NULL};                                \
    }
#include "tables/shapes.def"

#define F(member) batch.member = *column++;
#define SHAPE(name, plural, fields)                                                                                    \
    static inline name##_batch name##_view(const struct columns *columns)                                              \
    {                                                                                                                  \
        name##_batch batch = {.n = columns->n};                                                                        \
        const float *const *column = columns->at;                                                                      \
        fields return batch;                                                                                           \
    }
#include "tables/shapes.def"

typedef struct abut_hulls hull_batch;
static inline hull_batch hull_view(const struct columns *columns)
{
    const float *const *at = columns->at;
    return (hull_batch){columns->n, columns->offsets, at[0], at[1], at[2], at[3]};
}

/* What a set is a view of. */
union any_batch {
    struct abut_hulls hulls;
#define F(member)
#define SHAPE(name, plural, fields) struct abut_##plural plural;
#include "tables/shapes.def"
};

/* Columns with offsets are hulls. The set is good for as long as any is. */
static inline struct abut_set set_of_columns(const struct columns *columns, union any_batch *any)
{
    if (columns->offsets) {
        any->hulls = hull_view(columns);
        return abut_of_hulls(&any->hulls);
    }
#define F(member)
#define SHAPE(name, plural, fields)                                                                                    \
    if (columns->shape == shape_##name)                                                                                \
        any->plural = name##_view(columns);
#include "tables/shapes.def"
    return (struct abut_set){(enum abut_set_kind)columns->shape, any};
}

static inline const struct abut_options *options_or_none(const struct abut_options *options)
{
    static const struct abut_options none = {0};
    return options ? options : &none;
}

/* The shape of a set that can be indexed; shape_count for every other kind. */
enum shape abut_indexed_shape(enum abut_set_kind kind);

/* The batch of a set of one of the shapes of shapes.def. */
struct columns abut_columns_of(struct abut_set set);

/* n items of a set from first on, or its one item. The part is good for as long as any is. */
struct abut_set abut_set_part(struct abut_set set, size_t first, size_t n, union any_batch *any);

/* What must hold of n items in so many arrays before they are read. */
static inline enum abut_status abut_check_arrays(size_t n, const float *const *columns, unsigned fields)
{
    bool missing = false;
    for (unsigned k = 0; k < fields; k++)
        missing |= columns[k] == NULL;
    return n > ABUT_MAX_ITEMS ? ABUT_ERROR_TOO_MANY : missing && n > 0 ? ABUT_ERROR_NULL : ABUT_OK;
}

static inline enum abut_status abut_check_batch(const void *batch, unsigned fields)
{
    return abut_check_arrays(batch_length(batch), batch_arrays(batch), fields);
}

/* The same of the arrays of hulls; and that each hull has planes, and not too many. */
enum abut_status abut_hull_arrays_readable(const struct abut_hulls *hulls);
enum abut_status abut_hulls_readable(const struct abut_hulls *hulls);

/*
 * Whether a set can be read: null pointers and counts that no batch may have are errors, and so is a hull of no plane
 * or of too many. ABUT_ERROR_ARGUMENT for a kind that does not exist. Items are not looked at.
 */
enum abut_status abut_check_set(struct abut_set set);

/* What abut_test returns for sets of any lengths, without a test; and whether the function takes the options. */
enum abut_status abut_check_test(unsigned takes, enum abut_relation relation, struct abut_set a, struct abut_set b,
                                 const struct abut_options *options);

#endif
