/* SPDX-License-Identifier: MIT */
/* Any hit in groups of items: blocks of pairs, in which groups are left at their first hit. */
#include "api/groups.h"

#include "api/predicate_of.h"
#include "api/sets.h"
#include "util/float_mode.h"

#include <string.h>

/*
 * Pairs at a time. A kernel with loops of its own tests a whole block faster than it could be left. Of other pairs few
 * of one group are tested first, as the first may hit, and then GROWTH times as many each time, as vectors are faster.
 * FEW_ITEMS: of fewer items of b each is worth a pass of its own.
 */
enum { BLOCK = 4096, SLOW_BLOCK = 4, GROWTH = 4, ROW_BLOCK = 512, FEW_ITEMS = 64 };

enum abut_status abut_groups_check(const struct abut_groups *groups, size_t items)
{
    if (!groups || !groups->offsets)
        return ABUT_ERROR_NULL;
    if (groups->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (size_t g = 0; g < groups->n; g++)
        if (groups->offsets[g] > groups->offsets[g + 1])
            return ABUT_ERROR_ARGUMENT;
    return groups->offsets[groups->n] == items ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

static void clear(uint64_t *mask, size_t groups)
{
    if (groups > 0)
        memset(mask, 0, abut_mask_words(groups) * sizeof *mask);
}

/* A call with checked arguments. */
struct grouped {
    enum abut_relation relation;
    struct abut_set a, b;
    const struct abut_groups *groups;
    const struct abut_options *options;
    uint64_t *mask;
};

/* Whether pairs of these kinds are dear: those without loops of their own, and hulls that differ. */
static bool is_slow(enum abut_relation relation, enum abut_set_kind a, enum abut_set_kind b, bool hulls_differ)
{
#define PREDICATE(name, shape_a, shape_b, relation, function)
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) [1 + predicate_##name] = true,
    static const bool dear[1 + predicate_count] = {
        [0] = false,
#include "tables/predicates.def"
    };
    const unsigned number = abut_predicate_numbers[relation][a][b],
                   turned = number > 0 ? number : abut_predicate_numbers[relation][b][a];
    return dear[turned] || (hulls_differ && (a == ABUT_SET_HULLS || b == ABUT_SET_HULLS));
}

/* Whether a bit from from to to - 1 is set. */
static bool any_bit(const uint64_t *bits, size_t from, size_t to)
{
    for (size_t end; from < to; from = end) {
        end = (from / 64 + 1) * 64 < to ? (from / 64 + 1) * 64 : to;
        const uint64_t word = bits[from / 64] >> from % 64;
        if ((end - from < 64 ? word & ((UINT64_C(1) << (end - from)) - 1) : word) != 0)
            return true;
    }
    return false;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Sets the groups from g on that have a hit among the pairs first to end - 1; returns the one that goes on at end. */
static size_t set_groups(const struct grouped *call, size_t g, const uint64_t *hits, size_t first, size_t end)
{
    const uint32_t *offsets = call->groups->offsets;
    for (; g < call->groups->n && offsets[g] < end; g++) {
        const size_t last = offsets[g + 1] < end ? offsets[g + 1] : end;
        if (last > offsets[g] && any_bit(hits, greater(offsets[g], first) - first, last - first))
            group_set(call->mask, g);
        if (offsets[g + 1] > end)
            break;
    }
    return g;
}

/*
 * Item by item, as the sets broadcast. Groups that hit already are left out where a block begins. Of dear pairs a block
 * is in one group, and the next one in that group is longer.
 */
static void test_item_by_item(const struct grouped *call, bool slow)
{
    const uint32_t *offsets = call->groups->offsets;
    const size_t groups = call->groups->n, all = offsets[groups];
    size_t g = 0, at = offsets[0], n = slow ? SLOW_BLOCK : BLOCK;
    for (;;) {
        for (; g < groups && (at >= offsets[g + 1] || group_hits(call->mask, g)); g++) {
            at = greater(at, offsets[g + 1]);
            n = slow ? SLOW_BLOCK : BLOCK;
        }
        if (g == groups)
            return;
        const size_t last = slow ? offsets[g + 1] : all;
        const size_t end = last - at < n ? last : at + n;
        uint64_t hits[BLOCK / 64];
        union any_batch any_a, any_b;
        abut_test(call->relation, abut_set_part(call->a, at, end - at, &any_a),
                  abut_set_part(call->b, at, end - at, &any_b), call->options, hits);
        g = set_groups(call, g, hits, at, end);
        at = end;
        n = n < BLOCK / GROWTH ? n * GROWTH : BLOCK;
    }
}

enum abut_status abut_test_groups(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                  const struct abut_groups *groups, const struct abut_options *options,
                                  uint64_t *restrict mask)
{
    IN_DEFAULT_FLOAT_MODE;
    enum abut_status status = abut_check_test(options_of_abut_test_groups, relation, a, b, options);
    if (status != ABUT_OK)
        return status;
    const size_t n_a = batch_length(a.items), n_b = batch_length(b.items);
    if (n_a != n_b && n_a != 1 && n_b != 1)
        return ABUT_ERROR_LENGTHS;
    status = abut_groups_check(groups, n_a == 1 ? n_b : n_a);
    if (status != ABUT_OK)
        return status;
    if (groups->n > 0 && !mask)
        return ABUT_ERROR_NULL;
    clear(mask, groups->n);
    const struct grouped call = {relation, a, b, groups, options, mask};
    const bool differ = (a.kind == ABUT_SET_HULLS ? n_a : n_b) > 1;
    test_item_by_item(&call, is_slow(relation, a.kind, b.kind, differ));
    return ABUT_OK;
}

/* Whether item i of a hits any item of b. */
static bool item_hits(const struct grouped *call, size_t i, size_t block)
{
    const size_t n = batch_length(call->b.items);
    union any_batch any_a, any_b;
    const struct abut_set item = abut_set_part(call->a, i, 1, &any_a);
    for (size_t first = 0, some; first < n; first += some) {
        some = n - first < block ? n - first : block;
        block = block < ROW_BLOCK / GROWTH ? block * GROWTH : ROW_BLOCK;
        uint64_t hits[ROW_BLOCK / 64];
        abut_test(call->relation, item, abut_set_part(call->b, first, some, &any_b), call->options, hits);
        if (any_bit(hits, 0, some))
            return true;
    }
    return false;
}

enum abut_status abut_test_all_groups(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                      const struct abut_groups *groups, const struct abut_options *options,
                                      uint64_t *restrict mask)
{
    IN_DEFAULT_FLOAT_MODE;
    enum abut_status status = abut_check_test(options_of_abut_test_all_groups, relation, a, b, options);
    if (status == ABUT_OK)
        status = abut_groups_check(groups, batch_length(a.items));
    if (status != ABUT_OK)
        return status;
    if (groups->n > 0 && !mask)
        return ABUT_ERROR_NULL;
    clear(mask, groups->n);
    struct grouped call = {relation, a, b, groups, options, mask};
    const size_t n_b = batch_length(b.items);
    const bool slow = is_slow(relation, a.kind, b.kind, a.kind == ABUT_SET_HULLS);
    if (b.kind == ABUT_SET_HULLS || (n_b < FEW_ITEMS && !slow)) {
        for (size_t i = 0; i < n_b; i++) {
            union any_batch any;
            call.b = abut_set_part(b, i, 1, &any);
            test_item_by_item(&call, slow);
        }
        return ABUT_OK;
    }
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = groups->offsets[g]; i < groups->offsets[g + 1] && !group_hits(mask, g); i++)
            if (item_hits(&call, i, slow ? SLOW_BLOCK : ROW_BLOCK))
                group_set(mask, g);
    return ABUT_OK;
}
