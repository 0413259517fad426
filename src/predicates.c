/* SPDX-License-Identifier: MIT */
/* The public predicates: arguments checked, then handed to the active kernels. Made from kernels.def. */
#include "dispatch.h"

#include <string.h>

#define F(member) batch->member,
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural name##_batch;                                                                         \
    static struct columns name##_columns(const name##_batch *batch)                                                     \
    {                                                                                                                  \
        return (struct columns){batch->n, {fields}};                                                                   \
    }
#include "shapes.def"

static enum abut_status check_columns(const struct columns *c, unsigned fields)
{
    if (c->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (unsigned k = 0; k < fields; k++)
        if (c->n > 0 && c->at[k] == NULL)
            return ABUT_ERROR_NULL;
    return ABUT_OK;
}

static enum abut_status check(const struct columns *a, unsigned fields_a, const struct columns *b, unsigned fields_b,
                              enum abut_touch touch)
{
    if (touch != ABUT_CLOSED && touch != ABUT_OPEN)
        return ABUT_ERROR_ARGUMENT;
    enum abut_status status = check_columns(a, fields_a);
    return status != ABUT_OK ? status : check_columns(b, fields_b);
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
    const struct job job = {a->at, b->at, n, touch == ABUT_CLOSED, stats ? stats : &unwanted};
    const struct kernel *kernel = &abut_active_variant()->kernels[predicate];
    batch_function *batch = a->n == b->n ? kernel->zip : a->n == 1 ? kernel->one_many : kernel->many_one;
    batch(&job, hits);
    return ABUT_OK;
}

static void offset(const float **at, const struct columns *from, size_t i, unsigned fields)
{
    for (unsigned k = 0; k < fields; k++)
        at[k] = from->at[k] + i;
}

/*
 * One item against many, once for each item and each tile of b. A tile of six arrays fits the first-level cache, so that b
 * comes from memory once however many items a has; and whether its shapes are valid is asked once, not for each item.
 */
enum { TILE = 1024 };

static enum abut_status all_pairs(enum predicate predicate, enum shape shape_a, const struct columns *a,
                                  unsigned fields_a, enum shape shape_b, const struct columns *b, unsigned fields_b,
                                  enum abut_touch touch, struct abut_stats *stats, uint64_t *restrict hits)
{
    const size_t row_words = abut_mask_words(b->n);
    if (a->n > 0 && row_words > SIZE_MAX / sizeof *hits / a->n)
        return ABUT_ERROR_TOO_MANY;
    if (a->n > 0 && b->n > 0 && hits == NULL)
        return ABUT_ERROR_NULL;
    const struct variant *variant = abut_active_variant();
    const struct kernel *kernel = &variant->kernels[predicate];
    struct abut_stats unwanted = {0};
    const float *item[ABUT_MAX_FIELDS], *tile[ABUT_MAX_FIELDS];
    for (size_t j = 0; j < b->n; j += TILE) {
        size_t n = b->n - j < TILE ? b->n - j : TILE;
        offset(tile, b, j, fields_b);
        const struct job job = {item, tile, n, touch == ABUT_CLOSED, stats ? stats : &unwanted};
        bool valid = a->n > 1 && variant->valid[shape_b](tile, n);
        for (size_t i = 0; i < a->n; i++) {
            offset(item, a, i, fields_a);
            bool trusted = valid && variant->valid[shape_a](item, 1);
            (trusted ? kernel->trusted : kernel->one_many)(&job, hits + i * row_words + j / 64);
        }
    }
    return ABUT_OK;
}

#define PREDICATE(name, shape_of_a, shape_of_b, question, function)                                                    \
    enum abut_status function(const shape_of_a##_batch *a, const shape_of_b##_batch *b, enum abut_touch touch,          \
                              struct abut_stats *stats, uint64_t *restrict hits)                                       \
    {                                                                                                                  \
        if (a == NULL || b == NULL)                                                                                    \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns columns_a = shape_of_a##_columns(a), columns_b = shape_of_b##_columns(b);                 \
        enum abut_status status = check(&columns_a, shape_of_a##_fields, &columns_b, shape_of_b##_fields, touch);      \
        return status != ABUT_OK ? status : pairs(predicate_##name, &columns_a, &columns_b, touch, stats, hits);       \
    }                                                                                                                  \
    enum abut_status function##_all(const shape_of_a##_batch *a, const shape_of_b##_batch *b, enum abut_touch touch,      \
                                    struct abut_stats *stats, uint64_t *restrict hits)                                 \
    {                                                                                                                  \
        if (a == NULL || b == NULL)                                                                                    \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns columns_a = shape_of_a##_columns(a), columns_b = shape_of_b##_columns(b);                 \
        enum abut_status status = check(&columns_a, shape_of_a##_fields, &columns_b, shape_of_b##_fields, touch);      \
        return status != ABUT_OK                                                                                       \
                   ? status                                                                                            \
                   : all_pairs(predicate_##name, shape_##shape_of_a, &columns_a, shape_of_a##_fields,                  \
                               shape_##shape_of_b, &columns_b, shape_of_b##_fields, touch, stats, hits);               \
    }
#include "kernels.def"
