/* SPDX-License-Identifier: MIT */
/* The public predicates and numbers: arguments checked, then handed to the active kernels. Made from predicates.def. */
#include "api/views.h"
#include "dispatch/dispatch.h"
#include "exact/resolve.h"

static enum abut_status check(const struct columns *a, const struct columns *b, enum abut_touch touch)
{
    if (touch != ABUT_CLOSED && touch != ABUT_OPEN)
        return ABUT_ERROR_ARGUMENT;
    enum abut_status status = check_columns(a);
    return status != ABUT_OK ? status : check_columns(b);
}

static enum abut_status pairs(enum predicate predicate, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *restrict hits)
{
    if (a->n != b->n && a->n != 1 && b->n != 1)
        return ABUT_ERROR_LENGTHS;
    size_t n = a->n == 1 ? b->n : a->n;
    if (n > 0 && hits == NULL)
        return ABUT_ERROR_NULL;
    struct abut_stats unwanted = {0};
    const struct kernel_args args = {a->at, b->at, n, touch == ABUT_CLOSED, stats ? stats : &unwanted, 1, 0};
    const struct kernel *kernel = &abut_isa_for(n)->kernels[predicate];
    batch_function *batch = a->n == b->n ? kernel->zip : a->n == 1 ? kernel->one_many : kernel->many_one;
    batch(&args, hits);
    return ABUT_OK;
}

static enum abut_status all_pairs(enum predicate predicate, const struct columns *a, const struct columns *b,
                                  enum abut_touch touch, struct abut_stats *stats, uint64_t *restrict hits)
{
    if (a->n == 0 || b->n == 0)
        return ABUT_OK;
    const size_t row_words = abut_mask_words(b->n);
    if (row_words > SIZE_MAX / sizeof *hits / a->n)
        return ABUT_ERROR_TOO_MANY;
    if (hits == NULL)
        return ABUT_ERROR_NULL;
    struct abut_stats unwanted = {0};
    for (size_t i = 0; i < a->n; i += ABUT_MAX_ROWS) {
        const float *block[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < a->fields; k++)
            block[k] = a->at[k] + i;
        const size_t rows = a->n - i < ABUT_MAX_ROWS ? a->n - i : ABUT_MAX_ROWS;
        const struct kernel_args args = {block, b->at,    b->n, touch == ABUT_CLOSED, stats ? stats : &unwanted,
                                         rows,  row_words};
        abut_active_isa()->kernels[predicate].block(&args, hits + i * row_words);
    }
    return ABUT_OK;
}

#define DEFINE(function, predicate, shape_of_a, shape_of_b, decide)                                                    \
    enum abut_status function(const shape_of_a##_batch *a, const shape_of_b##_batch *b, enum abut_touch touch,         \
                              struct abut_stats *stats, uint64_t *restrict hits)                                       \
    {                                                                                                                  \
        if (a == NULL || b == NULL)                                                                                    \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns columns_a = shape_of_a##_columns(a), columns_b = shape_of_b##_columns(b);                 \
        enum abut_status status = check(&columns_a, &columns_b, touch);                                                \
        return status != ABUT_OK ? status : decide(predicate, &columns_a, &columns_b, touch, stats, hits);             \
    }

#define PREDICATE(name, shape_of_a, shape_of_b, question, function)                                                    \
    DEFINE(function, predicate_##name, shape_of_a, shape_of_b, pairs)                                                  \
    DEFINE(function##_all, predicate_##name, shape_of_a, shape_of_b, all_pairs)
#include "tables/predicates.def"

static enum abut_status distances(enum distance_kind kind, const struct columns *a, const struct columns *b, float *d2,
                                  const struct abut_closest *closest)
{
    enum abut_status status = check_columns(a);
    if (status == ABUT_OK)
        status = check_columns(b);
    if (status != ABUT_OK)
        return status;
    if (a->n != b->n && a->n != 1 && b->n != 1)
        return ABUT_ERROR_LENGTHS;
    struct distance_args args = {a->at, b->at, a->n == 1 ? b->n : a->n, {d2}};
    if (closest != NULL) {
        args.out[1] = closest->x;
        args.out[2] = closest->y;
        args.out[3] = closest->z;
    }
    bool half = closest != NULL && (closest->x == NULL || closest->y == NULL || closest->z == NULL);
    if (args.n > 0 && (half || (d2 == NULL && closest == NULL)))
        return ABUT_ERROR_NULL;
    const struct distance_kernel *kernel = &abut_isa_for(args.n)->distances[kind];
    distance_function *batch = a->n == b->n ? kernel->zip : a->n == 1 ? kernel->one_many : kernel->many_one;
    batch(&args);
    return ABUT_OK;
}

#define DISTANCE(name, shape_of_a, shape_of_b, function)                                                               \
    enum abut_status function(const shape_of_a##_batch *a, const shape_of_b##_batch *b, float *restrict d2,            \
                              const struct abut_closest *closest)                                                      \
    {                                                                                                                  \
        if (a == NULL || b == NULL)                                                                                    \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns columns_a = shape_of_a##_columns(a), columns_b = shape_of_b##_columns(b);                 \
        return distances(distance_##name, &columns_a, &columns_b, d2, closest);                                        \
    }
#include "tables/predicates.def"
