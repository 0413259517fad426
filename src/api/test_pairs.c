/* SPDX-License-Identifier: MIT */
/* Predicates for a list of pairs: blocks of items gathered side by side, and handed to abut_test. */
#include "api/predicate_of.h"
#include "api/sets.h"
#include "util/float_mode.h"

#include <abut/index.h>

#include <string.h>

enum { BLOCK = 256 };

/* The items of one side of a block. Hulls take 32 planes at most. */
struct gathered {
    float columns[ABUT_MAX_FIELDS][BLOCK];
    union any_batch any;
    struct columns view;
};

static size_t length_of(struct abut_set set)
{
    return batch_length(set.items);
}

/* Copies item i of each pair's side (0: a, 1: b) of up to BLOCK pairs. */
static struct abut_set gather(struct gathered *to, struct abut_set set, const struct abut_pair *pairs, size_t n,
                              bool second)
{
    const float *const *from = batch_arrays(set.items);
    to->view = (struct columns){.shape = (enum shape)set.kind, .fields = abut_set_fields[set.kind], .n = n};
    for (unsigned k = 0; k < to->view.fields; k++) {
        for (size_t i = 0; i < n; i++)
            to->columns[k][i] = from[k][second ? pairs[i].b : pairs[i].a];
        to->view.at[k] = to->columns[k];
    }
    return set_of_columns(&to->view, &to->any);
}

static enum abut_status check_pairs(struct abut_set a, struct abut_set b, const struct abut_pair *pairs, size_t n,
                                    const uint64_t *hits)
{
    if (n > 0 && (!pairs || !hits))
        return ABUT_ERROR_NULL;
    if (n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (size_t i = 0; i < n; i++)
        if (pairs[i].a >= length_of(a) || pairs[i].b >= length_of(b))
            return ABUT_ERROR_ARGUMENT;
    return ABUT_OK;
}

/* One item, or one hull, which shares the planes of its set. */
struct one {
    struct gathered item;
    struct abut_hulls hull;
};

static struct abut_set take_one(struct one *to, struct abut_set set, const struct abut_pair *pair, bool second)
{
    if (set.kind != ABUT_SET_HULLS)
        return gather(&to->item, set, pair, 1, second);
    to->hull = *(const struct abut_hulls *)set.items;
    to->hull.n = 1;
    to->hull.offsets += second ? pair->b : pair->a;
    return abut_of_hulls(&to->hull);
}

static void test_one_by_one(enum abut_relation relation, struct abut_set a, struct abut_set b,
                            const struct abut_pair *pairs, size_t n, const struct abut_options *options, uint64_t *hits)
{
    memset(hits, 0, abut_mask_words(n) * sizeof *hits);
    for (size_t i = 0; i < n; i++) {
        struct one one_a, one_b;
        uint64_t hit = 0;
        abut_test(relation, take_one(&one_a, a, pairs + i, false), take_one(&one_b, b, pairs + i, true), options, &hit);
        hits[i / 64] |= (hit & 1) << i % 64;
    }
}

enum abut_status abut_test_pairs(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                 const struct abut_pair *pairs, size_t n, const struct abut_options *options,
                                 uint64_t *hits)
{
    IN_DEFAULT_FLOAT_MODE;
    enum abut_status status = abut_check_test(options_of_abut_test_pairs, relation, a, b, options);
    if (status == ABUT_OK)
        status = check_pairs(a, b, pairs, n, hits);
    if (status != ABUT_OK)
        return status;
    if (a.kind == ABUT_SET_HULLS || b.kind == ABUT_SET_HULLS) {
        test_one_by_one(relation, a, b, pairs, n, options, hits);
        return ABUT_OK;
    }
    for (size_t i = 0; i < n; i += BLOCK) {
        struct gathered of_a, of_b;
        const size_t some = n - i < BLOCK ? n - i : BLOCK;
        abut_test(relation, gather(&of_a, a, pairs + i, some, false), gather(&of_b, b, pairs + i, some, true), options,
                  hits + i / 64);
    }
    return ABUT_OK;
}
