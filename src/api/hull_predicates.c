/* SPDX-License-Identifier: MIT */
/* The public predicates of items and hulls: arguments checked, then one prepared hull after the other. From
 * predicates.def. */
#include "api/views.h"
#include "dispatch/dispatch.h"
#include "hull/hull.h"

#include <string.h>

enum abut_status abut_hulls_readable(const struct abut_hulls *hulls)
{
    const enum abut_status status = check_hull_columns(hulls);
    for (size_t i = 0; status == ABUT_OK && i < hulls->n; i++)
        if (hulls->offsets[i + 1] <= hulls->offsets[i] || hulls->offsets[i + 1] - hulls->offsets[i] > ABUT_MAX_PLANES)
            return ABUT_ERROR_ARGUMENT;
    return status;
}

static enum abut_status check(const struct columns *items, const struct abut_hulls *hulls, enum abut_touch touch)
{
    if (touch != ABUT_CLOSED && touch != ABUT_OPEN)
        return ABUT_ERROR_ARGUMENT;
    const enum abut_status status = check_columns(items);
    return status == ABUT_OK ? abut_hulls_readable(hulls) : status;
}

/* Hulls that differ from pair to pair are not worth a vector. */
static void one_by_one(enum hull_predicate predicate, const struct columns *items, const struct abut_hulls *hulls,
                       bool closed, struct abut_stats *stats, uint64_t *restrict hits)
{
    struct hull hull;
    memset(hits, 0, abut_mask_words(hulls->n) * sizeof *hits);
    stats->pairs += hulls->n;
    for (size_t i = 0; i < hulls->n; i++) {
        float item[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < items->fields; k++)
            item[k] = items->at[k][items->n == 1 ? 0 : i];
        abut_hull_prepare(&hull, hulls, i, false);
        if (abut_hull_resolve(predicate, &hull, item, closed, stats))
            hits[i / 64] |= UINT64_C(1) << i % 64;
    }
}

static enum abut_status pairs(enum hull_predicate predicate, const struct columns *items,
                              const struct abut_hulls *hulls, enum abut_touch touch, struct abut_stats *stats,
                              uint64_t *restrict hits)
{
    if (items->n != hulls->n && items->n != 1 && hulls->n != 1)
        return ABUT_ERROR_LENGTHS;
    size_t n = items->n == 1 ? hulls->n : items->n;
    if (n > 0 && hits == NULL)
        return ABUT_ERROR_NULL;
    struct abut_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    if (hulls->n == 1 && n > 0) {
        struct hull hull;
        const struct isa *isa = abut_active_isa();
        abut_hull_prepare_for(&hull, hulls, predicate, isa->width, n);
        const struct hull_args args = {&hull, items->at, n, touch == ABUT_CLOSED, stats, 1, 0, false};
        isa->hulls[predicate](&args, hits);
    } else if (n > 0) {
        one_by_one(predicate, items, hulls, touch == ABUT_CLOSED, stats, hits);
    }
    return ABUT_OK;
}

static enum abut_status all_pairs(enum hull_predicate predicate, const struct columns *items,
                                  const struct abut_hulls *hulls, enum abut_touch touch, struct abut_stats *stats,
                                  uint64_t *restrict hits)
{
    if (hulls->n == 0 || items->n == 0)
        return ABUT_OK;
    const size_t row_words = abut_mask_words(items->n);
    if (row_words > SIZE_MAX / sizeof *hits / hulls->n)
        return ABUT_ERROR_TOO_MANY;
    if (hits == NULL)
        return ABUT_ERROR_NULL;
    struct abut_stats unwanted = {0};
    for (size_t first = 0; first < hulls->n; first += ABUT_MAX_HULLS) {
        struct hull group[ABUT_MAX_HULLS];
        const size_t n = hulls->n - first < ABUT_MAX_HULLS ? hulls->n - first : ABUT_MAX_HULLS;
        for (size_t i = 0; i < n; i++)
            abut_hull_prepare(&group[i], hulls, first + i, items->n >= SLABS_PAY);
        const struct hull_args args = {group, items->at, items->n, touch == ABUT_CLOSED, stats ? stats : &unwanted,
                                       n,     row_words, false};
        abut_active_isa()->hulls[predicate](&args, hits + first * row_words);
    }
    return ABUT_OK;
}

#define CALL(call, function, shape, predicate)                                                                         \
    enum abut_status function(const shape##_batch *items, const struct abut_hulls *hulls, enum abut_touch touch,       \
                              struct abut_stats *stats, uint64_t *restrict hits)                                       \
    {                                                                                                                  \
        if (items == NULL || hulls == NULL)                                                                            \
            return ABUT_ERROR_NULL;                                                                                    \
        const struct columns columns = shape##_columns(items);                                                         \
        enum abut_status status = check(&columns, hulls, touch);                                                       \
        return status != ABUT_OK ? status : call(predicate, &columns, hulls, touch, stats, hits);                      \
    }
#define HULL_PREDICATE(name, shape, question, function)                                                                \
    CALL(pairs, function, shape, hull_predicate_##name)                                                                \
    CALL(all_pairs, function##_all, shape, hull_predicate_##name)
#include "tables/predicates.def"
