/* SPDX-License-Identifier: MIT */
/* The predicates for sets of any shapes: arguments checked, then handed to the active kernels. */
#include "api/predicate_of.h"
#include "api/sets.h"
#include "batch/hull_items.h"
#include "batch/pairs.h"
#include "dispatch/dispatch.h"
#include "exact/resolve.h"
#include "hull/hull.h"
#include "util/float_mode.h"

#include <string.h>

/* One call: the sets in the predicate's order. */
struct call {
    const void *a, *b;
    size_t n_a, n_b;
    enum predicate predicate;
    bool of_hulls, hulls_of_hulls, swapped, closed; /* of_hulls: b is hulls; hulls_of_hulls: and so is a */
    unsigned char fields_a, fields_b;
    struct abut_stats *stats;
};

static inline enum abut_status begin(struct call *call, unsigned takes, enum abut_relation relation, struct abut_set a,
                                     struct abut_set b, const struct abut_options *options, struct abut_stats *unwanted)
{
    options = options_or_none(options);
    if (a.items == NULL || b.items == NULL)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(takes, options);
    if (status != ABUT_OK)
        return status;
    if ((unsigned)relation > ABUT_CULL || (unsigned)a.kind > ABUT_SET_INDEX || (unsigned)b.kind > ABUT_SET_INDEX)
        return ABUT_ERROR_ARGUMENT;
    unsigned number = abut_predicate_numbers[relation][a.kind][b.kind];
    call->swapped = number == 0 && relation == ABUT_TOUCHES;
    if (call->swapped) {
        const struct abut_set first = a;
        a = b;
        b = first;
        number = abut_predicate_numbers[relation][a.kind][b.kind];
    }
    if (number == 0)
        return ABUT_ERROR_PREDICATE;
    call->of_hulls = hull_predicates > 0 && b.kind == ABUT_SET_HULLS;
    call->hulls_of_hulls = hull_predicates > 0 && a.kind == ABUT_SET_HULLS;
    call->predicate = (enum predicate)(number - 1);
    call->a = a.items;
    call->b = b.items;
    call->n_a = batch_length(a.items);
    call->n_b = batch_length(b.items);
    call->fields_a = abut_set_fields[a.kind];
    call->fields_b = abut_set_fields[b.kind];
    call->closed = options->touch == ABUT_CLOSED;
    call->stats = options->stats ? options->stats : unwanted;
    status = abut_check_set(a);
    return status != ABUT_OK ? status : abut_check_set(b);
}

/* Item by item: how many pairs the two lengths make, if they do; and hits must be there for them. */
static enum abut_status begin_pairs(struct call *call, unsigned takes, enum abut_relation relation, struct abut_set a,
                                    struct abut_set b, const struct abut_options *options, struct abut_stats *unwanted,
                                    const void *hits, size_t *n)
{
    const enum abut_status status = begin(call, takes, relation, a, b, options, unwanted);
    *n = 0;
    if (status != ABUT_OK)
        return status;
    if (call->n_a != call->n_b && call->n_a != 1 && call->n_b != 1)
        return ABUT_ERROR_LENGTHS;
    *n = call->n_a == 1 ? call->n_b : call->n_a;
    return *n > 0 && hits == NULL ? ABUT_ERROR_NULL : ABUT_OK;
}

static void test_pairs(struct call *call, size_t n, uint64_t *restrict hits)
{
    const struct kernel_args args = {batch_arrays(call->a), batch_arrays(call->b), n, call->closed, call->stats, 1, 0};
    const enum broadcast broadcast = call->n_a == call->n_b ? BROADCAST_ZIP
                                     : call->n_a == 1       ? BROADCAST_ONE_MANY
                                                            : BROADCAST_MANY_ONE;
    abut_run_batch(abut_isa_for(n), call->predicate, broadcast, &args, hits);
}

static void read_item(float item[ABUT_MAX_FIELDS], const void *batch, unsigned fields, size_t i)
{
    const float *const *columns = batch_arrays(batch);
    for (unsigned k = 0; k < fields; k++)
        item[k] = columns[k][batch_length(batch) == 1 ? 0 : i];
}

/* Item i of a, or its only one: a copy of its members, or a hull made ready. */
static const float *item_of_a(const struct call *call, size_t i, float *copy, struct hull *ready)
{
    if (call->hulls_of_hulls) {
        abut_hull_prepare(ready, call->a, call->n_a == 1 ? 0 : i, false);
        return hull_item(ready);
    }
    read_item(copy, call->a, call->fields_a, i);
    return copy;
}

/* Hulls that differ from pair to pair are not worth a vector. Not inlined, as a hull takes much of a stack. */
__attribute__((noinline)) static void test_hulls_one_by_one(struct call *call, size_t n, uint64_t *restrict hits)
{
    struct hull hull, other;
    memset(hits, 0, abut_mask_words(n) * sizeof *hits);
    call->stats->pairs += n;
    for (size_t i = 0; i < n; i++) {
        float copy[ABUT_MAX_FIELDS];
        const float *item = item_of_a(call, i, copy, &other);
        abut_hull_prepare(&hull, call->b, i, false);
        if (abut_hull_resolve(call->predicate, &hull, item, call->closed, call->stats))
            hits[i / 64] |= UINT64_C(1) << i % 64;
    }
}

static struct hull_args args_of_hulls(const struct call *call, struct hull *hulls, size_t rows, size_t row_words)
{
    const struct abut_hulls *items = call->hulls_of_hulls ? call->a : NULL;
    return (struct hull_args){.hulls = hulls,
                              .items = items ? plane_arrays(items) : batch_arrays(call->a),
                              .n = call->n_a,
                              .closed = call->closed,
                              .stats = call->stats,
                              .rows = rows,
                              .row_words = row_words,
                              .offsets = items ? items->offsets : NULL};
}

__attribute__((noinline)) static void test_one_hull(struct call *call, size_t n, uint64_t *restrict hits)
{
    struct hull hull;
    const struct isa *isa = abut_active_isa();
    abut_hull_prepare(&hull, call->b, 0, n >= SLABS_PAY);
    const struct hull_args args = args_of_hulls(call, &hull, 1, 0);
    abut_run_hulls(isa, call->predicate, &args, hits);
}

enum abut_status abut_test(enum abut_relation relation, struct abut_set a, struct abut_set b,
                           const struct abut_options *options, uint64_t *restrict hits)
{
    IN_DEFAULT_FLOAT_MODE;
    struct call call;
    size_t n;
    const enum abut_status status =
        begin_pairs(&call, options_of_abut_test, relation, a, b, options, &(struct abut_stats){0}, hits, &n);
    if (status != ABUT_OK || n == 0)
        return status;
    if (!call.of_hulls)
        test_pairs(&call, n, hits);
    else if (call.n_b == 1)
        test_one_hull(&call, n, hits);
    else
        test_hulls_one_by_one(&call, n, hits);
    return ABUT_OK;
}

static void test_rows(struct call *call, size_t row_words, uint64_t *restrict hits)
{
    const float *const *columns = batch_arrays(call->a);
    for (size_t i = 0; i < call->n_a; i += ABUT_MAX_ROWS) {
        const float *block[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < call->fields_a; k++)
            block[k] = columns[k] + i;
        const size_t rows = call->n_a - i < ABUT_MAX_ROWS ? call->n_a - i : ABUT_MAX_ROWS;
        const struct kernel_args args = {block,    batch_arrays(call->b), call->n_b, call->closed, call->stats, rows,
                                         row_words};
        abut_run_batch(abut_active_isa(), call->predicate, BROADCAST_MANY_MANY, &args, hits + i * row_words);
    }
}

static void test_hull_rows(struct call *call, size_t row_words, uint64_t *restrict hits)
{
    for (size_t first = 0; first < call->n_b; first += ABUT_MAX_HULLS) {
        struct hull hulls[ABUT_MAX_HULLS];
        const size_t n = call->n_b - first < ABUT_MAX_HULLS ? call->n_b - first : ABUT_MAX_HULLS;
        for (size_t i = 0; i < n; i++)
            abut_hull_prepare(&hulls[i], call->b, first + i, call->n_a >= SLABS_PAY);
        const struct hull_args args = args_of_hulls(call, hulls, n, row_words);
        abut_run_hulls(abut_active_isa(), call->predicate, &args, hits + first * row_words);
    }
}

/* A swapped predicate has rows of the wrong side: these are tested one by one. */
static void test_swapped_rows(struct call *call, size_t row_words, uint64_t *restrict hits)
{
    for (size_t i = 0; i < call->n_b; i++) {
        const float *columns[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < call->fields_b; k++)
            columns[k] = batch_arrays(call->b)[k] + i;
        const struct kernel_args args = {batch_arrays(call->a), columns, call->n_a, call->closed, call->stats, 1, 0};
        abut_run_batch(abut_isa_for(call->n_a), call->predicate, BROADCAST_MANY_ONE, &args, hits + i * row_words);
    }
}

enum abut_status abut_test_all(enum abut_relation relation, struct abut_set a, struct abut_set b,
                               const struct abut_options *options, uint64_t *restrict hits)
{
    IN_DEFAULT_FLOAT_MODE;
    struct call call;
    const enum abut_status status =
        begin(&call, options_of_abut_test_all, relation, a, b, options, &(struct abut_stats){0});
    if (status != ABUT_OK || call.n_a == 0 || call.n_b == 0)
        return status;
    const bool rows_of_b = call.of_hulls || call.swapped;
    const size_t rows = rows_of_b ? call.n_b : call.n_a;
    const size_t row_words = abut_mask_words(rows_of_b ? call.n_a : call.n_b);
    if (row_words > SIZE_MAX / sizeof *hits / rows)
        return ABUT_ERROR_TOO_MANY;
    if (hits == NULL)
        return ABUT_ERROR_NULL;
    if (call.of_hulls)
        test_hull_rows(&call, row_words, hits);
    else if (call.swapped)
        test_swapped_rows(&call, row_words, hits);
    else
        test_rows(&call, row_words, hits);
    return ABUT_OK;
}

/* Whether a hits b, by exact arithmetic alone. */
static bool exact_hit(const struct call *call, size_t i)
{
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    enum answer answer;
    if (call->of_hulls) {
        struct hull hull, other;
        abut_hull_prepare(&hull, call->b, call->n_b == 1 ? 0 : i, false);
        answer = abut_hull_exact(call->predicate, &hull, item_of_a(call, i, a, &other));
    } else {
        read_item(a, call->a, call->fields_a, i);
        read_item(b, call->b, call->fields_b, i);
        answer = abut_exact(call->predicate, a, b);
    }
    return answer == ANSWER_HIT || (call->closed && answer == ANSWER_TOUCH);
}

enum abut_status abut_test_exactly(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                   const struct abut_options *options, uint64_t *restrict hits)
{
    IN_DEFAULT_FLOAT_MODE;
    struct call call;
    size_t n;
    const enum abut_status status =
        begin_pairs(&call, options_of_abut_test_exactly, relation, a, b, options, &(struct abut_stats){0}, hits, &n);
    if (status != ABUT_OK || n == 0)
        return status;
    memset(hits, 0, abut_mask_words(n) * sizeof *hits);
    for (size_t i = 0; i < n; i++)
        if (exact_hit(&call, i))
            hits[i / 64] |= UINT64_C(1) << i % 64;
    call.stats->pairs += n;
    call.stats->undecided += n;
    call.stats->exact += n;
    return ABUT_OK;
}
