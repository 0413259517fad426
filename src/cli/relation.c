/* SPDX-License-Identifier: MIT */
/* How questions find their predicate in the library's table. */
#include "relation.h"

#include <string.h>

const char *const question_names[question_count] = {"touches", "inside", "contains", "exact", "cull"};

static const enum abut_relation asked[question_count] = {ABUT_TOUCHES, ABUT_INSIDE, ABUT_INSIDE, ABUT_TOUCHES,
                                                         ABUT_CULL};

/* Rows of b that stay in the cache while all of a pass; a multiple of 64, so that tiles share no word. */
enum { TILE = 4096 };

/* A point touches what it is inside of. */
static bool answers(const struct abut_predicate *predicate, enum question question)
{
    if (predicate->a == ABUT_SET_POINTS)
        return question <= QUESTION_CONTAINS;
    return predicate->relation == asked[question] && (question != QUESTION_EXACT || predicate->b == ABUT_SET_HULLS);
}

static bool find(struct relation *relation, enum abut_set_kind a, enum abut_set_kind b, enum question question)
{
    size_t count;
    const struct abut_predicate *predicates = abut_predicates(&count);
    for (size_t i = 0; i < count; i++) {
        const struct abut_predicate *predicate = &predicates[i];
        const bool straight = predicate->a == a && predicate->b == b && question != QUESTION_CONTAINS;
        const bool swapped = predicate->a == b && predicate->b == a && question != QUESTION_INSIDE;
        if (answers(predicate, question) && (straight || swapped)) {
            *relation = (struct relation){predicate, !straight};
            return true;
        }
    }
    return false;
}

bool relation_find(struct relation *relation, const struct kind *a, const struct kind *b, enum question question)
{
    if (find(relation, a->set, b->set, question))
        return true;
    char has[64] = "";
    for (size_t q = 0; q < question_count; q++) {
        struct relation other;
        if (find(&other, a->set, b->set, (enum question)q)) {
            strcat(has, *has ? ", " : "");
            strcat(has, question_names[q]);
        }
    }
    complain("%s (A) and %s (B) have no predicate %s; they have %s", a->name, b->name, question_names[question],
             *has ? has : "none");
    return false;
}

typedef enum abut_status test_function(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                       const struct abut_options *options, uint64_t *restrict hits);

/* a and b in the order of the predicate. */
static enum abut_status test(test_function *function, const struct relation *relation, const struct rows *a,
                             const struct rows *b, enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    union batch batch_a, batch_b;
    const struct abut_options options = {.touch = touch, .stats = stats};
    return function(relation->predicate->relation, rows_set(a, &batch_a), rows_set(b, &batch_b), &options, hits);
}

enum abut_status relation_zip(const struct relation *relation, const struct rows *a, const struct rows *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    return relation->swapped ? test(abut_test, relation, b, a, touch, stats, hits)
                             : test(abut_test, relation, a, b, touch, stats, hits);
}

/* abut_test_all has a row for each item of the predicate's a, which is B here. */
static enum abut_status swapped_all(const struct relation *relation, const struct rows *a, const struct rows *b,
                                    enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    size_t words = abut_mask_words(b->n);
    for (size_t first = 0; first < b->n; first += TILE) {
        struct rows tile = rows_slice(b, first, b->n - first < TILE ? b->n - first : TILE);
        for (size_t i = 0; i < a->n; i++) {
            struct rows row = rows_slice(a, i, 1);
            enum abut_status status = relation_zip(relation, &row, &tile, touch, stats, hits + i * words + first / 64);
            if (status != ABUT_OK)
                return status;
        }
    }
    return ABUT_OK;
}

/* abut_test_all has a row for each hull: transposed here, 64 hulls and some items at a time. */
static enum abut_status transposed_hulls(const struct relation *relation, const struct rows *items,
                                         const struct rows *hulls, enum abut_touch touch, struct abut_stats *stats,
                                         uint64_t *hits)
{
    enum { ITEMS = 4096 };
    static uint64_t block[64 * ITEMS / 64];
    size_t words = abut_mask_words(hulls->n);
    memset(hits, 0, items->n * words * sizeof *hits);
    for (size_t i = 0; i < items->n; i += ITEMS) {
        struct rows some = rows_slice(items, i, items->n - i < ITEMS ? items->n - i : ITEMS);
        size_t row_words = abut_mask_words(some.n);
        for (size_t j = 0; j < hulls->n; j += 64) {
            struct rows few = rows_slice(hulls, j, hulls->n - j < 64 ? hulls->n - j : 64);
            enum abut_status status = test(abut_test_all, relation, &some, &few, touch, stats, block);
            if (status != ABUT_OK)
                return status;
            for (size_t hull = 0; hull < few.n; hull++)
                for (size_t w = 0; w < row_words; w++)
                    for (uint64_t bits = block[hull * row_words + w]; bits != 0; bits &= bits - 1)
                        hits[(i + w * 64 + (size_t)__builtin_ctzll(bits)) * words + j / 64] |= UINT64_C(1) << hull;
        }
    }
    return ABUT_OK;
}

enum abut_status relation_all(const struct relation *relation, const struct rows *a, const struct rows *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    const bool hulls = relation->predicate->b == ABUT_SET_HULLS;
    if (hulls && relation->swapped)
        return test(abut_test_all, relation, b, a, touch, stats, hits);
    if (hulls)
        return transposed_hulls(relation, a, b, touch, stats, hits);
    if (relation->swapped)
        return swapped_all(relation, a, b, touch, stats, hits);
    return test(abut_test_all, relation, a, b, touch, stats, hits);
}
