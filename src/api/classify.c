/* SPDX-License-Identifier: MIT */
/* Three-way classes, made of two predicates. */
#include "api/classify.h"
#include "api/predicate_of.h"
#include "api/sets.h"
#include "dispatch/dispatch.h"
#include "exact/resolve.h"
#include "kernels/items.h"
#include "util/float_mode.h"

/* Pairs that are tested at a time: a multiple of 64. */
enum { BLOCK = 4096 };

static bool hull_is_invalid(const struct abut_hulls *hulls, size_t i)
{
    bool invalid = false;
    for (size_t k = hulls->offsets[i]; k < hulls->offsets[i + 1]; k++)
        invalid |= plane_invalid((struct plane){hulls->nx[k], hulls->ny[k], hulls->nz[k], hulls->d[k]});
    return invalid;
}

bool abut_item_is_invalid(struct abut_set set, size_t i)
{
    if (batch_length(set.items) == 1)
        i = 0;
    if (set.kind == ABUT_SET_HULLS)
        return hull_is_invalid(set.items, i);
    const struct columns columns = abut_columns_of(set);
    float item[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < columns.fields; k++)
        item[k] = columns.at[k][i];
    return abut_is_invalid(columns.shape, item);
}

/*
 * Whether a quick look shows that no item is invalid. The wide check of planes does not see half spaces that are empty.
 */
static bool all_valid(struct abut_set set)
{
    if (batch_length(set.items) == 1)
        return !abut_item_is_invalid(set, 0);
    if (set.kind == ABUT_SET_HULLS || set.kind == ABUT_SET_PLANES)
        return false;
    const struct columns columns = abut_columns_of(set);
    return abut_active_isa()->valid[columns.shape](columns.at, columns.n);
}

_Static_assert(ABUT_CLASS_CROSSING == ABUT_CLASS_OUTSIDE + 1 && ABUT_CLASS_INSIDE == ABUT_CLASS_CROSSING + 1,
               "each bit leads to the next class");

static bool has_predicate(enum abut_relation relation, enum abut_set_kind a, enum abut_set_kind b)
{
    return abut_predicate_numbers[relation][a][b] != 0;
}

/* Points have no classes: they do not cross a surface. */
bool abut_has_classes(enum abut_set_kind a, enum abut_set_kind b)
{
    return (unsigned)a < ABUT_SET_INDEX && (unsigned)b < ABUT_SET_INDEX && a != ABUT_SET_POINTS &&
           has_predicate(ABUT_INSIDE, a, b) && has_predicate(ABUT_TOUCHES, a, b);
}

static enum abut_status classify_block(struct abut_set a, struct abut_set b, size_t n, struct abut_stats *stats,
                                       uint8_t *classes)
{
    uint64_t touching[BLOCK / 64], inside[BLOCK / 64];
    const struct abut_options closed = {.touch = ABUT_CLOSED, .stats = stats},
                              open = {.touch = ABUT_OPEN, .stats = stats};
    enum abut_status status = abut_test(ABUT_TOUCHES, a, b, &closed, touching);
    if (status == ABUT_OK)
        status = abut_test(ABUT_INSIDE, a, b, &open, inside);
    if (status != ABUT_OK)
        return status;
    /* A valid pair with a inside b touches. */
    for (size_t i = 0; i < n; i++)
        classes[i] = (uint8_t)(ABUT_CLASS_OUTSIDE + (touching[i / 64] >> i % 64 & 1) + (inside[i / 64] >> i % 64 & 1));
    /* Invalid items touch nothing, and have no class. */
    const bool valid = all_valid(a) && all_valid(b);
    for (size_t i = 0; i < n && !valid; i++)
        if ((touching[i / 64] >> i % 64 & 1) == 0 && (abut_item_is_invalid(a, i) || abut_item_is_invalid(b, i)))
            classes[i] = ABUT_CLASS_NONE;
    return ABUT_OK;
}

enum abut_status abut_classify(struct abut_set a, struct abut_set b, const struct abut_options *options,
                               uint8_t *restrict classes)
{
    IN_DEFAULT_FLOAT_MODE;
    if (a.items == NULL || b.items == NULL)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(options_of_abut_classify, options_or_none(options));
    if (status != ABUT_OK)
        return status;
    if (!abut_has_classes(a.kind, b.kind))
        return ABUT_ERROR_PREDICATE;
    const size_t n_a = batch_length(a.items), n_b = batch_length(b.items), n = n_a == 1 ? n_b : n_a;
    if (n_a > ABUT_MAX_ITEMS || n_b > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    if (n_a != n_b && n_a != 1 && n_b != 1)
        return ABUT_ERROR_LENGTHS;
    status = abut_check_set(a);
    if (status == ABUT_OK)
        status = abut_check_set(b);
    if (status != ABUT_OK)
        return status;
    if (n > 0 && classes == NULL)
        return ABUT_ERROR_NULL;
    for (size_t i = 0; i < n && status == ABUT_OK; i += BLOCK) {
        const size_t count = n - i < BLOCK ? n - i : BLOCK;
        union any_batch any_a, any_b;
        status = classify_block(abut_set_part(a, i, count, &any_a), abut_set_part(b, i, count, &any_b), count,
                                options_or_none(options)->stats, classes + i);
    }
    return status;
}
